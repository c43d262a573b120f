"""The service on a fake server, and those who call it."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

import fakeredis
import pytest
from flask import Flask

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.live.live import Hub
from cartulary.events.people import recovery
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import (
    API,
    METRICS_TOKEN,
    SMALL_CITY,
    Caller,
    played_out,
    register_player,
)
from tests.service.support.description import read_description
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.scene import Scene, set_scene
from tests.service.support.server_in_process import Served
from tests.service.support.sketched_pictures import sketched_pictures
from tests.support.sharing.written_descriptions import write_descriptions_once
from tests.support.stored_keys import stored

write_descriptions_once()

SETTINGS: Final[dict[str, Any]] = {
    "log_requests": False,
    "metrics_token": METRICS_TOKEN,
    "rates": {},
}
"""The settings of most tests. Limits of rates, which a store counts, are for tests about them."""

__all__ = ["API", "SMALL_CITY", "Caller", "played_out", "sketched_pictures"]


@pytest.fixture(scope="session", autouse=True)
def cheap_recovery_codes() -> Iterator[None]:
    """Hash recovery codes at a price that tests can pay: ten codes take half a second otherwise.

    `tests/events/people/test_codes.py` holds the price.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recovery, "COST", 4)
        yield


@pytest.fixture
def server() -> fakeredis.FakeServer:
    return fakeredis.FakeServer()


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: random.Random) -> Store:
    return Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng)


@pytest.fixture
def make_app(store: Store) -> Iterator[Callable[..., Flask]]:
    """Make apps whose streams end with the test."""
    with ExitStack() as made:

        def make(**settings: Any) -> Flask:
            app = create_app(
                WebSettings(**{**SETTINGS, **settings}),
                store,
                OFFERS,
            )
            made.callback(app.extensions["cartulary"].board_pictures.close)
            made.callback(app.extensions["cartulary"].hub.close)
            return app

        yield make


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app()


@pytest.fixture
def hub(app: Flask) -> Hub:
    found: Hub = app.extensions["cartulary"].hub
    return found


@pytest.fixture
def visitor(app: Flask) -> Caller:
    """An anonymous caller."""
    return Caller(app.test_client())


@pytest.fixture
def register(app: Flask) -> Callable[[str], Caller]:
    return partial(register_player, app)


@pytest.fixture
def ada(register: Callable[[str], Caller]) -> Caller:
    return register("Ada")


@pytest.fixture
def bob(register: Callable[[str], Caller]) -> Caller:
    return register("Bob")


@pytest.fixture
def scene(ada: Caller, bob: Caller) -> Scene:
    return set_scene(ada, bob)


@pytest.fixture
def nothing_is_stored(store: Store, scene: Scene) -> Iterator[None]:
    """Hold that a refused request changes no key and adds none."""
    before = stored(store)
    yield
    assert stored(store) == before


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of our own: the processes that run for many tests keep their games on it."""
    with EmbeddedValkey(tmp_path_factory.mktemp("valkey")) as valkey:
        yield str(valkey.url)


@pytest.fixture(scope="session")
def service(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    """The service with 8 threads and room for 4 streams; people may register without a limit.

    A start takes a second of a processor, so all tests share it.
    """
    log = tmp_path_factory.mktemp("service") / "log"
    settings = {"threads": 8, "streams": 4, "heartbeat": 1, "rate_players": ""}
    with Gunicorn(valkey_url, log, **settings) as running:
        yield running


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """Let the test open as many connections as the machine allows."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def served() -> Iterator[Served]:
    """The server of a process, without sockets of the system and with a clock of the test."""
    with Served() as served:
        yield served


@pytest.fixture(scope="session")
def described() -> dict[str, Any]:
    """`openapi.yaml` as committed."""
    return read_description()
