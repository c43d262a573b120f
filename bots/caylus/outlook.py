"""What a position of Caylus between two rounds promises to each seat, in prestige points.

The points so far, and what everything that one holds is likely to bring in the rounds to come.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from cartulary.bots.caylus.weights import MEDIUM, Weights
from cartulary.engine.caylus.buildings import INCOME, RESIDENCE, ROAD_BUILDINGS, TILES
from cartulary.engine.caylus.goods import GOLD, KINDS
from cartulary.engine.caylus.places import INN_RIGHT, ROAD
from cartulary.engine.caylus.position import NO_SEAT
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.caylus.tables import (
    CUBES_PER_POINT,
    DENIERS_PER_POINT,
    LINES,
    POINTS_PER_GOLD,
    SECTIONS,
)

END_VALUES: Final[tuple[float, ...]] = (
    *(1 / CUBES_PER_POINT,) * GOLD,
    float(POINTS_PER_GOLD),
    1 / DENIERS_PER_POINT,
)
"""What one of each good pays at the end."""

LONGEST_PURSE: Final = 1000
"""More of one good than a seat can come by in the eighteen rounds that a game can last."""

Worths = tuple[float, ...]


class Tables(NamedTuple):
    """What beliefs say for a number of rounds to come.

    `purse` has, by good and count, what so many are worth; `house`, by tile, what owning it is
    worth, its points aside; `marker` what a step on each line is worth; `ready` a batch.
    """

    purse: tuple[Worths, ...]
    house: Worths
    marker: Worths
    ready: float


@cache
def tabulate(weights: Weights, left: int) -> Tables:
    """Return the tables with `left` rounds to come."""
    time = left / (left + weights.goods_half_time)
    full = (*weights.cubes, weights.deniers)
    return Tables(
        tuple(_running(end, units, time) for end, units in zip(END_VALUES, full, strict=True)),
        (0.0, *(_house(weights, number, left, time) for number in range(1, len(TILES)))),
        tuple(left * step for step in weights.marker),
        weights.ready * time,
    )


def has_batch(purse: list[int]) -> bool:
    """Return whether a purse holds a batch without gold (rules 3, phase 6)."""
    food, wood, stone, cloth, *_ = purse
    return food > 0 and (wood > 0) + (stone > 0) + (cloth > 0) > 1


def _running(end: float, units: tuple[float, ...], time: float) -> Worths:
    endless = [*units, *units[-1:] * (LONGEST_PURSE - len(units))]
    return (0.0, *accumulate(end + (unit - end) * time for unit in endless))


def _house(weights: Weights, number: int, left: int, time: float) -> float:
    tile = ROAD_BUILDINGS[number - 1]
    worth = left * (dict(weights.craft).get(tile.id, 0.0) + weights.income * INCOME[number])
    if number == RESIDENCE:
        worth += weights.site * time
    return worth


def rounds_left(state: CaylusState, pace: float = MEDIUM.pace) -> int:
    """Estimate the rounds after this one: by the bailiff, and by the castle as fast as so far."""
    by_bailiff = (SECTIONS[-1].trigger - state.bailiff) / pace
    houses = state.houses
    room = sum(
        section.parts - sum(houses[number * state.seats : (number + 1) * state.seats])
        for number, section in enumerate(SECTIONS)
        if number >= state.scored
    )
    by_castle = room * state.round / (sum(houses) + 1)
    return max(1, round(min(by_bailiff, by_castle)) - 1)


class Outlook:
    """Estimates for the round that `state` is in; positions at its end can be compared."""

    __slots__ = ("favour", "house", "left", "marker", "purse", "ready", "weights")

    def __init__(self, state: CaylusState, weights: Weights = MEDIUM) -> None:
        self.weights = weights
        self.left = rounds_left(state, weights.pace)
        self.favour = weights.favour[min(state.scored, len(weights.favour) - 1)]
        self.purse, self.house, self.marker, self.ready = tabulate(weights, self.left)

    def seats(self, state: CaylusState) -> list[float]:
        """Return what each seat may expect to have in the end."""
        if state.over:
            return [float(score) for score in state.final().scores]
        values = [self._seat(state, seat) for seat in range(state.seats)]
        building, owner, house = state.building, state.owner, self.house
        for space in ROAD:
            if owner[space] != NO_SEAT:
                values[owner[space]] += house[building[space]]
        for place, seat in enumerate(state.turn_order):
            values[seat] -= self.weights.earlier * place
        if state.worker[INN_RIGHT] != NO_SEAT:
            values[state.worker[INN_RIGHT]] += self.weights.inn_guest
        return values

    def _seat(self, state: CaylusState, seat: int) -> float:
        first, line = KINDS * seat, len(LINES) * seat
        value = float(state.scores[seat])
        for worths, count in zip(self.purse, state.goods[first : first + KINDS], strict=True):
            value += worths[count]
        if has_batch(state.goods[first : first + KINDS]):
            value += self.ready
        for worth, column in zip(self.marker, state.markers[line : line + len(LINES)], strict=True):
            value += worth * column
        for number in range(state.scored, len(SECTIONS)):
            value += self.section(state, number, state.houses[number * state.seats + seat])
        return value

    def section(self, state: CaylusState, number: int, houses: int) -> float:
        """Return what houses in a section still bring at its scoring."""
        section, favours = SECTIONS[number], self.weights.favours_of_houses[number]
        if houses:
            return self.favour * favours[min(houses, len(favours) - 1)]
        rounds = max(0, section.trigger - state.bailiff) / self.weights.pace
        return -section.penalty / (1 + self.weights.distant * rounds)

    def change(self, state: CaylusState, seat: int, change: tuple[tuple[int, int], ...]) -> float:
        """Return what a change of the seat's purse, as in `Move.change`, is worth."""
        goods, first, total = state.goods, KINDS * seat, 0.0
        for good, difference in change:
            count, worths = goods[first + good], self.purse[good]
            total += worths[count + difference] - worths[count]
        return total
