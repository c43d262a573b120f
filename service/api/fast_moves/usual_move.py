"""The usual way of a move: the event loop answers a plain `POST /games/{id}/moves` itself.

It reads the request with the steps of the view, judges the move on the cached table, sends the
append, and describes the answer with the functions of the view. Where another process has made the
move before, it first reads the events that the table lacks. Everything else is for Flask in a
thread: an unknown token, a table that is not cached, a refused move, a conflict, an idempotency key
that was used before. When it is unknown whether the store has the append, the view first sends the
same append again: its nonce lets the store do it once.

`tests/service/api/fast_moves/` sends the same requests both ways and compares answers, metrics and
log lines.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import hiredis
import orjson

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.ledger.ledger import VersionConflict, read_answer
from cartulary.events.ledger.writer import Prepared
from cartulary.events.model.errors import Refused
from cartulary.events.server.connection import read_entries
from cartulary.events.server.pipeline import Lost, Pipeline, PipelineLoop, Pipelines, make_pipeline
from cartulary.events.tracing import spans
from cartulary.service.api.game.moves import describe_event, describe_move, make_move
from cartulary.service.http.bodies import PLAIN_JSON
from cartulary.service.http.compression import pack_move
from cartulary.service.http.conditions import tag_table
from cartulary.service.http.endpoints import steps_of
from cartulary.service.http.operations import JSON
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.cors import Cors
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.observer import ROUTE, SPAN
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.wire.server_marks import (
    AT_ONCE,
    COUNTED,
    RECEIVED,
    SENT,
    Claims,
    Done,
    NotAtOnce,
)
from cartulary.service.http.write_outcome import finish_write

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

log = logging.getLogger("cartulary.service")

_MOVE = re.compile(r"/([0-9A-Z]{26})/moves", re.ASCII)
"""The path after `/games`, with an id as the service gives it."""

_PLAIN = frozenset(
    {
        *("wsgi.errors", "wsgi.version", "wsgi.multithread", "wsgi.multiprocess"),
        *("wsgi.run_once", "wsgi.input_terminated", "wsgi.input", "wsgi.url_scheme"),
        *("REQUEST_METHOD", "QUERY_STRING", "RAW_URI", "SCRIPT_NAME", "PATH_INFO"),
        *("SERVER_PROTOCOL", "SERVER_NAME", "SERVER_PORT", "REMOTE_ADDR"),
        *("CONTENT_TYPE", "CONTENT_LENGTH", "werkzeug.proxy_fix.orig"),
        *("cartulary.loop", RECEIVED, "cartulary.request_id", AT_ONCE, SPAN),
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


_NOT_READ = frozenset({"query", "lang"})
"""What the view reads and a plain move does not need: the picture in its answer, and its words."""

EXPECTED = (NotAtOnce, Problem, Refused, VersionConflict, Lost, hiredis.ReplyError)
"""What makes Flask answer in the usual course of things: a refusal, or a store that is away."""

Result = TypeVar("Result")
Steps = Generator[tuple[Any, ...], Any, Result]
"""Yields commands for the store, gets their answers."""


class UsualMoves:
    """Answers plain moves in the event loop, and hands every other request to Flask."""

    def __init__(self, flask: WSGIApplication, services: Services, prefix: str, cors: Cors) -> None:
        """Stand in front of `flask`; the games are below `prefix`."""
        self._flask, self._services, self._cors = flask, services, cors
        self._games = f"{prefix}/games"
        self._route = f"{self._games}/<game:game_id>/moves"
        self._steps = [step for step in steps_of(make_move) if step.name not in _NOT_READ]
        self._writer = services.store.commands.writer
        self._store: Pipeline | Pipelines | None = None
        self._under_way: set[str] = set()
        """The games with a move under way: a second move would be judged on an old table."""

    def join(self, loop: PipelineLoop, later: Callable[..., object]) -> Claims:
        """Answer moves in an event loop; `later` runs a function in a thread.

        Returns what tells which requests the loop may try to answer.
        """
        store = self._services.store
        self._later = later
        self._store = make_pipeline(store.redis, loop, store.ledger.replicas_within_ms)
        return self._claim

    def leave(self) -> None:
        """Answer no more moves in the event loop."""
        if self._store is not None:
            self._store.close()

    def _claim(self, method: str, path: str) -> bool:
        return (
            method == "POST"
            and self._store is not None
            and path.endswith("/moves")
            and path.startswith(self._games)
            and self._store.open
        )

    def __call__(self, environ: Environ, start_response: StartResponse) -> Any:
        """Answer a request; in the event loop with a `MoveUnderWay`, or raise `NotAtOnce`."""
        if AT_ONCE not in environ:
            return self._flask(environ, start_response)
        game_id = self._find_game(environ)
        if game_id is None or game_id in self._under_way or self._store is None:
            raise NotAtOnce({})
        marks: dict[str, Any] = {}
        steps = self._move(environ, start_response, game_id, marks)
        return MoveUnderWay(self._store, steps, lambda error: self._give_up(error, environ, marks))

    def _give_up(self, error: Exception, environ: Environ, marks: dict[str, Any]) -> NotAtOnce:
        """Return what makes Flask answer; it refuses with what only the stored game knows."""
        if isinstance(error, EXPECTED):
            log.debug("Flask answers a move: %r", error)
        else:
            log.error("the usual way of a move has failed, Flask answers", exc_info=error)
            self._services.metrics.failed_parts.labels("usual_move").inc()
        for mark in (COUNTED, SPAN):
            if mark in environ:
                marks[mark] = environ[mark]
        return NotAtOnce(marks)

    def _move(
        self,
        environ: Environ,
        start_response: StartResponse,
        game_id: str,
        marks: dict[str, Any],
    ) -> Steps[list[bytes]]:
        """Make a move and return the body of the answer; `marks` say what Flask has to know."""
        read = {
            name: step(environ, self._services) if mark is None or mark in environ else missing
            for name, step, mark, missing in self._steps
        }
        expected = _find_expected(read["body"], read["if_match"])
        intent = Intent(read["who"], expected, read["key"], read["body"], read["received"])
        self._under_way.add(game_id)
        sending: spans.Span | None = None
        try:
            prepared = yield from self._judge(intent, game_id)
            marks[SENT] = prepared
            if spans.on:
                sending = spans.begin("append", "client", game=game_id)
            record = read_answer((yield prepared.append), prepared.append)
        except VersionConflict:
            marks.pop(SENT, None)
            raise
        finally:
            self._under_way.discard(game_id)
            if sending is not None:
                sending.end()
        if record is not None:
            raise NotAtOnce(marks)  # Flask answers by what the key led to
        done = self._writer.finish(prepared, self._later)
        return self._describe(environ, start_response, done, read["minimal"])

    def _judge(self, intent: Intent, game_id: str) -> Steps[Prepared]:
        """Judge a move, first after catching up where the table lacks events.

        Two players of one game often have connections to different processes, so each process
        lacks every second event. Raises `NotAtOnce` when the move is refused, or not cached.
        """
        store, commands = self._services.store, self._services.store.commands
        prepared = commands.prepare_move(intent, game_id, intent.body["move"])
        if prepared is None and intent.expected is not None:
            table = store.projector.newest(game_id)
            if table is not None and table.life.version < intent.expected:
                answer = yield store.ledger.pack_entries(table.id, table.version)
                if store.projector.follow(table, read_entries(answer)):
                    prepared = commands.prepare_move(intent, game_id, intent.body["move"])
        if prepared is None:
            raise NotAtOnce({})
        return prepared

    def _find_game(self, environ: Environ) -> str | None:
        """Return the id of the game of a plain move, else None."""
        found = _MOVE.fullmatch(environ["PATH_INFO"], len(self._games))
        if (
            found is not None
            and not environ.get("QUERY_STRING")
            and environ.get("CONTENT_TYPE") in PLAIN_JSON
            and _PLAIN.issuperset(environ)
        ):
            return found[1]
        return None

    def _describe(
        self, environ: Environ, start_response: StartResponse, done: Written, minimal: bool
    ) -> list[bytes]:
        """Begin the answer to a move, and return its body, packed where the client wishes.

        The headers come where Flask writes them.
        """
        done = finish_write(self._services, done, environ)
        plain = orjson.dumps(describe_event(done) if minimal else describe_move(done))
        may_pack = "HTTP_ACCEPT_ENCODING" in environ
        packed = pack_move(self._services, environ, plain) if may_pack else None
        body = plain if packed is None else packed
        headers = [
            ("ETag", tag_table(self._services, done.table)),
            ("Content-Type", JSON),
            ("Content-Length", str(len(body))),
        ]
        if minimal:
            headers.append(("Preference-Applied", "return=minimal"))
        if "HTTP_ORIGIN" in environ:
            headers += self._cors.list_headers(environ["HTTP_ORIGIN"])
        if packed is not None:
            headers.append(("Content-Encoding", "gzip"))
        environ[ROUTE] = self._route
        start_response("201 CREATED", headers)
        return [body]


def _find_expected(body: Any, if_match: Sequence[int] | None) -> int | None:
    """Return the version that a move expects; raises `NotAtOnce` when it names several."""
    expected: int | None = body.get("expected_version")
    if if_match is None:
        return expected
    if len(if_match) > 1 or expected not in (None, if_match[0]):
        raise NotAtOnce({})
    return if_match[0]


class MoveUnderWay:
    """A move that waits for the store: a `server.app_interface.Later`."""

    __slots__ = ("_done", "_give_up", "_span", "_steps", "_store", "_words")

    def __init__(
        self,
        store: Pipeline | Pipelines,
        steps: Steps[list[bytes]],
        give_up: Callable[[Exception], NotAtOnce],
    ) -> None:
        """Judge the move; raises `NotAtOnce`."""
        self._store, self._steps, self._give_up = store, steps, give_up
        self._span = spans.find_current() if spans.on else None
        try:
            self._words = next(steps)
        except Exception as error:
            raise give_up(error) from error

    def follow(self, done: Done) -> None:
        """Send the append; `done` gets the body of the answer, or None where Flask answers."""
        self._done = done
        self._store.send(self._words, self._go_on)

    def _take(self, answer: Any) -> tuple[Any, ...]:
        """Give the steps an answer of the store; returns the next command."""
        if isinstance(answer, Exception):  # `Lost`, or what the server refuses
            return self._steps.throw(answer)
        return self._steps.send(answer)

    def _go_on(self, answer: Any) -> None:
        try:
            with nullcontext() if self._span is None else spans.use(self._span):
                words = self._take(answer)
        except StopIteration as end:
            self._done(end.value, {})
        except Exception as error:
            self._done(None, self._give_up(error).marks)
        else:
            if self._store.open:
                self._store.send(words, self._go_on)
            else:
                self._go_on(Lost())
