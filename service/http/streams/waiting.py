"""How a request waits for what comes: a stream that follows, or a long poll."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flask import Response, request

from cartulary.events.live.subscriptions import Subscription
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import StreamForm, Waiting
from cartulary.service.http.wire.observer import HELD, PLAYER
from cartulary.service.http.wire.server_marks import can_hold, has_waited

Subscribe = Callable[[], Subscription]
Leave = Callable[[], None]


def enter(services: Services) -> Leave:
    """Take a place among those who wait; returns what frees the place.

    Raises `Problem` 503 when all places, or those of the caller, are taken.
    """
    environ = request.environ
    return services.streams.enter(environ.get(PLAYER), environ.get("REMOTE_ADDR") or "")


def enter_and_subscribe(services: Services, subscribe: Subscribe) -> tuple[Subscription, Leave]:
    """Take a place and a subscription; returns both, the place as what frees it."""
    leave = enter(services)
    try:
        return subscribe(), leave
    except BaseException:
        leave()
        raise


def wait_for_news(services: Services, subscribe: Subscribe, seconds: float) -> Response | None:
    """Wait for what comes; return an answer where the event loop does the waiting."""
    environ = request.environ
    if has_waited(environ):
        return None
    leave = enter(services)
    if can_hold(environ):
        environ[HELD] = True
        return Response(Waiting(subscribe, seconds, leave), direct_passthrough=True)
    try:
        with subscribe() as subscription:
            subscription.get(seconds)
    finally:
        leave()
    return None


def answer_stream(form: StreamForm, open_body: Callable[[], Iterable[bytes]]) -> Response:
    """Return a stream in a form; a HEAD request takes no place among those who wait."""
    # HEAD answers in the form of a stream, too: the length of a stream is unknown.
    body = iter(()) if request.method == "HEAD" else open_body()
    answer = Response(body, mimetype=form.media, direct_passthrough=True)
    answer.headers["Cache-Control"] = "no-store"
    # Proxies (nginx) would otherwise collect entries instead of passing them on.
    answer.headers["X-Accel-Buffering"] = "no"
    return answer
