"""A real process with clients that are slow, silent, many or encrypted, and its end."""

from __future__ import annotations

import json
import resource
import select
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import requests

from bench.service._crowd import Crowd
from tests.service.support.caller import METRICS
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import SSE, Player
from tests.support.night import short_or_long
from tests.support.polling import until

pytestmark = pytest.mark.real

PEM = Path(__file__).parents[1] / "localhost.pem"
STREAMS, LONG_ANSWERS = short_or_long((500, 5), (2000, 20))
HALF = b"GET /livez HTTP/1.1\r\nHost: x\r\n"


def gauge(service: Gunicorn, name: str) -> float:
    text = requests.get(f"{service.url}/metrics", headers=METRICS, timeout=60).text
    (line,) = (line for line in text.splitlines() if line.startswith(f"{name} "))
    return float(line.split()[1])


def ask_honestly(service: Gunicorn, trusted: str | bool = True) -> None:
    """An honest request is answered on a connection of its own."""
    closing = {"Connection": "close"}
    answer = requests.get(f"{service.url}/livez", headers=closing, timeout=60, verify=trusted)
    assert answer.status_code == 200


def is_open(client: socket.socket) -> bool:
    """Return whether the service holds a connection still, on which it has not said anything."""
    readable, _, _ = select.select([client], [], [], 0)
    return not readable


def until_closed(client: socket.socket) -> None:
    """Read to the end, which may be a reset: the service does not read what is no TLS."""
    with suppress(ConnectionResetError):
        while client.recv(100):
            continue


@pytest.fixture(scope="module")
def crowded(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    """A service with few threads that lets one address open many streams."""
    log = tmp_path_factory.mktemp("crowded") / "log"
    settings = {"threads": 2, "streams_per_address": 5000, "log_requests": 0}
    service = Gunicorn(valkey_url, log, **settings)
    service.descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with service:
        yield service


@pytest.fixture(scope="module")
def strict(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    """A service that allows few streams and waits two seconds for a head."""
    log = tmp_path_factory.mktemp("strict") / "log"
    settings = {"streams_per_player": 3, "streams_per_address": 2, "client_timeout": 2}
    with Gunicorn(valkey_url, log, threads=2, **settings) as service:
        yield service


@pytest.mark.usefixtures("many_descriptors")
def test_many_streams_get_every_event_once_and_in_order(crowded: Gunicorn) -> None:
    service = crowded
    with Player(service) as ada:
        games = [ada.open() for _ in range(40)]
        crowd = Crowd(service.port, [games[number % 40] for number in range(STREAMS)])
        with crowd.open_streams():
            assert gauge(service, "cartulary_streams") == STREAMS
            for _ in range(3):
                for game in games:
                    assert ada.move(game).status_code == 201
            until(lambda: crowd.versions() == {5})
            ask_honestly(service)
        until(lambda: gauge(service, "cartulary_streams") == 0)


@pytest.mark.usefixtures("many_descriptors")
def test_a_silent_crowd_keeps_nobody_waiting(crowded: Gunicorn) -> None:
    service = crowded
    with ExitStack() as held:
        crowd = []
        for number in range(600):
            client = held.enter_context(socket.socket())
            client.bind((f"127.0.1.{1 + number % 10}", 0))
            client.connect(("127.0.0.1", service.port))
            if number % 2:
                client.sendall(HALF)
            crowd.append(client)
            if number % 50 == 49:
                time.sleep(0.05)  # the queue of connections to accept is short in a test
        # An answer that waits for the crowd comes when all of it has been given up.
        ask_honestly(service)
        assert all(map(is_open, crowd[-50:]))
        until(lambda: gauge(service, "cartulary_connections_silent") >= 600)
        # All of them are given up in time, those with half a head with a word. The connection that
        # asks for the metrics may be silent itself.
        until(lambda: gauge(service, "cartulary_connections_silent") <= 1)
        assert crowd[0].recv(100) == b""
        assert crowd[1].recv(100).startswith(b"HTTP/1.1 408 ")


@pytest.mark.usefixtures("many_descriptors")
def test_one_address_holds_two_hundred_silent_connections(crowded: Gunicorn) -> None:
    service, refused = crowded, "cartulary_connections_refused"
    # The connection that asks for the metrics may be silent itself.
    until(lambda: gauge(service, "cartulary_connections_silent") <= 1)
    before = gauge(service, refused)
    with ExitStack() as held:
        for _ in range(1000):
            held.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        ask_honestly(service)
        # The connection that asks for the metrics may be among the silent connections.
        until(lambda: 200 <= gauge(service, "cartulary_connections_silent") + 1 <= 202)
        until(lambda: gauge(service, refused) >= before + 790)


def test_streams_are_bounded_for_each_player_and_each_address(strict: Gunicorn) -> None:
    service = strict
    with ExitStack() as held:
        ada, bob = (held.enter_context(Player(service)) for _ in range(2))
        url = f"{service.api}/games/{ada.open()}/events"

        def statuses(player: requests.Session, times: int) -> list[int]:
            found = []
            for _ in range(times):
                answer = player.get(url, headers=SSE, stream=True, timeout=60)
                held.callback(answer.close)
                found.append(answer.status_code)
            return found

        assert statuses(ada, 4) == [200, 200, 200, 503]
        assert statuses(bob, 3) == [200, 200, 200]
        visitor = held.enter_context(requests.Session())
        assert statuses(visitor, 3) == [200, 200, 503]
        refused = visitor.get(f"{url}?after=2&wait=20", timeout=60)
        assert refused.json()["code"] == "too_many_streams"
        assert int(refused.headers["Retry-After"]) > 0


def test_few_descriptors_are_no_reason_to_fall(valkey_url: str, tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    settings = {"threads": 2, "streams": 1000, "streams_per_address": 1000}
    service = Gunicorn(valkey_url, tmp_path / "log", **settings)
    service.descriptors = 300
    with service, Player(service) as ada, ExitStack() as held:
        url = f"/api/v1/games/{ada.open()}/events"
        watch = f"GET {url} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
        ada.close()
        answers = []
        for _ in range(60):
            client = held.enter_context(socket.create_connection(("127.0.0.1", service.port), 10))
            client.sendall(watch)
            answers.append(client.recv(12))
        assert answers[:40] == [b"HTTP/1.1 200"] * 40
        assert b"HTTP/1.1 503" in answers
        ask_honestly(service)  # for /livez, for which there is room
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    assert "Traceback" not in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_head_of_a_byte_a_second_is_given_up(strict: Gunicorn) -> None:
    with socket.create_connection(("127.0.0.1", strict.port), 10) as client:
        sent = 0
        while is_open(client):
            assert sent < len(HALF), "the whole head was waited for"
            client.sendall(HALF[sent : sent + 1])
            sent += 1
            time.sleep(0.5)
        assert client.recv(100).startswith(b"HTTP/1.1 408 ")


def test_a_slow_reader_of_a_long_answer_keeps_nobody_waiting(crowded: Gunicorn) -> None:
    """The eight readers are more than the service has threads."""
    service = crowded
    with ExitStack() as held:
        ask = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
        slow = []
        for _ in range(8):
            client = held.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", service.port))
            client.sendall(ask * LONG_ANSWERS)
            slow.append(client)
        # The answers of all that are slow are on their way still: the one that is read comes whole.
        ask_honestly(service)
        slow[0].settimeout(10)
        found = b""
        while found.count(b"HTTP/1.1 200 OK") < LONG_ANSWERS:  # a piece may end in these words
            piece = slow[0].recv(65536)
            assert piece
            found += piece


@pytest.fixture(scope="module")
def secure(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    log = tmp_path_factory.mktemp("tls") / "log"
    settings = {"threads": 2, "certificate": PEM, "key": PEM, "client_timeout": 6}
    with Gunicorn(valkey_url, log, **settings) as service:
        yield service


class TestTls:
    def connect(self, secure: Gunicorn) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=PEM)
        plain = socket.create_connection(("127.0.0.1", secure.port), 10)
        return context.wrap_socket(plain, server_hostname="localhost")

    def test_requests_and_streams_are_encrypted(self, secure: Gunicorn) -> None:
        pem = str(PEM)
        made = requests.post(f"{secure.api}/players", json={"name": "Ada"}, timeout=60, verify=pem)
        me = {"Authorization": f"Bearer {made.json()['token']}"}
        body = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "me"}]}
        url = f"{secure.api}/games"
        game = requests.post(url, json=body, headers=me, timeout=60, verify=pem).json()
        url = f"{url}/{game['id']}"
        with requests.get(
            f"{url}/events", headers=SSE, stream=True, timeout=60, verify=pem
        ) as stream:
            lines = stream.iter_lines(chunk_size=1)
            while next(lines) != b"id: 2":
                continue
            move = requests.get(f"{url}/moves", timeout=60, verify=pem).json()["moves"][0]
            made = requests.post(
                f"{url}/moves", json={"move": move}, headers=me, timeout=60, verify=pem
            )
            assert made.status_code == 201
            while next(lines) != b"id: 3":
                continue

    def test_pipelined_requests_and_a_long_answer_come_whole(self, secure: Gunicorn) -> None:
        ask = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
        last = b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        with self.connect(secure) as client:
            client.sendall(ask * LONG_ANSWERS + last)
            found = b""
            while piece := client.recv(65536):
                found += piece
        assert found.count(b"HTTP/1.1 200 OK") == LONG_ANSWERS + 1
        assert json.loads(found.rpartition(b"\r\n\r\n")[2]) == {"status": "alive"}

    def test_a_handshake_that_does_not_come_keeps_nobody_waiting(self, secure: Gunicorn) -> None:
        with ExitStack() as held:
            clients = [
                held.enter_context(socket.create_connection(("127.0.0.1", secure.port), 10))
                for _ in range(50)
            ]
            clients[0].sendall(b"GET /livez HTTP/1.1\r\n\r\n")
            ask_honestly(secure, trusted=str(PEM))
            # An answer that waits for the handshakes comes when the last one has been given up.
            assert any(map(is_open, clients[1:]))
            for client in clients:
                until_closed(client)


def test_a_process_that_stops_ends_its_streams_tells_them_when_to_come_back_and_leaves(
    valkey_url: str, tmp_path: Path
) -> None:
    with Gunicorn(valkey_url, tmp_path / "log", threads=2) as service:
        with Player(service) as ada:
            url = f"{service.api}/games/{ada.open()}/events"
        streams = [requests.get(url, headers=SSE, stream=True, timeout=60) for _ in range(5)]
        waiting = [stream.iter_lines(chunk_size=1) for stream in streams]
        for lines in waiting:
            while next(lines) != b"id: 2":
                pass
        service.process.send_signal(signal.SIGTERM)
        retries = [[line for line in lines if line.startswith(b"retry: ")] for lines in waiting]
        assert all(len(found) == 1 for found in retries)
        assert len({found[0] for found in retries}) > 1
        assert service.process.wait(timeout=60) == 0
