"""Moves in the event loop of a real process, while the store is killed, hangs, or is raced for."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import requests
from redis import Redis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.connection import connect
from cartulary.events.server.pipeline import NAME
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import Player
from tests.support.polling import until

pytestmark = pytest.mark.real

CLIENTS = 6
REFUSED = 3
"""The commands of an append that is refused: the script, and the two with which it judges."""
READ = 1
"""The command that reads the events which a table lacks."""


UNLIMITED = {"rate_players": "", "rate_games": "", "rate_writes": ""}
"""The tests share a service, and together they ask more often than one address may."""


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    """A store of this file: the tests kill and stop it, and it goes on after that.

    It syncs each append: a store that is killed during the sync of a second loses what it has
    answered since the sync began.
    """
    with EmbeddedValkey(tmp_path_factory.mktemp("store") / "valkey", "always") as valkey:
        yield valkey


@pytest.fixture(scope="module")
def serving(valkey: EmbeddedValkey, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    log = tmp_path_factory.mktemp("serving") / "log"
    with Gunicorn(str(valkey.url), log, **UNLIMITED) as service:
        yield service


@pytest.fixture
def redis(valkey: EmbeddedValkey) -> Iterator[Redis]:
    client = connect(str(valkey.url))
    yield client
    client.close()


def count_of_loop(redis: Redis) -> int:
    """Return how many commands the store has done on the connection of the event loop."""
    found: Any = redis.client_list()
    return sum(int(one["tot-cmds"]) for one in found if one["name"] == NAME)


def warm_up(player: Player, game: str, redis: Redis) -> None:
    """Make moves until the event loop is connected and makes them."""

    def moves_in_the_loop() -> bool:
        before = count_of_loop(redis)
        assert player.move(game).status_code == 201
        return count_of_loop(redis) > before

    # What counts once may be the connecting alone, while a thread makes the move; on a busy machine
    # connecting takes several moves. So two moves in a row have to be made in the loop.
    until(lambda: moves_in_the_loop() and moves_in_the_loop())


class Mover(threading.Thread):
    """A client that moves in a game of its own without an idempotency key, until it is stopped."""

    def __init__(self, service: Gunicorn) -> None:
        super().__init__(daemon=True)
        self.player = Player(service)
        self.game = self.player.open()
        self.sent, self.failed = 0, 0
        self.confirmed: list[dict[str, Any]] = []
        self.over = False

    def run(self) -> None:
        while not self.over:
            try:
                self.move()
            except (requests.ConnectionError, requests.Timeout, requests.JSONDecodeError, KeyError):
                self.failed += 1
                time.sleep(0.05)

    def move(self) -> None:
        path = f"{self.player.api}/games/{self.game}/moves"
        chosen = self.player.get(path, timeout=60).json()["moves"][-1]
        self.sent += 1
        answer = self.player.post(path, json={"move": chosen}, timeout=60)
        if answer.status_code == 201:
            self.confirmed += answer.json()["events"]
        else:
            self.failed += 1

    def stop(self) -> None:
        self.over = True
        self.join(60)
        assert not self.is_alive()

    def check(self) -> None:
        """Every confirmed event is stored as confirmed, and no move is stored twice."""
        url = f"{self.player.api}/games/{self.game}/events"
        stored = until(lambda: self.player.get(url, timeout=60).json().get("events"))
        by_version = {event["version"]: event for event in stored}
        assert [event["version"] for event in stored] == [*range(1, len(stored) + 1)]
        assert [by_version.get(event["version"]) for event in self.confirmed] == self.confirmed
        moves = sum(event["type"] == "move_made" for event in stored)
        assert len(self.confirmed) <= moves <= self.sent


def test_standing_answers_follow_in_the_event_loop(serving: Gunicorn, redis: Redis) -> None:
    skipping = {"kind": "place_follower", "move": {"type": "skip_follower"}, "until": "game"}
    with Player(serving) as ada:
        game = ada.open()
        warm_up(ada, game, redis)
        path = f"{ada.api}/games/{game}/standing_answers"
        for answers in ([skipping], []):
            # The process that takes the `PUT` need not be the process that makes the next move.
            assert ada.put(path, json={"answers": answers}, timeout=60).status_code == 200
            warm_up(ada, game, redis)
            followers = []
            for _ in range(4):
                before = count_of_loop(redis)
                made = ada.move(game).json()
                assert count_of_loop(redis) - before > REFUSED
                assert made["version"] == made["events"][-1]["version"]
                assert made["event"] == made["events"][0]
                followers += [event.get("by") for event in made["events"][1:]]
            assert all(by == "standing_answer" for by in followers)
            assert bool(followers) == bool(answers)


def test_the_event_loop_makes_the_moves(serving: Gunicorn, redis: Redis) -> None:
    with Player(serving) as ada:
        game = ada.open()
        warm_up(ada, game, redis)
        counts = [count_of_loop(redis)]
        for _ in range(20):
            assert ada.move(game).status_code == 201
            counts.append(count_of_loop(redis))
        # The store counts the commands of the script as well: the same number for each move.
        assert counts == [counts[0] + (counts[1] - counts[0]) * move for move in range(21)]
        assert counts[1] > counts[0]


def test_a_move_after_the_move_of_another_process_is_made_in_the_loop(
    serving: Gunicorn, valkey: EmbeddedValkey, redis: Redis, tmp_path: Path
) -> None:
    with Gunicorn(str(valkey.url), tmp_path / "other") as other, Player(serving) as ada:
        game = ada.open()
        warm_up(ada, game, redis)
        before = count_of_loop(redis)
        ada.move(game)
        commands_of_a_move = count_of_loop(redis) - before
        last, behind = f"{serving.api}/games/{game}/moves", f"{other.api}/games/{game}/moves"
        ada.get(behind, timeout=60)
        counts = [count_of_loop(redis)]
        for _ in range(20):
            # Only the process that has made the last move is asked what is legal now.
            found = ada.get(last, timeout=60).json()
            body = {"move": found["moves"][-1], "expected_version": found["version"]}
            answer = ada.post(behind, json=body, timeout=60)
            assert (answer.status_code, answer.json()["version"]) == (201, found["version"] + 1)
            counts.append(count_of_loop(redis))
            last, behind = behind, last
        more = [after - before for before, after in pairwise(counts)]
        # The first moves may find the loop of the other process without a connection, and the loop
        # of a process that does not run for a moment gives a move to a thread.
        in_the_loop = commands_of_a_move + READ
        assert {*more[4:]} <= {in_the_loop, 0}
        assert more[4:].count(in_the_loop) >= 12


def test_a_move_is_made_when_the_store_has_forgotten_the_script(
    serving: Gunicorn, redis: Redis
) -> None:
    with Player(serving) as ada:
        game = ada.open()
        warm_up(ada, game, redis)
        version = ada.get(f"{ada.api}/games/{game}", timeout=60).json()["version"]
        redis.script_flush()
        answer = ada.move(game)
        assert (answer.status_code, answer.json()["version"]) == (201, version + 1)


def test_no_confirmed_move_is_lost_and_none_comes_twice_when_the_store_is_killed(
    valkey: EmbeddedValkey, serving: Gunicorn, redis: Redis
) -> None:
    movers = [Mover(serving) for _ in range(CLIENTS)]
    warm_up(movers[0].player, movers[0].player.open(), redis)
    for mover in movers:
        mover.start()
    for _ in range(3):
        confirmed = sum(len(mover.confirmed) for mover in movers)
        until(lambda: sum(len(mover.confirmed) for mover in movers) > confirmed + 50)  # noqa: B023
        os.kill(valkey.pid or 0, signal.SIGSTOP)
        time.sleep(0.3)  # by then the append of each client is under way
        os.kill(valkey.pid or 0, signal.SIGKILL)
        valkey.stop()
        valkey.start()
    warm_up(movers[0].player, movers[0].player.open(), redis)
    for mover in movers:
        mover.stop()
    for mover in movers:
        mover.check()


def test_a_move_under_way_while_the_store_hangs_is_made_once_and_the_loop_goes_on(
    valkey: EmbeddedValkey, serving: Gunicorn, redis: Redis
) -> None:
    with Player(serving) as ada:
        game = ada.open()
        warm_up(ada, game, redis)
        path = f"{ada.api}/games/{game}/moves"
        found = ada.get(path, timeout=60).json()
        body = {"move": found["moves"][0]}
        os.kill(valkey.pid or 0, signal.SIGSTOP)
        try:
            with ThreadPoolExecutor() as pool:
                answer = pool.submit(ada.post, path, json=body, timeout=60)
                hangs_until = time.monotonic() + 3  # longer than the loop waits for an answer
                while time.monotonic() < hangs_until:
                    assert requests.get(f"{serving.url}/livez", timeout=60).status_code == 200
                    assert not answer.done()
                    time.sleep(0.1)
                os.kill(valkey.pid or 0, signal.SIGCONT)
                assert answer.result().status_code == 201
        finally:
            os.kill(valkey.pid or 0, signal.SIGCONT)
        assert answer.result().json()["version"] == found["version"] + 1
        game_now = ada.get(f"{ada.api}/games/{game}", timeout=60).json()
        assert game_now["version"] == found["version"] + 1


def test_of_two_clients_that_make_the_same_move_each_time_one_wins(
    serving: Gunicorn, redis: Redis
) -> None:
    with Player(serving) as ada, Player(serving) as twin, ThreadPoolExecutor(2) as pool:
        twin.headers["Authorization"] = ada.headers["Authorization"]
        game = ada.open()
        warm_up(ada, game, redis)
        path = f"{ada.api}/games/{game}/moves"
        for _ in range(60):
            found = ada.get(path, timeout=60).json()
            if not found["moves"]:
                break
            body = {"move": found["moves"][-1], "expected_version": found["version"]}
            answers = [pool.submit(one.post, path, json=body, timeout=60) for one in (ada, twin)]
            codes = sorted(answer.result().status_code for answer in answers)
            assert codes == [201, 409]
        game_now = ada.get(f"{ada.api}/games/{game}", timeout=60).json()
        assert game_now["version"] >= found["version"]


def test_moves_under_way_are_answered_before_the_process_ends(
    valkey: EmbeddedValkey, redis: Redis, tmp_path: Path
) -> None:
    with Gunicorn(str(valkey.url), tmp_path / "log", **UNLIMITED) as ending:
        with Player(ending) as ada, ThreadPoolExecutor(CLIENTS) as pool:
            games = [ada.open() for _ in range(CLIENTS)]
            for game in games:
                warm_up(ada, game, redis)
            paths = [f"{ada.api}/games/{game}/moves" for game in games]
            moves = [{"move": ada.get(path, timeout=60).json()["moves"][0]} for path in paths]
            os.kill(valkey.pid or 0, signal.SIGSTOP)
            try:
                answers = [
                    pool.submit(requests.post, path, json=move, headers=ada.headers, timeout=60)
                    for path, move in zip(paths, moves, strict=True)
                ]
                time.sleep(1.5)  # by then each is under way
                os.kill(ending.process.pid, signal.SIGTERM)
                time.sleep(0.5)
            finally:
                os.kill(valkey.pid or 0, signal.SIGCONT)
            assert [answer.result().status_code for answer in answers] == [201] * CLIENTS
        assert ending.process.wait(timeout=60) == 0
