"""Standing answers on a real server, while many threads move and their player changes them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import Refused
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.opened_tables import At, open_table

pytestmark = pytest.mark.real

THREADS = 6
GAMES = 4
SKIPPING = {"kind": "place_follower", "move": {"type": "skip_follower"}, "until": "game"}


@pytest.fixture
def processes(real_store: Store, real_redis_url: str) -> Iterator[list[Store]]:
    """The store, and stores that cache on their own, as other processes do."""
    others = [Store(connect(real_redis_url), OFFERS) for _ in range(2)]
    yield [real_store, *others]
    for other in others:
        other.close()


def play(store: Store, game_id: str, people: dict[str, Player], stop: Event) -> None:
    """Move for the player who is asked, as fast as possible and against the others."""
    while not stop.is_set():
        table = store.projector.table(game_id)
        if table.state is None or table.decision is None:
            return
        owner = table.seats[table.state.seat].player
        assert owner is not None
        move = table.state.move_json(table.state.moves()[-1])
        try:
            store.commands.move(Intent(people[owner["id"]], table.version), game_id, move)
        except Refused:
            continue


def test_a_withdrawn_answer_is_never_used(processes: list[Store]) -> None:
    store = processes[0]
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    used = sum(_change_while_others_move(processes, ada, bob) for _ in range(GAMES))
    assert used


def _change_while_others_move(processes: list[Store], ada: Player, bob: Player) -> int:
    """Return how many standing answers were used, all of them while they were given."""
    store, stop, spans = processes[0], Event(), []
    at = At(store, open_table(store, [ada, bob], game="carcassonne"), [ada, bob])
    people = {player.id: player for player in (ada, bob)}
    changing = [process.commands.standing_answers for process in processes]
    with ThreadPoolExecutor(THREADS) as pool:
        movers = [
            pool.submit(play, processes[n % len(processes)], at.id, people, stop)
            for n in range(THREADS)
        ]
        number = 0
        while store.ledger.version(at.id) < 60 and not any(one.done() for one in movers):
            begun = store.ledger.version(at.id)
            changing[number % len(changing)].change(bob, at.id, [SKIPPING])
            _wait_for(store, at.id, begun + 4)
            changing[(number + 1) % len(changing)].change(bob, at.id, [])
            ended = store.ledger.version(at.id)
            spans.append(range(begun + 1, ended + 1))
            _wait_for(store, at.id, ended + 4)
            number += 1
        stop.set()
        for mover in movers:
            mover.result(60)
    at.must_hold()
    answered = [event for event in store.ledger.events(at.id) if "by" in event]
    for event in answered:
        assert event["seat"] in at.now.seats_of(bob.id)
        assert any(event["version"] in span for span in spans), event
    return len(answered)


def _wait_for(store: Store, game_id: str, version: int) -> None:
    for _ in range(2000):
        if store.ledger.version(game_id) >= version or store.projector.table(game_id).ending:
            return


def test_an_answer_that_is_given_is_used_by_every_process(processes: list[Store]) -> None:
    store = processes[0]
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    at = At(store, open_table(store, [ada, bob], game="carcassonne"), [ada, bob])
    people = {player.id: player for player in (ada, bob)}
    for player in (ada, bob):
        store.commands.standing_answers.change(player, at.id, [SKIPPING])
    with ThreadPoolExecutor(THREADS) as pool:
        for n in range(THREADS):
            pool.submit(play, processes[n % len(processes)], at.id, people, Event())
    moves = [event for event in store.ledger.events(at.id) if event["type"] == MOVE_MADE]
    followers = [event for event in moves if event["move"]["type"] == "skip_follower"]
    assert followers
    assert all(event["by"] == "standing_answer" for event in followers)
    at.must_hold()
