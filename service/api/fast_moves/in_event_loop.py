"""The way of a move through the event loop: no thread, and one command to the store.

The loop judges the move on the cached table and sends the append with those of all other moves of
its round; when the store has confirmed it, the loop answers. Where another process has made the
move before, the loop first reads the events that its table lacks. Everything else is for a thread:
an unknown token, a table that is not cached, a refused move, a conflict, an idempotency key that
was used before, a store that fails or is silent. A thread does the whole command again, or first
sends the same append again when it is unknown whether the store has it: the store does it once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import hiredis

from cartulary.events.commands.commands import Intent, Prepared, Written
from cartulary.events.ledger.ledger import VersionConflict, read_answer
from cartulary.events.model.table import Table
from cartulary.events.server.pipeline import Lost, PipelineLoop, make_pipeline
from cartulary.service.http.arrival_time import find_received
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.server_marks import COUNTED, SENT, Done, NotAtOnce

log = logging.getLogger("cartulary.service")

Later = Callable[..., object]
"""Runs a function with its arguments in a thread."""
Read = Callable[[Environ], dict[str, Any]]
"""Returns what the view of a move would get; raises what the view would raise."""
Answer = Callable[[Environ, Any, Written, bool], list[bytes]]
"""Begins the answer to a move, and returns its body."""


class LoopWay:
    """The moves of one process that are under way in its event loop."""

    def __init__(
        self, services: Services, loop: PipelineLoop, later: Later, read: Read, answer: Answer
    ) -> None:
        """Belong to a loop; begin to connect to the store."""
        self.services, self.later, self.answer = services, later, answer
        self._read = read
        self.writer = services.store.commands.writer
        self.pipeline = make_pipeline(
            services.store.redis, loop, services.store.ledger.replicas_within_ms
        )
        self.games: set[str] = set()
        """Whose appends are under way: a second move would be judged on an old table."""

    def begin(
        self, environ: Environ, start_response: Any, game_id: str | None
    ) -> Appending | CatchingUp:
        """Judge a move; raises `NotAtOnce` where a thread has to."""
        if game_id is None or game_id in self.games:
            raise NotAtOnce({})
        try:
            found = self._begin(environ, start_response, game_id)
        except Exception as error:  # the thread meets it again, and answers it
            log.debug("a thread answers: %r", error)
            found = None
        if found is None:
            raise NotAtOnce({COUNTED: True} if COUNTED in environ else {})
        return found

    def _begin(
        self, environ: Environ, start_response: Any, game_id: str
    ) -> Appending | CatchingUp | None:
        read = self._read(environ)
        expected = _find_expected(read["body"], read["if_match"])
        received = find_received(environ, self.services)
        intent = Intent(read["who"], expected, read["key"], read["body"], received)

        def judge() -> Appending | None:
            commands = self.services.store.commands
            prepared = commands.prepare_move(intent, game_id, intent.body["move"])
            if prepared is None:
                return None
            return Appending(self, environ, start_response, prepared, read["minimal"])

        appending = judge()
        if appending is not None or expected is None:
            return appending
        table = self.services.store.projector.newest(game_id)
        if table is None or table.life.version >= expected:
            return None
        return CatchingUp(self, environ, table, judge)

    def close(self) -> None:
        """End the connection to the store."""
        self.pipeline.close()


def _find_expected(body: Any, if_match: Sequence[int] | None) -> int | None:
    """Return the version that a move expects; raises `ValueError` when it names several."""
    expected: int | None = body.get("expected_version")
    if if_match is None:
        return expected
    if len(if_match) > 1 or expected not in (None, if_match[0]):
        raise ValueError("the move expects more than one version")
    return if_match[0]


class CatchingUp:
    """A move on a version that this process has not read yet: a `server.app_interface.Later`.

    Two players of one game often have connections to different processes, so each process lacks
    every second event.
    """

    __slots__ = ("_asked", "_done", "_judge", "_of", "_table")

    def __init__(
        self, of: LoopWay, environ: Environ, table: Table, judge: Callable[[], Appending | None]
    ) -> None:
        self._of, self._asked, self._table, self._judge = of, environ, table, judge

    def follow(self, done: Done) -> None:
        """Read the missing events, judge the move, and send its append."""
        self._done = done
        self._of.games.add(self._table.id)
        words = self._of.services.store.ledger.pack_entries(self._table.id, self._table.version)
        self._of.pipeline.send(words, self._settle)

    def _settle(self, answer: Any) -> None:
        self._of.games.discard(self._table.id)
        appending = None
        try:
            if not isinstance(answer, (Lost, hiredis.ReplyError)):
                appending = self._go_on(answer)
        except Exception as error:  # the thread meets it again, and answers it
            log.debug("a thread answers: %r", error)
        if appending is not None:
            appending.follow(self._done)
        else:
            self._done(None, {COUNTED: True} if COUNTED in self._asked else {})

    def _go_on(self, answer: Any) -> Appending | None:
        """Return the move, judged on the table after the events of an answer, None if refused."""
        ledger, projector = self._of.services.store.ledger, self._of.services.store.projector
        known = projector.follow(self._table, ledger.read_entries(answer))
        return self._judge() if known and self._of.pipeline.open else None


class Appending:
    """A move whose append is under way: a `server.app_interface.Later`."""

    __slots__ = ("_asked", "_done", "_minimal", "_of", "_prepared", "_start")

    def __init__(
        self,
        of: LoopWay,
        environ: Environ,
        start_response: Any,
        prepared: Prepared,
        minimal: bool,
    ) -> None:
        self._of, self._asked, self._start = of, environ, start_response
        self._prepared, self._minimal = prepared, minimal

    def follow(self, done: Done) -> None:
        """Send the append; `done` gets the body of the answer, or None where a thread has to."""
        self._done = done
        self._of.games.add(self._prepared.draft.game_id)
        self._of.pipeline.send(self._of.writer.pack(self._prepared), self._settle)

    def _settle(self, answer: Any) -> None:
        self._of.games.discard(self._prepared.draft.game_id)
        found, marks = None, {COUNTED: True, SENT: self._prepared}
        try:
            if not isinstance(answer, (Lost, hiredis.ReplyError)):
                found = self._answer(answer)
        except VersionConflict:
            del marks[SENT]
        except Exception:  # the thread meets it again, and answers it
            log.exception("a move of the event loop has failed")
        self._done(found, marks)

    def _answer(self, answer: Any) -> list[bytes] | None:
        """Return the body; None for an idempotency key that was used before."""
        if read_answer(answer) is not None:
            return None
        done: Written = self._of.writer.finish(self._prepared, self._of.later)
        return self._of.answer(self._asked, self._start, done, self._minimal)
