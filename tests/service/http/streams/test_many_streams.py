"""The body of a stream of many games: what it sends as one piece, and when it lets go."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

import orjson
import pytest

from cartulary.events.draws.keyring import KEY_BYTES, Keyring
from cartulary.events.live.subscriptions import LiveEvent, Subscription, give
from cartulary.service.http.shared.stream_endings import StreamEndings
from cartulary.service.http.streams import many_streams
from cartulary.service.http.streams.event_streams import EVENT_FORMS
from cartulary.service.http.streams.many_streams import (
    LINES,
    ByteQueue,
    ManyStream,
    StreamPart,
)
from cartulary.service.http.streams.stream_places import StreamList, StreamPlaces

FOLLOWED = StreamList("ada", ("a", "b"), False)


class Hub:
    """A hub that only notes who leaves."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.left: list[str] = []

    def leave(self, subscription: Subscription) -> None:
        self.left.append(subscription.game_id)


class Sink:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.ends = 0

    def send(self, data: bytes) -> None:
        self.pieces.append(data)

    def end(self) -> None:
        self.ends += 1

    @staticmethod
    def send_all(sinks: Iterable[Sink], data: bytes) -> None:
        for sink in sinks:
            sink.send(data)

    def read(self) -> list[str]:
        """Return what was sent: game and version of events, game and reason of what is closed."""
        lines = [orjson.loads(line) for line in b"".join(self.pieces).splitlines()]
        return [
            f"{line['game']} {line['event']['version'] if 'event' in line else line['closed']}"
            for line in lines
        ]


def event(version: int, type_: str = "move_made") -> LiveEvent:
    return LiveEvent(version, type_, orjson.dumps({"version": version, "type": type_}))


class Opened:
    """A stream of two games with a backlog of two events each."""

    def __init__(self) -> None:
        self.hub, self.endings, self.sink = Hub(), StreamEndings(), Sink()
        places = StreamPlaces(Keyring([b"k" * KEY_BYTES]), FOLLOWED)
        self.stream = ManyStream(EVENT_FORMS["application/x-ndjson"], places, 15.0)
        self.parts: dict[str, StreamPart] = {}
        for game_id in FOLLOWED.games:
            subscription = Subscription(self.hub, game_id, 0, [event(1), event(2)])
            self.parts[game_id] = self.stream.add(game_id, LINES, subscription)
        self.left: list[str] = []
        self.stream.complete(self.endings, lambda: self.left.append("place"))

    def hear(self, game_id: str, *events: LiveEvent) -> None:
        give([self.parts[game_id].subscription], list(events), 1000)


def test_the_backlog_of_all_games_is_one_piece_and_each_later_event_another() -> None:
    opened = Opened()
    opened.stream.detach(opened.sink)
    assert len(opened.sink.pieces) == 1
    opened.hear("b", event(3))
    assert len(opened.sink.pieces) == 2
    assert opened.sink.read() == ["a 1", "a 2", "b 1", "b 2", "b 3"]


def test_a_game_that_ends_is_let_go_of_later_and_the_stream_ends_with_the_last_game() -> None:
    opened = Opened()
    opened.stream.detach(opened.sink)
    opened.hear("a", event(3, "game_scored"), LiveEvent(0, "clock", b"{}"))
    assert opened.sink.pieces[-1].count(b'"closed":"over"') == 1
    assert (opened.hub.left, opened.sink.ends) == ([], 0)
    opened.endings.look()
    assert opened.hub.left == ["a"]
    opened.hear("a", LiveEvent(0, "clock", b"{}"))
    opened.hear("b", event(3, "game_aborted"))
    assert opened.sink.ends == 1
    opened.stream.close()
    assert (opened.hub.left, opened.left) == (["a", "b"], ["place"])
    opened.endings.look()
    assert opened.hub.left == ["a", "b"]


def test_a_game_that_is_hidden_before_the_stream_begins_shows_nothing_of_itself() -> None:
    opened = Opened()
    opened.parts["a"].hide()
    opened.stream.detach(opened.sink)
    assert opened.sink.read() == ["a hidden", "b 1", "b 2"]
    assert opened.hub.left == ["a"]


def test_a_hub_that_has_no_more_for_a_game_ends_the_stream() -> None:
    opened = Opened()
    opened.stream.detach(opened.sink)
    opened.parts["a"].subscription.end()
    assert opened.sink.ends == 1


def test_without_an_event_loop_a_reader_who_is_too_slow_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(many_streams, "WAITING_MOST", 100)
    slow, quick = ByteQueue(), ByteQueue()
    for _ in range(5):
        ByteQueue.send_all([slow, quick], b"x" * 90)
        assert quick.get(0) == b"x" * 90
    assert quick.get(0) == b""
    found = []
    while (piece := slow.get(0)) is not None:
        found.append(piece)
    assert found == [b"x" * 90] * 3
