"""The judgement of one decision (`docs/bots.md`, "The analysis of a finished game")."""

from __future__ import annotations

from math import exp
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Marks
from cartulary.engine.core import Json

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = MARKS = (
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
)
"""The marks, the best first."""

DIGITS: Final = 2
WIN_DIGITS: Final = 3


class Alternative(NamedTuple):
    """Another move that was considered, with its value and its share of wins."""

    move: Json
    value: float
    win: float

    def to_json(self) -> Json:
        """Return the alternative as in the contract."""
        return {
            "move": self.move,
            "value": round(self.value, DIGITS),
            "win": round(self.win, WIN_DIGITS),
        }


class DecisionAnalysis(NamedTuple):
    """What the analysis says of one decision.

    Values are points of expected final margin for the seat that decides, wins are shares of the
    win from 0 to 1. `loss` is `best_value` less `value`, `error` the standard error of `loss`.
    `luck` is what the draw before the decision was worth. `line` begins with the best move. `why`
    has the facts of the move and of the best move.
    """

    version: int
    seat: int
    kind: str
    move: Json
    best: Json
    value: float
    best_value: float
    error: float
    win: float
    best_win: float
    luck: float
    mark: str
    alternatives: list[Alternative]
    line: list[Json]
    why: Json

    @property
    def loss(self) -> float:
        """The points that the move gave away, never below 0."""
        return self.best_value - self.value

    def to_json(self) -> Json:
        """Return the decision as in the contract, points with two digits."""
        value, best_value = round(self.value, DIGITS), round(self.best_value, DIGITS)
        return {
            "version": self.version,
            "seat": self.seat,
            "kind": self.kind,
            "move": self.move,
            "best": self.best,
            "value": value,
            "best_value": best_value,
            "loss": round(best_value - value, DIGITS),
            "error": round(self.error, DIGITS),
            "win": round(self.win, WIN_DIGITS),
            "best_win": round(self.best_win, WIN_DIGITS),
            "luck": round(self.luck, DIGITS),
            "mark": self.mark,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
            "line": self.line,
            "why": self.why,
        }


def find_certain_loss(loss: float, error: float) -> float:
    """Return the loss less its standard error, at least 0.

    The best of several moves with uncertain values looks better than it is. Without the error, a
    move that is as good as the best would often have a mark against it.
    """
    return max(0.0, loss - error)


def choose_mark(loss: float, error: float, marks: Marks) -> str:
    """Return the mark of a move with this loss and the standard error of the loss, in points."""
    if loss <= 0:
        return BEST
    certain = find_certain_loss(loss, error)
    if certain >= marks.blunder:
        return BLUNDER
    if certain >= marks.mistake:
        return MISTAKE
    return INACCURACY if certain >= marks.inaccuracy else GOOD


def rate_accuracy(decision: Json, tolerance: float) -> float:
    """Return the accuracy of one decision as it stands in JSON, 0 to 1."""
    certain = find_certain_loss(decision["loss"], decision["error"])
    return exp(-certain / tolerance)


def is_forced(decision: Json) -> bool:
    """Return whether a decision as it stands in JSON had no other move to compare."""
    alternatives: list[Any] = decision["alternatives"]
    return not alternatives
