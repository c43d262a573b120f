"""Processes that share connections."""

from __future__ import annotations

import os

from cartulary.service.process.sharing import SLACK, SLOTS, Shares
from tests.service.serving import Served


def test_a_process_alone_is_never_ahead() -> None:
    share = Shares().of(1)
    share.set(10_000)
    assert not share.ahead


def test_a_process_with_clearly_more_connections_is_ahead() -> None:
    shares = Shares()
    first, second = shares.of(1), shares.of(2)
    first.set(1000)
    second.set(1000 + SLACK)
    assert not first.ahead
    assert not second.ahead
    second.set(1100 + SLACK)
    assert second.ahead
    assert not first.ahead


def test_a_process_that_has_ended_keeps_nobody_back() -> None:
    shares = Shares()
    first, second = shares.of(1), shares.of(SLOTS + 2)
    first.set(0)
    second.set(500)
    assert second.ahead
    first.leave()
    assert not second.ahead


def test_processes_see_each_other() -> None:
    shares = Shares()
    mine = shares.of(1)
    mine.set(500)
    child = os.fork()
    if not child:
        shares.of(2).set(3)
        os._exit(0)
    os.waitpid(child, 0)
    assert mine.ahead


def test_a_server_says_how_many_connections_it_has() -> None:
    shares = Shares()
    shares.of(2).set(0)
    with Served() as served:
        served.server.share = shares.of(1)
        clients = [served.connect(str(number)) for number in range(SLACK + 1)]
        assert served.server.ahead
        clients[0].close()
        served.turn()
        assert not served.server.ahead
        served.connect("other")
        served.server.stop()
        assert not shares.of(2).ahead
