"""The games of the tests: those on offer, the example of the documentation, and the toy game."""

from __future__ import annotations

from cartulary.games import OFFERS
from cartulary.games.offer import rules_of
from examples.tictactoe.offer import OFFER as TICTACTOE
from tests.toy import OFFER as BEANS

ALL_OFFERS = {**OFFERS, TICTACTOE.name: TICTACTOE, BEANS.name: BEANS}
ALL_GAMES = rules_of(ALL_OFFERS)
"""What holds for every game holds for all of these."""
