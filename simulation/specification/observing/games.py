"""What was appended to one game, as steps of models that tell of the events of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simulation.specification.model import ModelStep
from simulation.specification.observing.appends import list_appends
from simulation.specification.recording import StoreOperation

Events = tuple[dict[str, Any], ...]
Tell = Callable[[str, Events], ModelStep | None]
"""Says which step the events of an append are, by the actor who has appended them."""


class AppendReader:
    """Reads the appends to a game that the store has taken."""

    def __init__(self, game_id: str, tell: Tell) -> None:
        self._game_id, self._tell = game_id, tell

    def is_risky(self, operation: StoreOperation) -> bool:
        """No answer gets lost: that is for the model of a move."""
        return False

    def read(self, operation: StoreOperation) -> Iterator[ModelStep]:
        """Yield a step for each append."""
        for one in list_appends(operation):
            if one.game == self._game_id and one.is_stored:
                step = self._tell(operation.actor, one.events)
                if step is not None:
                    yield step


class TakebackTeller:
    """Tells the steps of `simulation.specification.takebacks`; `actors` in the order of seats."""

    def __init__(self, actors: tuple[str, ...]) -> None:
        self._actors = actors

    def __call__(self, actor: str, events: Events) -> ModelStep:
        """Return the step that some events are; `half` is what no step of the model says."""
        by_type = {one["type"]: one for one in events}
        closed = by_type.get("proposal_closed", {}).get("outcome", "")
        seat = self._actors.index(actor)
        if made := by_type.get("proposal_made"):
            return ModelStep("ask", (made["seat"], len(made["moves"]), closed))
        if answered := by_type.get("proposal_answered"):
            is_whole = ("moves_taken_back" in by_type) == (closed == "accepted")
            words = (answered["seat"], answered["answer"], closed if is_whole else "half")
            return ModelStep("answer", words)
        if "moves_taken_back" in by_type:
            return ModelStep("take back", (seat, closed))
        if moved := by_type.get("move_made"):
            return ModelStep("move", (moved["seat"], closed))
        name = {"withdrawn": "withdraw", "expired": "expire"}.get(closed) or str(closed)
        return ModelStep(name, (seat, closed))


class FlagTeller:
    """Tells the steps of `simulation.specification.timing_out`: moves, and flags that fall."""

    def __init__(self) -> None:
        self._position = 1

    def __call__(self, actor: str, events: Events) -> ModelStep | None:
        """Return the step that some events are, None where they answer no position."""
        types = [one["type"] for one in events]
        if not {"move_made", "turn_timed_out"} & set(types):
            return None
        self._position += 1
        kind = "flag" if "turn_timed_out" in types else "move"
        return ModelStep(kind, (actor, self._position - 1))
