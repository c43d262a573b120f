"""The games on offer."""

from __future__ import annotations

from cartulary.engine.carcassonne.game import Carcassonne
from cartulary.engine.caylus import CAYLUS
from cartulary.engine.core import Game
from cartulary.engine.errors import UnknownGame

GAMES: dict[str, Game] = {
    "carcassonne": Carcassonne(),
    "caylus": CAYLUS,
}


def game_named(name: str) -> Game:
    """Return the game of this name; raises `UnknownGame`."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}; there are {sorted(GAMES)}") from None
