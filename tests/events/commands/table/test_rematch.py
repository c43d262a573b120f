"""A game has one rematch: the next game with the same people."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.table.rematch import NewRematch
from cartulary.events.model.errors import (
    GameRunning,
    IdempotencyMismatch,
    Invalid,
    NotFound,
    NotSeated,
    Refused,
    Removed,
    SeatTaken,
)
from cartulary.events.model.table import Table
from cartulary.events.model.types import event
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import ME, OPEN, beans_game, everything_stored
from tests.events.support.rematches import begin, play_out
from tests.support.handmade_events import append


@pytest.fixture
def eve(store: Store) -> Player:
    return store.players.create("Eve")[0]


def finish(store: Store, *people: Player, **more: Any) -> Table:
    return play_out(store, begin(store, *people, **more), *people)


def sitters(table: Table) -> list[str | None]:
    """Return the name of who sits on each seat, `Bob?` for an offer, None for an open seat."""
    return [
        f"{seat.offer.player['name']}?"
        if seat.offer is not None
        else seat.player["name"]
        if seat.player is not None
        else seat.bot
        for seat in table.seats
    ]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("same", ["Ada", "Bob?", "Eve?", "random"]),
        ("rotate", ["Bob?", "Eve?", "random", "Ada"]),
        ("shuffle", ["Ada", "Bob?", "Eve?", "random"]),
    ],
)
def test_the_caller_sits_the_others_have_offers_and_bots_sit(
    store: Store, ada: Player, bob: Player, eve: Player, order: str, expected: list[str]
) -> None:
    over = finish(store, ada, bob, eve, bots=1)
    table = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch(order)).table
    assert sitters(table) == expected
    assert table.terms.rematch_of == over.id
    assert table.terms.shuffle_seats == (order == "shuffle")
    assert (table.created_by, table.status, table.options) == (ada.id, "open", over.options)
    assert store.audit.game(table.id).problems == []


def test_the_order_left_out_is_rotate(store: Store, ada: Player, bob: Player) -> None:
    table = store.commands.again.open_rematch(Intent(bob), finish(store, ada, bob).id).table
    assert sitters(table) == ["Bob", "Ada?"]


def test_the_second_player_gets_the_same_game_and_sits(
    store: Store, ada: Player, bob: Player
) -> None:
    over = finish(store, ada, bob)
    first = store.commands.again.open_rematch(Intent(ada), over.id)
    second = store.commands.again.open_rematch(Intent(bob), over.id, NewRematch("shuffle"))
    assert second.table.id == first.table.id
    assert sitters(second.table) == ["Bob", "Ada"]
    assert second.table.status == "running"
    assert not second.table.terms.shuffle_seats, "the order counts for the first request"


def test_a_double_click_gives_one_game(store: Store, ada: Player, bob: Player) -> None:
    over = finish(store, ada, bob)
    first, second = (store.commands.again.open_rematch(Intent(ada), over.id) for _ in range(2))
    assert second.table == first.table
    assert (len(first.events), second.events) == (2, [])


def test_an_offer_of_the_rematch_is_accepted_as_any_other(
    store: Store, ada: Player, bob: Player
) -> None:
    over = finish(store, ada, bob)
    made = store.commands.again.open_rematch(Intent(ada), over.id).table
    assert sitters(store.commands.arranging.join(Intent(bob), made.id).table) == ["Bob", "Ada"]


def test_a_rematch_without_other_persons_starts_at_once(store: Store, ada: Player) -> None:
    over = finish(store, ada, bots=2)
    table = store.commands.again.open_rematch(Intent(ada), over.id).table
    assert (sitters(table), table.status) == (["random", "random", "Ada"], "running")


def test_a_player_of_several_seats_has_them_all_again(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN, ME)).table
    over = play_out(store, store.commands.arranging.join(Intent(bob), table.id).table, ada, bob)
    made = store.commands.again.open_rematch(Intent(bob), over.id, NewRematch("same")).table
    assert sitters(made) == ["Ada?", "Bob", "Ada?"]
    again = store.commands.again.open_rematch(Intent(ada), over.id).table
    assert (sitters(again), again.status) == (["Ada", "Bob", "Ada"], "running")


def test_the_rematch_has_the_terms_of_the_game(store: Store, ada: Player, bob: Player) -> None:
    chosen = {
        "visibility": "unlisted",
        "takebacks": "consent",
        "bot_delay": 600,
        "substitutes": True,
        "stand_in": "random",
        "expires_in": 3600,
    }
    over = finish(store, ada, bob, **chosen)
    made = store.commands.again.open_rematch(Intent(ada), over.id).table
    assert {name: getattr(made.terms, name) for name in chosen} == chosen
    third = store.commands.again.open_rematch(Intent(bob), over.id).table
    assert third.id == made.id


def test_a_rematch_has_a_rematch_of_its_own(store: Store, ada: Player) -> None:
    over = finish(store, ada, bots=1)
    second = store.commands.again.open_rematch(Intent(ada), over.id).table
    third = store.commands.again.open_rematch(Intent(ada), play_out(store, second, ada).id).table
    assert third.terms.rematch_of == second.id


# -- who went away --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "fields", "expected"),
    [
        ("seat_forfeited", {"reason": "left", "stand_in": "random"}, None),
        ("seat_forfeited", {"reason": "removed", "stand_in": "random"}, None),
        ("seat_forfeited", {"reason": "resigned", "stand_in": "random"}, "Bob?"),
        ("stand_in_seated", {"reason": "absent", "bot": "random"}, None),
    ],
)
def test_the_seat_of_a_player_who_went_away_is_open(
    store: Store,
    ada: Player,
    bob: Player,
    eve: Player,
    type_: str,
    fields: dict[str, Any],
    expected: str | None,
) -> None:
    table = begin(store, ada, bob, eve)
    who = {"player": {"id": bob.id, "name": "Bob"}} if type_ == "seat_forfeited" else {"by": ada.id}
    left = event(table.version + 1, type_, seat=1, **who, **fields)
    append(store.ledger, table.id, table.version, [left])
    over = play_out(store, store.projector.table(table.id), ada, bob, eve)
    made = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    assert sitters(made) == ["Ada", expected, "Eve?"]


def test_a_player_who_went_away_and_comes_back_sits_where_a_seat_is_open(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    table = begin(store, ada, bob, eve)
    who = {"id": bob.id, "name": "Bob"}
    left = event(
        table.version + 1, "seat_forfeited", seat=1, player=who, reason="left", stand_in="random"
    )
    append(store.ledger, table.id, table.version, [left])
    over = play_out(store, store.projector.table(table.id), ada, bob, eve)
    store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same"))
    assert sitters(store.commands.again.open_rematch(Intent(bob), over.id).table) == [
        "Ada",
        "Bob",
        "Eve?",
    ]


def test_the_seat_of_a_player_who_is_deleted_is_open(
    store: Store, ada: Player, bob: Player
) -> None:
    over = finish(store, ada, bob)
    store.registry.delete(keys.player(bob.id))
    assert sitters(
        store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    ) == ["Ada", None]


def test_a_player_for_whom_no_seat_is_left_is_refused(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    over = finish(store, ada, bob)
    made = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    store.commands.arranging.leave(Intent(bob), made.id, 1)
    store.commands.arranging.change_seat(
        Intent(ada), made.id, 1, SeatRequest("invite", player=eve.id)
    )
    with pytest.raises(SeatTaken):
        store.commands.again.open_rematch(Intent(bob), over.id)


def test_a_player_whom_the_host_has_removed_does_not_come_back(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    over = finish(store, ada, bob, eve)
    made = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    store.commands.again.open_rematch(Intent(bob), over.id)
    store.commands.arranging.change_seat(Intent(ada), made.id, 1, SeatRequest("open"))
    with pytest.raises(Removed):
        store.commands.again.open_rematch(Intent(bob), over.id)


def test_a_player_who_comes_after_the_start_without_a_seat_is_refused(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    over = finish(store, ada, bob, eve)
    made = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    store.commands.again.open_rematch(Intent(bob), over.id)
    store.commands.arranging.start(Intent(ada), made.id, drop_open_seats=True)
    with pytest.raises(SeatTaken):
        store.commands.again.open_rematch(Intent(eve), over.id)


def test_a_rematch_that_was_called_off_stays_the_rematch(
    store: Store, ada: Player, bob: Player
) -> None:
    over = finish(store, ada, bob)
    made = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    store.commands.arranging.leave(Intent(ada), made.id, 0)
    again = store.commands.again.open_rematch(Intent(bob), over.id)
    assert (again.table.id, again.table.status, again.events) == (made.id, "aborted", [])


# -- refusals -------------------------------------------------------------------------------------


def test_a_game_that_is_not_over_has_no_rematch(store: Store, ada: Player, bob: Player) -> None:
    waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    for table in (waiting, begin(store, ada, bob)):
        with pytest.raises(GameRunning):
            store.commands.again.open_rematch(Intent(ada), table.id)


def test_a_refused_rematch_stores_nothing(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    over, running = finish(store, ada, bob, visibility="unlisted"), begin(store, ada, bob)
    private = finish(store, ada, visibility="private", bots=1)
    wrong: list[tuple[Player, str, str, type[Refused]]] = [
        (eve, over.id, "same", NotSeated),
        (eve, private.id, "same", NotFound),
        (ada, "unknown", "same", NotFound),
        (ada, running.id, "same", GameRunning),
        (ada, over.id, "backwards", Invalid),
    ]
    before = everything_stored(store)
    for player, game_id, order, expected in wrong:
        with pytest.raises(expected):
            store.commands.again.open_rematch(Intent(player, key="k"), game_id, NewRematch(order))
    assert everything_stored(store) == before


def test_a_key_with_another_order_is_refused(store: Store, ada: Player, bob: Player) -> None:
    over = finish(store, ada, bob)
    first = store.commands.again.open_rematch(Intent(ada, key="k"), over.id, NewRematch("same"))
    again = store.commands.again.open_rematch(Intent(ada, key="k"), over.id, NewRematch("same"))
    assert (again.replayed, again.table, again.events) == (True, first.table, first.events)
    with pytest.raises(IdempotencyMismatch):
        store.commands.again.open_rematch(Intent(ada, key="k"), over.id, NewRematch("rotate"))
    # A key belongs to a player.
    assert not store.commands.again.open_rematch(
        Intent(bob, key="k"), over.id, NewRematch("same")
    ).replayed


# -- finding it -----------------------------------------------------------------------------------


def test_the_rematch_is_found_by_everybody_who_may_see_it(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    invited = SeatRequest("invite", player=bob.id)
    table = store.commands.create(Intent(ada), beans_game(ME, invited, visibility="private")).table
    over = play_out(store, store.commands.arranging.join(Intent(bob), table.id).table, ada, bob)
    with pytest.raises(NotFound):
        store.commands.again.find_rematch(over.id, ada.id)
    made = store.commands.again.open_rematch(Intent(ada), over.id).table
    for player in (ada, bob):
        assert store.commands.again.find_rematch(over.id, player.id).id == made.id
    for stranger in (eve.id, None):
        with pytest.raises(NotFound):
            store.commands.again.find_rematch(over.id, stranger)


# -- many at once, and a process that dies --------------------------------------------------------


@pytest.mark.real
def test_eight_requests_at_once_give_one_game(real_store: Store) -> None:
    store = real_store
    people = [store.players.create(name)[0] for name in ("Ada", "Bob", "Cat", "Dan")]
    for _ in range(5):
        over = finish(store, *people)
        stores = [Store(store.redis, OFFERS, registry=store.registry) for _ in range(8)]

        def ask(number: int, over: Table = over, stores: list[Store] = stores) -> tuple[str, bool]:
            written = stores[number].commands.again.open_rematch(
                Intent(people[number % 4]), over.id
            )
            return written.table.id, bool(written.events)

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(ask, range(8)))
        assert len({game_id for game_id, _ in found}) == 1
        made = store.projector.table(found[0][0])
        assert made.status == "running"
        assert sorted(filter(None, sitters(made))) == ["Ada", "Bob", "Cat", "Dan"]
        assert sum(stored for _, stored in found) == 4
        assert store.audit.game(made.id).problems == []


KILLED = """
import os, signal, sys
from cartulary.events.commands.commands import Intent
from cartulary.games import OFFERS
from cartulary.events.server.connection import connect
from cartulary.events.people.players import Player
from cartulary.events.store import Store

url, player_id, game_id = sys.argv[1:]
store = Store(connect(url), OFFERS)

def die(*arguments, **keywords):
    os.kill(os.getpid(), signal.SIGKILL)

store.ledger.append = die
store.commands.again.open_rematch(Intent(Player(player_id, "Ada")), game_id)
"""


@pytest.mark.real
def test_a_rematch_whose_process_died_before_the_append_is_opened_by_the_next_request(
    real_store: Store, real_redis_url: str
) -> None:
    store = real_store
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, OPEN])).table
    over = play_out(store, store.commands.arranging.join(Intent(bob), table.id).table, ada, bob)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, real_redis_url, ada.id, over.id], timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    reserved = store.ledger.reserved(keys.rematch(over.id))
    assert reserved is not None
    assert store.ledger.version(reserved) == 0
    with pytest.raises(NotFound):
        store.commands.again.find_rematch(over.id, ada.id)
    made = store.commands.again.open_rematch(Intent(bob), over.id)
    assert made.table.id == reserved
    assert sitters(made.table) == ["Bob", "Ada?"]
    assert store.commands.again.open_rematch(Intent(ada), over.id).table.status == "running"


def test_who_has_declined_the_rematch_of_a_private_game_does_not_see_it(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    invited = [SeatRequest("invite", player=one.id) for one in (bob, eve)]
    game = store.commands.create(Intent(ada), beans_game(ME, *invited, visibility="private")).table
    for one in (bob, eve):
        game = store.commands.arranging.join(Intent(one), game.id).table
    over = play_out(store, game, ada, bob, eve)
    table = store.commands.again.open_rematch(Intent(ada), over.id, NewRematch("same")).table
    store.commands.arranging.leave(Intent(bob), table.id, 1)
    with pytest.raises(NotFound):
        store.commands.again.open_rematch(Intent(bob), over.id, NewRematch("same"))
