"""How often a player may invite, and in how many running games a player may hold a seat."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis

from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.model.errors import Invalid, QuotaExceeded, RateLimited, Refused
from cartulary.events.people import quotas
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import UNLIMITED
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.conftest import OFFERS
from tests.events.support.bean_games import ME, OPEN, beans_game, everything_stored

LIMITS = UNLIMITED._replace(seats=2, invitations=4, offers=2)
OPENED = SeatRequest("open")


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.real)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    redis: Redis = request.getfixturevalue(f"{request.param}_redis")
    made = Store(redis, OFFERS, rng=random.Random(1), limits=LIMITS)
    yield made
    made.leases.close()


@pytest.fixture
def guests(store: Store) -> list[Player]:
    return [store.players.create(f"Guest {number}")[0] for number in range(6)]


def invite(guest: Player) -> SeatRequest:
    return SeatRequest("invite", player=guest.id)


def call(store: Store, host: Player, game_id: str, guest: Player, **more: Any) -> Any:
    return store.commands.arranging.change_seat(Intent(host, **more), game_id, 1, invite(guest))


def open_game(store: Store, host: Player, *seats: SeatRequest) -> str:
    return store.commands.create(Intent(host), beans_game(ME, *seats)).table.id


def used(store: Store, player: Player, guest: Player | None = None) -> int:
    """Return the invitations of a player within a day, or those to a guest that are open."""
    name = keys.invitations(player.id) if guest is None else keys.offers(player.id, guest.id)
    return int(store.redis.zcard(name))


def test_a_player_invites_so_often_within_a_day(
    store: Store, ada: Player, bob: Player, guests: list[Player]
) -> None:
    open_game(store, ada, *map(invite, guests[:3]))
    game = open_game(store, ada, invite(guests[3]))
    before = everything_stored(store)
    with pytest.raises(RateLimited) as error:
        call(store, ada, game, guests[4])
    assert 0 < error.value.retry_after <= quotas.INVITATIONS_MS // 1000
    assert everything_stored(store) == before
    call(store, bob, open_game(store, bob, OPEN), guests[4])
    assert (used(store, ada), used(store, bob)) == (4, 1)
    oldest: Any = store.redis.zrange(keys.invitations(ada.id), 0, 0)
    store.redis.zadd(keys.invitations(ada.id), {oldest[0]: 1})
    call(store, ada, game, guests[4])


def test_a_new_game_with_too_many_invitations_leaves_nothing_behind(
    store: Store, ada: Player, guests: list[Player]
) -> None:
    open_game(store, ada, *map(invite, guests[:2]))
    before = everything_stored(store)
    with pytest.raises(RateLimited):
        store.commands.create(Intent(ada, key="k"), beans_game(ME, *map(invite, guests[2:5])))
    assert everything_stored(store) == before


def test_a_player_has_so_many_open_invitations_to_the_same_player(
    store: Store, ada: Player, bob: Player, guests: list[Player]
) -> None:
    guest = guests[0]
    first = open_game(store, ada, invite(guest))
    open_game(store, ada, invite(guest))
    third = open_game(store, ada, OPEN)
    with pytest.raises(RateLimited):
        call(store, ada, third, guest)
    open_game(store, bob, invite(guest))  # the invitations of others do not count
    store.commands.arranging.leave(Intent(guest), first, 1)
    call(store, ada, third, guest)
    assert (used(store, ada), used(store, ada, guest)) == (3, 2)


def test_an_invitation_that_is_refused_or_repeated_does_not_count(
    store: Store, ada: Player, guests: list[Player]
) -> None:
    game = open_game(store, ada, OPEN, OPEN)
    for _ in range(3):
        call(store, ada, game, guests[0], key="k")
    assert used(store, ada) == 1
    with pytest.raises(Invalid):
        store.commands.arranging.change_seat(Intent(ada), game, 2, invite(guests[0]))
    assert call(store, ada, game, guests[0]).events == []
    assert (used(store, ada), used(store, ada, guests[0])) == (1, 1)
    store.commands.arranging.change_seat(Intent(ada), game, 1, OPENED)
    assert (used(store, ada), used(store, ada, guests[0])) == (1, 0)


def test_invitations_at_once_never_exceed_the_limit(
    store: Store, ada: Player, guests: list[Player]
) -> None:
    games = [open_game(store, ada, OPEN) for _ in range(6)]

    def run(number: int) -> bool:
        try:
            call(store, ada, games[number], guests[number])
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(run, range(6))) == 4


def test_a_rebuild_counts_open_invitations_again_and_leaves_the_day_alone(
    store: Store, ada: Player, guests: list[Player]
) -> None:
    open_game(store, ada, invite(guests[0]))
    open_game(store, ada, invite(guests[0]))
    assert rebuild(store) == []
    assert (used(store, ada), used(store, ada, guests[0])) == (2, 2)


def test_a_player_holds_seats_in_so_many_running_games(
    store: Store, ada: Player, bob: Player
) -> None:
    waiting = [open_game(store, ada, OPEN) for _ in range(3)]
    for game in waiting[:2]:
        store.commands.arranging.join(Intent(bob), game)
    commands = store.commands
    refused_commands: tuple[Callable[[], object], ...] = (
        lambda: commands.arranging.join(Intent(bob), waiting[2]),
        lambda: commands.create(Intent(bob), beans_game(ME, ME)),
        lambda: commands.create(Intent(bob), beans_game(ME, OPEN)),
    )
    for refused in refused_commands:
        with pytest.raises(QuotaExceeded) as error:
            refused()
        assert error.value.members() == {
            "quota": "seats",
            "limit": 2,
            "used": 2,
            "free_at": None,
        }
    assert store.redis.zcard(keys.quota(bob.id, "seats")) == 2
    store.commands.create(Intent(bob), beans_game(OPEN, OPEN))  # without a seat of one's own


def test_a_seat_at_a_table_that_waits_counts_only_from_the_start_on(
    store: Store, ada: Player, bob: Player
) -> None:
    waiting = [open_game(store, ada, OPEN, OPEN) for _ in range(4)]
    for game in waiting:
        store.commands.arranging.join(Intent(bob), game)
    assert store.redis.zcard(keys.quota(bob.id, "seats")) == 0


def test_a_reservation_that_has_ended_counts_for_nothing_for_any_reader(
    store: Store, bob: Player
) -> None:
    """A fall-back may leave one: it stays in the set until the player takes a place again."""
    seats, looking = keys.quota(bob.id, "seats"), quotas.Quotas(store.registry, LIMITS)
    store.redis.zadd(seats, {"ended": 1, "held": 0})
    looking.check_seats(bob.id)
    assert (looking.find_full(bob.id, "seats", 1), looking.find_full(bob.id, "seats", 2)) == (
        1,
        None,
    )
    store.redis.zadd(seats, {"ended": 1, "another": 0})
    with pytest.raises(QuotaExceeded) as error:
        looking.check_seats(bob.id)
    assert error.value.used == 2
