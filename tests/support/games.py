"""The games of the tests: those on offer, the example of the documentation, and the toy game."""

from __future__ import annotations

from cartulary.games import OFFERS
from cartulary.games.offer import rules_of
from examples.tictactoe.offer import OFFER as TICTACTOE
from tests.support.toy_game import OFFER as BEANS

ALL_OFFERS = {TICTACTOE.name: TICTACTOE, BEANS.name: BEANS, **OFFERS}
COMPLETE = ("carcassonne", "caylus")
"""The games that have every tier, cases and examples: no change takes these away."""

ALL_GAMES = rules_of(ALL_OFFERS)
"""What holds for every game holds for all of these."""
