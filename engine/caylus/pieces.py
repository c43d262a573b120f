"""What buildings, favours and the castle cost, do and are worth under the options of a game.

`Piece.does` has at most one of these effects: `take` (one of these bundles), `trade` (one of these
pairs of what is given and what is got), `builds` (a category, `residence` for a conversion),
`income` (deniers of each round), `get` (all of it at once), `houses` (what houses in a section of
the castle bring), `give` (one of these batches), `special` (a building before the bridge that has a
rule of its own).

Numbers of rules stand next to an effect: `price` (of a worker from the inn, and on an own
building), `steps` of the provost and `bribe` (what each step costs where it is not free), `parts`
and `trigger` of a section, `columns` of the favour table that are open until the section is scored,
`penalty` (points lost without a house in the section), `none_given` (points lost without a batch).
Goods have `worth`: what they bring at the end, as a pair of what counts and its points.

In bundles `any` stands for a cube of any kind, `mixed` for a cube of any kind but gold; `prestige`
and `favour` are points and royal favours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from cartulary.engine.caylus.buildings import (
    ROAD_BUILDINGS,
    SPECIAL_BUILDINGS,
    Build,
    Building,
    BuildPrestige,
    Convert,
    Deal,
    Produce,
    Trade,
)
from cartulary.engine.caylus.goods import ANY, GOOD_NAMES, Bundle, mix
from cartulary.engine.caylus.tables import (
    BATCHES,
    BRIBE_PER_STEP,
    BUILD_PRESTIGE_COLUMN,
    BUILD_STONE_COLUMN,
    BUILD_WOOD_COLUMN,
    CONVERT_COLUMN,
    CUBES_PER_POINT,
    DENIERS_PER_POINT,
    FAVOUR_CONVERT_PRICE,
    FAVOUR_CUBES,
    FAVOUR_DENIERS,
    FAVOUR_DISCOUNT,
    FAVOUR_POINTS,
    JOUST_PRICE,
    LAWYER_PRICE,
    NO_BATCH_PENALTY,
    POINTS_PER_GOLD,
    PROVOST_STEPS,
    REDUCED_PRICE,
    SECTIONS,
    SIMPLIFIED_FAVOUR_POINTS,
    TRADING_POST_DENIERS,
    Section,
)
from cartulary.engine.pieces import Piece

Json = dict[str, Any]

_MIXED: Final = {frozenset(mix(count)): {"mixed": count} for count in (1, 2, 4)}
_ALTERNATIVES: Final = {frozenset(ANY): {"any": 1}, **_MIXED}
"""Sets of bundles that the rules name in one word."""

_SPECIAL: Final[Mapping[str, Json]] = {
    # Rules 3, phase 3: what the buildings before the bridge do.
    "gate": {"special": "gate"},
    "trading_post": {"get": {"deniers": TRADING_POST_DENIERS}},
    "merchants_guild": {
        "special": "merchants_guild",
        "steps": PROVOST_STEPS,
        "bribe": {"deniers": BRIBE_PER_STEP},
    },
    "joust_field": {"trade": [[JOUST_PRICE.to_json(), {"favour": 1}]]},
    "stables": {"special": "stables"},
    "inn": {"special": "inn", "price": {"deniers": REDUCED_PRICE}},
}


def list_pieces(options: Mapping[str, str | int]) -> list[Piece]:
    """Return everything that has a price, an effect or a worth under these (complete) options."""
    edition = str(options["edition"])
    built = (
        _describe_building(row, edition)
        for row in ROAD_BUILDINGS
        if edition == "second" or not row.second_only
    )
    return [
        *(Piece(row.id, "special", row.rules, _SPECIAL[row.id]) for row in SPECIAL_BUILDINGS),
        Piece("castle", "special", "2", {"special": "castle"}),
        *built,
        *map(_describe_section, SECTIONS),
        _BATCH,
        *_list_favours(str(options["favours"])),
        *_GOODS,
    ]


def _describe_good(good: str) -> Piece:
    """Return a good or the money: what it is worth at the end (rules 2, end bonuses)."""
    if good == "gold":
        counted, points = {"gold": 1}, POINTS_PER_GOLD
    elif good == "deniers":
        counted, points = {"deniers": DENIERS_PER_POINT}, 1
    else:
        counted, points = {"mixed": CUBES_PER_POINT}, 1
    return Piece(good, "good", "2", {"worth": [counted, {"prestige": points}]})


_GOODS: Final = tuple(map(_describe_good, GOOD_NAMES))


# -- buildings (rules 1) -------------------------------------------------------------------------


def _describe_building(row: Building, edition: str) -> Piece:
    points = row.points_in(edition)
    owner = row.effect.bonus if isinstance(row.effect, Produce) else ()
    return Piece(
        row.id,
        row.category,
        row.rules,
        _describe_effect(row),
        _find_price(row),
        points or None,
        row.favours,
        tuple(bundle.to_json() for bundle in owner),
    )


def _find_price(row: Building) -> Json | None:
    """Return what building the row costs; None for what no player builds."""
    if row.category == "residence":
        return LAWYER_PRICE.to_json()
    price = row.cost.to_json()
    if row.any_cubes:
        price["any"] = row.any_cubes
    return price or None


def _describe_effect(row: Building) -> Json:
    effect = row.effect
    if isinstance(effect, Produce):
        return {"take": [bundle.to_json() for bundle in effect.choices]}
    if isinstance(effect, Trade):
        return {"trade": join_deals(effect.deals)}
    if isinstance(effect, Build):
        return {"builds": effect.category}
    if isinstance(effect, Convert):
        return {"builds": "residence"}
    if isinstance(effect, BuildPrestige):
        return {"builds": "prestige"}
    return {"income": {"deniers": row.income}} if row.income else {}


def join_deals(deals: Sequence[Deal]) -> list[list[Json]]:
    """Return deals as pairs of what is given and got, those with a common word as one pair.

    A deal for each cube of any kind becomes one pair with `any`, and so for `mixed`.
    """
    pairs = [(deal.give, _find_gain(deal)) for deal in deals]
    joined: list[list[Json]] = []
    for gain, alike in groupby(pairs, key=lambda pair: pair[1]):
        joined.append([_name_alternatives(give for give, _ in alike), dict(gain)])
    by_give = [
        [give, [gain for _, gain in alike]]
        for give, alike in groupby(joined, key=lambda pair: pair[0])
    ]
    return [pair for give, gains in by_give for pair in _join_gains(give, gains)]


def _find_gain(deal: Deal) -> tuple[tuple[str, int], ...]:
    points = {"prestige": deal.points} if deal.points else {}
    return tuple({**deal.get.to_json(), **points}.items())


def _name_alternatives(bundles: Iterable[Bundle]) -> Json:
    """Return the one bundle, or the word for all of them."""
    found = list(bundles)
    return found[0].to_json() if len(found) == 1 else dict(_ALTERNATIVES[frozenset(found)])


def _join_gains(give: Json, gains: list[Json]) -> Iterator[list[Json]]:
    word = _ALTERNATIVES.get(frozenset(Bundle(**gain) for gain in gains if "prestige" not in gain))
    if word is not None and len(gains) > 1:
        yield [give, dict(word)]
    else:
        for gain in gains:
            yield [give, gain]


# -- the castle (rules 2) ------------------------------------------------------------------------


def _describe_section(section: Section) -> Piece:
    """Describe a section of the castle: the points are those of one house."""
    houses = [{"houses": least, "favour": favours} for least, favours in section.favours]
    does = {
        "houses": houses,
        "penalty": section.penalty,
        "parts": section.parts,
        "trigger": section.trigger,
        "columns": section.columns,
    }
    return Piece(section.id, "castle", "2", does, None, section.points)


_BATCH: Final = Piece(
    "batch",
    "castle",
    "3",
    {"give": [batch.to_json() for batch in BATCHES], "none_given": NO_BATCH_PENALTY},
)


# -- royal favours (rules 2, favour table) -------------------------------------------------------


def _list_favours(variant: str) -> Iterator[Piece]:
    """Yield the columns of the favour table, or the one favour of the simplified variant."""
    if variant == "simplified":
        yield Piece(
            "favour",
            "favour",
            "3",
            {"get": {"prestige": SIMPLIFIED_FAVOUR_POINTS}},
            points=SIMPLIFIED_FAVOUR_POINTS,
        )
        return
    for column in range(1, len(FAVOUR_POINTS)):
        points = FAVOUR_POINTS[column]
        yield _favour("prestige", column, {"get": {"prestige": points}}, points)
        yield _favour("deniers", column, {"get": {"deniers": FAVOUR_DENIERS[column]}})
        yield _favour("cubes", column, _describe_cubes(column))
        yield _favour("buildings", column, _FAVOUR_BUILDINGS.get(column, {}))


def _favour(line: str, column: int, does: Json, points: int | None = None) -> Piece:
    return Piece(line, "favour", "2", does, points=points, column=column)


def _describe_cubes(column: int) -> Json:
    deals = FAVOUR_CUBES[column]
    if any(any(give) for give, _ in deals):
        return {"trade": [[{"any": 1}, {"mixed": 2}]]}
    return {"take": [get.to_json() for _, get in deals]}


_FAVOUR_BUILDINGS: Final[Mapping[int, Json]] = {
    BUILD_WOOD_COLUMN: {"builds": "wood", "discount": FAVOUR_DISCOUNT["wood"].to_json()},
    BUILD_STONE_COLUMN: {"builds": "stone", "discount": FAVOUR_DISCOUNT["stone"].to_json()},
    CONVERT_COLUMN: {"builds": "residence", "price": FAVOUR_CONVERT_PRICE.to_json()},
    BUILD_PRESTIGE_COLUMN: {"builds": "prestige"},
}
