"""Streams of old releases stay readable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from cartulary.engine.canonical import canonical_hash
from cartulary.events.commands.commands import Intent
from cartulary.events.model.effects.kinds import ROWS, shape_problem, upcast
from cartulary.events.model.failures import UnknownSchema
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move, everything_stored

STREAMS = Path(__file__).parents[1] / "stored" / "streams"
NAMES = sorted(path.name for path in STREAMS.iterdir())
"""Those of a first release are as the first public commit with `serve` has written them."""

RUNNING = "beans-schema-1-running.jsonl"


def store_old_stream(store: Store, name: str = "beans-schema-0.jsonl") -> str:
    for version, line in enumerate((STREAMS / name).read_bytes().splitlines(), start=1):
        store.redis.xadd(keys.events("OLD"), {"event": line}, id=f"{version}-0")
    return "OLD"


def read_stream(name: str) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in (STREAMS / name).read_bytes().splitlines()]


def test_the_old_streams_are_really_old() -> None:
    events = [event for path in STREAMS.iterdir() for event in read_stream(path.name)]
    events += read_stream("../timed/carcassonne-taken-back.jsonl")
    events += read_stream("../timed/carcassonne-stand-in.jsonl")
    events += read_stream("../before_bots/beans-declined.jsonl")
    events += read_stream("../before_filled_seats/beans-taken-over.jsonl")
    assert {(event["type"], event["schema"]) for event in events} >= {
        (row.type, schema) for row in ROWS for schema in row.upcasters
    }
    assert any(shape_problem(event) for event in events)


@pytest.mark.parametrize("name", NAMES)
def test_an_old_stream_is_read_as_if_it_were_new(store: Store, name: str) -> None:
    events = store.ledger.events(store_old_stream(store, name))
    assert [shape_problem(event) for event in events] == [None] * len(events)
    assert all("schema" not in event and "drawn" not in event for event in events)


@pytest.mark.parametrize("name", NAMES)
def test_an_old_stream_is_delivered_with_the_hashes_of_what_was_appended(
    store: Store, name: str
) -> None:
    events = store.ledger.deliver(store_old_stream(store, name))
    stored = read_stream(name)
    for event, old in zip(events, stored, strict=True):
        schema = old.pop("schema")
        assert event["hash"] == canonical_hash(old)
        assert event.get("upcast", False) == (
            schema == 0 and event != {**old, "hash": event["hash"]}
        )
        assert "prev" not in event


@pytest.mark.parametrize("name", NAMES)
def test_an_old_stream_is_verified(store: Store, name: str) -> None:
    report = store.audit.game(store_old_stream(store, name))
    assert (report.problems, report.chained_from) == ([], None)
    assert report.head == store.ledger.deliver("OLD")[-1]["hash"]


@pytest.mark.parametrize("name", [RUNNING, "caylus-first-release.jsonl"])
def test_an_old_stream_is_continued_at_its_next_event(store: Store, name: str) -> None:
    table = store.projector.table(store_old_stream(store, name))
    assert table.state is not None
    sitter = table.seats[table.state.seat].player
    assert sitter is not None
    player = Player(sitter["id"], sitter["name"])
    old = store.ledger.deliver("OLD")
    table = store.commands.move(Intent(player), "OLD", any_move(table)).table
    new = store.ledger.deliver("OLD", len(old))
    assert new[0]["prev"] == old[-1]["hash"]
    assert table.head == new[-1]["hash"]
    report = store.audit.game("OLD")
    assert (report.problems, report.chained_from) == ([], len(old) + 1)


def test_the_last_event_before_the_chain_cannot_be_changed_unnoticed(store: Store) -> None:
    test_an_old_stream_is_continued_at_its_next_event(store, RUNNING)
    entries = store.ledger.entries("OLD")
    store.redis.delete(keys.events("OLD"))
    for entry_id, fields in entries:
        event = orjson.loads(fields[b"event"])
        if event["version"] == 6:
            event["at"] = "2020-01-01T00:00:00.000Z"
            fields = {**fields, b"event": orjson.dumps(event)}
        values: Any = fields
        store.redis.xadd(keys.events("OLD"), values, id=entry_id)
    assert [(one["version"], one["problem"]) for one in store.audit.game("OLD").problems] == [
        (6, "chain")
    ]


def test_an_old_game_folds_holds_and_goes_on(store: Store) -> None:
    table = store.projector.table(store_old_stream(store))
    assert (table.status, table.visibility) == ("over", "public")
    assert [seat.bot for seat in table.seats] == [None, "random"]
    assert store.audit.game("OLD").problems == []


def test_reading_never_rewrites_what_is_stored(store: Store) -> None:
    store_old_stream(store)
    before = everything_stored(store)
    store.projector.table("OLD")
    assert everything_stored(store) == before


@pytest.mark.parametrize(
    "event",
    [
        {"schema": 99, "type": "move_made"},
        {"schema": -1, "type": "move_made"},
        {"schema": 1, "type": "move_taken_back"},
        {"schema": None, "type": "move_taken_back"},
    ],
)
def test_a_type_or_a_schema_of_a_later_release_is_unknown(event: dict[str, object]) -> None:
    with pytest.raises(UnknownSchema):
        upcast(event)


@pytest.mark.parametrize("schema", [None, "1", 0.5])
def test_a_schema_that_is_no_whole_number_is_no_schema(schema: object) -> None:
    with pytest.raises(ValueError, match="no schema"):
        upcast({"schema": schema, "type": "seat_taken"})


def test_every_schema_below_the_current_one_that_was_ever_written_has_an_upcaster() -> None:
    """A new schema without an upcaster from the last one would make old games unreadable."""
    for row in ROWS:
        oldest = min(row.upcasters, default=row.schema)
        assert sorted(row.upcasters) == list(range(oldest, row.schema)), row.type
