"""Tells a puzzle again by the rules of today, without the thinking that found it."""

from __future__ import annotations

from typing import Any

from cartulary.bots.analysis.base import find_analyst
from cartulary.engine.core import Json, State
from cartulary.games.offer import Offer
from cartulary.puzzles.judging import LineJudge
from cartulary.puzzles.mining import DEEPER, THINKING, Ideas, pair_lines, write_lines_of
from cartulary.puzzles.record import Puzzle
from cartulary.puzzles.telling import read_moves


def retell(offer: Offer, puzzle: Puzzle, state: State[Any], made: Json) -> Puzzle | None:
    """Return a puzzle with the tempting line, the futures and the themes that today's rules choose.

    `state` is its position, `made` what it says of its making. The right lines, the margin and the
    rating stay. The result is None when the rules of today leave the puzzle out.
    """
    right = [read_moves(state, line) for line in puzzle.best]
    width = THINKING[offer.name].times(DEEPER).width
    plans = LineJudge(find_analyst(offer), state, puzzle.id).list_plans(width)
    kept = read_moves(state, puzzle.tempting)
    pair = pair_lines(Ideas(offer, state), right, [kept, *plans])
    return pair and write_lines_of(puzzle._replace(made=made), state, pair)
