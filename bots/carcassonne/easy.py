"""The bot that plays like a person in their second game.

It makes the mistakes of such a person: it has forgotten that there are farms, it spends its last
follower as readily as its first, and it does not see every place where its tile fits. At a table of
many the farms of the others remind it of its own, late in the game.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.carcassonne.placing import Placing
from cartulary.bots.carcassonne.ratings import FIELD, KINDS, Ratings
from cartulary.bots.carcassonne.turn import PlacementAnswer, list_answers
from cartulary.engine.carcassonne.laid import LAID_MASK
from cartulary.engine.carcassonne.position import PLACE_TILE, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState

OVERLOOKED: Final = 0.18
"""The chance that a place where the tile fits is not seen."""

REMINDED: Final = (-1, -1, -1, 36, 28, 20)
"""With so many tiles left, by the number of seats, the player remembers the farms; -1 for never."""


class CarelessRatings(Ratings):
    """What features are worth to a player who does not save followers."""

    __slots__ = ()

    def rate_supply(self, back: int, spent: int) -> int:
        """Return that the number of followers at home makes no difference."""
        return 0


class ForgetfulRatings(CarelessRatings):
    """What features are worth to a player who knows no farms either."""

    __slots__ = ()

    def rate_held(self, kind: int, record: int, tiles: int, closing: int) -> int:
        """Return what `Ratings` does, and nothing for a farm."""
        return 0 if kind == FIELD else super().rate_held(kind, record, tiles, closing)


def knows_farms(state: CarcassonneState) -> bool:
    """Return whether the player remembers the farms: with two seats never."""
    return state.left <= REMINDED[state.seats]


def play_easily(state: CarcassonneState, rng: random.Random) -> int:
    """Return the move that looks best among those that are seen; of equal ones, one by lot."""
    answers = _list_seen(state, rng) if state.kind == PLACE_TILE else list_answers(state)
    if not knows_farms(state):
        answers = [one for one in answers if not _is_farmer(state, one)]
    best = max(one.worth for one in answers)
    return rng.choice([one.move for one in answers if one.worth == best])


def _list_seen(state: CarcassonneState, rng: random.Random) -> list[PlacementAnswer]:
    """Return the answers at the places that are seen: one place at least."""
    ratings = CarelessRatings(state) if knows_farms(state) else ForgetfulRatings(state)
    tile = 4 * state.tile
    places = {move & ~3: rng.random() for move in state.moves()}
    clearest = max(places.values())
    return [
        PlacementAnswer(worth, move, segment)
        for move in state.moves()
        if places[move & ~3] >= min(OVERLOOKED, clearest)
        for worth, segment in Placing(ratings, move & ~3, tile + move % 4).list_options()
    ]


def _is_farmer(state: CarcassonneState, answer: PlacementAnswer) -> bool:
    """Return whether an answer has a follower on a field."""
    if state.kind == PLACE_TILE:
        tile, segment = state.tile, answer.segment
    else:
        tile, segment = (state.board.tiles[state.last] & LAID_MASK) >> 2, answer.move
    return segment != SKIP and KINDS[tile][segment] == FIELD
