"""Players and their tokens."""

from __future__ import annotations

from hashlib import sha256

import pytest

from cartulary.events.players import Players
from cartulary.events.store import Store
from tests.events.conftest import everything_stored


def test_a_player_is_found_by_token_and_by_id(store: Store) -> None:
    player, token = store.players.create("Ada")
    for players in (store.players, Players(store.redis)):
        assert players.by_token(token) == player
        assert players.by_id(player.id) == player
    assert player.created_at.endswith("Z")


def test_tokens_are_long_and_never_the_same(store: Store) -> None:
    tokens = {store.players.create("Ada")[1] for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 40


def test_a_token_is_stored_as_its_hash_only(store: Store) -> None:
    _, token = store.players.create("Ada")
    stored = b"".join(key + value for key, value in everything_stored(store).items())
    assert token.encode() not in stored
    assert sha256(token.encode()).hexdigest().encode() in stored


@pytest.mark.parametrize("token", ["", "x", "\udcff", "é" * 1000])
def test_an_unknown_token_is_nobody(store: Store, token: str) -> None:
    store.players.create("Ada")
    assert store.players.by_token(token) is None
    assert store.players.by_id(token.replace("\udcff", "")) is None


def test_any_name_is_kept_as_it_is(store: Store) -> None:
    for name in ("Ada Lovelace", "Łukasz", "Ада", "👑", ""):
        player, token = store.players.create(name)
        assert Players(store.redis).by_token(token) == player


def test_a_known_token_costs_no_round_trip(store: Store) -> None:
    player, token = store.players.create("Ada")
    store.players.by_token(token)
    store.redis.flushdb()
    assert store.players.by_token(token) == player


def test_only_so_many_tokens_are_cached(store: Store) -> None:
    players = Players(store.redis, cached=2)
    made = [players.create(str(number)) for number in range(3)]
    for _, token in made:
        players.by_token(token)
    store.redis.flushdb()
    assert [players.by_token(token) is not None for _, token in made] == [False, True, True]
