"""Quotas: exact, for requests at once as well, and nothing leaks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import IdempotencyMismatch, Invalid, QuotaExceeded
from cartulary.events.people import quotas
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import QuotaLimits
from cartulary.events.server import keys
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.settings.settings import SettingsError
from tests.conftest import OFFERS
from tests.events.support.bean_games import BOT, ME, OPEN, beans_game, play_out
from tests.support.small_transcript import small

LIMITS = QuotaLimits(open=3, running=4, bots=2, imports=2)


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    redis: Redis = request.getfixturevalue(f"{request.param}_redis")
    made = Store(redis, OFFERS, rng=random.Random(1), limits=LIMITS)
    yield made
    made.leases.close()


def count(store: Store, player: Player, name: str) -> int:
    return int(store.redis.zcard(keys.quota(player.id, name)))


def refused(store: Store, player: Player, *seats: Any, **more: Any) -> dict[str, Any]:
    """Return the members of the refusal of a new game."""
    with pytest.raises(QuotaExceeded) as error:
        store.commands.create(Intent(player), beans_game(*seats, **more))
    return error.value.members()


@pytest.mark.parametrize(
    ("seats", "quota", "limit"),
    [((ME, OPEN), "open", 3), ((ME, ME), "running", 4), ((BOT, BOT), "bots", 2)],
)
def test_a_player_opens_exactly_as_many_games_as_the_quota_allows(
    store: Store, ada: Player, bob: Player, seats: Any, quota: str, limit: int
) -> None:
    for _ in range(limit):
        store.commands.create(Intent(ada), beans_game(*seats))
    expected = {"quota": quota, "limit": limit, "used": limit, "free_at": None}
    assert refused(store, ada, *seats) == expected
    assert count(store, ada, quota) == limit
    store.commands.create(Intent(bob), beans_game(*seats))


def test_games_of_bots_are_running_games_as_well(store: Store, ada: Player) -> None:
    for seats in ((BOT, BOT), (BOT, BOT), (ME, BOT), (ME, ME)):
        store.commands.create(Intent(ada), beans_game(*seats))
    assert refused(store, ada, ME, ME)["quota"] == "running"


def test_who_has_all_running_games_opens_no_table_either(store: Store, ada: Player) -> None:
    for _ in range(4):
        store.commands.create(Intent(ada), beans_game())
    assert refused(store, ada, ME, OPEN)["quota"] == "running"


def test_a_game_that_ends_gives_its_place_back(store: Store, ada: Player) -> None:
    tables = [store.commands.create(Intent(ada), beans_game()).table for _ in range(4)]
    refused(store, ada)
    play_out(store, ada, tables[0])
    scored = store.commands.score(tables[0].id).table
    store.projections.apply(scored)
    assert count(store, ada, "running") == 3
    store.commands.create(Intent(ada), beans_game())
    refused(store, ada)


def test_a_game_that_is_aborted_gives_its_place_back(store: Store, ada: Player) -> None:
    tables = [store.commands.create(Intent(ada), beans_game(ME, OPEN)).table for _ in range(3)]
    refused(store, ada, ME, OPEN)
    store.commands.arranging.leave(Intent(ada), tables[0].id, 0)
    store.commands.create(Intent(ada), beans_game(ME, OPEN))


def test_a_table_that_others_start_moves_to_the_running_games_and_refuses_nobody(
    store: Store, ada: Player, bob: Player
) -> None:
    waiting = [store.commands.create(Intent(ada), beans_game(ME, OPEN)).table for _ in range(3)]
    for _ in range(3):
        store.commands.create(Intent(ada), beans_game())
    for table in waiting:
        store.commands.arranging.join(Intent(bob), table.id)
    assert (count(store, ada, "open"), count(store, ada, "running")) == (0, 6)
    assert refused(store, ada)["used"] == 6
    assert count(store, bob, "running") == 0


@pytest.mark.real
def test_requests_at_once_in_several_processes_never_exceed_a_quota(
    real_redis: Redis,
) -> None:
    stores = [Store(real_redis, OFFERS, limits=LIMITS) for _ in range(4)]
    ada, _ = stores[0].players.create("Ada")

    def opens(number: int) -> bool:
        try:
            stores[number % 4].commands.create(Intent(ada), beans_game(BOT, BOT))
        except QuotaExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(opens, range(40))) == 2
    for store in stores:
        store.close()


def test_a_request_that_is_refused_takes_no_place(store: Store, ada: Player) -> None:
    for _ in range(5):
        with pytest.raises(Invalid):
            store.commands.create(Intent(ada), beans_game(options={"goal": "none"}))
    assert not store.redis.keys(f"{keys.PROJECTIONS}quota:*")


def test_a_refusal_leaves_nothing_behind(store: Store, ada: Player) -> None:
    for _ in range(2):
        store.commands.create(Intent(ada), beans_game(BOT, BOT))
    before = sorted(store.redis.keys("*"))
    with pytest.raises(QuotaExceeded):
        store.commands.create(Intent(ada, key="k"), beans_game(BOT, BOT))
    assert sorted(store.redis.keys("*")) == before


def test_a_repeated_request_is_answered_although_the_quota_is_used_up(
    store: Store, ada: Player
) -> None:
    first = store.commands.create(Intent(ada, key="k"), beans_game(BOT, BOT))
    store.commands.create(Intent(ada), beans_game(BOT, BOT))
    again = store.commands.create(Intent(ada, key="k"), beans_game(BOT, BOT))
    assert (again.table.id, again.replayed) == (first.table.id, True)
    assert count(store, ada, "bots") == 2


def test_the_same_key_twice_at_once_takes_one_place(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.commands.creator, "repeat", lambda *_: None)
    first = store.commands.create(Intent(ada, key="k"), beans_game())
    assert store.commands.create(Intent(ada, key="k"), beans_game()).table.id == first.table.id
    with pytest.raises(IdempotencyMismatch):
        store.commands.create(Intent(ada, key="k"), beans_game(ME, ME, ME))
    assert count(store, ada, "running") == 1


def let_reservations_end(store: Store, player: Player) -> None:
    """Let the time pass for which the places of a player are reserved."""
    for name in ("bots", "running"):
        key = keys.quota(player.id, name)
        reserved: Any = store.redis.zrangebyscore(key, "(0", "+inf", withscores=True)
        for game, until_ms in reserved:
            store.redis.zadd(key, {game: until_ms - quotas.RESERVED_MS})


def test_the_reservation_of_a_game_that_was_never_stored_ends_by_itself(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_arguments: object, **_named: object) -> None:
        raise Unreachable("away")

    with monkeypatch.context() as patch:
        patch.setattr(store.ledger, "append", lost)
        for _ in range(2):
            with pytest.raises(Unreachable):
                store.commands.create(Intent(ada), beans_game(BOT, BOT))
    refused(store, ada, BOT, BOT)  # it is unknown whether the games are stored
    let_reservations_end(store, ada)
    for _ in range(2):
        store.commands.create(Intent(ada), beans_game(BOT, BOT))
    refused(store, ada, BOT, BOT)


def test_a_game_whose_answer_was_lost_counts_as_soon_as_it_is_projected(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store.projections, "apply", lambda table: None)
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
    let_reservations_end(store, ada)
    store.projections.apply(table)  # the dispatcher does
    store.commands.create(Intent(ada), beans_game(BOT, BOT))
    refused(store, ada, BOT, BOT)


def test_a_rebuild_counts_again_what_an_earlier_release_has_stored(
    store: Store, ada: Player
) -> None:
    for seats in ((BOT, BOT), (BOT, BOT), (ME, OPEN), (ME, ME)):
        store.commands.create(Intent(ada), beans_game(*seats))
    over = play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table)
    store.commands.score(over.id)
    for key in store.redis.scan_iter(f"{keys.PROJECTIONS}*"):
        store.redis.delete(key)
    store.commands.import_transcript(Intent(ada), small())
    assert rebuild(store) == []
    found = [count(store, ada, name) for name in QuotaLimits._fields]
    assert found == [1, 3, 2, 1, 1, 0, 0, 0]
    refused(store, ada, BOT, BOT)


def read_time(store: Store) -> int:
    """Return the time of the server, in ms."""
    seconds, microseconds = store.redis.time()
    return int(seconds) * 1000 + int(microseconds) // 1000


def test_imports_are_counted_for_an_hour_and_the_refusal_says_when_there_is_a_place(
    store: Store, ada: Player
) -> None:
    before = read_time(store)
    for _ in range(2):
        store.commands.import_transcript(Intent(ada), small())
    with pytest.raises(QuotaExceeded) as error:
        store.commands.import_transcript(Intent(ada), small())
    assert error.value.members()["quota"] == "imports"
    name = keys.quota(ada.id, "imports")
    oldest: Any = store.redis.zrange(name, 0, 0)
    assert before <= error.value.free_at - quotas.IMPORTS_MS <= read_time(store)
    assert 0 < error.value.retry_after <= 3601
    store.redis.zadd(name, {oldest[0]: 1})
    store.commands.import_transcript(Intent(ada), small())
    assert 0 < store.redis.pttl(name) <= quotas.IMPORTS_MS


def test_an_import_that_is_refused_does_not_count(store: Store, ada: Player) -> None:
    bad = {**small(), "moves": [{"seat": 0, "move": {"type": "nonsense"}}]}
    for _ in range(5):
        with pytest.raises(Invalid):
            store.commands.import_transcript(Intent(ada), bad)
    store.commands.import_transcript(Intent(ada, key="k"), small())
    store.commands.import_transcript(Intent(ada, key="k"), small())
    assert count(store, ada, "imports") == 1


def test_without_limits_nobody_is_refused(fake_store: Store) -> None:
    ada, _ = fake_store.players.create("Ada")
    for _ in range(30):
        fake_store.commands.create(Intent(ada), beans_game(BOT, BOT))


def test_the_quotas_are_read_from_the_environment() -> None:
    url = {"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": "5e" * 32}
    assert StoreSettings.from_env(url).limits == QuotaLimits()
    found = StoreSettings.from_env(
        {**url, "CARTULARY_QUOTA_BOTS": "7", "CARTULARY_QUOTA_OPEN": "0"}
    )
    assert found.limits == QuotaLimits(open=0, bots=7)
    for wrong in ("-1", "many", "²"):
        with pytest.raises(SettingsError, match="CARTULARY_QUOTA_IMPORTS"):
            StoreSettings.from_env({**url, "CARTULARY_QUOTA_IMPORTS": wrong})
