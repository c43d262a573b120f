"""`GET /streams` of a real process on a real server: the event loop writes it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
import requests

from cartulary.events.live.signals import Signals
from cartulary.events.server import keys
from tests.service.support.caller import METRICS
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import Player
from tests.support.polling import until

pytestmark = [pytest.mark.real, pytest.mark.process]

Json = dict[str, Any]


@contextmanager
def follow(player: Player, query: str, cursor: str = "") -> Iterator[Iterator[tuple[str, Json]]]:
    """Open a stream; yields the cursor and the line of each server-sent event."""
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": cursor} if cursor else {})}
    path = f"{player.api}/streams?{query}"
    with player.get(path, headers=headers, stream=True, timeout=60) as answer:
        assert answer.status_code == 200
        yield _read(answer)


def _read(answer: requests.Response) -> Iterator[tuple[str, Json]]:
    cursor = ""
    for line in answer.iter_lines(chunk_size=None):
        if line.startswith(b"id: "):
            cursor = line[4:].decode()
        elif line.startswith(b"data: "):
            yield cursor, json.loads(line[6:])


def version_of(line: Json) -> tuple[str, int]:
    return line["game"], line["event"]["version"]


def test_a_reader_who_is_cut_off_again_and_again_gets_each_event_of_each_game_once(
    service: Gunicorn,
) -> None:
    with Player(service) as ada:
        games = [ada.open() for _ in range(3)]
        query = f"games={','.join(games)}&inbox=true"
        heard: list[tuple[str, int]] = []
        cursor = ""
        for turn in range(5):
            with follow(ada, query, cursor) as lines:
                ada.move(games[turn % 3])
                wanted = 2 * len(games) + turn + 1
                while len(heard) < wanted:
                    cursor, line = next(lines)
                    if "game" in line:
                        heard.append(version_of(line))
        assert len(heard) == len(set(heard))
        for game_id in games:
            versions = [version for name, version in heard if name == game_id]
            assert versions == [*range(1, len(versions) + 1)]


def test_a_reader_who_reads_nothing_is_ended_and_slows_no_other(
    service: Gunicorn, valkey_url: str
) -> None:
    with Player(service) as ada, redis.Redis.from_url(valkey_url) as server:
        first, second = ada.open(), ada.open()
        query = f"games={first},{second}&after=2,2&include=presence"
        signals, dropped = Signals(server), _count_dropped(service)
        with _open_without_reading(service, query) as idle, follow(ada, query) as lines:
            until(lambda: _listeners(server, first) and _listeners(server, second))
            piece = b'{"others":1,"players":[],"padding":"%s"}' % (b"x" * 60_000)
            done = threading.Event()

            def publish() -> None:
                while not done.is_set():
                    signals.publish_to_game(first, "presence", piece)
                    done.wait(0.01)

            loud = threading.Thread(target=publish)
            loud.start()
            try:
                for _ in range(150):
                    assert next(lines)[1]["game"] == first
                moved = ada.move(second).json()["event"]
                found = next(line for _, line in lines if "event" in line)
                assert found == {"game": second, "event": moved}
            finally:
                done.set()
                loud.join()
            until(lambda: _count_dropped(service) == dropped + 1)
            assert idle.fileno() >= 0


@contextmanager
def _open_without_reading(service: Gunicorn, query: str) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", service.port)) as idle:
        idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = f"GET /api/v1/streams?{query} HTTP/1.1\r\nHost: x\r\n\r\n"
        idle.sendall(request.encode())
        yield idle


def _count_dropped(service: Gunicorn) -> float:
    text = requests.get(f"{service.url}/metrics", headers=METRICS, timeout=60).text
    name = "cartulary_streams_dropped "
    (line,) = (line for line in text.splitlines() if line.startswith(name))
    return float(line.split()[1])


def _listeners(server: redis.Redis, game_id: str) -> int:
    channel = keys.signals(game_id)
    found: Any = server.execute_command("PUBSUB", "SHARDNUMSUB", channel)  # type: ignore[no-untyped-call]
    return int(found[1])


def test_a_reader_who_is_removed_from_a_private_game_hears_so_and_keeps_the_other_game(
    service: Gunicorn,
) -> None:
    with Player(service) as ada, Player(service) as bob:
        seats = [{"kind": "me"}, {"kind": "invite", "player": bob.id}, {"kind": "open"}]
        wish = {"game": "carcassonne", "seats": seats, "visibility": "private"}
        private = ada.post(f"{ada.api}/games", json=wish, timeout=60).json()["id"]
        other = ada.open()
        with follow(bob, f"games={private},{other}&after=2,2") as lines:
            path = f"{ada.api}/games/{private}/seats/1"
            assert ada.put(path, json={"kind": "open"}, timeout=60).status_code == 200
            assert next(lines)[1] == {"game": private, "closed": "hidden"}
            ada.move(other)
            assert version_of(next(lines)[1]) == (other, 3)
