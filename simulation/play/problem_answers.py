"""What the service answers when the store fails, by the service's own handlers of errors."""

from __future__ import annotations

from flask import Flask, Response

from cartulary.service.http.refusals import register
from cartulary.service.http.wire.observer import REQUEST_ID

_apps: list[Flask] = []


def find_status(error: Exception) -> int:
    """Return the status of the answer to a request that ends with an error."""
    if not _apps:
        app = Flask("simulation")
        register(app, Response)
        _apps.append(app)
    with _apps[0].test_request_context(environ_overrides={REQUEST_ID: "simulated"}):
        answer = _apps[0].make_response(_apps[0].handle_user_exception(error))
    return answer.status_code
