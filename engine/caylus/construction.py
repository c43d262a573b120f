"""Building, converting and prestige building (rules 3, phase 5), by worker or by royal favour."""

from __future__ import annotations

from functools import cache
from typing import Final

from cartulary.engine.caylus.accounts import affordable, exchange, score, tell
from cartulary.engine.caylus.buildings import (
    CRAFT_TILES,
    LAWYERS,
    NEUTRAL_TILES,
    PRESTIGE_TILES,
    RESIDENCE,
    TILE_NUMBER,
    TILES,
    numbers_of,
)
from cartulary.engine.caylus.goods import CLOTH, DENIERS, GOLD, KINDS
from cartulary.engine.caylus.grants import grant
from cartulary.engine.caylus.moves import (
    BUILDS,
    CONVERTS,
    FAVOUR_BUILDS,
    FAVOUR_CONVERTS,
    PRESTIGE_BUILDS,
    Move,
    Moves,
)
from cartulary.engine.caylus.places import BUILDING_SPACES, NEUTRAL_SPACES, NO_SPACE
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.road import first_empty_space, lay, lay_residence

STOCK_OF: Final = {
    "wood": sum(1 << tile for tile in numbers_of("wood")),
    "stone": sum(1 << tile for tile in numbers_of("stone")),
}
CONVERTIBLE_SPACES: Final[tuple[int, ...]] = (*NEUTRAL_SPACES, *BUILDING_SPACES)

# -- craft buildings -----------------------------------------------------------------------------


@cache
def list_offers(stock: int, by_favour: bool) -> Moves:
    """Return the `build` moves of the tiles in a stock; of two equal tiles the first one only."""
    table = FAVOUR_BUILDS if by_favour else BUILDS
    moves: list[Move] = []
    for number, tile in enumerate(TILES):
        if tile is not None and stock >> number & 1:
            twin = TILE_NUMBER[tile.twin_of] if tile.twin_of else number
            if twin == number or not stock >> twin & 1:
                moves += table[number]
    return tuple(moves)


def legal_builds(
    state: Position, seat: int, category: str, *, by_favour: bool = False
) -> list[Move]:
    """Return what the seat can build of a category; nothing when the road is full."""
    moves = affordable(state, seat, list_offers(state.stock & STOCK_OF[category], by_favour))
    return moves if moves and first_empty_space(state) != NO_SPACE else []


def build(state: Position, seat: int, move: Move) -> None:
    """Lay the tile on the first empty space, get its points and favours at once."""
    space = first_empty_space(state)
    lay(state, seat, move.number, space)
    tell(state, "building_built", space, seat=seat)
    _reward(state, seat, move.number)


def _reward(state: Position, seat: int, number: int) -> None:
    tile = TILES[number]
    assert tile is not None
    score(state, seat, state.tile_points[number], "construction", building=tile.id)
    if tile.favours:
        grant(state, seat, tile.favours, tile.id)


# -- residences ----------------------------------------------------------------------------------


def legal_converts(state: Position, seat: int, *, by_favour: bool = False) -> list[Move]:
    """Return the buildings that the seat can turn into residences.

    These are neutral ones and own wooden and stone ones, never a lawyer, none twice.
    """
    purse = KINDS * seat
    table = FAVOUR_CONVERTS if by_favour else CONVERTS
    price = table[0]
    if state.goods[purse + CLOTH] < price.cloth or state.goods[purse + DENIERS] < price.deniers:
        return []
    taken = [space for space, _ in state.pending]
    return [
        table[space]
        for space in CONVERTIBLE_SPACES
        if convertible(state, seat, space) and space not in taken
    ]


def convertible(state: Position, seat: int, space: int) -> bool:
    """Return whether the building on a space is of a kind that the seat may convert."""
    tile = state.building[space]
    return tile in NEUTRAL_TILES or (
        tile in CRAFT_TILES and state.owner[space] == seat and tile not in LAWYERS
    )


def convert(state: Position, seat: int, move: Move) -> None:
    """Get the points; under a worker the residence waits until that worker goes home."""
    space = move.space
    if state.worker[space] == NO_SEAT:
        lay_residence(state, seat, space)
    else:
        state.pending += ((space, seat),)
        tell(state, "residence_pending", space, seat=seat)
    score(state, seat, state.tile_points[RESIDENCE], "construction", building="residence")


# -- prestige buildings --------------------------------------------------------------------------


def legal_prestige(state: Position, seat: int) -> list[Move]:
    """Return every prestige building that the seat can pay, on each of its residences."""
    if not state.goods[KINDS * seat + GOLD]:
        return []
    homes = [s for s in CONVERTIBLE_SPACES if is_own_residence(state, seat, s)]
    return [
        move
        for tile in PRESTIGE_TILES
        if homes and state.stock >> tile & 1
        for move in affordable(state, seat, tuple(PRESTIGE_BUILDS[tile][home] for home in homes))
    ]


def is_own_residence(state: Position, seat: int, space: int) -> bool:
    """Return whether a residence of the seat stands on a space."""
    return state.building[space] == RESIDENCE and state.owner[space] == seat


def build_prestige(state: Position, seat: int, move: Move) -> None:
    """Replace the residence, get the points and favours at once."""
    lay(state, seat, move.number, move.space)
    tell(state, "building_built", move.space, seat=seat)
    _reward(state, seat, move.number)


CONSTRUCT: Final = {"build": build, "convert": convert, "build_prestige": build_prestige}


def construct(state: Position, seat: int, move: Move, place: int = 0, **said: str) -> None:
    """Pay and carry out a move of one of the three types; `place` is where the craftsman works."""
    exchange(state, seat, move, "construction", place, **said)
    CONSTRUCT[move.json["type"]](state, seat, move)
