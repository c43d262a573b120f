"""What a building costs and does, in symbols, read off the engine's building table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Final

from cartulary.engine.caylus.buildings import (
    BUILDING_BY_ID,
    CLOSED,
    Build,
    Building,
    BuildPrestige,
    Convert,
    Deal,
    Produce,
    Trade,
)
from cartulary.engine.caylus.goods import ANY, CUBE_NAMES, DENIERS, Bundle, mix
from cartulary.engine.caylus.tables import (
    JOUST_PRICE,
    LAWYER_PRICE,
    PROVOST_STEPS,
    TRADING_POST_DENIERS,
)
from cartulary.pictures.caylus.icons import (
    OR,
    PLUS,
    TO,
    Glyph,
    amount,
    coin,
    favours,
    icon,
    points,
    word,
)

Row = list[Glyph]

_MIXED: Final = {count: frozenset(mix(count)) for count in (1, 2, 4)}


def bundle(goods: Bundle, prestige: int = 0) -> Row:
    """Return the glyphs of a bundle: cubes, deniers, prestige points."""
    row = [amount(n, name) for name, n in zip(CUBE_NAMES, goods, strict=False) if n]
    if goods[DENIERS]:
        row.append(coin(goods[DENIERS]))
    if prestige:
        row.append(points(prestige))
    return row


def choice(bundles: Sequence[Bundle]) -> Row:
    """Return the glyphs of a choice of bundles; any cube and mixed cubes have their own signs."""
    if frozenset(bundles) == frozenset(ANY):
        return [amount(1, "any")]
    for count, all_mixed in _MIXED.items():
        if frozenset(bundles) == all_mixed:
            return [amount(count, "mixed")]
    row: Row = []
    for goods in bundles:
        row += [OR, *bundle(goods)] if row else bundle(goods)
    return row


def _deal_rows(deals: Sequence[Deal]) -> list[Row]:
    """Return a row for each printed line of a trade: a price, and what is got for it."""
    rows = []
    for _, line in groupby(deals, key=lambda deal: (sum(deal.give), sum(deal.get), deal.points)):
        same = list(line)
        gives = list(dict.fromkeys(deal.give for deal in same))
        gets = list(dict.fromkeys(deal.get for deal in same))
        got = [points(same[0].points)] if same[0].points else choice(gets)
        rows.append([*choice(gives), TO, *got])
    return rows


def _special(building: Building) -> list[Row]:
    rows: dict[str, list[Row]] = {
        "gate": [[icon("pawn"), TO, word("?")]],
        "trading_post": [[PLUS, coin(TRADING_POST_DENIERS)]],
        "merchants_guild": [[icon("provost", 25), word(f"±{PROVOST_STEPS}")]],
        "joust_field": [[*bundle(JOUST_PRICE), TO, favours(1)]],
        "stables": [[word("1 · 2 · 3")]],
        "inn": [[icon("pawn"), TO, coin(1)]],
    }
    return rows[building.id]


@cache
def effect_rows(building_id: str, edition: str = "first") -> list[Row]:
    """Return the effect of a building as rows of glyphs; none where it does nothing.

    A building that no worker is sent to shows the income or the favours it brings.
    """
    building = BUILDING_BY_ID[building_id]
    effect = building.effect
    if building.category == "special":
        return _special(building)
    if isinstance(effect, Produce):
        rows = [choice(effect.choices)]
        if effect.bonus:
            rows.append([icon("house-owner"), *choice(effect.bonus)])
        return rows
    if isinstance(effect, Trade):
        return _deal_rows(effect.deals)
    if isinstance(effect, Build):
        return [[icon("hammer"), icon(f"house-{effect.category}")]]
    if isinstance(effect, BuildPrestige):
        return [[icon("house-residence"), TO, icon("house-prestige")]]
    if isinstance(effect, Convert):
        residence = BUILDING_BY_ID["residence"]
        return [
            bundle(LAWYER_PRICE),
            [TO, icon("house-residence"), points(residence.points_in(edition))],
        ]
    if building.income:
        return [[PLUS, coin(building.income)]]
    return [[favours(building.favours)]] if building.favours else []


@cache
def price_row(building_id: str) -> Row:
    """Return the cubes that a building costs; empty where it is not built for cubes."""
    building = BUILDING_BY_ID[building_id]
    row = bundle(building.cost)
    return [*row, amount(building.any_cubes, "any")] if building.any_cubes else row


@cache
def gain_row(building_id: str, edition: str) -> Row:
    """Return what building it brings at once: prestige points and royal favours.

    Where there is no other effect, `effect_rows` has the favours.
    """
    building = BUILDING_BY_ID[building_id]
    row = [points(building.points_in(edition))] if building.points_in(edition) else []
    shown = building.favours and building.effect is not CLOSED
    return [*row, favours(building.favours)] if shown else row
