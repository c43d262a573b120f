"""The games on offer."""

from __future__ import annotations

from engine.carcassonne.game import Carcassonne
from engine.caylus import CAYLUS
from engine.core import Game
from engine.errors import UnknownGame

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
