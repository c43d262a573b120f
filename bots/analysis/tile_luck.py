"""The luck of a draw in Carcassonne: what the tile was worth, against all tiles that could come.

Each tile of the bag that fits somewhere is played on: its greedy answer, then some greedy turns, in
which all tiles get the same further draws, and `Fitting` rates the end. What a tile is worth less
the mean of all, by their number, has the mean 0 over the draws of a position, whatever the ratings
are: so the sum over a game is a control variate of its margin. Early in a game farms count for
nothing there: who holds a farm in the end is not seen yet, so what a tile brings to it says less
of the margin than of chance.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Final

from cartulary.bots.analysis.base import Scales, find_scale
from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.fitting import Fitting
from cartulary.bots.carcassonne.imagining import Scene, find_left, play_on, rate_farmer
from cartulary.bots.carcassonne.search import SPARE
from cartulary.bots.carcassonne.turn import list_answers
from cartulary.bots.carcassonne.weights import WEIGHTS, Weights
from cartulary.engine.carcassonne.state import CarcassonneState

TURNS: Final = 4
"""The number of turns that are played on after the answer."""

SAMPLES: Final = 4
"""The number of orders of further draws that are played for each tile."""

FARMS: Final[Scales] = ((0, 1.0), (48, 0.0))
"""By tiles left: the share of what a farm promises that counts."""

KEPT: Final[Scales] = ((0, 0.75), (71, 0.85))
"""By tiles left: the share of an estimate that the margins of games bear out (docs/bots.md, `python
-m bench luck`)."""


def rate_draw(state: CarcassonneState, rng: random.Random) -> float:
    """Return what the tile in hand is worth to its seat, in points, less the mean of all tiles.

    Tiles that fit nowhere are left out, because they would be set aside.
    """
    bag = state.bag[:]
    bag[state.tile] += 1
    worths = rate_tiles(state, bag, rng)
    total = sum(bag[tile] for tile in worths)
    mean = sum(bag[tile] * worth for tile, worth in worths.items()) / total
    return find_scale(KEPT, state.left) * (worths[state.tile] - mean) / UNIT


def rate_tiles(state: CarcassonneState, bag: list[int], rng: random.Random) -> dict[int, float]:
    """Return in units what each tile promises to the seat in turn, of those that fit somewhere."""
    orders = [_shuffle(bag, rng) for _ in range(SAMPLES)]
    before = state.copy()
    before.bag = bag[:]
    outlook = Fitting(before, weigh_farms(state.left))
    table = Scene(state, find_left(state))
    worths = {}
    for tile, count in enumerate(bag):
        twin = hold(state, tile) if count else None
        if twin is None:
            continue
        scene = Scene(twin, table.left)
        scene.known = table.known  # what was rated for one tile in hand holds for the others
        after = scene.answer(max(list_answers(twin, rate_farmer(twin.seats, twin.left))))
        leads = [_play_on(after, order, tile, outlook)[state.turn] for order in orders]
        worths[tile] = sum(leads) / SAMPLES
    return worths


@cache
def weigh_farms(left: int) -> Weights:
    """Return the weights of the search with farms counted as far as `left` tiles let them."""
    share = find_scale(FARMS, left)
    return WEIGHTS._replace(
        farm=round(share * WEIGHTS.farm),
        later_cities=round(share * WEIGHTS.later_cities),
        farm_end=round(share * WEIGHTS.farm_end),
    )


def hold(state: CarcassonneState, tile: int) -> CarcassonneState | None:
    """Return the position with another tile in hand, None for a tile that fits nowhere."""
    twin = state.copy()
    twin.bag[state.tile] += 1
    twin.bag[tile] -= 1
    twin.tile = tile
    twin.legal = twin.board.placements(tile)
    return twin if twin.legal else None


def _shuffle(bag: list[int], rng: random.Random) -> list[int]:
    tiles = [tile for tile, count in enumerate(bag) for _ in range(count)]
    rng.shuffle(tiles)
    return tiles


def _play_on(after: Scene, order: list[int], tile: int, outlook: Fitting) -> list[int]:
    """Return in units how far each seat is ahead of the best other seat after some turns."""
    draws = order[:]
    draws.remove(tile)
    values = outlook.seats(play_on(after, draws[-TURNS - SPARE :], TURNS))
    return [value - max(values[:seat] + values[seat + 1 :]) for seat, value in enumerate(values)]
