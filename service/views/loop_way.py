"""The way of a move through the event loop: no thread, and one command to the store.

The loop judges the move on the cached table and sends the append with those of all other moves of
its round; when the store has confirmed it, the loop answers. Where another process has made the
move before, the loop first reads the events that its table lacks. Everything else is for a thread:
an unknown token, a table that is not cached, a refused move, a conflict, an idempotency key that
was used before, a store that fails or is silent. A thread does the whole command again, or first
sends the same append again when nobody knows whether the store has it: the store does it once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import hiredis

from cartulary.events.commands import Prepared, Written
from cartulary.events.ledger import VersionConflict, read_answer
from cartulary.events.pipeline import Loop, Lost, make_pipeline
from cartulary.events.table import Table
from cartulary.service.http.at_once import COUNTED, SENT, Done, NotAtOnce
from cartulary.service.http.context import Parts
from cartulary.service.http.receipt import find_received
from cartulary.service.shortcuts import Environ

if TYPE_CHECKING:
    from cartulary.service.views.short_way import ShortWay

log = logging.getLogger("cartulary.service")

Later = Callable[..., object]
"""Runs a function with its arguments in a thread."""


class LoopWay:
    """The moves of one process that are under way in its event loop."""

    def __init__(self, here: Parts, loop: Loop, later: Later) -> None:
        """Belong to a loop; begin to connect to the store."""
        self.here, self.later = here, later
        self.writer = here.store.commands.writer
        self.pipeline = make_pipeline(here.store.redis, loop, here.store.ledger.replicas_within_ms)
        self.games: set[str] = set()
        """Whose appends are under way: a second move would be judged on an old table."""

    def begin(
        self, way: ShortWay, asked: Environ, start_response: Any, game_id: str | None
    ) -> Appending | CatchingUp:
        """Judge a move; raises `NotAtOnce` where a thread has to."""
        if game_id is None or game_id in self.games:
            raise NotAtOnce({})
        try:
            found = self._begin(way, asked, start_response, game_id)
        except Exception as error:  # the thread meets it again, and answers it
            log.debug("a thread answers: %r", error)
            found = None
        if found is None:
            raise NotAtOnce({COUNTED: True} if COUNTED in asked else {})
        return found

    def _begin(
        self, way: ShortWay, asked: Environ, start_response: Any, game_id: str
    ) -> Appending | CatchingUp | None:
        read = way.read(asked)
        expected = _find_expected(read["body"], read["if_match"])
        received = find_received(asked, self.here)

        def judge() -> Appending | None:
            prepared = self._prepare(game_id, expected, read, received)
            if prepared is None:
                return None
            return Appending(self, way, asked, start_response, prepared, read["minimal"])

        appending = judge()
        if appending is not None or expected is None:
            return appending
        table = self.here.store.projector.newest(game_id)
        if table is None or table.life.version >= expected:
            return None
        return CatchingUp(self, asked, table, judge)

    def _prepare(
        self, game_id: str, expected: int | None, read: dict[str, Any], received: int | None
    ) -> Prepared | None:
        body = read["body"]
        return self.here.store.commands.prepare_move(
            read["who"], game_id, body["move"], expected, read["key"], body, received
        )

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
    """A move on a version that this process has not read yet: a `process.calling.Later`.

    Two players of one game often have connections to different processes, so each process lacks
    every second event.
    """

    __slots__ = ("_asked", "_done", "_judge", "_of", "_table")

    def __init__(
        self, of: LoopWay, asked: Environ, table: Table, judge: Callable[[], Appending | None]
    ) -> None:
        self._of, self._asked, self._table, self._judge = of, asked, table, judge

    def follow(self, done: Done) -> None:
        """Read the missing events, judge the move, and send its append."""
        self._done = done
        self._of.games.add(self._table.id)
        words = self._of.here.store.ledger.pack_entries(self._table.id, self._table.version)
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
        ledger, projector = self._of.here.store.ledger, self._of.here.store.projector
        known = projector.follow(self._table, ledger.read_entries(answer))
        return self._judge() if known and self._of.pipeline.open else None


class Appending:
    """A move whose append is under way: a `process.calling.Later`."""

    __slots__ = ("_asked", "_done", "_minimal", "_of", "_prepared", "_start", "_way")

    def __init__(
        self,
        of: LoopWay,
        way: ShortWay,
        asked: Environ,
        start_response: Any,
        prepared: Prepared,
        minimal: bool,
    ) -> None:
        self._of, self._way = of, way
        self._asked, self._start = asked, start_response
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
        return self._way.answer(self._asked, self._start, done, self._minimal)
