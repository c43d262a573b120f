"""Setting the game up, positions as values, and the tables behind them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.buildings import ROAD_BUILDINGS, SPECIAL_BUILDINGS
from cartulary.engine.caylus.moves import TRADES
from cartulary.engine.caylus.places import BUILDING_SPACES, PLACE_IDS
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.tables import SECTIONS
from cartulary.engine.errors import ChanceError, SetupError
from tests.engine.caylus.busy import choose
from tests.engine.caylus.position import NEUTRALS, Table, take


@pytest.mark.parametrize(
    "setup",
    [
        {},
        {"turn_order": [0, 1, 2]},
        {"neutrals": NEUTRALS},
        {"turn_order": [0, 1], "neutrals": NEUTRALS},
        {"turn_order": [0, 1, 1], "neutrals": NEUTRALS},
        {"turn_order": [0, 1, 3], "neutrals": NEUTRALS},
        {"turn_order": [0, True, 2], "neutrals": NEUTRALS},
        {"turn_order": [0, 1.0, 2], "neutrals": NEUTRALS},
        {"turn_order": "012", "neutrals": NEUTRALS},
        {"turn_order": [0, 1, 2], "neutrals": NEUTRALS[:5]},
        {"turn_order": [0, 1, 2], "neutrals": [*NEUTRALS[:5], "neutral_farm"]},
        {"turn_order": [0, 1, 2], "neutrals": [*NEUTRALS[:5], "wood_quarry"]},
        {"turn_order": [0, 1, 2], "neutrals": [*NEUTRALS[:5], 3]},
        {"turn_order": [0, 1, 2], "neutrals": None},
    ],
)
def test_a_setup_that_orders_nothing_is_refused(setup: Any) -> None:
    with pytest.raises(SetupError):
        CAYLUS.new(3, {}, setup)


def test_the_neutral_buildings_lie_as_drawn_and_the_printed_ones_where_they_belong() -> None:
    rng = random.Random(1)
    setup = CAYLUS.draw_setup(5, {}, rng)
    view = CAYLUS.new(5, {}, setup).view()
    buildings = [entry["building"] for entry in view["road"]]
    assert buildings[:6] == setup["neutrals"]
    assert buildings[6:8] == ["fixed_peddler", "fixed_carpenter"]
    assert buildings[15] == "gold_mine"
    assert [n for n, building in enumerate(buildings, 1) if building is None] == [
        *range(9, 16),
        *range(17, 29),
    ]
    assert len(BUILDING_SPACES) == 19
    assert view["turn_order"] == setup["turn_order"]
    assert (view["provost"], view["bailiff"], view["round"]) == (6, 6, 1)


def test_the_setup_is_drawn_evenly() -> None:
    rng = random.Random(2)
    firsts = [CAYLUS.draw_setup(2, {}, rng)["turn_order"][0] for _ in range(400)]
    assert 150 < sum(firsts) < 250
    assert len({tuple(CAYLUS.draw_setup(2, {}, rng)["neutrals"]) for _ in range(400)}) > 200


def test_there_is_nothing_to_draw_during_play() -> None:
    state = CAYLUS.new(2, {}, CAYLUS.draw_setup(2, {}, random.Random(3)))
    assert state.chance is None
    with pytest.raises(ChanceError):
        state.resolve("neutral_farm")


@pytest.mark.parametrize(("draws", "bag"), [(["A"], {}), ([], {"A": 1})])
def test_a_transcript_with_draws_is_refused(draws: list[str], bag: dict[str, int]) -> None:
    with pytest.raises(SetupError):
        CAYLUS.setup_of_transcript({}, draws, bag)


def test_a_snapshot_of_another_format_is_refused() -> None:
    dump = CAYLUS.new(2, {}, CAYLUS.draw_setup(2, {}, random.Random(4))).dump()
    with pytest.raises(ValueError, match="format 0"):
        CAYLUS.load({**dump, "format": 0})


def test_a_copy_holds_every_field() -> None:
    rng = random.Random(5)
    state = CAYLUS.new(4, {}, CAYLUS.draw_setup(4, {}, rng))
    while not state.over:
        twin = state.copy()
        for name in Position.__slots__:
            assert getattr(twin, name) == getattr(state, name), name
        state.play(choose(state, rng))


def test_two_positions_that_differ_in_what_is_pending_have_different_hashes() -> None:
    def scoring(prestige: int) -> Table:
        table = Table(3).houses("dungeon", 2, 2, 2).bailiff(11).provost(11)
        return table.markers(0, prestige=prestige).begin("scoring")

    first, second = scoring(0), scoring(0)
    assert first.state.state_hash() == second.state.state_hash()
    second.state.used |= 1
    assert first.state.view() == second.state.view()
    assert first.state.state_hash() != second.state.state_hash()
    third = scoring(0)
    third.state.stack *= 2
    assert first.state.state_hash() != third.state.state_hash()


def test_batches_given_are_part_of_the_identity() -> None:
    table = Table(3).put(0, "castle").purse(0, food=2, wood=2, gold=2).begin("castle")
    given = table.state.copy()
    given.batches[0] = 1
    assert given.view() == table.state.view()
    assert given.state_hash() != table.state.state_hash()


# -- the tables ----------------------------------------------------------------------------------


def test_every_row_names_its_section_of_the_rules() -> None:
    sections = {row.category: row.rules for row in (*SPECIAL_BUILDINGS, *ROAD_BUILDINGS)}
    assert sections == {
        "special": "1.1",
        "neutral": "1.2",
        "fixed": "1.3",
        "wood": "1.4",
        "stone": "1.5",
        "residence": "1.6",
        "prestige": "1.7",
    }


def test_the_sections_of_the_castle() -> None:
    rows = [(s.id, s.parts, s.points, s.trigger, s.penalty) for s in SECTIONS]
    assert rows == [
        ("dungeon", 6, 5, 12, 2),
        ("walls", 10, 4, 18, 3),
        ("towers", 14, 3, 24, 4),
    ]


def test_the_longest_list_of_moves_stays_under_a_hundred() -> None:
    assert max(map(len, TRADES)) == 10 + 35
    table = Table(3).scored(2).markers(0, cubes=4).put(0, "joust_field")
    table.purse(0, food=9, wood=9, stone=9, cloth=9, gold=9, deniers=9).begin("special_buildings")
    table.play({"type": "joust"}, {"type": "choose_favour", "line": "cubes"})
    assert len(table.legal) == 5 + 50 + 1
    assert take(gold=1) in table.legal


def test_the_places_are_those_of_the_contract() -> None:
    special = ["gate", "trading_post", "merchants_guild", "joust_field", "stables", "inn", "castle"]
    assert list(PLACE_IDS[1:]) == [*(f"road-{n}" for n in range(1, 29)), *special]
