"""Connections to a real server: what is lost, silent, or refuses."""

from __future__ import annotations

import os
import signal
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TooSlow

from bench.ports import find_free_port
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.server.connection import ANSWER_WITHIN, check, connect, dedicated

pytestmark = pytest.mark.real


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    """A server of this test's own, which it may stop."""
    with EmbeddedValkey(tmp_path) as server:
        yield server


@pytest.fixture
def hasty(valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch) -> Redis:
    """A client that waits for a second only."""
    monkeypatch.setattr("cartulary.events.server.connection.ANSWER_WITHIN", 1)
    assert valkey.url is not None
    return connect(valkey.url)


@contextmanager
def silent(valkey: EmbeddedValkey) -> Iterator[None]:
    """The server neither answers nor closes its connections."""
    assert valkey.pid is not None
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(valkey.pid, signal.SIGCONT)


def test_a_silent_server_is_given_up_in_time_and_found_again(
    valkey: EmbeddedValkey, hasty: Redis
) -> None:
    assert hasty.set("k", "1")
    with silent(valkey), pytest.raises(TooSlow, match=r"no answer within 1 s"):
        hasty.get("k")
    assert hasty.get("k") == b"1"


def test_a_silent_server_is_asked_once(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.server.connection.ANSWER_WITHIN", 1)
    client = connect(str(valkey.url))
    client.get("k")
    with silent(valkey), pytest.raises(TooSlow):
        client.get("k")
    # The server runs now what it got meanwhile.
    other = connect(str(valkey.url))
    assert other.info("commandstats")["cmdstat_get"]["calls"] == 2


def test_the_patient_ask_a_silent_server_again(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.server.connection.ANSWER_WITHIN", 1)
    client = connect(str(valkey.url), patient=True)
    client.set("k", "1")
    with ThreadPoolExecutor(1) as pool:
        with silent(valkey):
            asked = pool.submit(client.get, "k")
            with pytest.raises(TimeoutError):
                asked.result(2)
        assert asked.result(15) == b"1"


def test_whether_a_server_is_there_is_known_soon(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.server.connection.ANSWER_SOON", 1)
    client = connect(str(valkey.url))
    check(client)
    with silent(valkey), pytest.raises(TooSlow, match=r"no answer within 1 s"):
        check(client)


def test_a_host_that_accepts_and_says_nothing_is_given_up_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cartulary.events.server.connection.ANSWER_WITHIN", 1)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        client = connect(f"redis://127.0.0.1:{mute.getsockname()[1]}")
        with pytest.raises(TooSlow, match=r"no answer within 1 s"):
            client.ping()


@pytest.mark.parametrize("scheme", ["unix", "tcp"])
def test_the_timeout_is_kept_by_the_kernel(valkey: EmbeddedValkey, scheme: str) -> None:
    """So that it costs no system call: whatever redis-py calls the place where it is set."""
    assert valkey.url is not None
    with socket.create_server(("127.0.0.1", 0)) as host:
        tcp = f"redis://127.0.0.1:{host.getsockname()[1]}"
        pool = connect(tcp if scheme == "tcp" else valkey.url).connection_pool
        made = pool.connection_class(**pool.connection_kwargs)._connect()
        with made:
            assert made.gettimeout() is None
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                seconds, _ = struct.unpack("ll", made.getsockopt(socket.SOL_SOCKET, option, 16))
                assert seconds == ANSWER_WITHIN


@pytest.mark.parametrize("scheme", ["unix", "tcp"])
def test_a_connection_of_its_own_may_speak_the_older_protocol(
    valkey: EmbeddedValkey, scheme: str
) -> None:
    """As a backup, its follower and the event loop of a web process do."""
    assert valkey.url is not None
    port = find_free_port()
    redis: Any = connect(valkey.url)
    redis.config_set("port", port)
    client = connect(f"redis://127.0.0.1:{port}" if scheme == "tcp" else valkey.url)
    with dedicated(client, protocol=2) as asked:
        assert asked.ping()
    pool = client.connection_pool
    made = pool.connection_class(**{**pool.connection_kwargs, "protocol": 2})
    made.connect()
    made.disconnect()


def test_a_late_answer_is_never_taken_for_that_to_the_next_command(
    valkey: EmbeddedValkey, hasty: Redis
) -> None:
    hasty.ping()
    with silent(valkey), pytest.raises(RedisError):
        hasty.echo("late")
    assert hasty.echo("next") == b"next"


def test_no_two_appends_have_one_nonce_not_even_in_a_forked_process(real_redis: Redis) -> None:
    ledger = Ledger(real_redis)
    nonces = [ledger._nonce() for _ in range(3)] + [Ledger(real_redis)._nonce()]
    before = ledger._nonce()
    with get_context("fork").Pool(1, initializer=_inherit, initargs=(ledger,)) as pool:
        nonces += [before, pool.apply(_of_inherited)]
    assert ledger._nonce() not in nonces
    assert len(set(nonces)) == len(nonces)


_inherited: list[Any] = []


def _inherit(kept: Any) -> None:
    _inherited.append(kept)


def _of_inherited() -> str:
    nonce: str = _inherited[0]._nonce()
    return nonce
