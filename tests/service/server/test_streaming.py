"""Streams and waiting requests, which hold no thread."""

from __future__ import annotations

import pytest

from cartulary.events.live.live import Hub
from cartulary.service.http.streams.event_streams import Waiting
from cartulary.service.server import streaming
from cartulary.service.server.streaming import SLOW_READER, ConnectionSink
from tests.service.support.caller import Caller
from tests.service.support.server_in_process import GET, Served, answer, came

BEAT = b"7\r\n: beat\n\r\n"


def test_a_stream_begins_at_once_and_goes_on_in_chunks(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.turn()
    head, _, body = came(client).partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    assert body == BEAT
    served.streams[0].sink.send(b"one")
    served.streams[0].sink.send(b"two")
    served.turn()
    assert came(client) == b"3\r\none\r\n3\r\ntwo\r\n"
    assert served.threads.tasks == []


def test_an_old_client_gets_a_stream_without_chunks(served: Served) -> None:
    client = served.connect(sent=b"GET /stream HTTP/1.0\r\n\r\n")
    served.turn()
    assert came(client).endswith(b"\r\n\r\n: beat\n")
    served.streams[0].sink.send(b"one")
    served.streams[0].sink.end()
    served.turn()
    assert came(client) == b"one<end>"


def test_a_silent_stream_beats(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.turn()
    came(client)
    served.wait(14)
    assert came(client) == b""
    served.wait(2)
    assert came(client) == BEAT
    served.streams[0].sink.send(b"one")
    served.wait(14)
    assert came(client) == b"3\r\none\r\n"
    served.wait(2)
    assert came(client) == BEAT


def test_a_stream_that_ends_leaves_the_connection_for_the_next_request(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.turn()
    came(client)
    served.streams[0].sink.send(b"last")
    served.streams[0].sink.end()
    served.turn()
    assert came(client) == b"4\r\nlast\r\n0\r\n\r\n"
    assert served.streams[0].closed == 1
    client.setblocking(True)
    client.sendall(GET % b"/a")
    served.turn()
    assert came(client).endswith(answer(b"/a"))


def test_a_client_that_goes_frees_its_stream(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.turn()
    client.close()
    served.turn()
    assert served.streams[0].closed == 1
    assert served.server.all == set()
    assert served.server.lives == {}


def test_a_client_that_goes_before_its_stream_begins_frees_it(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.server.turn(0)
    client.close()
    served.turn()
    assert served.streams[0].closed == 1


def test_a_slow_reader_is_ended_and_nobody_else(served: Served) -> None:
    slow, quick = (served.connect(sent=GET % b"/stream") for _ in range(2))
    served.turn()
    piece = b"x" * 10_000
    for _ in range(200):
        ConnectionSink.send_all([stream.sink for stream in served.streams], piece)
        served.turn()
        came(quick)
        if served.server.dropped:
            break
        assert served.server.waiting <= SLOW_READER + 2 * len(piece)
    assert served.server.read_stats().streams_dropped == 1
    assert sorted(stream.closed for stream in served.streams) == [0, 1]
    assert served.server.waiting == 0
    ConnectionSink.send_all([stream.sink for stream in served.streams], b"more")
    served.turn()
    assert came(quick) == b"4\r\nmore\r\n"
    assert came(slow).endswith(b"<end>")


def test_a_long_backlog_is_no_sign_of_a_slow_reader(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.turn()
    sink = served.streams[0].sink
    sink.send(b"b" * 3_000_000)
    sink.send(b"e" * 1000)
    served.turn()
    assert served.server.dropped == 0
    found = b""
    while not found.endswith(b"e" * 1000 + b"\r\n"):
        found += came(client)
        served.turn()
    assert found.count(b"b") > 3_000_000 - 1
    for _ in range(200):
        sink.send(b"x" * 10_000)
    served.turn()
    assert served.server.dropped == 1


def test_all_slow_readers_together_are_bounded(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "ALL_SLOW_READERS", 200_000)
    for _ in range(5):
        served.connect(sent=GET % b"/stream")
        served.turn()
    for _ in range(40):
        ConnectionSink.send_all([stream.sink for stream in served.streams], b"x" * 10_000)
        served.turn()
    assert served.server.dropped > 0
    assert served.server.waiting <= 200_000 + 10_000


def test_many_streams_are_written_to_in_order_and_in_slices(served: Served) -> None:
    clients = []
    for _ in range(250):
        clients.append(served.connect(sent=GET % b"/stream"))
        served.turn()
        came(clients[-1])
    sinks = [stream.sink for stream in served.streams]
    ConnectionSink.send_all(sinks, b"one")
    sinks[-1].send(b"two")
    ConnectionSink.send_all(sinks, b"three")
    served.turn()
    for client in clients[:-1]:
        assert came(client) == b"3\r\none\r\n5\r\nthree\r\n"
    found = {came(clients[-1])}
    assert found == {b"3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n"}


def test_clients_come_back_at_different_times_when_a_process_stops(served: Served) -> None:
    clients = [served.connect(sent=GET % b"/stream") for _ in range(3)]
    served.turn()
    for client in clients:
        came(client)
    times = iter([1000, 2000, 3000])
    served.server.stop(lambda least, most: next(times))
    served.turn()
    found = [came(client) for client in clients]
    assert sorted(found) == [
        b"c\r\nretry: %d\n\r\n0\r\n\r\n<end>" % retry for retry in (1000, 2000, 3000)
    ]
    assert [stream.closed for stream in served.streams] == [1, 1, 1]


def test_a_stream_that_begins_while_a_process_stops_ends_with_a_time_to_come_back(
    served: Served,
) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.server.turn(0)  # the thread has the request now
    served.server.stop(lambda least, most: 1000)
    served.turn()
    assert came(client).endswith(b"c\r\nretry: 1000\n\r\n0\r\n\r\n<end>")
    assert served.streams[0].closed == 1


def test_what_comes_during_a_stream_is_never_read_as_half_a_request(served: Served) -> None:
    client = served.connect(sent=GET % b"/stream")
    served.turn()
    client.setblocking(True)
    client.sendall(b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n")
    served.turn()
    served.streams[0].sink.end()
    served.turn()
    came(client)
    client.setblocking(True)
    client.sendall(GET % b"/smuggled")
    served.turn()
    assert served.asked == ["/stream"]


class TestWaits:
    def test_a_request_that_waits_while_a_process_stops_is_answered_at_once(
        self, served: Served
    ) -> None:
        client = served.connect(sent=GET % b"/wait")
        served.server.turn(0)  # the thread has the request now
        served.server.stop()
        served.turn()
        assert came(client).endswith(answer(b"/wait") + b"<end>")

    def test_a_wait_that_is_closed_before_it_begins_leaves_no_subscription(
        self, ada: Caller, hub: Hub
    ) -> None:
        game = ada.open()
        left: list[str] = []
        waiting = Waiting(
            lambda: hub.subscribe(game["id"], game["version"]),
            20.0,
            lambda: left.append("left"),
        )
        waiting.close()
        waiting.watch(lambda: None)
        assert (hub.subscribers, left) == (0, ["left"])

    def test_a_waiting_request_is_asked_again_when_there_is_something(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/wait")
        served.wait(5)
        assert came(client) == b""
        assert served.asked == ["/wait"]
        served.waits[0].wake()
        served.waits[0].wake()
        served.turn()
        assert came(client).endswith(answer(b"/wait"))
        assert served.asked == ["/wait"] * 2
        assert served.waits[0].closed == 1

    def test_a_waiting_request_is_asked_again_when_its_time_is_over(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/wait")
        served.wait(19)
        assert came(client) == b""
        served.wait(2)
        assert came(client).endswith(answer(b"/wait"))

    def test_a_wake_up_that_comes_late_wakes_no_other_request(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/wait")
        served.turn()
        served.waits[0].wake()
        served.turn()
        came(client)
        client.setblocking(True)
        client.sendall(GET % b"/wait")
        served.turn()
        served.waits[0].wake()
        served.turn()
        assert came(client) == b""

    def test_a_client_that_goes_frees_its_wait(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/wait")
        served.turn()
        client.close()
        served.turn()
        assert served.waits[0].closed == 1
        assert served.server.waits == {}

    def test_a_process_that_stops_answers_those_who_wait(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/wait")
        served.turn()
        served.server.stop()
        served.turn()
        assert came(client).endswith(answer(b"/wait") + b"<end>")
