"""Operations as steps of `simulation.specification.creating`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simulation.specification.creating import APPENDED, REPLAYED
from simulation.specification.model import ModelStep
from simulation.specification.observing.appends import is_check, list_appends
from simulation.specification.recording import StoreOperation

Probe = Callable[[str], tuple[bool, bool]]
"""Says of a game whether its secret is stored, and whether an entry of the outbox leads to it."""


class CreationReader:
    """Reads what one key of a player leads to. `dispatchers` are the actors that dispatch."""

    def __init__(self, dispatchers: tuple[str, ...], probe: Probe) -> None:
        self._dispatchers, self._probe = dispatchers, probe
        self._drawn = 0
        self._own: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._looked: set[str] = set()

    def is_risky(self, operation: StoreOperation) -> bool:
        """No answer gets lost here: processes die instead."""
        return False

    def read(self, operation: StoreOperation) -> Iterator[ModelStep]:
        """Yield the steps of a web process, or of a dispatcher."""
        if operation.actor in self._dispatchers:
            yield from self._read_dispatcher(operation)
        else:
            yield from self._read_web(operation)

    def _read_web(self, operation: StoreOperation) -> Iterator[ModelStep]:
        actor, (words, answer) = operation.actor, operation.commands[0]
        if words[0] == "GET" and str(words[1]).startswith("creation:") and answer is None:
            yield self._look(actor, is_found=False)
        elif is_check(operation) and actor not in self._looked:
            yield self._look(actor, is_found=answer is not None)
        elif words[0] == "SET" and str(words[1]).startswith("creation:"):
            drawn, first = str(words[2]), answer
            self._numbers.setdefault(drawn, self._own[actor])
            yield ModelStep("reserve", (actor, first is None or first.decode() == drawn))
        for one in list_appends(operation):
            outcome = {1: APPENDED, 2: REPLAYED}.get(one.code, "conflict")
            yield ModelStep("append", (actor, self.name(one.game), outcome, *self._probe(one.game)))
        if (shown := self._find_shown(operation)) is not None:
            yield ModelStep("show", (actor, shown))

    def _look(self, actor: str, *, is_found: bool) -> ModelStep:
        self._looked.add(actor)
        if not is_found:
            self._drawn += 1
            self._own[actor] = self._drawn
        return ModelStep("look", (actor, is_found))

    def begin(self, actor: str) -> None:
        """Note that an actor begins a request."""
        self._looked.discard(actor)

    def name(self, game_id: str) -> str:
        """Return the name of a game in the model: by which draw of an id it got its own."""
        return f"game-{self._numbers[game_id]}"

    def _read_dispatcher(self, operation: StoreOperation) -> Iterator[ModelStep]:
        actor, (words, answer) = operation.actor, operation.commands[0]
        for fields in _list_entries(words, answer):
            yield ModelStep("take", (actor, self.name(fields[b"game"].decode())))
        if (shown := self._find_shown(operation)) is not None:
            yield ModelStep("list game", (actor, shown))
        if words[0] == "XACK":
            yield ModelStep("acknowledge", (actor,))

    def _find_shown(self, operation: StoreOperation) -> str | None:
        """Return the game whose summary an operation writes, None for another operation."""
        for words, _ in operation.commands:
            if words[0] == "EVALSHA" and str(words[3]).startswith("{projections}:game:"):
                game = str(words[3]).rpartition(":")[2]
                return self.name(game) if game in self._numbers else None
        return None


def _list_entries(words: tuple[Any, ...], answer: Any) -> Iterator[dict[bytes, bytes]]:
    """Yield the fields of the entries that a dispatcher has got."""
    if words[0] == "XREADGROUP":
        for _, entries in answer or ():
            yield from (fields for _, fields in entries)
    elif words[0] == "XAUTOCLAIM":
        yield from (fields for _, fields in answer[1] if fields)
