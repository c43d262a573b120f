"""The window ends every table: with a result after three turns of all, else without."""

from __future__ import annotations

import pytest

from cartulary.engine.transcript import from_json
from cartulary.events.audit.audit import Audit
from cartulary.events.commands.commands import Intent
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from tests.events.support.rounds import DUPLICATE, LIVE, Round

MANY = 14
"""Moves after which both seats have had three turns, and the game goes on."""


@pytest.fixture
def running(played: Round) -> Table:
    return played.make(1, *played.enter("Ada", "Bob"))


def test_a_table_that_runs_is_counted_as_it_stands_with_the_slowest_last(
    played: Round, running: Table
) -> None:
    table = played.play(running.id, MANY)
    assert table.state is not None
    slow = table.state.seat
    played.clock.advance(3_600_000)
    done = played.store.round_commands.end(table.id)
    assert done.events[-1] == done.events[-1] | {"reason": "window", "slowest": slow}
    scored = played.store.commands.score(table.id).table
    assert scored.result is not None
    assert scored.result["ended_by"] == "window"
    assert scored.result["scores"] == table.state.final().to_json()["scores"]
    assert scored.result["ranks"][slow] == 2
    assert scored.result["outcomes"] == ["finished", "finished"]


def test_the_result_of_a_window_follows_from_the_events_and_can_be_imported(
    played: Round, running: Table
) -> None:
    table = played.play(running.id, MANY)
    played.store.round_commands.end(table.id)
    scored = played.store.commands.score(table.id).table
    assert Audit(played.store.ledger, played.store.rules).game(table.id).problems == []
    found = transcript_of(scored, played.store.ledger.events(table.id), {}).to_json()
    assert from_json(found, played.store.rules).ending is not None
    taken = played.store.commands.import_transcript(Intent(played.players[0]), found).table
    assert taken.result is not None
    assert taken.result["ranks"] == (scored.result or {})["ranks"]


def test_a_table_at_which_a_seat_has_had_fewer_than_three_turns_is_void(
    played: Round, running: Table
) -> None:
    played.play(running.id, 3)
    done = played.store.round_commands.end(running.id)
    assert done.table.status is Status.ABORTED
    assert done.events[-1]["code"] == "service"


def test_a_table_that_still_waits_is_void(played: Round) -> None:
    table = played.make(1, *played.enter("Ada", "Bob"), pace=LIVE)
    assert played.store.round_commands.end(table.id).table.status is Status.ABORTED


def test_the_end_of_a_window_comes_once(played: Round, running: Table) -> None:
    played.play(running.id, MANY)
    played.store.round_commands.end(running.id)
    assert played.store.round_commands.end(running.id).events == []
    over = played.store.commands.score(running.id).table
    assert played.store.round_commands.end(running.id).table.version == over.version
    assert played.store.round_commands.abort(running.id).events == []


@pytest.mark.slow
def test_no_ending_of_a_duplicate_shows_the_secret(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    whole = played.make(1, ada, bob, duplicate=DUPLICATE)
    void = played.make(2, ada, bob, duplicate=DUPLICATE)
    played.play(whole.id)
    played.store.round_commands.abort(void.id)
    for table in (whole, void):
        last = played.store.ledger.events(table.id)[-1]
        assert last["secret"] is None
        assert played.store.vault.read(table.id) is None


def test_a_duplicate_whose_secret_is_lost_is_aborted_and_not_renewed(played: Round) -> None:
    table = played.make(1, *played.enter("Ada", "Bob"), duplicate=DUPLICATE)
    played.store.vault.drop(table.id)
    done = played.store.commands.renew_draws(table.id)
    assert [event["type"] for event in done.events] == ["game_aborted"]
