"""A game that is played by codes: what both libraries need, without either of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cartulary.engine.coded import size_of
from cartulary.engine.core import Game, State, find_game
from cartulary.engine.errors import IllegalMove, InvalidOption
from cartulary.games import GAMES

PLACEMENT: Final = "placement"
MARGIN: Final = "margin"
REWARDS: Final = (PLACEMENT, MARGIN)
"""What a finished game can be worth, see `reward`."""


class CodedTable:
    """A game with its seats and options, checked; `rewards` says what its end is worth.

    Attributes: `game`, `seats`, `options` with all values, `actions`, `size` (floats of a tensor).
    Raises `UnknownGame`, `InvalidSeats` or `InvalidOption`.
    """

    def __init__(
        self, name: str, seats: Any, options: Mapping[str, Any] | None, rewards: str = PLACEMENT
    ) -> None:
        if rewards not in REWARDS:
            raise InvalidOption(f"rewards are one of {[*REWARDS]}, not {rewards!r}")
        self.game: Game = find_game(GAMES, name)
        self.options = self.game.check(seats, options or {})
        self.seats: int = seats
        self.rewards = rewards
        self.actions = self.game.actions(self.options)
        self.size = size_of(self.game.tensor_planes())

    def __deepcopy__(self, memo: dict[int, Any]) -> CodedTable:
        """Return this object: it never changes, and OpenSpiel copies a state deeply."""
        return self

    def reward(self, scores: Sequence[int]) -> list[float]:
        """Return what final scores are worth, by seat.

        `placement`: from 1 for the first place in equal steps to -1 for the last; seats of equal
        score share the mean of their places, so all rewards add up to 0. `margin`: the points
        ahead of the best other seat, negative behind it.
        """
        if self.rewards == MARGIN:
            return [float(own - _best_other(scores, seat)) for seat, own in enumerate(scores)]
        return [_place(scores, own) for own in scores]


def _best_other(scores: Sequence[int], seat: int) -> int:
    return max(score for other, score in enumerate(scores) if other != seat)


def _place(scores: Sequence[int], own: int) -> float:
    """Return how many more seats are behind than ahead, as a share of all others."""
    ahead = sum(score > own for score in scores)
    behind = sum(score < own for score in scores)
    return (behind - ahead) / (len(scores) - 1)


def play_code(rules: CodedTable, state: State[Any], code: Any) -> None:
    """Make the legal move of a code; the draws that follow are left to the caller.

    Raises `UnknownAction` for what is no code, `IllegalMove` for a move that is not legal now; then
    nothing has changed.
    """
    number = rules.actions.check(code)
    codes = state.codes()
    if number in codes:
        state.play(state.moves()[codes.index(number)])
    elif state.over:
        raise IllegalMove("the game is over: no move is pending")
    else:
        move = rules.actions.move(number)
        raise IllegalMove(
            f"code {number} is not legal now: {state.explain(move)}",
            state.seat,
            state.kind,
            state.legal_moves(),
        )
