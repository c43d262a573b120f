"""Feeds whose stream is in the archive, and feeds that end."""

from __future__ import annotations

from typing import Any

import fakeredis

from cartulary.events.live.feeds import AT_ONCE, Feed, Feeds, FeedSubscription, StreamEntry
from cartulary.events.live.live import Hub
from cartulary.events.store import Store
from cartulary.service.http.streams.event_streams import NUMBERED_SSE, is_last

KEY, CHANNEL = "{01CUP}:tournament", "{01CUP}:tournament:live"
LENGTH = AT_ONCE + 5


def read_archived(after: str) -> list[StreamEntry]:
    """Return the entries of a long stream that is archived."""
    begin = int(after.partition("-")[0]) + 1
    return [(KEY, b"%d-0" % at, {b"event": b"%d" % at}) for at in range(begin, LENGTH + 1)]


def show(_stream: str, _cursor: str, fields: dict[bytes, bytes]) -> bytes:
    return fields[b"event"]


FEED = Feed((KEY,), CHANNEL, show, read_archived, lambda fields: fields[b"event"] == b"%d" % LENGTH)


def test_a_long_archived_stream_is_handed_over_to_its_end(store: Store) -> None:
    feeds = Feeds(fakeredis.FakeRedis())
    backlog = feeds.read(FEED, "0-0")
    assert len(backlog) == AT_ONCE
    subscription = FeedSubscription(Hub(store.ledger), FEED, "0-0", backlog)
    feeds.add(subscription)
    assert feeds.find_changed([CHANNEL]) == ([CHANNEL], [])
    found = feeds.find_place(CHANNEL)
    assert found is not None
    rest = feeds.read(*found)
    assert [one.cursor for one in rest] == [f"{at}-0" for at in range(AT_ONCE + 1, LENGTH + 1)]
    feeds.hand_over(CHANNEL, rest, 1000)
    assert feeds.find_changed([CHANNEL]) == ([], []), "and nothing is lost"
    assert [is_last(one) for one in rest] == [False] * 4 + [True]


def test_nothing_is_handed_over_with_an_entry_that_ends_a_stream_but_what_comes_before() -> None:
    feeds = Feeds(fakeredis.FakeRedis())
    ends = FEED._replace(is_last=lambda fields: fields[b"event"] == b"3")
    assert [one.cursor for one in feeds.read(ends, "0-0")] == ["1-0", "2-0", "3-0"]
    assert feeds.read(ends, "3-0")[0].cursor == "4-0"


def test_a_feed_that_has_lost_its_end_is_lost_and_not_archived() -> None:
    feeds = Feeds(fakeredis.FakeRedis())
    short = FEED._replace(read_archived=lambda _after: [])
    feeds.add(FeedSubscription(None, short, "3-0", []))  # type: ignore[arg-type]
    assert feeds.find_changed([CHANNEL]) == ([], [CHANNEL])


def test_a_feed_whose_end_was_taken_out_has_lost_nothing() -> None:
    redis = fakeredis.FakeRedis()
    feeds = Feeds(redis)
    short = FEED._replace(read_archived=lambda _after: [], gone="gone")
    redis.xadd(KEY, {"event": b"2"}, "2-0")
    redis.set("gone", "3-0")
    feeds.add(FeedSubscription(None, short, "3-0", []))  # type: ignore[arg-type]
    assert feeds.find_changed([CHANNEL]) == ([], [])
    assert feeds.bound(short, "3-0") == "3-0"
    assert feeds.bound(short, "4-0") == "0-0", "no reader was given this place"
    redis.set("gone", "2-5")
    assert feeds.find_changed([CHANNEL]) == ([], [CHANNEL])


class Sink:
    """The end of a stream in the event loop."""

    def __init__(self) -> None:
        self.sent, self.ended = b"", False

    def send_all(self, sinks: list[Sink], data: bytes) -> None:
        for sink in sinks:
            sink.sent += data

    def end(self) -> None:
        self.ended = True


def test_a_stream_in_the_event_loop_ends_with_its_feed() -> None:
    last = Feeds(fakeredis.FakeRedis()).read(FEED, f"{LENGTH - 2}-0")
    sink: Any = Sink()
    listener: Any = type("Listener", (), {"sink": sink})()
    NUMBERED_SSE.hand_over([listener], last[:1])
    assert not sink.ended
    NUMBERED_SSE.hand_over([listener], last[1:])
    assert sink.ended
    assert sink.sent.endswith(b"id: %d\ndata: %d\n\n" % (LENGTH, LENGTH))
