"""The analysis of a local game, one decision at a time."""

from __future__ import annotations

from typing import Final

from cartulary.bots.analysis import analyse, summarise
from cartulary.engine.core import Json
from cartulary.events.model.types import MOVE_MADE
from cartulary.offline.local_game import LocalGame
from cartulary.offline.refusals import Refusal, not_found

LEVEL: Final = "hard"


class Study:
    """An analysis under way; each call of `go_on` judges one more decision."""

    def __init__(self, game: LocalGame) -> None:
        if game.offer.analyst is None:
            raise not_found("an analysis of this game")
        if game.table.result is None:
            raise Refusal(409, "game_running", "the game is not over")
        self._game, self._decisions = game, list[Json]()
        stands = game.table.stands
        versions = [
            one["version"]
            for one in game.events
            if one["type"] == MOVE_MADE and stands(one["version"])
        ]
        self._count = len(versions)
        offers = {game.offer.name: game.offer}
        self._walk = analyse(game.transcript(), offers, LEVEL, versions=versions, seed=game.id)

    def go_on(self, after: int) -> Json:
        """Judge the next decision; return the decisions after a version, and how far it is."""
        judged = next(self._walk, None)
        if judged is not None:
            self._decisions.append(judged.to_json())
        done = len(self._decisions) == self._count
        seats = len(self._game.seats)
        return {
            "status": "done" if done else "running",
            "progress": len(self._decisions) / max(1, self._count),
            "level": LEVEL,
            "decisions": [one for one in self._decisions if one["version"] > after],
            "seats": summarise(self._decisions, self._game.offer, seats) if done else [],
        }
