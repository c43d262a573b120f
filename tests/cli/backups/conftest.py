"""A store with two games, and keys of age."""

from __future__ import annotations

import random
import secrets
from pathlib import Path
from typing import Any, NamedTuple

import pyrage
import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.events.support.bean_games import any_move

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
