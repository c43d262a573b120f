"""The list of the games on offer: the one place that names a new game.

Entry points (commands, the WSGI module, the main modules of the workers) import `OFFERS` and hand
it to the store, the service and the jobs; no other room imports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from cartulary.engine.core import Game
from cartulary.games.offer import Offer, rules_of

MODULES: Final = (
    "cartulary.games.carcassonne",
    "cartulary.games.caylus",
)
"""The module of each game on offer. It has the offer under the name `OFFER`."""


def _load() -> Iterator[Offer]:
    for module in MODULES:
        offer: Offer = import_module(module).OFFER
        yield offer


OFFERS: Final[Mapping[str, Offer]] = {offer.name: offer for offer in _load()}
"""Every game on offer, by its name."""

GAMES: Final[Mapping[str, Game]] = rules_of(OFFERS)
"""The rules of every game on offer: what reading, replaying and verifying a transcript takes."""
