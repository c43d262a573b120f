"""Random and busy play over all seats, options and editions: nothing is lost and nothing appears.

A failing game is named by its seats, options and seed and can be played again from them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product

import pytest

from cartulary.engine.canonical import canonical_json
from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.flow import LEGAL
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json
from tests.engine.caylus.busy import choose
from tests.support.night import short_or_long

GOODS = ("food", "wood", "stone", "cloth", "gold", "deniers")
PARTS = {"dungeon": 6, "walls": 10, "towers": 14}
FIXED = {"road-7": "fixed_peddler", "road-8": "fixed_carpenter", "road-16": "gold_mine"}
NEUTRAL = {
    f"neutral_{name}"
    for name in ("carpenter", "farm", "forest", "sawmill", "quarry", "marketplace")
}
TABLES = list(product((2, 3, 4, 5), ("table", "simplified"), ("first", "second")))
SEEDS = range(short_or_long(2, 6))
"""An even seed plays at random, an odd one busily."""


def workers_out(view: Json) -> Counter[int]:
    out: Counter[int] = Counter()
    for entry in view["road"]:
        out[entry["worker"]] += 1
    for name in ("gate", "trading_post", "merchants_guild", "joust_field"):
        out[view[name]] += 1
    for seats in (view["stables"], view["castle"], view["inn"].values()):
        out.update(seats)
    del out[None]
    return out


def check_workers(view: Json) -> None:
    out = workers_out(view)
    for seat, player in enumerate(view["players"]):
        assert player["workers"] + out[seat] == 6
        assert player["workers"] >= 0


def check_tiles(view: Json, tiles: set[str]) -> None:
    standing = [entry["building"] for entry in view["road"] if entry["building"]]
    counted = Counter(standing + view["stock"])
    residences = counted.pop("residence", 0)
    neutral = NEUTRAL & counted.keys()
    assert set(counted) - neutral - set(FIXED.values()) == tiles
    assert set(counted.values()) == {1}
    assert residences >= 0
    assert all(view["road"][int(s[5:]) - 1]["building"] == b for s, b in FIXED.items())
    for entry in view["road"]:
        owned = entry["building"] not in (None, *NEUTRAL, *FIXED.values())
        assert (entry["owner"] is not None) == owned
        open_ = entry["building"] is not None and entry["building"] not in CLOSED
        assert entry["worker"] is None or open_
        assert "pending_residence" not in entry or entry["worker"] is not None


CLOSED = {
    "residence",
    *("statue", "granary", "library", "weaver", "theatre"),
    *("university", "monument", "hotel", "cathedral"),
}


def check_limits(view: Json) -> None:
    for name, parts in PARTS.items():
        assert sum(view["sections"][name]["houses"]) <= parts
    assert 1 <= view["provost"] <= 28
    assert 6 <= view["bailiff"] <= 25
    limit = (2, 4, 5, 5)[sum(s["scored"] for s in view["sections"].values())]
    for player in view["players"]:
        assert player["prestige"] >= 0
        assert min(player["cubes"].values()) >= 0
        assert player["deniers"] >= 0
        assert all(0 <= column <= limit for column in player["favours"].values())


class Ledger:
    """What facts say everybody has, started from the first view."""

    def __init__(self, view: Json) -> None:
        self.goods = [
            Counter({**player["cubes"], "deniers": player["deniers"]}) for player in view["players"]
        ]
        self.points = [player["prestige"] for player in view["players"]]
        self.houses = Counter[tuple[int, str]]()

    def book(self, fact: Json) -> None:
        if fact["type"] == "gained":
            assert min(fact["goods"].values()) > 0
            self.goods[fact["seat"]].update(fact["goods"])
        elif fact["type"] == "paid":
            assert min(fact["goods"].values()) > 0
            self.goods[fact["seat"]].subtract(fact["goods"])
        elif fact["type"] == "points":
            self.points[fact["seat"]] += fact["points"]
        elif fact["type"] == "house_built":
            self.houses[fact["seat"], fact["section"]] += 1

    def check(self, view: Json) -> None:
        for seat, player in enumerate(view["players"]):
            held = {**player["cubes"], "deniers": player["deniers"]}
            assert {name: self.goods[seat][name] for name in GOODS} == held
            assert self.points[seat] == player["prestige"]
            for name in PARTS:
                assert self.houses[seat, name] == view["sections"][name]["houses"][seat]


def check_legal(state: CaylusState) -> None:
    legal = state.legal_moves()
    assert 0 < len(legal) <= 100
    assert len({canonical_json(move) for move in legal}) == len(legal)
    assert list(LEGAL[state.kind](state, state.seat)) == list(state.moves())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("seats", "favours", "edition"), TABLES)
@pytest.mark.slow
def test_cubes_deniers_workers_and_tiles_are_conserved(
    seats: int, favours: str, edition: str, seed: int
) -> None:
    rng = random.Random(seed)
    options = {"favours": favours, "edition": edition}
    state = CAYLUS.new(seats, options, CAYLUS.draw_setup(seats, options, rng))
    view = state.view()
    ledger, tiles = Ledger(view), set(view["stock"])
    busy = seed % 2 == 1
    while not state.over:
        check_legal(state)
        move = choose(state, rng) if busy else rng.choice(state.moves())
        for fact in state.apply(state.move_json(move), RecordedSource([])).facts:
            assert json.loads(json.dumps(fact)) == fact
            ledger.book(fact)
        view = state.view()
        check_workers(view)
        check_tiles(view, tiles)
        check_limits(view)
        ledger.check(view)
    assert workers_out(view).total() <= 1
    result = state.final()
    assert result.scores == [
        points + sum(e["points"] for e in result.breakdown if e["seat"] == seat)
        for seat, points in enumerate(ledger.points)
    ]
