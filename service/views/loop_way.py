"""The way of a move through the event loop: no thread, and one command to the store.

The loop judges the move on the cached table and sends the append with those of all other moves of
its round; when the store has confirmed it, the loop answers. Everything else is for a thread: an
unknown token, a table that is not cached, a refused move, a conflict, an idempotency key that was
used before, a store that fails or is silent. A thread does the whole command again, or first sends
the same append again when nobody knows whether the store has it: the store does it once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import hiredis

from cartulary.events.commands import Prepared, Written
from cartulary.events.ledger import VersionConflict, read_answer
from cartulary.events.pipeline import Loop, Lost, Pipeline
from cartulary.service.http.at_once import COUNTED, SENT, Done, NotAtOnce
from cartulary.service.http.context import Parts
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
        self.pipeline = Pipeline(here.store.redis, loop)
        self.games: set[str] = set()
        """Whose appends are under way: a second move would be judged on an old table."""

    def begin(
        self, way: ShortWay, asked: Environ, start_response: Any, game_id: str | None
    ) -> Appending:
        """Judge a move; raises `NotAtOnce` where a thread has to."""
        if game_id is None or game_id in self.games:
            raise NotAtOnce({})
        try:
            read = way.read(asked)
            prepared = self._prepare(game_id, **read)
        except Exception as error:  # the thread meets it again, and answers it
            log.debug("a thread answers: %r", error)
            prepared = None
        if prepared is None:
            raise NotAtOnce({COUNTED: True} if COUNTED in asked else {})
        return Appending(self, way, asked, start_response, prepared, read["minimal"])

    def _prepare(self, game_id: str, **read: Any) -> Prepared | None:
        body, if_match = read["body"], read["if_match"]
        expected = body.get("expected_version")
        if if_match is not None:
            if len(if_match) > 1 or expected not in (None, if_match[0]):
                return None
            expected = if_match[0]
        return self.here.store.commands.prepare_move(
            read["who"], game_id, body["move"], expected, read["key"], body
        )

    def close(self) -> None:
        """End the connection to the store."""
        self.pipeline.close()


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
