"""A restart of the server is noticed without asking the server."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server import restarts as restarts_module
from cartulary.events.server.connection import connect
from cartulary.events.server.restarts import AGAIN_AFTER, Restarts
from tests.support.polling import until


@pytest.fixture
def valkey() -> Iterator[EmbeddedValkey]:
    with tempfile.TemporaryDirectory(prefix="run-") as directory:
        server = EmbeddedValkey(Path(directory))
        server.start()
        yield server
        server.stop()


@pytest.fixture
def redis(valkey: EmbeddedValkey) -> Iterator[Redis]:
    client = connect(str(valkey.url))
    yield client
    client.close()


@pytest.fixture
def restarts(redis: Redis) -> Iterator[Restarts]:
    watched = Restarts(redis)
    assert watched.notice(), "what was read before may be of an earlier run"
    assert watched.is_watched
    yield watched
    watched.close()
    assert not watched.is_watched


def kill(valkey: EmbeddedValkey) -> None:
    assert valkey.pid is not None
    os.kill(valkey.pid, signal.SIGKILL)
    valkey.stop()


@pytest.mark.real
def test_a_server_that_runs_on_is_unchanged(restarts: Restarts) -> None:
    assert [restarts.notice() for _ in range(3)] == [False] * 3


@pytest.mark.real
def test_a_restart_is_noticed_once(valkey: EmbeddedValkey, restarts: Restarts) -> None:
    kill(valkey)
    valkey.start()
    assert [restarts.notice() for _ in range(3)] == [True, False, False]


@pytest.mark.real
def test_a_cut_connection_is_no_restart(redis: Redis, restarts: Restarts) -> None:
    assert redis.client_kill_filter(_type="normal", skipme=True) > 0
    assert [restarts.notice() for _ in range(3)] == [False] * 3
    assert restarts.is_watched


@pytest.mark.real
def test_a_server_that_is_down_counts_as_unchanged_until_it_answers(
    valkey: EmbeddedValkey,
    redis: Redis,
    restarts: Restarts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kill(valkey)
    tried: list[object] = []
    pool = redis.connection_pool
    kind = pool.connection_class

    def try_again(**settings: Any) -> Any:
        tried.append(settings)
        return kind(**settings)

    with monkeypatch.context() as patch:
        patch.setattr(restarts_module, "monotonic", lambda: 7.0)
        patch.setattr(pool, "connection_class", try_again)
        assert [restarts.notice() for _ in range(50)] == [False] * 50
        assert len(tried) == 1, "the next attempt comes later"
        patch.setattr(restarts_module, "monotonic", lambda: 7.0 + AGAIN_AFTER)
        assert [restarts.notice() for _ in range(50)] == [False] * 50
        assert len(tried) == 2
    valkey.start()
    until(restarts.notice)


@pytest.mark.real
def test_asking_costs_no_round_trip(redis: Redis, restarts: Restarts) -> None:
    def count() -> int:
        return int(redis.info("stats")["total_commands_processed"])

    before = count()
    for _ in range(100):
        restarts.notice()
    assert count() - before == 1, "the command that counts"


def test_a_server_without_a_run_id_never_restarts(fake_redis: Redis) -> None:
    restarts = Restarts(fake_redis)
    assert [restarts.notice() for _ in range(3)] == [True, False, False]
    restarts.close()
