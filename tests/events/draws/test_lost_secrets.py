"""Games whose secret is missing, or has another key: what they refuse, and how they go on."""

from __future__ import annotations

import hashlib

import pytest

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.failures import SecretMissing, WrongKey
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.renewal import find_lost, renew_lost
from tests.conftest import OFFERS
from tests.events.support.bean_games import BOT, ME, any_move, beans_game, play_out
from tests.events.support.games_with_draws import delivered, play_whole, secret_of, unfair
from tests.fairness.checker import check_events
from tests.support.small_transcript import small


@pytest.fixture
def lost(store: Store, ada: Player) -> tuple[Store, Table]:
    """A running game whose secret is missing, and a process that has not cached it."""
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    store.redis.delete(keys.secret(table.id))
    return Store(store.redis, OFFERS), table


def finish_turn(store: Store, player: Player, table: Table) -> Table:
    """Play until the next tile is drawn."""
    number = table.fair and table.fair.number
    while (table.fair and table.fair.number) == number:
        table = store.commands.move(Intent(player, table.version), table.id, any_move(table)).table
    return table


def test_game_whose_secret_is_missing_draws_nothing_and_loses_nothing(
    lost: tuple[Store, Table], ada: Player
) -> None:
    store, table = lost
    with pytest.raises(SecretMissing, match="--renew-draws"):
        finish_turn(store, ada, table)
    stored = store.ledger.version(table.id)
    assert store.projector.table(table.id).version == stored
    assert store.audit.game(table.id).valid


def test_renewed_game_goes_on_and_says_from_when_it_is_proved(
    lost: tuple[Store, Table], ada: Player
) -> None:
    store, table = lost
    assert [found.id for found in find_lost(store)] == [table.id]
    assert renew_lost(store) == ([table.id], [], [])
    assert list(find_lost(store)) == []
    assert renew_lost(store) == ([], [], [])
    renewed = store.ledger.events(table.id)[-1]
    assert renewed["type"] == "draws_renewed"
    assert renewed["commitment"] == hashlib.sha256(secret_of(store, table)).hexdigest()
    after = store.projector.table(table.id)
    assert after.fair is not None
    assert (after.fair.number, after.position) == (0, table.position)
    final = play_whole(store, ada, after)
    report = store.audit.game(final.id)
    assert report.problems == []
    assert report.fair is not None
    assert (report.fair["state"], report.fair["renewed_at"]) == ("proved", [renewed["version"]])
    assert check_events(delivered(store, final)).state == "proved"


def test_open_game_is_renewed_as_well(store: Store, bob: Player, open_table: Table) -> None:
    store.redis.delete(keys.secret(open_table.id))
    fresh = Store(store.redis, OFFERS)
    assert renew_lost(fresh).renewed == [open_table.id]
    table = fresh.commands.arranging.join(Intent(bob), open_table.id).table
    assert table.status is Status.RUNNING
    assert fresh.audit.game(table.id).valid


def test_process_with_another_key_reveals_nothing_and_renewing_helps(
    store: Store, ada: Player
) -> None:
    running = store.commands.create(Intent(ada), beans_game(ME, ME)).table
    scoring = play_out(store, ada, store.commands.create(Intent(ada), beans_game(ME, ME)).table)
    other = Store(store.redis, OFFERS, keyring=Keyring([b"x" * 32]))
    with pytest.raises(WrongKey):
        other.commands.score(scoring.id)
    with pytest.raises(WrongKey):
        other.commands.create(Intent(ada), beans_game())
    assert renew_lost(other) == ([running.id], [scoring.id], [])
    scored = other.commands.score(scoring.id).events[-1]
    assert scored["secret"] is None
    report = other.audit.game(scoring.id)
    assert report.fair is not None
    assert (report.fair["state"], report.valid) == ("failed", True)
    assert other.commands.create(Intent(ada), beans_game()).events


def test_finished_games_and_games_from_before_are_not_renewed(store: Store, ada: Player) -> None:
    unfair(store, ada)
    play_whole(store, ada, store.commands.create(Intent(ada), beans_game(ME, BOT)).table)
    store.commands.import_transcript(Intent(ada), small())
    assert list(find_lost(store)) == []
