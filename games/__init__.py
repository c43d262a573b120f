"""The list of the games on offer: the one place that names a new game.

Entry points (commands, the WSGI module, the main modules of the workers) import `OFFERS` and hand
it to the store, the service and the jobs; no other room imports it.

The games are loaded when a caller asks for `OFFERS` or `GAMES` first. So a module that needs the
type `Offer` alone loads no game, and the module of a game may be imported before this list.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from cartulary.games.offer import Offer, rules_of

if TYPE_CHECKING:
    from cartulary.engine.core import Game

    OFFERS: Mapping[str, Offer]
    """Every game on offer, by its name."""

    GAMES: Mapping[str, Game]
    """The rules of every game: what reading, replaying and verifying a transcript takes."""

MODULES: Final = (
    "cartulary.games.carcassonne",
    "cartulary.games.caylus",
)
"""The module of each game on offer. It has the offer under the name `OFFER`."""


if not TYPE_CHECKING:  # a type checker would take every unknown name for one that this finds

    def __getattr__(name: str) -> object:
        """Load the games; raises `AttributeError` for any name but `OFFERS` and `GAMES`."""
        if name not in ("OFFERS", "GAMES"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        offers = {offer.name: offer for offer in (import_module(m).OFFER for m in MODULES)}
        globals().update(OFFERS=offers, GAMES=rules_of(offers))
        return globals()[name]
