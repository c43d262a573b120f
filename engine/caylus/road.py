"""Tiles and workers on the board: laying, taking away, going home.

`state.free` always holds the places that take one worker and have none.
"""

from __future__ import annotations

from cartulary.engine.caylus.accounts import tell, where
from cartulary.engine.caylus.buildings import CRAFT_TILES, EMPTY, RESIDENCE, TILE_IDS
from cartulary.engine.caylus.places import BUILDING_SPACES, NO_SPACE, PLACE_IDS
from cartulary.engine.caylus.position import NO_SEAT, Position


def first_empty_space(state: Position) -> int:
    """Return the space that is built on next, `NO_SPACE` when the road is full (rules 3, 5)."""
    building = state.building
    for space in BUILDING_SPACES:
        if building[space] == EMPTY:
            return space
    return NO_SPACE


def lay(state: Position, seat: int, tile: int, space: int) -> None:
    """Put a tile with the house of a seat on an empty space; it leaves the stock."""
    state.building[space] = tile
    state.owner[space] = seat
    state.stock &= ~(1 << tile)
    if tile in CRAFT_TILES:
        state.own[seat] |= 1 << space
        state.free |= 1 << space


def take_away(state: Position, space: int) -> None:
    """Empty a space: a craft tile returns to the stock, a neutral tile leaves the game."""
    tile = state.building[space]
    if tile in CRAFT_TILES:
        state.stock |= 1 << tile
        state.own[state.owner[space]] &= ~(1 << space)
    state.building[space] = EMPTY
    state.owner[space] = NO_SEAT
    state.free &= ~(1 << space)


def lay_residence(state: Position, seat: int, space: int) -> None:
    """Replace a neutral or craft tile without a worker by a residence (rules 3, phase 5)."""
    old = TILE_IDS[state.building[space]]
    take_away(state, space)
    lay(state, seat, RESIDENCE, space)
    tell(state, "residence_built", seat=seat, space=PLACE_IDS[space], replaced=old)


def go_home(state: Position, place: int) -> None:
    """Take back the worker of a place for one; a residence that waited for this is built."""
    seat = state.worker[place]
    state.worker[place] = NO_SEAT
    state.workers[seat] += 1
    state.free |= 1 << place
    if state.facts is not None:
        tell(state, "worker_home", seat=seat, **where(state, place))
    for space, builder in state.pending:
        if space == place:
            state.pending = tuple(waiting for waiting in state.pending if waiting[0] != place)
            lay_residence(state, builder, place)
