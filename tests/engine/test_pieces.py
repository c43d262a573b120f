"""What pieces cost, do and are worth (`engine.pieces`) is what the rules themselves use."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.engine.carcassonne.game import Carcassonne
from cartulary.engine.carcassonne.tiles import TILES
from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.buildings import ROAD_BUILDINGS, SPECIAL_BUILDINGS, TILE_NUMBER
from cartulary.engine.caylus.moves import BUILDS, CONVERTS, TAKES, TRADES
from cartulary.engine.caylus.tables import (
    BRIBE_PER_STEP,
    CUBES_PER_POINT,
    DENIERS_PER_POINT,
    NO_BATCH_PENALTY,
    POINTS_PER_GOLD,
    REDUCED_PRICE,
    SECTIONS,
)
from cartulary.engine.pieces import Piece
from tests.support.games import ALL_OFFERS

CARCASSONNE = Carcassonne()
NOT_BUILT = ("castle", "favour", "good")


def list_caylus(edition: str = "first", favours: str = "table") -> dict[tuple[str, str], Piece]:
    pieces = CAYLUS.list_pieces({"edition": edition, "favours": favours})
    return {(piece.kind, f"{piece.id}{piece.column or ''}"): piece for piece in pieces}


@pytest.mark.parametrize(("edition", "points"), [("first", 4), ("second", 3)])
def test_the_lawyer_has_the_points_of_its_edition(edition: str, points: int) -> None:
    """Rules 1.4."""
    assert list_caylus(edition)["wood", "lawyer"].points == points


def test_only_the_second_edition_has_a_jeweller() -> None:
    """Rules 1.5."""
    assert ("stone", "jeweller") not in list_caylus("first")
    assert ("stone", "jeweller") in list_caylus("second")


def test_every_building_of_an_edition_is_a_piece() -> None:
    rows = [*(row.id for row in SPECIAL_BUILDINGS), "castle", *(row.id for row in ROAD_BUILDINGS)]
    assert [id_ for kind, id_ in list_caylus("second") if kind not in NOT_BUILT] == rows


def test_the_simplified_variant_has_one_favour_worth_three_points() -> None:
    """Rules 3, simplified favours."""
    favours = [one for kind, one in list_caylus(favours="simplified") if kind == "favour"]
    assert favours == ["favour"]
    assert list_caylus(favours="simplified")["favour", "favour"].points == 3


def test_goods_and_money_say_what_they_are_worth_at_the_end() -> None:
    """Rules 2, end bonuses."""
    worth = {id_: one.does["worth"] for (kind, id_), one in list_caylus().items() if kind == "good"}
    assert worth["gold"] == [{"gold": 1}, {"prestige": POINTS_PER_GOLD}]
    assert worth["deniers"] == [{"deniers": DENIERS_PER_POINT}, {"prestige": 1}]
    cubes = [{"mixed": CUBES_PER_POINT}, {"prestige": 1}]
    assert [worth[name] for name in ("food", "wood", "stone", "cloth")] == [cubes] * 4


def spread(bundle: dict[str, int]) -> list[dict[str, int]]:
    """Return all bundles that a bundle with `any` or `mixed` stands for."""
    for word, kinds in (("any", 5), ("mixed", 4)):
        if word in bundle:
            less = {**bundle, word: bundle[word] - 1}
            rest = spread({name: count for name, count in less.items() if count})
            cubes = ("food", "wood", "stone", "cloth", "gold")[:kinds]
            found = [{**one, cube: one.get(cube, 0) + 1} for one in rest for cube in cubes]
            return [one for at, one in enumerate(found) if one not in found[:at]]
    return [bundle]


def fix(bundle: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(bundle.items()))


@pytest.mark.parametrize("row", [row for row in ROAD_BUILDINGS if TRADES[TILE_NUMBER[row.id]]])
def test_a_trade_offers_exactly_the_moves_of_the_engine(row: Any) -> None:
    piece = list_caylus("second")[row.category, row.id]
    offered = {
        (fix(give), fix(get))
        for give_word, get_word in piece.does["trade"]
        for give in spread(give_word)
        for get in spread(get_word)
    }
    moves = [offer.json for offer in TRADES[TILE_NUMBER[row.id]]]
    assert offered == {(fix(move["give"]), fix(move["get"])) for move in moves}


@pytest.mark.parametrize("row", [row for row in ROAD_BUILDINGS if TAKES[TILE_NUMBER[row.id]]])
def test_a_production_offers_exactly_the_moves_of_the_engine(row: Any) -> None:
    piece = list_caylus("second")[row.category, row.id]
    assert list(piece.does["take"]) == [move.json["goods"] for move in TAKES[TILE_NUMBER[row.id]]]


@pytest.mark.parametrize("row", [row for row in ROAD_BUILDINGS if BUILDS[TILE_NUMBER[row.id]]])
def test_a_price_is_what_the_engine_takes(row: Any) -> None:
    piece = list_caylus("second")[row.category, row.id]
    assert piece.price is not None
    paid = {fix(move.json["pay"]) for move in BUILDS[TILE_NUMBER[row.id]]}
    assert {fix(one) for one in spread(dict(piece.price))} == paid


def test_the_numbers_of_a_round_are_those_that_the_engine_uses() -> None:
    """Rules 2 and 3, phases 2, 4 and 6: what a client says of the inn, a bribe and the castle."""
    pieces = list_caylus()
    assert pieces["special", "inn"].does["price"] == {"deniers": REDUCED_PRICE}
    assert pieces["special", "merchants_guild"].does["bribe"] == {"deniers": BRIBE_PER_STEP}
    assert pieces["castle", "batch"].does["none_given"] == NO_BATCH_PENALTY
    open_columns = [pieces["castle", section.id].does["columns"] for section in SECTIONS]
    assert open_columns == [section.columns for section in SECTIONS]


def test_a_residence_costs_what_the_lawyer_takes() -> None:
    assert list_caylus()["residence", "residence"].price == CONVERTS[1].json["pay"]


@pytest.mark.parametrize("points", [2, 4])
def test_a_city_of_two_tiles_is_worth_what_the_option_says(points: int) -> None:
    """Rules 2, option `tiny_city`."""
    city = CARCASSONNE.list_pieces({"tiny_city": points})[0]
    assert (city.id, city.does["completed"]["tiny"]) == ("city", points)


def test_the_tiles_of_carcassonne_are_seventy_two() -> None:
    """Rules 1."""
    tiles = [one for one in CARCASSONNE.list_pieces({"tiny_city": 4}) if one.kind == "tile"]
    assert [one.id for one in tiles] == [tile.letter for tile in TILES]
    assert sum(one.copies or 0 for one in tiles) == 72


@pytest.mark.parametrize("name", sorted(ALL_OFFERS))
def test_pieces_of_a_kind_differ_in_id_or_column(name: str) -> None:
    pieces = ALL_OFFERS[name].pieces
    assert len({(piece.kind, piece.id, piece.column) for piece in pieces}) == len(pieces)
    assert pieces or ALL_OFFERS[name].sheet is None
