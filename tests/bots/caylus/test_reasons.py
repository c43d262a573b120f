"""What the reasons of a move say: about workers of rivals, what comes later, and the inn."""

from __future__ import annotations

import random
from typing import cast

import pytest

import cartulary
from cartulary.bots.caylus.reasons import Comparison, Future, find_reasons
from cartulary.engine.caylus.game import CAYLUS
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.core import Json
from tests.engine.caylus.position import Table, take


def compare(idle: list[str]) -> list[Json]:
    """Return what is said about idle workers where rival 1 has idle workers in these buildings."""
    options = CAYLUS.check(2, {})
    state = CAYLUS.new(2, options, CAYLUS.draw_setup(2, options, random.Random(1)))
    facts = [{"type": "building_idle", "seat": 1, "building": name} for name in idle]
    mine, other = Future(state, facts), Future(state, [])
    comparison = Comparison(state, state.moves()[0], mine, other, [])
    return [one for one in comparison.list_reasons() if one["type"] == "strands"]


@pytest.mark.parametrize(
    ("idle", "said"),
    [
        ([], []),
        (["farm"], [{"type": "strands", "seat": 1, "building": "farm"}]),
        (["farm", "quarry", "peddler"], [{"type": "strands", "seat": 1, "workers": 3}]),
    ],
)
def test_the_workers_that_a_rival_loses_are_named_once(idle: list[str], said: list[Json]) -> None:
    assert compare(idle) == said


BUILT = ("builds", "houses", "residences")


def test_a_worker_builds_nothing_so_what_it_makes_possible_comes_later() -> None:
    """Else a hint to take wood reads as if the Forest built a house."""
    match = cartulary.new_game("caylus", seats=2, seed=1)
    placed, built = list[Json](), list[Json]()
    while cast(CaylusState, match.state).round < 6:
        state = cast(CaylusState, match.state.copy())
        move = match.play_bot("greedy")
        if state.kind not in ("place_worker", "build"):
            continue
        chosen = next(one for one in state.moves() if state.move_json(one) == move)
        _, reasons = find_reasons(state, chosen, ())
        found = [one for one in reasons if one["type"] in BUILT and one["seat"] == state.seat]
        (placed if state.kind == "place_worker" else built).extend(found)
    assert placed
    assert {one.get("reason") for one in placed} == {"later"}
    assert any("reason" not in one for one in built)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("stay", {"type": "inn", "seat": 0, "reason": "stays"}),
        ("leave", {"type": "workers", "seat": 0, "workers": 1}),
    ],
)
def test_both_answers_at_the_inn_have_a_reason(answer: str, reason: Json) -> None:
    table = (
        Table(2)
        .purse(0, deniers=5)
        .purse(1, deniers=5)
        .put(0, "inn-right")
        .begin("special_buildings")
    )
    assert table.asked == (0, "inn")
    state = table.state
    move = next(one for one in state.moves() if state.move_json(one)["type"] == answer)
    assert reason in find_reasons(state, move, ())[1]


def test_a_worker_at_the_inn_makes_workers_cheap_from_the_next_round_on() -> None:
    table = Table(2).purse(0, deniers=5).purse(1, deniers=5).begin("place_workers")
    state = table.state
    move = next(one for one in state.moves() if state.move_json(one).get("space") == "inn")
    assert {"type": "inn", "seat": 0} in find_reasons(state, move, ())[1]


@pytest.mark.parametrize(
    ("held", "taken", "is_said"),
    [
        ({"wood": 1, "gold": 1}, {"food": 1}, True),
        ({"wood": 1, "stone": 1}, {"food": 1}, True),
        ({"gold": 2}, {"food": 1}, False),
        ({"food": 1, "wood": 1, "gold": 1}, {"cloth": 1}, False),
    ],
)
def test_gold_is_one_of_the_cubes_of_a_batch_that_a_reason_tells_of(
    held: dict[str, int], taken: dict[str, int], is_said: bool
) -> None:
    """Rules 3, phase 6: gold is allowed, so who holds it needs no other cube for a batch."""
    table = Table(2).put(0, "road-2").purse(0, **held).begin("buildings")
    assert table.asked == (0, "produce")
    move = table.state.find(take(**taken))
    reasons = find_reasons(table.state, move, ())[1]
    assert ({"type": "batch", "seat": 0} in reasons) == is_said
