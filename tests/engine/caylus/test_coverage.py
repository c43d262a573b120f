"""What play by the test players gets to see: a table of counts, none of them zero.

`python -m tests.engine.caylus.test_coverage` prints the table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json
from tests.engine.caylus.busy import choose
from tests.engine.caylus.position import NEUTRALS, Table

Coverage = Counter[tuple[str, str]]

KINDS = [
    "place_worker",
    "gate",
    "merchants_guild",
    "joust_field",
    "inn",
    "bribe",
    "produce",
    "owner_bonus",
    "trade",
    "build",
    "build_prestige",
    "convert",
    "castle",
    "favour",
    "favour_cubes",
    "favour_buildings",
]
SPECIAL = ["gate", "trading_post", "merchants_guild", "joust_field", "stables", "inn"]
WOOD = [
    "wood_farm_food",
    "wood_farm_cloth",
    "wood_sawmill",
    "wood_quarry",
    "wood_marketplace",
    "wood_peddler",
    "mason",
    "lawyer",
]
STONE = [
    "stone_farm",
    "park",
    "workshop",
    "church",
    "tailor",
    "bank",
    "alchemist",
    "architect_1",
    "architect_2",
    "jeweller",
]
PRESTIGE = [
    "statue",
    "granary",
    "library",
    "weaver",
    "theatre",
    "university",
    "monument",
    "hotel",
    "cathedral",
]
PRINTED = [*NEUTRALS, "fixed_peddler", "fixed_carpenter", "gold_mine"]
LINES = ("prestige", "deniers", "cubes", "buildings")
CASES = """pending residence before the provost
    pending residence beyond the provost
    two pending residences
    lawyer by favour in special_buildings
    lawyer by favour in buildings
    lawyer by favour in castle
    lawyer by favour in scoring
    gate into castle
    gate into stables
    gate into inn
    gate into a foreign building
    both inn circles held by one seat
    forced pass with the first-pass denier
    full towers with a batch to give
    full towers without a batch to give
    two sections scored in one round
    full road
    favour by a favour
    favour lapsed
    favour on a blocked marker
    line of buildings for its marker alone
    tie for most batches
    house in the next section
    penalty at zero points
    owner's point beyond the provost""".splitlines()

EXPECTED = [
    *(("decision", kind) for kind in KINDS),
    *(("placed", place) for place in (*SPECIAL, "castle", *PRINTED, *WOOD, *STONE)),
    *(("used", building) for building in (*PRINTED, *WOOD, *STONE)),
    *(("built", building) for building in (*WOOD, *STONE, *PRESTIGE, "residence")),
    *(("column", f"{line} {n}") for line in LINES for n in range(1, 6)),
    *(("cubes taken in column", str(n)) for n in range(1, 6)),
    *(("building by favour in column", str(n)) for n in range(2, 6)),
    *(("case", case.strip()) for case in CASES),
]

CUBE_COLUMNS = {"food": 1, "wood": 2, "stone": 2, "cloth": 3, "gold": 5}


class Watcher:
    """Counts what one game gets to see."""

    def __init__(self, state: CaylusState) -> None:
        self.state = state
        self.seen: Coverage = Counter()
        self.batches: Counter[int] = Counter()
        self.sections = 0

    def play(self, rng: random.Random) -> Coverage:
        while not self.state.over:
            move = self.state.move_json(choose(self.state, rng))
            view = self.state.view()
            self.look(view)
            self.judge(move, view)
            facts = self.state.apply(move, RecordedSource([])).facts
            for fact in facts:
                self.note(fact, facts, view)
        return self.seen

    def count(self, group: str, name: str) -> None:
        self.seen[group, name] += 1

    def look(self, view: Json) -> None:
        """See what lies on the table when a player decides."""
        self.count("decision", self.state.kind)
        if sum("pending_residence" in entry for entry in view["road"]) > 1:
            self.count("case", "two pending residences")
        if all(entry["building"] for entry in view["road"]):
            self.count("case", "full road")
        if view["inn"]["left"] is not None and view["inn"]["left"] == view["inn"]["right"]:
            self.count("case", "both inn circles held by one seat")

    def judge(self, move: Json, view: Json) -> None:
        """See what is decided."""
        decision = self.state.decision
        assert decision is not None
        name, kind = move["type"], decision.kind
        if "building" in decision.context and name != "decline":
            self.count("used", decision.context["building"])
        if kind == "favour_cubes" and name != "decline":
            column = 4 if name == "trade" else CUBE_COLUMNS[next(iter(move["goods"]))]
            self.count("cubes taken in column", str(column))
        if kind == "favour_buildings" and name != "decline":
            column = {"convert": 4, "build_prestige": 5}.get(name) or (
                2 if move["building"] in WOOD else 3
            )
            self.count("building by favour in column", str(column))
        if kind == "favour_buildings" and name == "convert":
            self.count("case", f"lawyer by favour in {view['phase']}")
        if name == "move_worker" and move["space"] in ("castle", "stables", "inn"):
            self.count("case", f"gate into {move['space']}")

    def note(self, fact: Json, facts: list[Json], view: Json) -> None:
        """See what happens."""
        handler = getattr(self, f"on_{fact['type']}", None)
        if handler:
            handler(fact, facts, view)

    def on_worker_placed(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.count("placed", str(fact.get("building", fact["space"])))

    def on_worker_moved(self, fact: Json, facts: list[Json], view: Json) -> None:
        if any(f["type"] == "points" and f["reason"] == "owner" for f in facts):
            self.count("case", "gate into a foreign building")

    def on_gained(self, fact: Json, facts: list[Json], view: Json) -> None:
        if fact["reason"] == "production":
            self.count("used", fact["building"])

    def on_building_built(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.count("built", fact["building"])

    def on_building_idle(self, fact: Json, facts: list[Json], view: Json) -> None:
        owner = self.state.view()["road"][int(fact["space"][5:]) - 1]["owner"]
        if owner not in (None, fact["seat"]):
            self.count("case", "owner's point beyond the provost")

    def on_residence_built(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.count("built", "residence")
        space = fact["space"]
        if any(f["type"] == "building_idle" and f["space"] == space for f in facts):
            self.count("case", "pending residence beyond the provost")
        elif any(f["type"] == "worker_home" and f["space"] == space for f in facts):
            self.count("case", "pending residence before the provost")

    def on_passed(self, fact: Json, facts: list[Json], view: Json) -> None:
        if fact["forced"] and fact["slot"] == 1:
            self.count("case", "forced pass with the first-pass denier")

    def on_excused(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.count("case", "full towers with a batch to give")

    def on_points(self, fact: Json, facts: list[Json], view: Json) -> None:
        if fact.get("penalty", 0) > -fact["points"]:
            self.count("case", "penalty at zero points")
        full = sum(view["sections"]["towers"]["houses"]) == 14
        if fact["reason"] == "no_batch" and full:
            self.count("case", "full towers without a batch to give")

    def on_house_built(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.batches[fact["seat"]] += 1
        current = next(name for name, s in view["sections"].items() if not s["scored"])
        if fact["section"] != current:
            self.count("case", "house in the next section")

    def on_favours_won(self, fact: Json, facts: list[Json], view: Json) -> None:
        if (
            fact["source"] == "church"
            and facts[0]["type"] == "paid"
            and view["phase"] != "buildings"
        ):
            self.count("case", "favour by a favour")
        if fact["source"] == "castle":
            most = max(self.batches.values())
            if list(self.batches.values()).count(most) > 1:
                self.count("case", "tie for most batches")

    def on_favour_taken(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.count("column", f"{fact['line']} {fact['column']}")
        if not fact["advanced"]:
            self.count("case", "favour on a blocked marker")
        if fact["line"] == "buildings" and self.state.kind != "favour_buildings":
            self.count("case", "line of buildings for its marker alone")

    def on_favour_lapsed(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.count("case", "favour lapsed")

    def on_section_scored(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.sections += 1
        if self.sections == 2:
            self.count("case", "two sections scored in one round")

    def on_round_begun(self, fact: Json, facts: list[Json], view: Json) -> None:
        self.sections = 0
        self.batches.clear()


def usual(rng: random.Random) -> CaylusState:
    """The start of a game of three to five seats."""
    seats = rng.randint(3, 5)
    options = {"edition": rng.choice(("first", "second"))}
    return CAYLUS.new(seats, options, CAYLUS.draw_setup(seats, options, rng))


def late(rng: random.Random) -> CaylusState:
    """The walls nearly full, rich purses, markers well on, craftsmen on the road."""
    table = Table(4, edition="second").scored(1).bailiff(15).provost(16)
    table.houses("walls", 2, 2, 2, 2).houses("towers", 3, 3, 3, 2)
    for seat in range(4):
        table.purse(seat, food=6, wood=5, stone=6, cloth=4, gold=3, deniers=8)
        table.markers(seat, prestige=3, deniers=3, cubes=3, buildings=3)
        table.build(seat, f"road-{9 + seat}", "residence")
    table.build(0, "road-13", "architect_1").build(1, "road-14", "mason")
    table.build(2, "road-15", "lawyer")
    some = ("church", "tailor", "bank", "architect_2", "jeweller", "workshop")
    for space, building in zip((17, 18, 19), rng.sample(some, 3), strict=True):
        table.build(rng.randrange(4), f"road-{space}", building)
    return table.provost(20).begin("place_workers").state


def last(rng: random.Random) -> CaylusState:
    """The towers full or nearly so, purses of all kinds, markers well on."""
    table = Table(3).scored(2).bailiff(20).provost(20).houses("towers", 4, 4, rng.randint(4, 6))
    table.points(9, 9, 9)
    for seat in range(3):
        table.markers(seat, cubes=4)
        goods = {name: rng.randrange(3) for name in ("food", "wood", "stone", "gold")}
        table.purse(seat, deniers=6, **goods)
    return table.begin("place_workers").state


def crowded(rng: random.Random) -> CaylusState:
    """A road with two empty spaces left."""
    table = Table(3).scored(1).bailiff(14).provost(14).fill_road(0)
    table.clear("road-9").clear("road-27").clear("road-28")
    for seat in range(3):
        table.purse(seat, food=6, wood=6, stone=6, cloth=6, gold=2, deniers=9)
    return table.build(1, "road-9", "mason").begin("place_workers").state


def lawful(rng: random.Random) -> CaylusState:
    """A joust and a lawyer of one seat, other workers on its buildings further along."""
    table = Table(3).scored(1).bailiff(13).provost(15).markers(0, buildings=4)
    table.build(0, "road-9", "lawyer").put(0, "road-9").put(0, "joust_field")
    for space, building in enumerate(("park", "workshop", "stone_farm", "tailor"), 10):
        table.build(0, f"road-{space}", building).put(1 + space % 2, f"road-{space}")
    return table.purse(0, cloth=4, deniers=9).begin("special_buildings").state


STARTS = ((usual, 200), (late, 200), (last, 40), (crowded, 40), (lawful, 20))


def games() -> Iterator[CaylusState]:
    """Yield the games of each start, those of all starts in turn."""
    for seed in range(max(count for _, count in STARTS)):
        for start, count in STARTS:
            if seed < count:
                yield start(random.Random(seed))


def find_missing(total: Coverage) -> list[tuple[str, str]]:
    return [one for one in EXPECTED if not total[one]]


def play_until(is_enough: Callable[[Coverage], bool]) -> Coverage:
    """Play all games, or until it is enough."""
    total: Coverage = Counter()
    for seed, state in enumerate(games()):
        total += Watcher(state).play(random.Random(seed))
        if is_enough(total):
            break
    return total


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    """What the games see that are played until each rule was seen."""
    return play_until(lambda total: not find_missing(total))


@pytest.mark.slow
def test_play_gets_to_see_every_rule(coverage: Coverage) -> None:
    assert find_missing(coverage) == []


def main() -> None:
    total = play_until(lambda _: False)
    for group, name in EXPECTED:
        print(f"{total[group, name]:6} {group}: {name}")


if __name__ == "__main__":
    main()
