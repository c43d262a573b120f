"""Streams of old releases stay readable."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from cartulary.events import keys
from cartulary.events.errors import UnknownSchema
from cartulary.events.kinds import ROWS, shape_problem, upcast
from cartulary.events.store import Store
from tests.events.conftest import everything_stored

OLD = Path(__file__).parent / "streams" / "beans-schema-0.jsonl"


def store_old_stream(store: Store) -> str:
    for version, line in enumerate(OLD.read_bytes().splitlines(), start=1):
        store.redis.xadd(keys.events("OLD"), {"event": line}, id=f"{version}-0")
    return "OLD"


def test_the_old_stream_is_really_old() -> None:
    events = [orjson.loads(line) for line in OLD.read_bytes().splitlines()]
    assert {(event["type"], event["schema"]) for event in events} >= {
        (row.type, schema) for row in ROWS for schema in row.upcasters
    }
    assert any(shape_problem(event) for event in events)


def test_an_old_stream_is_read_as_if_it_were_new(store: Store) -> None:
    events = store.ledger.events(store_old_stream(store))
    assert [shape_problem(event) for event in events] == [None] * len(events)
    assert all("schema" not in event and "drawn" not in event for event in events)


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
