"""Fixtures that several rooms share: servers for the ledger, and the toy game."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import fakeredis
import pytest
from redis import Redis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.engine.core import Game
from cartulary.events.server.connection import connect
from cartulary.events.server.key_catalogue import find_family
from cartulary.events.store import Store
from cartulary.settings.garbage import keep_what_is_loaded
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_OFFERS
from tests.support.longest_first import begin_with_the_longest
from tests.support.night import leave_out_stand_ins
from tests.support.quick import ProcessGuard, is_quick_run, mark_by_fixtures, marks_all
from tests.support.sharing.compiled_scripts import compile_scripts_once
from tests.support.sharing.read_commands import read_commands_with_hiredis
from tests.support.sharing.shared_blueprints import share_blueprints
from tests.support.sharing.shared_routes import share_routes
from tests.support.sharing.short_reports import shorten_reports

if TYPE_CHECKING:  # a quick run starts no service
    from tests.support.real_serve import Served

OFFERS = ALL_OFFERS

# All stores of the tests, also those of other processes, encrypt with the same key.
os.environ.setdefault("CARTULARY_SECRET", "5e" * 32)

compile_scripts_once()
read_commands_with_hiredis()
share_routes()
share_blueprints()


def pytest_configure(config: pytest.Config) -> None:
    """Let no test start a process unless a marker says so, and the collector look less often."""
    # A test leaves little behind, and what it leaves is small.
    gc.set_threshold(50_000, 20, 20)
    heed_signals()
    config.pluginmanager.register(ProcessGuard())
    shorten_reports(config)


def pytest_collectstart() -> None:
    """Look for no garbage among the tests that are being collected: it takes a sixth of that."""
    gc.disable()


def pytest_runtest_logfinish() -> None:
    """Hear Ctrl-C and SIGTERM in the tests that follow."""
    heed_signals()


def heed_signals() -> None:
    """Hear Ctrl-C and SIGTERM where a shell or a worker of RQ has left them ignored.

    A shell does so for what runs in the background, a worker for the process in which it ran. A
    process that a later test starts would ignore them as well, and never end.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Let a quick run import no module of which it would leave out all tests."""
    return (is_quick_run(config.option.markexpr) and marks_all(collection_path)) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that need a server, and let the longest tests begin first."""
    mark_by_fixtures(items)
    if not config.option.markexpr:
        config.hook.pytest_deselected(items=leave_out_stand_ins(items))
    items[:] = begin_with_the_longest(items)


def pytest_collection_finish() -> None:
    """Keep the collector away from the thousands of collected tests, which live until the end."""
    keep_what_is_loaded()


def find_unclassified(client: Redis) -> list[bytes]:
    """Return the keys that `key_catalogue` has no row for, and those that lack their expiry.

    Tests write theirs below `test:`. Every test thus checks that the backup knows what to do with
    each key that the test led to, and that what should expire does.
    """
    return [
        key
        for key in client.scan_iter()
        if _is_odd(client, key) and not key.startswith((b"test:", b"{test:"))
    ]


def _is_odd(client: Redis, key: bytes) -> bool:
    """Return whether a key is of no family, or should have a time at which it expires."""
    family = find_family(key.decode(errors="replace"))
    return family is None or (family.expires and client.pttl(key) == -1)


@pytest.fixture(autouse=True)
def no_loop_of_a_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test without a browser run a loop of its own.

    The synchronous playwright is a loop that stays running in this thread from the first browser
    test on, so `asyncio.run` would refuse in each test after it.
    """
    running = asyncio._get_running_loop()
    if running is None or request.node.get_closest_marker("browser"):
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture(scope="session")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an embedded Valkey that lives as long as the tests."""
    directory: Path = tmp_path_factory.mktemp("valkey")
    with EmbeddedValkey(directory) as valkey:
        assert valkey.url is not None
        yield valkey.url


@pytest.fixture(scope="session")
def shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running `serve` for tests that neither stop nor configure it, with games of the others.

    A start takes three seconds of a processor. A test makes people and games of its own; people may
    register as often as they like.
    """
    from tests.support.real_serve import Served

    environment = {"CARTULARY_RATE_PLAYERS": ""}
    with Served(tmp_path_factory.mktemp("shared") / "data", environment=environment) as served:
        yield served


@pytest.fixture
def real_redis_url(real_server: str) -> Iterator[str]:
    """The URL of an empty real server; emptied again after the test."""
    client = connect(real_server)
    if client.dbsize():
        raise RuntimeError(f"{real_server} holds keys: refusing to test on it")
    yield real_server
    unclassified = find_unclassified(client)
    client.flushall()
    client.close()
    assert unclassified == [], "add rows for these keys to events/server/key_catalogue.py"


@pytest.fixture
def real_redis(real_redis_url: str) -> Iterator[Redis]:
    client = connect(real_redis_url)
    yield client
    client.close()


@pytest.fixture
def fake_redis() -> Iterator[Redis]:
    client = fakeredis.FakeRedis()
    yield client
    unclassified = find_unclassified(client)
    client.close()
    assert unclassified == [], "add rows for these keys to events/server/key_catalogue.py"


@pytest.fixture
def beans() -> Game:
    """The rules of the toy game."""
    return OFFERS["beans"].rules


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """The chance of a test: another one for every test, the same one every time."""
    return random.Random(request.node.name)


@pytest.fixture
def fake_store(fake_redis: Redis, beans: Game, rng: random.Random) -> Iterator[Store]:
    """A ledger on fakeredis."""
    store = Store(fake_redis, OFFERS, rng=rng)
    yield store
    store.leases.close()


@pytest.fixture
def real_store(real_redis: Redis, beans: Game, rng: random.Random) -> Iterator[Store]:
    """A ledger on a real server."""
    store = Store(real_redis, OFFERS, rng=rng)
    yield store
    store.leases.close()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def timed(store: Store, clock: FakeClock) -> Iterator[Store]:
    """The store of a room, with a clock that stands still."""
    found = timed_store(store, clock)
    found.since.read()
    yield found
    found.leases.close()


def timed_store(store: Store, clock: FakeClock) -> Store:
    """Return a second store on the same server, with a clock that tests set."""
    return Store(store.redis, OFFERS, rng=random.Random(7), clock=clock)
