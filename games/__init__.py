"""The list of the games on offer: the one place that a new game is added to.

Entry points (commands, the WSGI module, the main modules of the workers) import this list and hand
it to the store; no other room imports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.engine.core import Game
from cartulary.games.carcassonne import CARCASSONNE
from cartulary.games.caylus import CAYLUS
from cartulary.games.offer import Offer, rules_of

_LIST: Final = (
    CARCASSONNE,
    CAYLUS,
)

OFFERS: Final[Mapping[str, Offer]] = {offer.name: offer for offer in _LIST}
"""Every game on offer, by its name."""

GAMES: Final[Mapping[str, Game]] = rules_of(OFFERS)
"""The rules of every game on offer: what reading, replaying and verifying a transcript takes."""
