"""Operations as steps of `simulation.specification.moving`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from simulation.specification.model import ModelStep
from simulation.specification.moving import APPENDED, CONFLICT, REPLAYED
from simulation.specification.observing.appends import NO_RECORD, find_read, is_check, list_appends
from simulation.specification.recording import StoreOperation

OUTCOMES = {0: CONFLICT, 1: APPENDED, 2: REPLAYED, 3: CONFLICT}


class MoveReader:
    """Reads the operations on one game. A nonce is called by its number for its actor."""

    def __init__(self, game_id: str) -> None:
        self._game_id = game_id
        self._nonces: dict[str, list[str]] = defaultdict(list)

    def is_risky(self, operation: StoreOperation) -> bool:
        """Return whether an operation is an append."""
        return any(True for _ in list_appends(operation))

    def read(self, operation: StoreOperation) -> Iterator[ModelStep]:
        """Yield the reads and the appends of the game."""
        actor = operation.actor
        found = find_read(operation)
        if found is not None and found.game == self._game_id and found.record != NO_RECORD:
            yield ModelStep("read", (actor, found.version, found.record is not None))
        if is_check(operation):
            yield ModelStep("check", (actor, operation.commands[0][1] is not None))
        for one in list_appends(operation):
            known = self._nonces[actor]
            again = one.nonce in known
            if not again:
                known.append(one.nonce)
            outcome = OUTCOMES[one.code]
            words = (actor, one.expected, known.index(one.nonce) + 1, outcome, operation.fate)
            yield ModelStep("send again" if again else "append", words)
