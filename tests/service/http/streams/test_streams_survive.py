"""Streams of many games, at night 2000 of 400, while the store and a web process are killed."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Self

import pytest
import requests

from cartulary.cli.embedded.embedded import EmbeddedValkey
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import Player
from tests.support.night import short_or_long
from tests.support.polling import until

pytestmark = [pytest.mark.real, pytest.mark.slow]

STREAMS, GAMES, ROUNDS = short_or_long((200, 40, 4), (2000, 400, 4))
PAUSE_S = 0.1
"""How long a client waits before it connects again."""


class Client:
    """One stream that connects again with the id of its last event; keeps every version."""

    def __init__(self, port: int, game: str) -> None:
        self._port, self._game = port, game
        self.versions: list[int] = []
        self.reconnects = -1
        self.connect()

    def connect(self) -> None:
        """Ask for the events after the last one that has come."""
        self.reconnects += 1
        self._tail, self._accepted = b"", False
        self.socket = socket.create_connection(("127.0.0.1", self._port), timeout=60)
        after = f"Last-Event-ID: {self.versions[-1]}\r\n" if self.versions else ""
        request = (
            f"GET /api/v1/games/{self._game}/events/stream HTTP/1.1\r\nHost: test\r\n"
            f"Accept: text/event-stream\r\n{after}\r\n"
        )
        self.socket.sendall(request.encode())
        self.socket.setblocking(False)

    def receive(self) -> bool:
        """Read what has come; returns False when the stream is over or was refused."""
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            return False
        self._tail += data
        if not self._accepted and b"\r\n" in self._tail:
            if not self._tail.startswith(b"HTTP/1.1 200 "):
                return False  # 503 while the store is away
            self._accepted = True
        *lines, self._tail = self._tail.split(b"\n")
        self.versions += [int(line[4:]) for line in lines if line.startswith(b"id: ")]
        return bool(data)


class Clients:
    """All clients, read by one thread."""

    def __init__(self, port: int, games: list[str]) -> None:
        self._selector = selectors.DefaultSelector()
        self.all = [Client(port, games[number % len(games)]) for number in range(STREAMS)]
        self._away: list[tuple[float, Client]] = []
        self._stopping = False
        for client in self.all:
            self._selector.register(client.socket, selectors.EVENT_READ, client)
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._thread.join()
        for client in self.all:
            client.socket.close()
        self._selector.close()

    def have(self, version: int) -> bool:
        """Return whether every stream has come to this version."""
        assert self._thread.is_alive(), "the reader has failed"
        return all(client.versions[-1:] == [version] for client in self.all)

    def _read(self) -> None:
        while not self._stopping:
            for key, _ in self._selector.select(0.05):
                client: Client = key.data
                if not client.receive():
                    self._selector.unregister(client.socket)
                    client.socket.close()
                    self._away.append((time.monotonic() + PAUSE_S, client))
            self._connect_again()

    def _connect_again(self) -> None:
        now = time.monotonic()
        due = [client for at, client in self._away if at <= now]
        self._away = [(at, client) for at, client in self._away if at > now]
        for client in due:
            try:
                client.connect()
            except OSError:
                self._away.append((now + PAUSE_S, client))
            else:
                self._selector.register(client.socket, selectors.EVENT_READ, client)


def move_until_stored(player: Player, game: str, version: int) -> None:
    """Make a move after `version`, again with the same key until the service has stored it."""
    url = f"{player.api}/games/{game}/moves"

    def stored() -> bool:
        try:
            move = player.get(url, timeout=60)
            if move.status_code != 200:
                return False
            if move.json()["version"] > version:
                return True
            body = {"move": move.json()["moves"][0], "expected_version": version}
            key = {"Idempotency-Key": f"{game}-{version}"}
            return player.post(url, json=body, headers=key, timeout=60).status_code == 201
        except (requests.ConnectionError, requests.Timeout):
            return False

    until(stored, within=60, every=0.1)


def kill_a_web_process(service: Gunicorn) -> None:
    """Kill the oldest of the two web processes and wait until there are two again."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children")
    before = children.read_text().split()
    assert len(before) == 2
    os.kill(int(before[0]), signal.SIGKILL)
    until(lambda: len(set(children.read_text().split()) - {before[0]}) == 2, within=60)


@pytest.mark.usefixtures("many_descriptors")
def test_each_stream_gets_every_event_once_in_order_while_the_store_and_a_process_are_killed(
    tmp_path: Path,
) -> None:
    settings = {
        "web_processes": 2,
        "streams_per_address": 5000,
        "rate_writes": "100000/minute",
        "rate_games": "",
        "quota_running": 0,
        "quota_seats": 0,
    }
    with (
        # A store that is killed while its disk is slow may lose the last second of what it has
        # acknowledged, unless it writes each event at once.
        EmbeddedValkey(tmp_path / "valkey", "always") as valkey,
        Gunicorn(str(valkey.url), tmp_path / "log", **settings) as service,
        Player(service) as ada,
    ):
        games = [ada.open() for _ in range(GAMES)]
        with Clients(service.port, games) as clients:
            until(lambda: clients.have(2), within=60)
            for round_ in range(ROUNDS):
                for number, game in enumerate(games):
                    if number == GAMES // 2 and round_ == 1:
                        os.kill(valkey.pid or 0, signal.SIGKILL)
                        valkey.stop()
                        valkey.start()
                    if number == GAMES // 2 and round_ == 2:
                        kill_a_web_process(service)
                    move_until_stored(ada, game, 2 + round_)
            until(lambda: clients.have(2 + ROUNDS), within=60)
        expected = list(range(1, 3 + ROUNDS))
        assert all(client.versions == expected for client in clients.all)
        # The streams of the process that was killed came back; else the test has tested nothing.
        assert sum(client.reconnects for client in clients.all) >= STREAMS // 10
