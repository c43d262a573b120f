"""A live game of a round starts when all are ready, and after two minutes in any case."""

from __future__ import annotations

import pytest

from cartulary.events.audit.audit import Audit
from cartulary.events.commands.rounds.starting import list_absent
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.time.due import due
from tests.events.support.rounds import LIVE, Round


@pytest.fixture
def waiting(played: Round) -> Table:
    """A live table of three that waits for its players."""
    return played.make(1, *played.enter("Ada", "Bob", "Eve"), pace=LIVE)


def words(played: Round, game_id: str) -> list[str]:
    return [event["type"] for event in played.store.ledger.events(game_id)]


def test_the_last_player_who_is_ready_starts_the_game(played: Round, waiting: Table) -> None:
    assert played.ready(waiting, 0, 1).status is Status.OPEN
    table = played.ready(waiting, 2)
    assert table.status is Status.RUNNING
    assert table.contending_seats == [0, 1, 2]


def test_it_is_due_two_minutes_after_it_was_made_also_when_a_player_gets_ready_meanwhile(
    played: Round, waiting: Table
) -> None:
    made = played.clock.now_ms()
    played.clock.advance(60_000)
    table = played.ready(waiting, 0)
    found = due(table)
    assert found is not None
    assert (found.kind, found.at) == ("round_start", made + 120_000)
    assert played.store.round_commands.start(table.id).events == []


@pytest.mark.parametrize("by_timer", [True, False])
def test_a_player_who_is_not_ready_in_time_forfeits_in_the_append_of_the_start(
    played: Round, waiting: Table, by_timer: bool
) -> None:
    played.ready(waiting, 0, 2)
    played.clock.advance(120_000)
    start = played.store.commands.expiry.expire if by_timer else played.store.round_commands.start
    done = start(waiting.id)
    assert [event["type"] for event in done.events] == ["game_started", "seat_forfeited"]
    assert done.table.running
    assert done.events[1]["reason"] == "left"
    assert done.events[1]["stand_in"] is not None
    assert not done.table.vacant(1)
    assert list_absent(played.store.ledger.events(waiting.id)) == [1]


@pytest.mark.parametrize("ready", [[], [2]])
def test_all_who_are_absent_forfeit_before_the_play_ends(
    played: Round, waiting: Table, ready: list[int]
) -> None:
    played.ready(waiting, *ready)
    played.clock.advance(120_000)
    done = played.store.round_commands.start(waiting.id)
    absent = [seat for seat in range(3) if seat not in ready]
    assert list_absent(done.events) == absent
    assert done.events[-1] == done.events[-1] | {"type": "play_ended", "reason": "forfeits"}
    result = played.store.commands.score(waiting.id).table.result
    assert result is not None
    assert result["winners"] == ready
    report = Audit(played.store.ledger, played.store.rules).game(waiting.id)
    assert report.problems == []


def test_a_player_who_leaves_the_tournament_is_not_ready_any_more(
    played: Round, waiting: Table
) -> None:
    played.ready(waiting, 0, 1)
    played.store.round_commands.forfeit(waiting.id, 0)
    assert played.ready(waiting, 2).status is Status.OPEN
    played.clock.advance(120_000)
    played.store.round_commands.start(waiting.id)
    assert list_absent(played.store.ledger.events(waiting.id)) == [0]


def test_a_player_who_leaves_the_tournament_forfeits_the_running_game(
    played: Round, waiting: Table
) -> None:
    table = played.ready(waiting, 0, 1, 2)
    done = played.store.round_commands.forfeit(table.id, 1)
    assert done.table.seats[1].forfeited == "left"
    assert played.store.round_commands.forfeit(table.id, 1).events == []


def test_a_connected_bot_is_ready_from_the_beginning(
    played: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = played.enter("Ada", "Bob")
    robot = bob._replace(kind="bot", owner=ada.id)
    monkeypatch.setattr(played.store.round_maker, "_is_there", lambda bot: bot == robot.id)
    table = played.make(1, ada, robot, pace=LIVE)
    assert [seat.ready for seat in table.seats] == [False, True]


def test_a_game_without_a_live_clock_starts_at_once(played: Round) -> None:
    table = played.make(1, *played.enter("Ada", "Bob"))
    assert words(played, table.id) == ["game_created", "game_started"]


def test_a_closed_account_leaves_no_open_seat_at_a_table_that_waits(
    played: Round, waiting: Table
) -> None:
    played.ready(waiting, 0)
    played.store.accounts.deletion.delete(played.players[0], "Ada")
    table = played.store.projector.table(waiting.id)
    assert table.seats[0].player is not None
    assert not table.seats[0].ready
