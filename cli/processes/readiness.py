"""Whether the service that `serve` has started answers."""

from __future__ import annotations

import http.client
import ssl


def is_ready(host: str, port: int, secure: bool = False) -> bool:
    """Return whether `/readyz` answers 200 within a second."""
    connection = _connect(host, port, secure)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _connect(host: str, port: int, secure: bool) -> http.client.HTTPConnection:
    if not secure:
        return http.client.HTTPConnection(host, port, timeout=1)
    # The certificate names the public host, and the question goes to a process of our own.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return http.client.HTTPSConnection(host, port, timeout=1, context=context)
