"""What a watcher has seen of a game follows the stream, as a client of the contract does."""

from __future__ import annotations

from bench.faults.watchers import Message, Watched, read_messages
from tests.faults.test_reckoning import chain, make_event


def make_messages(*versions: int) -> list[Message]:
    return [Message("message", event) for event in chain(*map(make_event, versions))]


def test_messages_of_a_stream_are_read_comments_and_pauses_are_passed_over() -> None:
    lines = (
        b'retry: 5\n\n: beat\nid: 1\ndata: {"version":1}\n\nevent: reset\ndata: {"version":0}\n\n'
    )
    assert list(read_messages(iter(lines.splitlines(keepends=True)))) == [
        Message("message", {"version": 1}),
        Message("reset", {"version": 0}),
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
    assert watched.take(Message("reset", {"version": 1}))
    assert [event["version"] for event in watched.events] == [1]
