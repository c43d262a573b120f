"""Streams, shutdown, logs and metrics of a real gunicorn process on a real Valkey."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
import requests

from tests.service.support.caller import METRICS, SMALL_CITY
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import SSE, Player
from tests.support.polling import until

pytestmark = pytest.mark.real


@pytest.fixture
def ada(service: Gunicorn) -> Iterator[Player]:
    """Ada, at a time when all streams of the test before have gone."""
    until(lambda: _streams(service) == 0)
    with Player(service) as player:
        yield player


def _streams(service: Gunicorn) -> float:
    text = requests.get(f"{service.url}/metrics", headers=METRICS, timeout=60).text
    (line,) = (line for line in text.splitlines() if line.startswith("cartulary_streams "))
    return float(line.split()[1])


class Watcher:
    """A client that follows a game; collects the lines that come until the stream ends."""

    def __init__(self, service: Gunicorn, game_id: str, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        path = f"/api/v1/games/{game_id}/events"
        self._connection.request("GET", path, headers={**SSE, **headers})
        self._socket = self._connection.sock
        self._answer = self._connection.getresponse()
        self.status = self._answer.status
        self.lines: list[str] = []
        self.ended = threading.Event()
        self._gone = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for line in self._answer:
                self.lines.append(line.decode().rstrip("\n"))
        except (OSError, http.client.HTTPException):
            # Only our own end of the line may break a stream.
            assert self._gone
        else:
            self.ended.set()

    @property
    def ids(self) -> list[int]:
        return [int(line[4:]) for line in self.lines if line.startswith("id: ")]

    def has(self, version: int) -> bool:
        """Return whether the newest event is the one of this version."""
        return self.ids[-1] == version

    @property
    def beats(self) -> int:
        return sum(line.startswith(":") for line in self.lines)

    def close(self) -> None:
        """Go away without a word."""
        self._gone = True
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(timeout=60)
        self._connection.close()


def test_a_stream_sends_the_backlog_then_each_event_at_once(service: Gunicorn, ada: Player) -> None:
    game_id = ada.open()
    watcher = Watcher(service, game_id)
    until(lambda: watcher.ids == [1, 2])
    for version in range(3, 9):
        ada.move(game_id)
        until(partial(watcher.has, version))
    assert watcher.ids == [*range(1, 9)]
    watcher.close()


def test_a_stream_resumes_without_a_gap_and_without_a_repetition(
    service: Gunicorn, ada: Player
) -> None:
    game_id = ada.open()
    watcher = Watcher(service, game_id)
    seen: list[int] = []
    for _ in range(4):
        ada.move(game_id)
        until(partial(getattr, watcher, "ids"))
        seen += watcher.ids
        watcher.close()
        ada.move(game_id)
        watcher = Watcher(service, game_id, **{"Last-Event-ID": str(seen[-1])})
    until(lambda: [*seen, *watcher.ids] == [*range(1, 11)])
    watcher.close()


def test_a_silent_stream_is_kept_alive_by_comments(service: Gunicorn, ada: Player) -> None:
    watcher = Watcher(service, ada.open())
    until(lambda: watcher.beats >= 3)
    watcher.close()


def test_a_stream_ends_after_the_last_event_and_then_there_is_204(
    service: Gunicorn, ada: Player, valkey_url: str
) -> None:
    game_id = ada.unfinished()
    watcher = Watcher(service, game_id)
    made = ada.move(game_id, SMALL_CITY["moves"][1]["move"])
    assert made.json()["game"]["status"] == "scoring"
    until(lambda: watcher.ids and watcher.ids[-1] == made.json()["version"])
    assert not watcher.ended.is_set()
    _score(valkey_url, game_id)
    assert watcher.ended.wait(timeout=60)
    last = watcher.ids[-1]
    assert last == made.json()["version"] + 1
    again = requests.get(
        f"{service.api}/games/{game_id}/events",
        headers={**SSE, "Last-Event-ID": str(last)},
        timeout=60,
    )
    assert again.status_code == 204


def _score(url: str, game_id: str) -> None:
    """Do what a worker does."""
    from cartulary.events.server.connection import connect
    from cartulary.events.store import Store
    from cartulary.games import OFFERS

    store = Store(connect(url), OFFERS)
    store.commands.score(game_id)
    store.close()


def test_above_the_cap_streams_get_503_and_the_play_goes_on(service: Gunicorn, ada: Player) -> None:
    game_id = ada.open()
    watchers = [Watcher(service, game_id) for _ in range(4)]
    refused = requests.get(f"{service.api}/games/{game_id}/events", headers=SSE, timeout=60)
    assert (refused.status_code, refused.json()["code"]) == (503, "too_many_streams")
    assert int(refused.headers["Retry-After"]) > 0
    assert ada.move(game_id).status_code == 201
    until(lambda: all(watcher.ids[-1:] == [3] for watcher in watchers))
    for watcher in watchers:
        watcher.close()
    # The places are free again once the comments find no client there.
    until(lambda: _streams(service) == 0)


def test_ndjson_is_one_event_a_line_also_when_it_was_silent(service: Gunicorn, ada: Player) -> None:
    game_id = ada.open()
    headers = {"Accept": "application/x-ndjson"}
    path = f"{service.api}/games/{game_id}/events?after=2"
    until(lambda: requests.head(path, headers=headers, timeout=60).status_code == 200)
    with requests.get(path, headers=headers, stream=True, timeout=60) as answer:
        # Long enough for a beat, which must not break the line.
        time.sleep(1.5)
        made = ada.move(game_id)
        line = next(answer.iter_lines(chunk_size=1))
        assert json.loads(line) == made.json()["event"]


def test_a_long_poll_is_answered_as_soon_as_there_is_something(
    service: Gunicorn, ada: Player
) -> None:
    game_id = ada.open()
    path = f"{service.api}/games/{game_id}/events?after=2&wait=30"
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(requests.get, path, timeout=29)  # in vain it would wait for longer
        time.sleep(0.3)
        ada.move(game_id)
        assert [event["version"] for event in waiting.result().json()["events"]] == [3]


def test_logs_are_json_without_tokens(service: Gunicorn, ada: Player) -> None:
    ada.headers["X-Request-Id"] = "my-request.7"
    answer = ada.get(f"{service.api}/games?player=me&game={ada.token}", timeout=60)
    assert answer.headers["X-Request-Id"] == "my-request.7"

    def read_log() -> str:
        """Return what the service has written, once it has written about the request."""
        text = service.log.read_text(encoding="utf-8")
        return text if "my-request.7" in text and text.endswith("\n") else ""

    text = until(read_log)
    assert ada.token not in text
    lines = [json.loads(line) for line in text.splitlines()]
    (line,) = (line for line in lines if line.get("request_id") == "my-request.7")
    assert {key: line[key] for key in ("method", "path", "route", "status", "level")} == {
        "method": "GET",
        "path": "/api/v1/games",
        "route": "/api/v1/games",
        "status": 200,
        "level": "INFO",
    }
    assert line["ms"] >= 0
    assert line["player"]


def test_metrics_of_all_processes_together(valkey_url: str, tmp_path: Path) -> None:
    directory = tmp_path / "metrics"
    directory.mkdir()
    environment = {"web_processes": 2, "threads": 4}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROMETHEUS_MULTIPROC_DIR", str(directory))
        running = Gunicorn(valkey_url, tmp_path / "log", **environment)
    with running as service:
        for _ in range(20):
            requests.get(f"{service.api}/catalogue", timeout=60)
        (directory / "histogram_0.db").touch()  # a process that is just starting
        text = requests.get(f"{service.url}/metrics", headers=METRICS, timeout=60).text
    (line,) = (
        line
        for line in text.splitlines()
        if line.startswith("cartulary_http_request_seconds_count") and "catalogue" in line
    )
    assert line.endswith(" 20.0")
