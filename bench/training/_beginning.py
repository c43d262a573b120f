"""The weights before the first step: what `medium` believes, on lines between the knots.

A fit corrects them, and what no game says anything of stays as it is here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cartulary.bots.caylus.features import FEW, MORE, NAMES, OWNED
from cartulary.bots.caylus.leaf import KNOT, KNOTS
from cartulary.bots.caylus.outlook import END_VALUES
from cartulary.bots.caylus.weights import MEDIUM
from cartulary.engine.caylus.goods import CUBE_NAMES, DENIERS, GOLD
from cartulary.engine.caylus.tables import LINES, SECTIONS

BY_FAVOUR, BY_HOUSE = 0.5, 0.1
"""Of the favours that houses are good for, the share of each that is certain and of each house."""

FIRST_HOUSE: Final = 0.7
"""The same of the first house."""


def list_beginnings() -> list[list[float]]:
    """Return the weights in points, by knot and feature."""
    return [_list_row(KNOT * knot) for knot in range(KNOTS)]


def _list_row(steps: int) -> list[float]:
    left = steps / MEDIUM.pace
    time = left / (left + MEDIUM.goods_half_time)
    found = {"score": 1.0, "batch": MEDIUM.ready * time, "income": MEDIUM.income * left}
    found |= {"residence": MEDIUM.site * time, "behind": MEDIUM.earlier, "inn": MEDIUM.inn_guest}
    for kind, name in enumerate(CUBE_NAMES):
        found |= _weigh_cubes(name, _fade(MEDIUM.cubes[kind], END_VALUES[kind], time), kind == GOLD)
    found |= _weigh_deniers(_fade(MEDIUM.deniers, END_VALUES[DENIERS], time))
    craft = dict(MEDIUM.craft)
    for group, tiles in OWNED:
        found[group] = left * craft[tiles[0]]
    for line, step in zip(LINES, MEDIUM.marker, strict=True):
        found[f"line_{line}"] = left * step
    for number in range(len(SECTIONS)):
        found |= _weigh_section(number, steps)
    return [found.get(name, 0.0) for name in NAMES]


def _fade(worths: Sequence[float], end: float, time: float) -> list[float]:
    """Return worths as they are with some time to go."""
    return [end + (worth - end) * time for worth in worths]


def _weigh_cubes(name: str, worths: Sequence[float], is_gold: bool) -> Mapping[str, float]:
    first, second, third = worths[:3]
    if is_gold:
        return {f"a_{name}": first - second, name: second}
    return {f"a_{name}": first - second, f"two_{name}": second - third, name: third}


def _weigh_deniers(worths: Sequence[float]) -> Mapping[str, float]:
    few, more, many = worths[FEW - 1], worths[MORE - 1], worths[-2]
    return {"few_deniers": few - more, "more_deniers": more - many, "deniers": many}


def _weigh_section(number: int, steps: int) -> Mapping[str, float]:
    section, favour = SECTIONS[number], MEDIUM.favour[number]
    rounds = max(0, steps - (SECTIONS[-1].trigger - section.trigger)) / MEDIUM.pace
    fear = section.penalty / (1 + MEDIUM.distant * rounds)
    return {
        f"house_{section.id}": FIRST_HOUSE * favour + fear,
        f"houses_{section.id}": BY_HOUSE * favour,
        f"favours_{section.id}": BY_FAVOUR * favour,
    }
