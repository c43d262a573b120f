"""A backup that is made while moves are made holds one moment of each game."""

from __future__ import annotations

import io
import random
import threading
from functools import partial
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.backup.restoring import (
    audit,
    back_up,
    restore,
)
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game
from tests.support.night import short_or_long
from tests.support.polling import until

pytestmark = pytest.mark.real

BACKUPS = short_or_long(2, 5)


class Crowd:
    """Eight threads that register, create games, and move in them with keys, until `stop`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopping = threading.Event()
        self.moved = 0
        self.failed: list[BaseException] = []
        self._threads = [threading.Thread(target=self._play, args=(n,)) for n in range(8)]

    def _play(self, number: int) -> None:
        rng = random.Random(number)
        try:
            while not self._stopping.is_set():
                self._play_game(rng)
        except BaseException as error:
            self.failed.append(error)

    def _play_game(self, rng: random.Random) -> None:
        person, _ = self._store.players.create(f"p{rng.random()}")
        guest, _ = self._store.players.create(f"g{rng.random()}")
        table = self._store.commands.create(
            Intent(person, key=str(rng.random())), beans_game(ME, OPEN)
        ).table
        table = self._store.commands.arranging.join(Intent(guest, key="j"), table.id).table
        while table.status == "running" and not self._stopping.is_set():
            assert table.decision is not None
            who = (person, guest)[table.decision.seat]
            move = any_move(table, rng)
            table = self._store.commands.move(
                Intent(who, key=f"m{table.version}"), table.id, move
            ).table
            self.moved += 1
        if table.status == "scoring":
            self._store.commands.score(table.id)

    def has_moved(self, often: int) -> bool:
        """Whether so many moves are made; a thread that has failed fails the test."""
        assert self.failed == []
        return self.moved >= often

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()
        assert self.failed == []


def check_consistent(store: Store) -> None:
    """Check what is promised of the keys of a backup among each other."""
    redis: Any = store.redis
    reserved = {
        (key.decode().split(":")[1], redis.get(key).decode()) for key in redis.keys("creation:*")
    }
    for game_id in store.ledger.game_ids():
        events = store.ledger.events(game_id)
        records = redis.hgetall(keys.idempotency(game_id))
        record_of = {
            int(value.split()[1]): value
            for field, value in records.items()
            if field not in (b"last", b"head")
        }
        for event in events:
            if event["type"] == "move_made":  # a move with its key was one append
                assert event["version"] in record_of
            if event["type"] == "seat_taken":
                assert store.players.by_id(event["player"]["id"]) is not None
        assert max(record_of, default=0) <= len(events), "no record of what is not stored"
        assert store.players.by_id(events[0]["created_by"]) is not None
        assert (events[0]["created_by"], game_id) in reserved
    for key in redis.keys("token:*"):
        assert store.players.by_id(redis.get(key).decode()) is not None


@pytest.mark.slow
def test_a_backup_while_eight_threads_move_is_one_moment_of_each_game(
    store: Store, other: Store
) -> None:
    made: list[tuple[io.BytesIO, dict[str, int]]] = []
    with Crowd(store) as crowd:
        while len(made) < BACKUPS:
            already = crowd.moved
            until(partial(crowd.has_moved, already + 50))
            before = {one: store.ledger.version(one) for one in store.ledger.game_ids()}
            moved = crowd.moved
            made.append((back_up(store), before))
            assert crowd.moved > moved, "moves were made meanwhile"
    for file, before in made:
        other.redis.flushall()
        restore(other, file)
        assert audit(other) == []
        check_consistent(other)
        for game_id in other.ledger.game_ids():
            found = other.ledger.entries(game_id)
            assert found == store.ledger.entries(game_id)[: len(found)], "a prefix"
        for game_id, version in before.items():
            assert other.ledger.version(game_id) >= version, "what was stored before is there"
