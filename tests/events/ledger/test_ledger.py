"""Appending and reading streams."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import orjson
import pytest

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.ledger.ledger import Idempotency, VersionConflict
from cartulary.events.ledger.streams import IdempotencyRecord, decode, decode_for_fold
from cartulary.events.model.errors import LedgerError, StaleVersion
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import event
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game
from tests.support.handmade_events import append, seal_all

GAME = "01J00000000000000000000000"


def taken(version: int, seat: int = 0) -> dict[str, object]:
    return event(version, "seat_taken", seat=seat, player={"id": "p", "name": "P"})


class TestAppend:
    def test_stores_one_entry_per_event_whose_id_is_the_version(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(1), taken(2)])
        entries = store.ledger.entries(GAME)
        assert [entry_id for entry_id, _ in entries] == [b"1-0", b"2-0"]
        assert [event["version"] for event in store.ledger.events(GAME)] == [1, 2]

    def test_stores_the_schema_and_does_not_show_it(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(1)])
        ((_, fields),) = store.ledger.entries(GAME)
        assert orjson.loads(fields[b"event"])["schema"] == 2
        assert "schema" not in store.ledger.events(GAME)[0]

    @pytest.mark.parametrize("expected", [0, 2, 7])
    def test_refuses_any_version_but_the_current_one_and_stores_nothing(
        self, store: Store, expected: int
    ) -> None:
        append(store.ledger, GAME, 0, [taken(1)])
        with pytest.raises(VersionConflict) as refused:
            append(store.ledger, GAME, expected, [taken(expected + 1)], Idempotency("p:k", "d"))
        assert refused.value.current_version == 1
        assert store.ledger.version(GAME) == 1
        assert store.ledger.record(GAME, "p:k") is None
        assert store.outbox.depth() == 1

    def test_stores_events_record_and_one_outbox_entry_together(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(1), taken(2), taken(3)], Idempotency("p:k", "d"))
        assert store.ledger.version(GAME) == 3
        assert store.ledger.record(GAME, "p:k") == IdempotencyRecord(1, 3, "d")
        (entry,) = store.outbox.read("c")
        assert (entry.game, entry.version, entry.type) == (GAME, 3, "seat_taken")

    def test_looks_at_the_key_before_the_version(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(1)], Idempotency("p:k", "d"))
        record = append(store.ledger, GAME, 99, [taken(100)], Idempotency("p:k", "other"))
        assert record == IdempotencyRecord(1, 1, "d")
        assert store.ledger.version(GAME) == 1

    def test_an_append_sent_twice_by_a_lost_connection_counts_once(self, store: Store) -> None:
        lost = store.ledger.prepare(GAME, 0, seal_all([taken(1)]))
        for _ in range(2):
            assert store.ledger.send(lost) is None
        assert store.ledger.version(GAME) == 1
        assert store.outbox.depth() == 1

    def test_an_append_is_recognised_after_any_number_of_later_events(self, store: Store) -> None:
        lost = store.ledger.prepare(GAME, 0, seal_all([taken(1), taken(2)]))
        assert store.ledger.send(lost) is None
        append(store.ledger, GAME, 2, [taken(version) for version in range(3, 60)])
        assert store.ledger.send(lost) is None
        assert store.ledger.version(GAME) == 59

    def test_an_append_with_a_key_is_recognised_as_the_same_append(self, store: Store) -> None:
        lost = store.ledger.prepare(GAME, 0, seal_all([taken(1)]), Idempotency("p:k", "d"))
        assert store.ledger.send(lost) is None
        append(store.ledger, GAME, 1, [taken(2)])
        assert store.ledger.send(lost) is None
        again = store.ledger.prepare(GAME, 0, seal_all([taken(1)]), Idempotency("p:k", "d"))
        assert store.ledger.send(again) == IdempotencyRecord(1, 1, "d")

    def test_an_append_that_follows_another_event_is_refused(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(1)])
        other = seal_all([taken(1, seat=1), taken(2)])
        with pytest.raises(VersionConflict) as refused:
            store.ledger.append(GAME, 1, other[1:])
        assert refused.value.current_version == 1
        assert store.ledger.version(GAME) == 1

    def test_reads_pages(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(version) for version in range(1, 8)])
        assert [e["version"] for e in store.ledger.events(GAME, 2, 3)] == [3, 4, 5]
        assert store.ledger.events(GAME, 7) == []
        assert store.ledger.events(GAME, 2, 0) == []
        assert store.ledger.events(GAME, 10**30) == []
        assert len(store.ledger.events(GAME, -(10**30), 10**30)) == 7

    def test_names_the_version_of_an_event_that_cannot_be_read(self, store: Store) -> None:
        store.redis.xadd(keys.events(GAME), {"event": b"{"}, id="1-0")
        with pytest.raises(BrokenHistory) as broken:
            store.ledger.events(GAME)
        assert (broken.value.version, broken.value.problem) == (1, "unreadable")

    @pytest.mark.parametrize(
        "text",
        [
            b"[1",
            b"[]",
            b"{}",
            b'{"type":"seat_taken"}',
            b'{"schema":1,"type":"tea_break"}',
            b'{"schema":"2","type":"seat_taken"}',
            b'{"schema":99,"type":"seat_taken"}',
            b'{"schema":2,"type":["seat_taken"]}',
            b'{"schema":2,"type":"seat_taken"},{"schema":2,"type":"seat_taken"}',
            None,
        ],
    )
    def test_all_events_and_a_single_event_are_refused_with_the_same_words(
        self, store: Store, text: bytes | None
    ) -> None:
        append(store.ledger, GAME, 0, [taken(1)])
        fields = {b"other": b"{}"} if text is None else {b"event": text}
        store.redis.xadd(keys.events(GAME), fields, id="2-0")  # type: ignore[arg-type]
        (entry,) = store.ledger.entries(GAME, 1)
        with pytest.raises(LedgerError) as alone:
            decode(GAME, *entry)
        with pytest.raises(type(alone.value)) as among_others:
            store.ledger.events(GAME)
        with pytest.raises(type(alone.value)) as in_a_list:
            decode_for_fold(GAME, store.ledger.entries(GAME))
        assert str(among_others.value) == str(in_a_list.value) == str(alone.value)
        assert vars(among_others.value) == vars(in_a_list.value) == vars(alone.value)
        assert gc.isenabled()

    def test_an_event_is_found_behind_other_fields(self, store: Store) -> None:
        append(store.ledger, GAME, 0, [taken(1)])
        ((_, fields),) = store.ledger.entries(GAME)
        store.redis.delete(keys.events(GAME))
        swapped = {b"nonce": b"n", b"event": fields[b"event"]}
        store.redis.xadd(keys.events(GAME), swapped, id="1-0")  # type: ignore[arg-type]
        assert [event["version"] for event in store.ledger.events(GAME)] == [1]

    @pytest.mark.real
    def test_a_reader_does_not_notice_that_its_connection_was_lost(self, real_store: Store) -> None:
        append(real_store.ledger, GAME, 0, [taken(1)])
        assert len(real_store.ledger.events(GAME)) == 1
        real_store.redis.client_kill_filter(_type="normal", skipme=True)
        assert len(real_store.ledger.events(GAME)) == 1

    def test_finds_every_game(self, store: Store) -> None:
        for number in range(30):
            append(store.ledger, f"G{number}", 0, [taken(1)])
        assert set(store.ledger.game_ids()) == {f"G{number}" for number in range(30)}


@pytest.mark.real
class TestRace:
    def test_sixteen_writers_for_one_version_have_one_winner_each_round(
        self, real_store: Store, real_redis_url: str
    ) -> None:
        ada = real_store.players.create("Ada")[0]
        table = real_store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
        writers, rounds = 16, 25
        barrier = Barrier(writers)

        def race(_: int) -> list[int]:
            mine = Store(connect(real_redis_url), OFFERS)
            won = []
            for _ in range(rounds):
                barrier.wait(timeout=60)
                now = mine.projector.table(table.id)
                barrier.wait(timeout=60)
                if moved(mine, ada, now.id, now.version):
                    won.append(now.version + 1)
            mine.close()
            return won

        with ThreadPoolExecutor(writers) as pool:
            won = sorted(version for wins in pool.map(race, range(writers)) for version in wins)
        assert won == list(range(table.version + 1, table.version + rounds + 1))
        assert real_store.ledger.version(table.id) == table.version + rounds
        assert real_store.audit.game(table.id).problems == []

    def test_without_a_version_all_writers_get_through_one_after_the_other(
        self, real_store: Store, real_redis_url: str
    ) -> None:
        ada = real_store.players.create("Ada")[0]
        seats = beans_game(*[OPEN] * 5)
        table = real_store.commands.create(Intent(ada), seats).table
        guests = [real_store.players.create(f"Guest {n}")[0] for n in range(5)]

        def join(guest: Player) -> int:
            mine = Store(connect(real_redis_url), OFFERS)
            version = mine.commands.arranging.join(Intent(guest), table.id).table.version
            mine.close()
            return version

        with ThreadPoolExecutor(5) as pool:
            versions = sorted(pool.map(join, guests))
        assert versions == [2, 3, 4, 5, 7]
        now = real_store.projector.table(table.id)
        assert {seat.player["id"] for seat in now.seats if seat.player} == {g.id for g in guests}
        assert now.status == "running"


def moved(store: Store, player: Player, game_id: str, version: int) -> bool:
    """Try for the version; True for the winner. The loser learns the new version."""
    table = store.projector.table(game_id, version)
    try:
        store.commands.move(Intent(player, version), game_id, any_move(table))
    except StaleVersion as refused:
        current = refused.current_version
    else:
        return True
    assert current == version + 1
    return False
