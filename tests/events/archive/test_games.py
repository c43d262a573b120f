"""Whole games of both kinds, played by bots: archived, read back, and smaller."""

from __future__ import annotations

from typing import Any

import pytest

from bench.store.replay import finished_game
from cartulary.events.archive import learning
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.rows import Archived
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.archive.material import make_game
from tests.support.night import short_or_long

pytestmark = pytest.mark.real


def take(store: Store, game_id: str, name: str) -> Archived:
    """Return a game of a store; what lies next to it is that of a test."""
    redis: Any = store.redis
    texts = tuple(fields[b"event"] for _, fields in redis.xrange(keys.events(game_id)))
    head = redis.hget(keys.idempotency(game_id), "head").decode()
    return make_game(game_id, game=name, texts=texts, head=head)


@pytest.mark.parametrize("name", short_or_long(["carcassonne"], ["carcassonne", "caylus"]))
def test_games_come_back_and_take_a_fifth_of_their_texts(
    real_store: Store,
    sqlite_url: str,
    postgresql_url: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learning, "SAMPLES", 8)
    games = [take(real_store, finished_game(real_store, name), name) for _ in range(9)]
    for url in (sqlite_url, postgresql_url):
        archive = Archive.open(url)
        for some in (games[:8], games[8:]):
            archive.write(some)
        for game, row in zip(games, archive.rows(), strict=True):
            assert archive.read(game.id) == game
            packed = sum(len(row.columns[part]) for part in ("events", "hashes", "summary"))
            assert packed < sum(map(len, game.texts)) / 5
            assert (row.columns["events_dictionary"] is None) == (game != games[8])
        archive.close()
