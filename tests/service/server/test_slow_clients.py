"""Clients that are silent, slow or too many: what the server of a process allows them."""

from __future__ import annotations

import pytest

from cartulary.service.server import connections, transport
from tests.service.support.server_in_process import GET, Served, answer, came


class TestSilence:
    def test_a_head_has_ten_seconds(self, served: Served) -> None:
        silent, half = served.connect(), served.connect(sent=b"GET / HTTP/1.1\r\n")
        served.wait(9)
        assert came(half) == came(silent) == b""
        served.wait(2)
        assert came(silent) == b"<end>"
        assert came(half).startswith(b"HTTP/1.1 408 ")

    def test_a_dripping_head_has_ten_seconds_as_well(self, served: Served) -> None:
        client = served.connect(sent=b"GET / HTTP/1.1\r\nX: ")
        for _ in range(12):
            if served.server.read_stats().connections_silent:
                client.send(b"x")
            served.wait(1)
        assert came(client).startswith(b"HTTP/1.1 408 ")

    def test_a_kept_connection_has_thirty_seconds(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/a")
        served.wait(29)
        assert not came(client).endswith(b"<end>")
        served.wait(2)
        assert came(client) == b"<end>"

    def test_a_kept_connection_that_begins_again_has_ten_seconds(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/a")
        served.turn()
        came(client)
        client.send(b"GET")
        served.wait(11)
        assert came(client).startswith(b"HTTP/1.1 408 ")

    def test_one_address_may_have_so_many_silent_connections(self) -> None:
        with Served(silent_of_address=3) as served:
            first, *_ = [served.connect("192.0.2.1") for _ in range(3)]
            honest = served.connect("192.0.2.2")
            served.turn()
            assert came(first) == b""
            last = served.connect("192.0.2.1", GET % b"/a")
            served.turn()
            assert came(first) == b"<end>"
            assert came(honest) == b""
            assert came(last).endswith(answer(b"/a"))
            assert served.server.read_stats().connections_refused == 1

    def test_who_has_asked_is_silent_no_more(self) -> None:
        with Served(silent_of_address=1) as served:
            clients = []
            for _ in range(5):
                clients.append(served.connect(sent=GET % b"/a"))
                served.turn()
            assert all(came(client).endswith(answer(b"/a")) for client in clients)


class TestRoom:
    def test_a_connection_without_a_request_gives_way(self) -> None:
        with Served(connections=3) as served:
            idle = served.connect(sent=GET % b"/a")
            served.turn()
            came(idle)
            for _ in range(3):
                served.connect(sent=GET % b"/stream")
                served.turn()
            assert came(idle) == b"<end>"
            assert len(served.streams) == 3

    def test_there_is_room_to_say_that_the_process_lives(self) -> None:
        with Served(connections=2) as served:
            for _ in range(2):
                served.connect(sent=GET % b"/stream")
                served.turn()
            refused = served.connect(sent=GET % b"/a")
            served.turn()
            alive = served.connect(sent=GET % b"/livez")
            served.turn()
            assert came(refused).startswith(b"HTTP/1.1 503 ")
            assert came(alive).endswith(answer(b"/livez") + b"<end>")

    def test_above_all_room_nothing_is_accepted(self) -> None:
        with Served(connections=2) as served:
            assert not served.server.crowded
            for _ in range(52):
                served.connect()
            assert len(served.server.all) <= 52


class TestSlowReaders:
    def test_what_does_not_fit_is_written_without_a_thread(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/long/3000000")
        served.turn()
        assert served.threads.tasks == []
        assert served.server.read_stats().streams_waiting_bytes > 1_000_000
        found = b""
        while len(found) < 3_000_000:
            found += came(client)
            served.turn()
        assert found.endswith(b"x" * 3_000_000)
        assert served.server.read_stats().streams_waiting_bytes == 0
        client.setblocking(True)
        client.sendall(GET % b"/next")
        served.turn()
        assert came(client).endswith(answer(b"/next"))

    def test_a_reader_that_stands_still_is_given_up(self, served: Served) -> None:
        served.connect(sent=GET % b"/long/3000000")
        served.wait(19)
        assert len(served.server.all) == 1
        served.wait(2)
        assert served.server.all == set()
        assert served.server.waiting == 0

    def test_a_reader_that_only_drips_is_given_up(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transport, "SLOWEST", 100_000)
        client = served.connect(sent=GET % b"/long/3000000")
        served.turn()
        client.setblocking(True)
        for _ in range(20):
            if served.server.all:
                client.recv(65536)
            served.wait(5)
        assert served.server.all == set()

    def test_answers_that_nobody_takes_are_bounded_in_all(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "ALL_ANSWERS", 5_000_000)
        for _ in range(5):
            served.connect(sent=GET % b"/long/3000000")
            served.turn()
        assert served.server.waiting <= 5_000_000
        assert served.server.read_stats().streams_dropped > 0

    def test_a_client_that_goes_in_the_middle_of_an_answer_disturbs_nobody(
        self, served: Served
    ) -> None:
        client = served.connect(sent=GET % b"/long/3000000")
        served.turn()
        client.close()
        served.turn()
        assert served.server.all == set()
        assert served.server.waiting == 0

    def test_a_client_that_goes_before_its_answer_disturbs_nobody(self, served: Served) -> None:
        client = served.connect(sent=GET % b"/long/3000000")
        served.server.turn(0)
        client.close()
        served.turn()
        assert served.asked == ["/long/3000000"]
        assert served.server.all == set()
