"""Stored streams of timed games: what they meant when they were stored, they mean for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from cartulary.events.ledger.snapshots import freeze, thaw
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.effects.fold import History, evolve, fold
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Clocks
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import everything_stored, shown

STREAMS = Path(__file__).parents[1] / "stored" / "timed"
CLOCKS = {
    "carcassonne-claim": Clocks(
        (7_200_000, 600_040, 1_200_000), 1_795_361_200_000, 0, (0, 1, 2), given=((0, 3_600_000),)
    ),
    "carcassonne-stand-in": Clocks(
        (90_020, 0, 120_000), 1_795_535_475_000, 14_980, (0, 1, 2), flagged=0
    ),
    # Written when each takeback gave a full delay again (schema 1).
    "carcassonne-taken-back": Clocks((6_000, 10_000), 1_795_361_288_000, 8_000, (0, 1)),
}
"""What the clocks are at the end of each stream."""


@pytest.fixture(params=CLOCKS)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def stored(fake_store: Store, name: str) -> Store:
    for number, line in enumerate((STREAMS / f"{name}.jsonl").read_bytes().splitlines(), start=1):
        fake_store.redis.xadd(keys.events("OLD"), {"event": line}, id=f"{number}-0")
    return fake_store


def problems(store: Store) -> list[tuple[int, str]]:
    return [(one["version"], one["problem"]) for one in store.audit.game("OLD").problems]


def test_it_holds_and_is_never_rewritten(stored: Store) -> None:
    before = everything_stored(stored)
    assert problems(stored) == []
    shown(stored.projector.table("OLD"))
    assert everything_stored(stored) == before


def test_folding_at_once_from_any_version_is_folding_one_by_one(stored: Store) -> None:
    rules, events = stored.rules, stored.ledger.events("OLD")
    earlier = History(rules, "OLD", None, events)
    tables: list[Table] = []
    for event in events:
        before = tables[-1] if tables else None
        tables.append(evolve(rules, "OLD", before, event, earlier=earlier))
    last = tables[-1]
    for number, table in enumerate(tables[:-1], start=1):
        folded = fold(rules, "OLD", table, events[number:], earlier=earlier)
        assert folded is not None
        assert folded._replace(play=None) == last._replace(play=None)
        assert folded.view_text() == last.view_text()


def test_its_clocks_are_those_of_the_day_on_which_it_was_stored(stored: Store, name: str) -> None:
    table = stored.projector.table("OLD")
    assert table.clocks == CLOCKS[name]
    thawed = thaw(stored.rules, freeze(table))
    assert thawed is not None
    assert thawed.clocks == CLOCKS[name]


def test_a_takeback_that_says_nothing_of_the_clock_gives_a_full_delay(fake_store: Store) -> None:
    lines = (STREAMS / "carcassonne-taken-back.jsonl").read_bytes().splitlines()
    for number, line in enumerate(lines, start=1):
        fake_store.redis.xadd(keys.events("OLD"), {"event": line}, id=f"{number}-0")
    for event in map(orjson.loads, lines):
        if event["type"] == "moves_taken_back":
            assert (event["schema"], "clock" in event) == (1, False)
            clocks = fake_store.projector.table("OLD", event["version"]).clocks
            assert clocks is not None
            assert (clocks.since, clocks.turn_used) == (milliseconds(event["at"]), 0)


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("move_made", lambda clock: {**clock, "bank": clock["bank"] + 1}),
        ("move_made", lambda clock: {**clock, "used": clock["used"] + 2_021}),
        ("move_made", lambda clock: {**clock, "stopped": clock["stopped"] + 2_021}),
        ("move_made", lambda _: None),
        ("turn_timed_out", lambda clock: {**clock, "bank": 1}),
        ("turn_timed_out", lambda clock: {**clock, "used": 0, "stopped": clock["used"]}),
    ],
)
def test_the_audit_finds_a_clock_that_was_changed(
    fake_store: Store, type_: str, change: Any
) -> None:
    lines = (STREAMS / "carcassonne-claim.jsonl").read_bytes().splitlines()
    events = [orjson.loads(line) for line in lines]
    found = next(event for event in events if event["type"] == type_)
    clock = change(found.pop("clock"))
    if clock is not None:
        found["clock"] = clock
    for number, event in enumerate(events, start=1):
        fake_store.redis.xadd(keys.events("OLD"), {"event": orjson.dumps(event)}, id=f"{number}-0")
    assert (found["version"], "clock") in problems(fake_store)
