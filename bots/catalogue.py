"""The bots on offer, by game and name."""

from __future__ import annotations

from typing import NamedTuple

from cartulary.bots.base import Bot, Entry
from cartulary.bots.carcassonne.greedy import play_greedily as play_carcassonne_greedily
from cartulary.bots.caylus.greedy import play_greedily as play_caylus_greedily
from cartulary.bots.randomly import play_randomly
from cartulary.engine.core import Game
from cartulary.engine.games import GAMES

RANDOM = Entry(play_randomly, "Plays any legal move; good for trying things out.")

SKILLED: dict[str, dict[str, Entry]] = {
    "carcassonne": {
        "greedy": Entry(
            play_carcassonne_greedily,
            "Looks one turn ahead: takes what promises the most points, farms included.",
        ),
    },
    "caylus": {
        "greedy": Entry(
            play_caylus_greedily,
            "Plays each move out to the end of the round: builds, uses favours and the castle.",
        ),
    },
}
"""Per game, the bots that know it, the weakest first."""

BOTS: dict[str, dict[str, Entry]] = {
    game: {"random": RANDOM, **SKILLED.get(game, {})} for game in GAMES
}
"""`BOTS[game][name]` is the bot and a line for people; every game has `random`."""


class Offer(NamedTuple):
    """A game with its bots."""

    rules: Game
    bots: dict[str, Entry]


OFFERS: dict[str, Offer] = {name: Offer(game, BOTS[name]) for name, game in GAMES.items()}
"""The games on offer with their bots: what the ledger is opened with."""


def bot_named(game: str, name: str) -> Bot:
    """Return a bot; raises `KeyError` when the game has none of this name."""
    return BOTS[game][name].bot
