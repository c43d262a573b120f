"""A bot for tic-tac-toe: it looks one move ahead."""

from __future__ import annotations

import random

from examples.tictactoe.rules import TicTacToeState


def play_carefully(state: TicTacToeState, rng: random.Random) -> int:
    """Return the cell that wins, else the cell where the opponent would win, else any cell."""

    def worth(cell: int) -> tuple[bool, bool, float]:
        wins, saves = (state.completes(cell, seat) for seat in (state.seat, 1 - state.seat))
        return wins, saves, rng.random()

    return max(state.moves(), key=worth)
