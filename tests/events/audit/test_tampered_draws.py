"""What a cheating operator would change in the draws of a game."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from cartulary.events.audit.audit import make_report
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.model.table import Table
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, HIS, ME, MINE
from tests.events.support.games_with_draws import play_whole


def tampered(store: Store, table: Table, version: int, **changed: Any) -> list[dict[str, Any]]:
    """The problems of a stream with another event at a version, without those of the chain."""
    entries = store.ledger.entries(table.id)
    event = orjson.loads(entries[version - 1][1][b"event"])
    entries[version - 1][1][b"event"] = orjson.dumps({**event, **changed})
    found = make_report(store.rules, table.id, entries).problems
    return [one for one in found if one["problem"] == "draw"]


@pytest.fixture
def finished(fake_store: Store) -> tuple[Store, Table]:
    ada = fake_store.players.create("Ada")[0]
    request = NewGame("caylus", [ME, BOT, BOT], shuffle_seats=True, entropy=MINE)
    return fake_store, play_whole(
        fake_store, ada, fake_store.commands.create(Intent(ada), request).table
    )


@pytest.mark.slow
def test_the_first_draw_that_differs_is_named(finished: tuple[Store, Table]) -> None:
    store, table = finished
    created, started, *_ = store.ledger.events(table.id)
    bots = [event for event in store.ledger.events(table.id) if "bot" in event]
    fair = {**created["fair"], "commitment": "0" * 64}
    seats = [{**seat, "entropy": HIS} for seat in created["seats"]]
    cases: list[tuple[int, dict[str, Any], int]] = [
        (1, {"fair": fair}, 1),
        (1, {"seats": seats}, 2),
        (2, {"seating": started["seating"][::-1]}, 2),
        (2, {"setup": {**started["setup"], "neutrals": started["setup"]["neutrals"][::-1]}}, 2),
        (bots[3]["version"], {"bot": {**bots[3]["bot"], "seed": "0" * 16}}, bots[3]["version"]),
        (table.version, {"secret": "00" * 32}, 1),
    ]
    for version, changed, named in cases:
        assert [one["version"] for one in tampered(store, table, version, **changed)] == [named], (
            changed
        )


@pytest.mark.slow
def test_secret_that_is_missing_in_the_last_event_is_a_problem(
    finished: tuple[Store, Table],
) -> None:
    store, table = finished
    entries = store.ledger.entries(table.id)
    event = orjson.loads(entries[-1][1][b"event"])
    del event["secret"]
    entries[-1][1][b"event"] = orjson.dumps(event)
    report = make_report(store.rules, table.id, entries)
    assert [(one["version"], one["problem"]) for one in report.problems] == [
        (table.version, "draw")
    ]
    assert report.fair is not None
    assert report.fair["state"] == "failed"


@pytest.mark.slow
def test_a_fault_that_no_draw_can_be_made_from_is_a_problem(
    finished: tuple[Store, Table],
) -> None:
    store, table = finished
    created = store.ledger.events(table.id)[0]
    nameless = {key: value for key, value in created["fair"].items() if key != "scheme"}
    numbers = [{**seat, "entropy": 15} for seat in created["seats"]]
    (found,) = tampered(store, table, 1, fair=nameless)
    assert (found["version"], "scheme" in found["detail"]) == (1, True)
    (found,) = tampered(store, table, 1, seats=numbers)
    assert (found["version"], found["detail"]) == (2, "an entropy is no text")
