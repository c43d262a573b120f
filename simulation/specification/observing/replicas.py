"""Operations as steps of `simulation.specification.failing_over`."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.specification.failing_over import APPENDED, CONFLICT
from simulation.specification.model import ModelStep
from simulation.specification.observing.appends import NO_RECORD, find_append, find_read
from simulation.specification.recording import StoreOperation


class ReplicaReader:
    """Reads the operations on one game. `numbers` says which event each actor is to append."""

    def __init__(self, game_id: str) -> None:
        self._game_id = game_id
        self.numbers: dict[str, int] = {}

    def is_risky(self, operation: StoreOperation) -> bool:
        """No answer gets lost here: a wait that ends in vain is as much."""
        return False

    def read(self, operation: StoreOperation) -> Iterator[ModelStep]:
        """Yield reads, appends, and what is sent on the connection that waits."""
        actor, number = operation.actor, self.numbers.get(operation.actor, 0)
        found = find_read(operation)
        if found is not None and found.game == self._game_id and found.record != NO_RECORD:
            yield ModelStep("ask", (actor, number))
        waits = operation.commands[-1][0][0] == "WAIT"
        words, answer = operation.commands[0]
        sent = find_append(words, answer)
        if sent is not None:
            outcome = CONFLICT if sent.code == 0 else APPENDED
            yield ModelStep("confirm" if waits else "append", (actor, number, outcome))
        elif waits and answer:
            yield ModelStep("confirm", (actor, number, APPENDED))
        if waits and (sent is None or sent.code != 0):
            yield ModelStep("wait", (actor, int(bool(operation.commands[-1][1]))))
