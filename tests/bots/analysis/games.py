"""Short games for the analysis, and an effort that is small."""

from __future__ import annotations

from typing import Any, NamedTuple

import cartulary
from cartulary.bots.analysis.base import AnalysisEffort, Analyst
from cartulary.bots.analysis.carcassonne import CarcassonneAnalyst
from cartulary.bots.analysis.caylus import CaylusAnalyst
from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.turn import list_worths
from cartulary.bots.reasons import Finder
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.core import Game
from cartulary.engine.transcript import Transcript
from cartulary.games import GAMES, OFFERS

SMALL = AnalysisEffort(plans=3, first=2, finalists=2, more=2)

EFFORTS = {"hard": SMALL, "expert": SMALL}


class QuickCarcassonne(CarcassonneAnalyst):
    efforts = EFFORTS


class QuickCaylus(CaylusAnalyst):
    efforts = EFFORTS


class QuickOffer(NamedTuple):
    """A game with an analysis that takes little time."""

    rules: Game
    analyst: Analyst[Any] | None
    reasons: Finder | None


def quick(game: str, analyst: Analyst[Any]) -> QuickOffer:
    return QuickOffer(GAMES[game], analyst, OFFERS[game].reasons)


QUICK = {
    "carcassonne": quick("carcassonne", QuickCarcassonne()),
    "caylus": quick("caylus", QuickCaylus()),
}


def play(game: str, moves: int, seats: int = 2, seed: int = 1) -> Transcript:
    """The first moves of a game of `medium`."""
    match = cartulary.new_game(game, seats, seed=seed)
    for _ in range(moves):
        match.play_bot("medium")
    return match.transcript()


def play_to_a_blunder() -> Transcript:
    """A game of Carcassonne in which the last placement is the worst, far below the best."""
    match = cartulary.new_game("carcassonne", 2, seed=2)
    while True:
        state = match.state
        assert isinstance(state, CarcassonneState)
        if state.kind == "place_tile":
            worths = list_worths(state)
            if max(worths) - min(worths) > 12 * UNIT:
                match.play(state.move_json(state.moves()[worths.index(min(worths))]))
                return match.transcript()
        match.play_bot("medium")
