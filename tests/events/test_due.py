"""What a game waits for: one answer, made of the events alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cartulary.events.due import due
from cartulary.events.players import Player
from cartulary.events.store import Store
from cartulary.events.table import Table
from tests.events.conftest import BOT, ME, OPEN, beans_game, play_out


def at(table: Table) -> int:
    since = datetime.fromisoformat(table.updated_at) - datetime(1970, 1, 1, tzinfo=UTC)
    return round(since / timedelta(milliseconds=1))


def test_a_bot_that_is_asked_is_due_since_the_last_event(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game(BOT, BOT)).table
    assert due(table) == ("bot", table.position, at(table))


def test_nothing_is_due_while_people_are_to_move(store: Store, ada: Player) -> None:
    assert due(store.commands.create(ada, beans_game(ME, ME)).table) is None


def test_nothing_is_due_before_the_start(store: Store, ada: Player) -> None:
    assert due(store.commands.create(ada, beans_game(BOT, OPEN)).table) is None


def test_a_score_is_due_after_the_last_move_and_until_it_is_counted(
    store: Store, ada: Player
) -> None:
    table = play_out(store, ada, store.commands.create(ada, beans_game()).table)
    assert due(table) == ("score", table.version, at(table))
    assert due(store.commands.score(table.id).table) is None


def test_an_aborted_game_waits_for_nothing(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game(ME, OPEN)).table
    assert due(store.commands.leave(ada, table.id, 0).table) is None


def test_an_event_that_leaves_the_position_alone_leaves_the_position_of_the_work_alone(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(ada, beans_game(BOT, BOT)).table
    later = table._replace(life=table.life._replace(version=table.version + 1))
    assert due(later) == due(table)
