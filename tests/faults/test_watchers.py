"""What a watcher has seen of a game follows the stream, as a client of the contract does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import orjson
import pytest

from bench.faults.journal import Journal, Json
from bench.faults.watchers import StreamMessage, Watched, Watchers, read_messages
from tests.faults.test_reckoning import chain, make_event


def make_messages(*versions: int) -> list[StreamMessage]:
    return [StreamMessage("message", event) for event in chain(*map(make_event, versions))]


def test_messages_of_a_stream_are_read_comments_and_pauses_are_passed_over() -> None:
    lines = (
        b'retry: 5\n\n: beat\nid: 1\ndata: {"version":1}\n\nevent: reset\ndata: {"version":0}\n\n'
    )
    assert list(read_messages(iter(lines.splitlines(keepends=True)))) == [
        StreamMessage("message", {"version": 1}),
        StreamMessage("reset", {"version": 0}),
    ]


def test_events_that_follow_are_taken() -> None:
    watched = Watched()
    assert all(watched.take(message) for message in make_messages(1, 2, 3))
    assert len(watched.digests()) == 3


def test_an_event_that_does_not_follow_lets_the_watcher_begin_again() -> None:
    for wrong in (make_messages(1, 2, 3)[2], make_messages(1, 7)[1], make_messages(7, 2)[1]):
        watched = Watched()
        watched.take(make_messages(1)[0])
        assert not watched.take(wrong)
        assert watched.events == []
        assert watched.again == 1


def test_a_reset_takes_back_what_is_beyond_the_end() -> None:
    watched = Watched()
    for message in make_messages(1, 2, 3):
        watched.take(message)
    assert watched.take(StreamMessage("reset", {"version": 1}))
    assert [event["version"] for event in watched.events] == [1]


class _Service(BaseHTTPRequestHandler):
    """A service with one finished game, whose store may fall back to another end."""

    ends: list[list[Json]]

    def do_GET(self) -> None:
        after = int(self.path.partition("after=")[2])
        events = self.ends.pop(0) if len(self.ends) > 1 else self.ends[0]
        self.send_response(204 if after >= len(events) else 200)
        self.end_headers()
        for event in events[after:]:
            self.wfile.write(b"data: " + orjson.dumps(event) + b"\n\n")

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def watch(port: int, journal: Journal) -> Watched:
    watchers, watched = Watchers(port, journal, 0), Watched()
    watchers.follow("game", watched)
    return watched


def test_a_last_event_that_a_fall_back_may_have_taken_is_read_again(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.faults.watchers.LATE_S", 0.0)
    journal = Journal(tmp_path / "journal")
    taken, kept = chain(make_event(1), make_event(2)), chain(make_event(1), make_event(2, seat=1))
    _Service.ends = [taken, kept]
    assert watch(port, journal).events == taken, "no fall-back explains another end"
    _Service.ends = [taken, kept]
    journal.note_fallback(copied=0.0, killed=time.monotonic() + 0.2)
    watched = watch(port, journal)
    assert watched.events == kept
    assert watched.again
    journal.close()
