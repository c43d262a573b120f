"""The server of a process, with clients on socket pairs and a clock that a test moves."""

from __future__ import annotations

import socket
import ssl
import struct
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest

from cartulary.service.server.connection_states import ConnectionState
from cartulary.service.server.listeners import SocketListener
from cartulary.service.server.loop import READ
from tests.service.support.server_in_process import GET, Served, answer, came

POST = b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b"


EXPECT = POST.replace(b"\r\n\r\n%b", b"\r\nExpect: 100-continue\r\n\r\n")


class TestRequests:
    def test_a_request_is_answered_and_the_connection_kept(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/a")
        served.turn()
        assert came(client).endswith(answer(b"/a"))
        client.sendall(GET % b"/b")
        served.turn()
        assert came(client).endswith(answer(b"/b"))

    def test_a_thread_gets_nothing_before_the_head_is_whole(self, served: Served) -> None:
        client = served.connect()
        request = GET % b"/a"
        for byte in request[:-1]:
            client.sendall(bytes([byte]))
            served.server.turn(0)
            assert served.threads.tasks == []
        client.sendall(request[-1:])
        served.turn()
        assert came(client).endswith(answer(b"/a"))

    def test_pipelined_requests_are_answered_one_after_the_other(self, served: Served) -> None:
        paths = [b"/%d" % number for number in range(20)]
        client = served.connect(sent=b"".join(GET % path for path in paths))
        served.turn()
        assert served.asked == [path.decode() for path in paths]
        found = came(client)
        assert [found.count(answer(path)) for path in paths[2:10]] == [1] * 8

    def test_a_request_that_comes_at_the_moment_of_an_answer_is_not_forgotten(
        self, served: Served
    ) -> None:
        class Answered(bytearray):
            """An input that begins to grow at the very moment when a thread answers."""

            def __iadd__(self, more: Any) -> Self:  # type: ignore[misc]  # no sum is made here
                served.threads.work()
                self.extend(more)
                return self

        client = served.connect(sent=GET % b"/a")
        served.server.turn(0)  # the thread has the request now
        (connection,) = served.server.all
        connection.input = Answered()
        client.sendall(GET % b"/b")
        served.turn()
        assert served.asked == ["/a", "/b"]

    def test_an_answer_names_no_version_of_http_that_is_not_spoken(self, served: Served) -> None:
        client = served.connect(sent=b"GET /a HTTP/1.2\r\nHost: x\r\n\r\n")
        served.turn()
        assert came(client).startswith(b"HTTP/1.1 200 ")

    def test_a_packed_request_is_refused(self, served: Served) -> None:
        head = b"POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
        client = served.connect(sent=head + b"0\r\n\r\n")
        served.turn()
        assert came(client).startswith(b"HTTP/1.1 501 ")
        assert served.asked == []

    def test_pipelined_requests_are_read_only_so_far_ahead(self, served: Served) -> None:
        client = served.connect()
        client.setblocking(False)
        sent = 0
        served.server.turn(0)
        client.send(GET % b"/first")
        served.server.turn(0)  # the thread has the first request now
        for _ in range(100):
            try:
                sent += client.send(b"\r\n" * 8000)
            except BlockingIOError:
                break
            served.server.turn(0)
        (connection,) = served.server.all
        assert len(connection.input) <= 64 * 1024 + 256 * 1024
        assert len(connection.input) < sent

    @pytest.mark.parametrize(
        "ending", [b" HTTP/1.0\r\n\r\n", b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]
    )
    def test_who_wants_an_end_gets_it(self, served: Served, ending: bytes) -> None:
        client = served.connect(sent=b"GET /a" + ending)
        served.turn()
        assert came(client).endswith(answer(b"/a") + b"<end>")
        client.close()
        served.turn()
        assert served.server.all == set()

    def test_an_answered_client_that_does_not_close_is_closed(self, served: Served) -> None:
        served.connect(sent=b"GET /a HTTP/1.0\r\n\r\n")
        served.turn()
        assert len(served.server.all) == 1
        served.wait(3)
        assert served.server.all == set()

    def test_a_client_that_sends_no_more_is_answered(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/a")
        client.shutdown(socket.SHUT_WR)
        served.turn()
        assert came(client).endswith(answer(b"/a") + b"<end>")
        assert served.server.all == set()

    @pytest.mark.parametrize("answered", range(5))
    @pytest.mark.parametrize("kind", ["short", "long"])
    def test_all_pipelined_requests_of_a_client_that_sends_no_more_are_answered(
        self, served: Served, answered: int, kind: str
    ) -> None:
        paths = [b"/long/%d" % (500_000 + n) if kind == "long" else b"/%d" % n for n in range(4)]
        client = served.connect(sent=b"".join(GET % path for path in paths))
        for _ in range(answered):
            served.server.turn(0)
            served.threads.work()  # the loop has yet to go on with what came
        client.shutdown(socket.SHUT_WR)
        found = b""
        while not found.endswith(b"<end>"):
            served.turn()
            found += came(client)
        assert served.asked == [path.decode() for path in paths]
        assert found.count(b"HTTP/1.1 200 OK") == 4
        assert served.server.all == set()

    def test_what_is_left_of_a_request_of_a_client_that_sends_no_more_is_not_waited_for(
        self, served: Served
    ) -> None:
        client = served.connect(sent=GET % b"/a" + GET[:10])
        client.shutdown(socket.SHUT_WR)
        served.turn()
        assert came(client).endswith(answer(b"/a") + b"<end>")
        assert served.server.all == set()

    def test_an_app_that_fails_is_an_internal_error(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/fails")
        served.turn()
        found = came(client)
        assert found.startswith(b"HTTP/1.1 500 ")
        assert b"it fails" not in found
        assert found.endswith(b"<end>")

    def test_an_absolute_target_is_a_path(self, served: Served) -> None:
        client = served.connect(sent=GET % b"http://x/a%20b?c=d")
        served.turn()
        assert came(client).endswith(answer(b"/a b"))

    @pytest.mark.parametrize(
        "sent",
        [
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
            b"GET / HTTP/1.1\r\n\r\n",
        ],
        ids=["http2", "tls", "no-host"],
    )
    def test_what_is_no_request_is_refused(self, served: Served, sent: bytes) -> None:
        client = served.connect(sent=sent)
        served.turn()
        found = came(client)
        assert found.startswith(b"HTTP/1.1 400 ")
        assert found.endswith(b"<end>")
        assert served.asked == []

    def test_an_upgrade_is_not_taken(self, served: Served) -> None:
        head = b"GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        client = served.connect(sent=head)
        served.turn()
        assert came(client).startswith(b"HTTP/1.1 200 OK")


class TestBodies:
    def test_a_body_is_waited_for_without_a_thread(self, served: Served) -> None:
        client = served.connect(sent=(POST % (10, b"12345")))
        served.turn()
        assert served.asked == []
        client.sendall(b"67890" + GET % b"/next")
        served.turn()
        found = came(client)
        assert answer(b"1234567890") in found
        assert found.endswith(answer(b"/next"))

    def test_chunks_are_put_together(self, served: Served) -> None:
        head = b"POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        client = served.connect(sent=head + b"3\r\nabc\r\n")
        served.turn()
        client.sendall(b"2\r\nde\r\n0\r\n\r\n" + GET % b"/next")
        served.turn()
        found = came(client)
        assert answer(b"abcde") in found
        assert found.endswith(answer(b"/next"))

    def test_after_chunks_that_cannot_be_read_the_connection_ends(self, served: Served) -> None:
        head = b"POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        client = served.connect(sent=head + b"zz\r\n" + GET % b"/smuggled")
        served.turn()
        assert came(client).endswith(answer(b"InvalidChunkSize") + b"<end>")
        assert served.asked == ["/body"]

    def test_a_body_that_stops_coming_is_too_slow(self, served: Served) -> None:
        client = served.connect(sent=POST % (10, b"123"))
        served.wait(19)
        assert served.asked == []
        served.wait(2)
        assert came(client).endswith(answer(b"TooSlow") + b"<end>")

    def test_a_dripping_body_is_too_slow(self, served: Served) -> None:
        client = served.connect(sent=POST % (1000, b""))
        for _ in range(19):
            client.sendall(b"x")
            served.wait(1)
        served.wait(2)
        assert came(client).endswith(answer(b"TooSlow") + b"<end>")

    def test_a_long_body_may_take_long_as_long_as_it_comes(self, served: Served) -> None:
        client = served.connect(sent=POST % (100 * 4096, b""))
        for _ in range(100):
            client.sendall(b"x" * 4096)
            served.wait(1)
        assert served.asked == ["/body"]

    def test_a_body_that_ends_early_is_shorter(self, served: Served) -> None:
        client = served.connect(sent=POST % (10, b"123"))
        client.shutdown(socket.SHUT_WR)
        served.turn()
        assert came(client).endswith(answer(b"123") + b"<end>")

    def test_a_client_that_expects_100_is_asked_for_its_body(self, served: Served) -> None:
        client = served.connect(sent=EXPECT % 3)
        served.turn()
        assert came(client) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"abc")
        served.turn()
        assert came(client).endswith(answer(b"abc"))
        client.sendall(EXPECT % 3 + b"abc")
        served.turn()
        assert b"100 Continue" not in came(client)

    def test_a_client_that_expects_nothing_reads_no_word_before_its_answer(
        self, served: Served
    ) -> None:
        client = served.connect(sent=POST % (3, b""))
        served.turn()
        client.sendall(b"abc")
        served.turn()
        found = came(client)
        assert found.startswith(b"HTTP/1.1 200 ")
        assert found.endswith(answer(b"abc"))

    def test_a_body_that_will_be_refused_is_not_asked_for(self, served: Served) -> None:
        client = served.connect(sent=EXPECT % 2_000_000)
        served.turn()
        found = came(client)
        assert b"100 Continue" not in found
        assert found.endswith(b"<end>")

    def test_bodies_are_bounded_in_all(self, served: Served) -> None:
        served.server.bodies = 65 * 1024 * 1024
        client = served.connect(sent=POST % (10, b"1"))
        served.turn()
        assert came(client).startswith(b"HTTP/1.1 503 ")

    def test_a_body_counts_until_it_is_answered(self, served: Served) -> None:
        client = served.connect()
        client.settimeout(None)
        served.server.turn(0)
        sent = POST % (300_000, b"x" * 200_000)
        while sent:
            sent = sent[client.send(sent[:50_000]) :]
            served.server.turn(0)
        assert served.server.bodies == 200_000 - 64 * 1024
        client.close()
        served.turn()
        assert served.server.bodies == 0

    def test_bodies_that_are_answered_count_no_more(self, served: Served) -> None:
        client = served.connect()
        for _ in range(2):
            client.sendall(POST % (70_000, b"x" * 70_000))
            served.turn()
            assert came(client).endswith(b"x")
        assert served.server.bodies == 0


class TestDoors:
    def test_a_client_that_resets_its_connection_before_tls_begins_is_no_error(
        self, served: Served
    ) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(Path(__file__).parents[1] / "localhost.pem")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setblocking(False)
            door = SocketListener(served.server, listener, context)
            client = socket.create_connection(listener.getsockname())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()  # with a reset
            kept = socket.create_connection(listener.getsockname())
            door.ready(READ)
            assert len(served.server.all) == 1
            kept.close()

    def test_the_system_gives_up_on_a_client_that_answers_nothing_after_three_times_our_patience(
        self, served: Served
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as held:
            listener.setblocking(False)
            held.enter_context(socket.create_connection(listener.getsockname()))
            SocketListener(served.server, listener, None).ready(READ)
            (admitted,) = served.server.all
            lost = admitted.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert lost == 3000 * served.server.limits.patience

    def test_a_door_opens_again_after_a_pause_and_never_after_it_was_shut(
        self, served: Served
    ) -> None:
        server, counted = served.server, []
        with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as held:
            door = SocketListener(server, listener, None)
            door.open()
            pause = partial(door.pause, 1.0)
            assert door.opens_in == 0.0
            pause()
            assert door.opens_in == 1.0
            for act in (pause, door.shut, pause):
                act()
                held.enter_context(socket.create_connection(listener.getsockname()))
                for passed in (0.5, 1.0, 0.0, 0.0):
                    server.turn(0)
                    counted.append(len(server.all))
                    served.clock.now += passed
        assert counted == [0, 0, 0, 1] + 8 * [1]
        assert not server.paused


class TestTheEnd:
    def test_a_process_that_stops_answers_what_it_has_and_closes(self, served: Served) -> None:
        busy, idle = served.connect(sent=GET % b"/a"), served.connect(sent=GET % b"/a")
        served.turn()
        came(busy), came(idle)
        busy.sendall(GET % b"/b")
        served.server.turn(0)
        served.server.stop()
        served.turn()
        found = came(busy)
        assert b"Connection: close" in found
        assert found.endswith(answer(b"/b") + b"<end>")
        assert came(idle) == b""
        idle.sendall(GET % b"/c")
        served.turn()
        assert came(idle).endswith(answer(b"/c") + b"<end>")

    def test_nobody_silent_keeps_a_process_that_stops(self, served: Served) -> None:
        served.connect()
        served.connect(sent=GET % b"/a")
        served.connect(sent=b"GET")
        served.turn()
        served.server.stop()
        served.wait(3.5)
        assert served.server.all == set()

    def test_a_closed_connection_takes_no_more_jobs(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/stream")
        served.turn()
        (connection,) = served.server.all
        client.close()
        served.turn()
        assert connection.state == ConnectionState.CLOSED
        served.streams[0].sink.send(b"late")
        served.streams[0].sink.end()
        connection.close()
        served.turn()
        assert served.streams[0].closed == 1
