"""Tic-tac-toe: two seats in turn mark a cell; three marks in a row score a point and end it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from cartulary.engine.chance import Shuffler
from cartulary.engine.contract import (
    SEAT,
    WHOLE,
    Contract,
    Question,
    facts_of,
    list_of,
    moves_of,
    object_of,
    one_of,
    or_null,
)
from cartulary.engine.core import Decision, Game, Json, State
from cartulary.engine.errors import ChanceError

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""The cells of each row, column and diagonal; cell 0 is at the upper left, 2 at the upper right."""

_PLACE = {name: {"type": "integer", "minimum": 0, "maximum": 2} for name in ("x", "y")}

CONTRACT = Contract(
    moves=moves_of({"mark": ("Mark a free cell.", _PLACE)}),
    decisions={"mark": Question("Which cell?", ("mark",), object_of("Nothing more.", {}))},
    facts=facts_of(
        {
            "marked": object_of("A seat marks a cell.", {"seat": SEAT, **_PLACE}),
            "points": object_of(
                "A seat has three in a row.",
                {"seat": SEAT, "points": WHOLE, "reason": one_of(["line"])},
            ),
            "play_over": object_of("Nothing is left to mark.", {}),
        }
    ),
    view=object_of(
        "The board.",
        {"cells": list_of(or_null(SEAT), "Nine, row by row."), "scores": list_of(WHOLE)},
    ),
)


class TicTacToeState(State[int]):
    """A position; an internal move is the number of a cell."""

    __slots__ = ("cells",)

    def __init__(self) -> None:
        self.seats, self.options, self.facts = 2, {}, None
        self.scores = [0, 0]
        self.cells: list[int | None] = [None] * 9

    @property
    def over(self) -> bool:
        """Return whether three are in a row, or no cell is free."""
        return any(self.scores) or None not in self.cells

    @property
    def chance(self) -> None:
        """Return None: nothing is drawn in this game."""
        return None

    @property
    def seat(self) -> int:
        """Return the seat that marks next; -1 when the game is over."""
        return -1 if self.over else (9 - self.cells.count(None)) % 2

    @property
    def kind(self) -> str:
        """Return the kind of the decision; empty when the game is over."""
        return "" if self.over else "mark"

    @property
    def decision(self) -> Decision | None:
        """Return the pending decision, None when the game is over."""
        return None if self.over else Decision(self.seat, self.kind, {})

    def moves(self) -> Sequence[int]:
        """Return the free cells."""
        return [] if self.over else [n for n, owner in enumerate(self.cells) if owner is None]

    def move_json(self, move: int) -> Json:
        """Return the move of the contract for a cell."""
        return {"type": "mark", "x": move % 3, "y": move // 3}

    def play(self, move: int) -> None:
        """Mark a cell."""
        seat = self.seat
        self.cells[move] = seat
        self._tell("marked", seat=seat, x=move % 3, y=move // 3)
        if self.completes(move, seat):
            self.scores[seat] = 1
            self._tell("points", seat=seat, points=1, reason="line")
        if self.over:
            self._tell("play_over")

    def completes(self, cell: int, seat: int) -> bool:
        """Return whether a mark in this cell gives the seat three in a row."""
        return any(
            cell in line and all(n == cell or self.cells[n] == seat for n in line) for line in LINES
        )

    def _tell(self, kind: str, **fields: Any) -> None:
        if self.facts is not None:
            self.facts.append({"type": kind, **fields})

    def resolve(self, outcome: str) -> None:
        """Raise `ChanceError`: nothing is drawn in this game."""
        raise ChanceError(f"{outcome!r} cannot be drawn: this game draws nothing")

    def copy(self) -> Self:
        """Return a state that changes apart from this one."""
        twin = type(self)()
        twin.cells, twin.scores = self.cells[:], self.scores[:]
        return twin

    def view(self) -> Json:
        """Return what everybody may see: here all of it."""
        return {"cells": self.cells[:], "scores": self.scores[:]}

    def beyond_view(self) -> Json:
        """Return nothing: whose turn it is follows from the number of marks."""
        return {}

    def count(self) -> list[Json]:
        """Return nothing: the point was scored during the play."""
        return []

    def dump(self) -> Json:
        """Return what `load` takes."""
        return self.view()


class TicTacToe(Game):
    """What the game is, and its start."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    rules_version = 1
    seats_from = seats_to = 2
    contract = CONTRACT

    def draw_setup(self, seats: int, options: Mapping[str, Any], rng: Shuffler) -> Json:
        """Return an empty setup: nothing is drawn at the start."""
        return {}

    def new(self, seats: int, options: Mapping[str, Any], setup: Json) -> TicTacToeState:
        """Return the start; raises `InvalidSeats`, `InvalidOption`, `SetupError`."""
        self.check(seats, options)
        self.check_setup(setup)
        return TicTacToeState()

    def load(self, dump: Json) -> TicTacToeState:
        """Return the state of a dump."""
        state = TicTacToeState()
        state.cells, state.scores = dump["cells"][:], dump["scores"][:]
        return state

    def setup_of_transcript(self, setup: Json, draws: Sequence[str], bag: Json) -> Json:
        """Return the setup as it is: a transcript has nothing to add."""
        return dict(setup)

    def setup_to_transcript(self, setup: Json) -> Json:
        """Return the setup as it is."""
        return dict(setup)
