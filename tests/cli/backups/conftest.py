"""A store with two games, keys of age, a chain of segments that has begun."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyrage
import pytest

from cartulary.cli.backups import making
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.cli.backups.following import Shipping
from tests.events.support.bean_games import any_move
from tests.support.store_with_archive import open_with_archive

ME = SeatRequest("me")


class AgeKey(NamedTuple):
    """A key of age: its public half, and the file with its secret half."""

    recipient: str
    identity: Path


@pytest.fixture
def url(real_redis_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with two games, named in the environment."""
    monkeypatch.setenv("CARTULARY_SECRET", secrets.token_hex(32))
    store = Store(connect(real_redis_url), OFFERS)
    store.claim()
    ada, _ = store.players.create("Ada")
    rng = random.Random(1)
    for game in ("carcassonne", "caylus"):
        table = store.commands.create(Intent(ada), NewGame(game, (ME, ME))).table
        for _ in range(30):
            table = store.commands.move(Intent(ada), table.id, any_move(table, rng)).table
    store.close()
    monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
    return real_redis_url


@pytest.fixture
def age_key(tmp_path: Path) -> AgeKey:
    return make_age_key(tmp_path / "age.key")


def make_age_key(file: Path) -> AgeKey:
    """Write a new key to a file as `age-keygen` does."""
    identity: Any = pyrage.x25519.Identity.generate()
    file.write_text(f"# a key of tests\n{identity}\n")
    return AgeKey(str(identity.to_public()), file)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an empty server."""
    with EmbeddedValkey(tmp_path_factory.mktemp("elsewhere")) as valkey:
        assert valkey.url is not None
        yield valkey.url


@pytest.fixture
def store(real_redis_url: str, tmp_path: Path) -> Iterator[Store]:
    (tmp_path / "archive").mkdir()
    with open_with_archive(connect(real_redis_url), tmp_path / "archive") as store:
        store.claim()
        yield store


@pytest.fixture
def player(store: Store) -> Player:
    return store.players.create("Ada")[0]


@pytest.fixture
def shipping(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shipping]:
    """A chain that has begun. Its proof, which other tests hold, takes no time."""
    monkeypatch.setattr(making, "prove", lambda _file, _jobs: None)
    store.players.create("Eve")
    shipping = Shipping(store, tmp_path)
    shipping.begin()
    yield shipping
    shipping.follower.end()
