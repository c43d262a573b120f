"""Facts tell the story of a round: who got what, why, from which building or favour."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.contract import CONTRACT
from cartulary.engine.caylus.flow import ANSWERS
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json
from tests.engine.caylus.busy import choose
from tests.engine.caylus.position import (
    DECLINE,
    PASS,
    Table,
    batch,
    build,
    convert,
    favour,
    place,
    prestige,
    provost,
    take,
    trade,
)

DOCS = Path(__file__).parents[3] / "docs" / "facts.md"


def types(table: Table) -> list[str]:
    return [fact["type"] for fact in table.facts]


def test_placing_tells_the_price_the_place_and_the_point_of_the_owner() -> None:
    table = Table(3).purse(0, deniers=2).build(1, "road-9", "park").begin("place_workers")
    table.facts.clear()
    table.play(place("road-9"))
    here = {"space": "road-9", "building": "park"}
    assert table.facts[:3] == [
        {"type": "paid", "seat": 0, "goods": {"deniers": 1}, "reason": "placing", **here},
        {"type": "worker_placed", "seat": 0, **here},
        {"type": "points", "seat": 1, "points": 1, "reason": "owner", "by": 0, **here},
    ]


def test_a_church_by_favour_tells_both_favours_and_the_points() -> None:
    table = Table(3).scored(1).markers(0, buildings=2).put(0, "joust_field")
    table.purse(0, cloth=2, deniers=1).begin("special_buildings")
    table.facts.clear()
    table.play({"type": "joust"}, favour("buildings"), build("church", cloth=1))
    table.play(favour("prestige"))
    assert table.facts[:9] == [
        {
            "type": "paid",
            "seat": 0,
            "goods": {"cloth": 1, "deniers": 1},
            "reason": "joust",
            "space": "joust_field",
        },
        {"type": "favours_won", "seat": 0, "favours": 1, "source": "joust_field"},
        {
            "type": "favour_taken",
            "seat": 0,
            "line": "buildings",
            "column": 3,
            "advanced": True,
            "source": "joust_field",
        },
        {
            "type": "paid",
            "seat": 0,
            "goods": {"cloth": 1},
            "reason": "construction",
            "source": "joust_field",
        },
        {"type": "building_built", "seat": 0, "space": "road-9", "building": "church"},
        {"type": "points", "seat": 0, "points": 3, "reason": "construction", "building": "church"},
        {"type": "favours_won", "seat": 0, "favours": 1, "source": "church"},
        {
            "type": "favour_taken",
            "seat": 0,
            "line": "prestige",
            "column": 1,
            "advanced": True,
            "source": "church",
        },
        {"type": "points", "seat": 0, "points": 1, "reason": "favour", "source": "church"},
    ]


def test_a_penalty_tells_what_was_lost_and_what_the_rule_takes() -> None:
    table = Table(3).points(1, 0, 0).put(0, "castle").begin("castle")
    assert table.told("points")[0] == {
        "type": "points",
        "seat": 0,
        "points": -1,
        "reason": "no_batch",
        "penalty": 2,
    }


def test_the_facts_of_the_end_of_a_round_come_in_order() -> None:
    table = Table(3).bailiff(11).provost(11).houses("dungeon", 1, 0, 1).begin("scoring")
    story = [name for name in types(table) if name not in ("gained", "phase_begun")]
    assert story == [
        "bailiff_moved",
        "section_counted",
        "section_counted",
        "points",
        "section_counted",
        "section_scored",
        "round_begun",
    ]


def told_in_play() -> set[str]:
    told = set()
    for seed in range(12):
        rng = random.Random(seed)
        state = CAYLUS.new(4, {}, CAYLUS.draw_setup(4, {}, rng))
        while not state.over:
            step = state.apply(state.move_json(choose(state, rng)), RecordedSource([]))
            told |= {fact["type"] for fact in step.facts}
    return told


def test_every_fact_of_the_game_is_documented() -> None:
    text = DOCS.read_text().split("## Caylus")[1].split("`source` of a favour")[0]
    documented = set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE))
    assert documented == CONTRACT.facts.keys()
    assert documented - told_in_play() <= {"favour_lapsed", "excused", "residence_pending"}


# -- moves as text -------------------------------------------------------------------------------


def test_the_decisions_of_the_contract_are_those_that_the_rules_ask() -> None:
    assert CONTRACT.decisions.keys() == ANSWERS.keys()


def laid(building: str, **goods: int) -> Table:
    table = Table(3).build(1, "road-9", building).put(0, "road-9").provost(9)
    return table.purse(0, **goods).begin("buildings")


TEXTS: list[tuple[Table, Json, str]] = [
    (Table(3).purse(0, deniers=1).begin("place_workers"), PASS, "passes"),
    (
        Table(3).purse(0, deniers=2).passed(1).begin("place_workers"),
        place("road-16"),
        "places a worker on the Gold Mine (road-16) for 2 deniers",
    ),
    (
        Table(3).purse(0, deniers=1).begin("place_workers"),
        place("castle"),
        "places a worker on the Castle for 1 denier",
    ),
    (
        Table(3).put(0, "gate").begin("special_buildings"),
        {"type": "move_worker", "space": "joust_field"},
        "moves the worker from the Gate to the Joust Field",
    ),
    (
        Table(3).put(0, "gate").begin("special_buildings"),
        DECLINE,
        "takes the worker at the Gate back",
    ),
    (
        Table(3).put(0, "merchants_guild").begin("special_buildings"),
        provost(-2),
        "moves the provost 2 spaces back to road-4",
    ),
    (
        Table(3).put(0, "joust_field").purse(0, cloth=1, deniers=1).begin("special_buildings"),
        {"type": "joust"},
        "jousts for 1 cloth and 1 denier",
    ),
    (Table(3).put(0, "inn-right").begin("special_buildings"), {"type": "stay"}, "stays in the Inn"),
    (Table(3).put(0, "inn-right").begin("special_buildings"), {"type": "leave"}, "leaves the Inn"),
    (
        Table(3).purse(0, deniers=1).begin("bribes"),
        provost(1),
        "moves the provost 1 space forward to road-7 for 1 denier",
    ),
    (laid("wood_farm_food"), take(food=2), "takes 2 food"),
    (laid("park"), take(wood=1), "takes 1 wood"),
    (
        laid("church", deniers=2),
        trade({"deniers": 2}, {"prestige": 3}),
        "trades 2 deniers for 3 prestige points",
    ),
    (
        laid("mason", wood=1, stone=1),
        build("bank", wood=1, stone=1),
        "builds the Bank on road-10 for 1 wood and 1 stone",
    ),
    (
        Table(3)
        .build(1, "road-9", "architect_1")
        .build(0, "road-10", "residence")
        .put(0, "road-9")
        .provost(9)
        .purse(0, stone=2, gold=1)
        .begin("buildings"),
        prestige("statue", "road-10", stone=2, gold=1),
        "builds the Statue on road-10 for 2 stone and 1 gold",
    ),
    (
        laid("lawyer", cloth=1, deniers=1),
        convert("road-5", cloth=1, deniers=1),
        "turns the Quarry (road-5) into a Residence for 1 cloth and 1 denier",
    ),
    (
        Table(3).put(0, "castle").purse(0, food=1, wood=1, gold=1).begin("castle"),
        batch(wood=1, gold=1),
        "gives 1 food, 1 wood and 1 gold for a house in the dungeon",
    ),
    (
        Table(3).houses("dungeon", 2, 1, 1).bailiff(11).begin("scoring"),
        favour("cubes"),
        "takes the favour on the line of cubes",
    ),
]


@pytest.mark.parametrize(("table", "move", "text"), TEXTS, ids=lambda value: None)
def test_a_move_as_one_line(table: Table, move: Json, text: str) -> None:
    assert move in table.legal
    assert table.state.text(move) == text


def test_every_move_of_a_game_has_a_line_of_its_own() -> None:
    rng = random.Random(3)
    state = CAYLUS.new(4, {}, CAYLUS.draw_setup(4, {}, rng))
    while not state.over:
        lines = [state.text(move) for move in state.legal_moves()]
        assert len(set(lines)) == len(lines)
        assert not [line for line in lines if not line or "\n" in line]
        state.play(choose(state, rng))
