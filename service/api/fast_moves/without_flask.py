"""The short way: the usual `POST /games/{id}/moves` and `…/preview`, answered without Flask.

Flask and werkzeug match the route, push two contexts and make a request and a response object. A
move needs none of these, and they take more CPU time than the rules do: the short way saves 142 of
the 358 µs of CPU time of a move (in process, without the sockets of the client).

It reads the request with the same steps, makes the move with the same function and describes the
answer with the same functions as the view. `tests/service/api/fast_moves/test_short_way.py` sends
the same requests both ways and compares answers, metrics and log lines. A preview takes the short
way in a thread, so that trying a move never costs more than making the move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import orjson
from flask import Flask

from cartulary.events.commands.commands import Written
from cartulary.events.server.pipeline import PipelineLoop
from cartulary.service.api.fast_moves.in_event_loop import Later, LoopWay
from cartulary.service.api.game.moves import (
    describe_event,
    describe_move,
    describe_preview,
    make_move,
    perform_move,
    preview_move,
)
from cartulary.service.http.answers import mask_written, note_written
from cartulary.service.http.arrival_time import RECEIVED, find_received
from cartulary.service.http.compression import pack_move
from cartulary.service.http.conditions import tag_table
from cartulary.service.http.endpoints import steps_of
from cartulary.service.http.operations import JSON
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.cors import Cors
from cartulary.service.http.wire.environ import Environ, is_plain_json
from cartulary.service.http.wire.observer import ROUTE
from cartulary.service.http.wire.server_marks import AT_ONCE, COUNTED, SENT

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

_MOVE = re.compile(r"/([0-9A-Z]{26})/moves", re.ASCII)
_PREVIEW = re.compile(r"/([0-9A-Z]{26})/preview", re.ASCII)
"""The paths after `/games`, with an id as the service gives it."""

_PLAIN = frozenset(
    {
        *("wsgi.errors", "wsgi.version", "wsgi.multithread", "wsgi.multiprocess"),
        *("wsgi.run_once", "wsgi.input_terminated", "wsgi.input", "wsgi.url_scheme"),
        *("REQUEST_METHOD", "QUERY_STRING", "RAW_URI", "SCRIPT_NAME", "PATH_INFO"),
        *("SERVER_PROTOCOL", "SERVER_NAME", "SERVER_PORT", "REMOTE_ADDR"),
        *("CONTENT_TYPE", "CONTENT_LENGTH", "werkzeug.proxy_fix.orig"),
        *("cartulary.loop", RECEIVED, "cartulary.request_id", AT_ONCE, COUNTED, SENT),
        *("HTTP_HOST", "HTTP_CONNECTION", "HTTP_USER_AGENT", "HTTP_ACCEPT", "HTTP_AUTHORIZATION"),
        *("HTTP_ACCEPT_LANGUAGE", "HTTP_IDEMPOTENCY_KEY", "HTTP_IF_MATCH", "HTTP_X_REQUEST_ID"),
        *("HTTP_PREFER", "HTTP_ACCEPT_ENCODING", "HTTP_ORIGIN", "HTTP_REFERER", "HTTP_COOKIE"),
        *("HTTP_DNT", "HTTP_SEC_GPC", "HTTP_PRIORITY", "HTTP_CACHE_CONTROL", "HTTP_PRAGMA"),
        *("HTTP_SEC_FETCH_DEST", "HTTP_SEC_FETCH_MODE", "HTTP_SEC_FETCH_SITE", "HTTP_TE"),
        *("HTTP_SEC_CH_UA", "HTTP_SEC_CH_UA_MOBILE", "HTTP_SEC_CH_UA_PLATFORM", "HTTP_VIA"),
        "HTTP_FORWARDED",
        *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST"),
    }
)
"""What the environment of a plain request may hold. A header that is not here may have a meaning
that only the view knows, so Flask answers such a request."""


class ShortWay:
    """Answers plain moves itself, and hands every other request to the app."""

    def __init__(self, app: Flask, services: Services, prefix: str, cors: Cors) -> None:
        """Stand in front of `app.wsgi_app`; the games are below `prefix`."""
        self._cors = cors
        self._app, self._services, self._flask = app, services, app.wsgi_app
        self._games = f"{prefix}/games"
        self._route = f"{self._games}/<game:game_id>/moves"
        self._preview_route = f"{self._games}/<game:game_id>/preview"
        self._steps, self._preview_steps = steps_of(make_move), steps_of(preview_move)
        self._loop_way: LoopWay | None = None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Any:
        """Answer a request; in the event loop with an `Appending`, or raise `NotAtOnce`."""
        game_id = self._find_game(environ, _MOVE)
        if AT_ONCE in environ:
            assert self._loop_way is not None
            return self._loop_way.begin(environ, start_response, game_id)
        tried = self._find_game(environ, _PREVIEW) if game_id is None else None
        try:
            if tried is not None:
                return self._preview(environ, start_response, tried)
            if game_id is not None:
                read = self.read(environ)
                done = self._move(environ, game_id, **read)
                return self.answer(environ, start_response, done, read["minimal"])
        except Exception as error:
            return self._refuse(error, environ, start_response)
        return self._flask(environ, start_response)

    # -- in the event loop ------------------------------------------------------------------------

    def join(self, loop: PipelineLoop, later: Later) -> None:
        """Answer moves in an event loop as well; `later` runs a function in a thread."""
        self._loop_way = LoopWay(self._services, loop, later, self.read, self.answer)

    def leave(self) -> None:
        """Answer no more moves in the event loop."""
        if self._loop_way is not None:
            self._loop_way.close()

    def claims(self, method: str, path: str) -> bool:
        """Return whether a request is worth the attempt to answer it in the event loop."""
        way = self._loop_way
        return (
            method == "POST"
            and way is not None
            and path.endswith("/moves")
            and path.startswith(self._games)
            and way.pipeline.open
        )

    # -- reading and answering --------------------------------------------------------------------

    def _find_game(self, environ: Environ, form: re.Pattern[str]) -> str | None:
        """Return the id of the game of a plain POST to a path of a form, else None."""
        path: str = environ["PATH_INFO"]
        if (
            environ["REQUEST_METHOD"] == "POST"
            and path.startswith(self._games)
            and (found := form.fullmatch(path, len(self._games))) is not None
            and not environ.get("QUERY_STRING")
            and is_plain_json(environ)
            and _PLAIN.issuperset(environ)
        ):
            return found[1]
        return None

    def read(self, environ: Environ) -> dict[str, Any]:
        """Return what the view would get; raises what the view would raise."""
        return {name: step(environ, self._services) for name, step in self._steps}

    def _preview(
        self, environ: Environ, start_response: StartResponse, game_id: str
    ) -> list[bytes]:
        """Preview a move, and return the body of the answer."""
        read = {name: step(environ, self._services) for name, step in self._preview_steps}
        plain = orjson.dumps(describe_preview(self._services, game_id, read["who"], read["body"]))
        environ[ROUTE] = self._preview_route
        first = ("Cache-Control", "no-store")
        return self._send(environ, start_response, "200 OK", plain, first, [])

    def _move(self, environ: Environ, game_id: str, **read: Any) -> Written:
        sent = environ.get(SENT)
        done = None if sent is None else self._services.store.commands.writer.repeat(sent)
        return done or perform_move(
            self._services,
            game_id,
            read["who"],
            read["key"],
            read["body"],
            read["if_match"],
            find_received(environ, self._services),
        )

    def answer(
        self, environ: Environ, start_response: StartResponse, done: Written, minimal: bool
    ) -> list[bytes]:
        """Begin the answer to a move, and return its body."""
        note_written(self._services, done, environ)
        done = mask_written(self._services, done)
        plain = orjson.dumps(describe_event(done) if minimal else describe_move(done))
        more = []
        if done.replayed:
            more.append(("Idempotency-Replayed", "true"))
        if minimal:
            more.append(("Preference-Applied", "return=minimal"))
        environ[ROUTE] = self._route
        tag = ("ETag", tag_table(self._services, done.table))
        return self._send(environ, start_response, "201 CREATED", plain, tag, more)

    def _send(
        self,
        environ: Environ,
        start_response: StartResponse,
        status: str,
        plain: bytes,
        first: tuple[str, str],
        more: list[tuple[str, str]],
    ) -> list[bytes]:
        """Begin an answer with a JSON text, and return its body, packed where the client wishes.

        The headers `first` and `more` come where Flask writes them.
        """
        packed = pack_move(self._services, environ, plain)
        body = plain if packed is None else packed
        headers = [first, ("Content-Type", JSON), ("Content-Length", str(len(body))), *more]
        headers += self._cors.list_headers(environ)
        if packed is not None:
            headers.append(("Content-Encoding", "gzip"))
        start_response(status, headers)
        return [body]

    def _refuse(
        self, error: Exception, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Answer the exception that is being handled as Flask answers it for a view."""
        with self._app.request_context(environ):
            answer = self._app.finalize_request(self._app.handle_user_exception(error))
            return answer(environ, start_response)
