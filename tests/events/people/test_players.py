"""Players and their tokens."""

from __future__ import annotations

from hashlib import sha256

import pytest
from redis.client import Pipeline

from cartulary.events.people.players import FRESH, PlayerRegistry, hash_token
from cartulary.events.people.rows import FORGOTTEN_MS, Stored
from cartulary.events.people.tokens import Tokens, Wish
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import everything_stored


def test_a_player_is_found_by_token_and_by_id(store: Store) -> None:
    player, token = store.players.create("Ada")
    for players in (store.players, PlayerRegistry(store.redis)):
        assert players.by_hash(hash_token(token)) == player
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
    assert store.players.by_hash(hash_token(token)) is None
    assert store.players.by_id(token.replace("\udcff", "")) is None


def test_any_name_is_kept_as_it_is(store: Store) -> None:
    for name in ("Ada Lovelace", "Łukasz", "Ада", "👑", ""):
        player, token = store.players.create(name)
        assert PlayerRegistry(store.redis).by_hash(hash_token(token)) == player


def test_a_known_token_costs_no_round_trip(store: Store) -> None:
    player, token = store.players.create("Ada")
    store.players.by_hash(hash_token(token))
    store.redis.flushdb()
    assert store.players.by_hash(hash_token(token)) == player


def test_only_so_many_tokens_are_cached(store: Store) -> None:
    players = PlayerRegistry(store.redis, cached=2000)
    made = [players.create(str(number)) for number in range(3)]
    for _, token in made:
        players.by_hash(hash_token(token))
    store.redis.flushdb()
    assert [players.by_hash(hash_token(token)) is not None for _, token in made] == [
        False,
        True,
        True,
    ]


class Clocks:
    """The clock of the wall and the clock that never jumps, moved by a test."""

    def __init__(self) -> None:
        self.wall, self.pulse = 2_000_000_000.0, 100.0

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.pulse += seconds

    def now_ms(self) -> int:
        return int(self.wall * 1000)

    def players(self, store: Store) -> PlayerRegistry:
        self.redis = store.redis
        return PlayerRegistry(store.redis, clock=lambda: self.wall, pulse=lambda: self.pulse)

    def tokens(self, players: PlayerRegistry) -> Tokens:
        return Tokens(self.redis, players, self)

    def issue(self, players: PlayerRegistry, player_id: str, expires_at: float) -> str:
        wish = Wish("", expires_at=int(expires_at * 1000))
        return self.tokens(players).issue(player_id, wish).secret


def test_another_process_shows_a_new_name_within_five_seconds(store: Store) -> None:
    clocks = Clocks()
    here, elsewhere = clocks.players(store), clocks.players(store)
    player, token = here.create("Ada")
    assert elsewhere.by_hash(hash_token(token)) == player
    here.rename(player.id, "Ada L.", hash_token(token))
    clocks.wait(5)
    for players in (here, elsewhere):
        assert players.by_hash(hash_token(token)) == player._replace(name="Ada L.")


def test_the_process_of_the_change_shows_the_new_name_at_once(store: Store) -> None:
    player, token = store.players.create("Ada")
    store.players.by_hash(hash_token(token))
    store.players.rename(player.id, "Ada L.", hash_token(token))
    assert store.players.by_hash(hash_token(token)) == player._replace(name="Ada L.")


def test_a_player_who_has_chosen_nothing_has_the_default_preferences(store: Store) -> None:
    player, _ = store.players.create("Ada")
    assert store.preferences.of(player.id) == {
        "takebacks": "ask",
        "colour": "usual",
        "visibility": "public",
        "open_data": "no",
    }
    store.preferences.change(player.id, {"takebacks": "never"})
    store.players.rename(player.id, "Ada L.")
    assert store.preferences.of(player.id)["takebacks"] == "never"


class TestTokensThatEnd:
    def test_a_token_is_valid_until_it_expires_also_where_it_is_cached(self, store: Store) -> None:
        clocks = Clocks()
        players = clocks.players(store)
        ada, _ = players.create("Ada")
        token = clocks.issue(players, ada.id, clocks.wall + 10)
        for _ in range(5):
            assert players.by_hash(hash_token(token)) == ada
            clocks.wait(1.99)
        assert players.by_hash(hash_token(token)) == ada
        clocks.wait(0.06)
        assert players.by_hash(hash_token(token)) is None

    def test_a_token_expires_between_two_looks_at_the_store(self, store: Store) -> None:
        clocks = Clocks()
        players = clocks.players(store)
        token = clocks.issue(players, players.create("Ada")[0].id, clocks.wall + FRESH / 2)
        assert players.by_hash(hash_token(token)) is not None
        clocks.wait(FRESH / 2)
        assert players.by_hash(hash_token(token)) is None

    def test_a_token_of_a_registration_never_expires(self, store: Store) -> None:
        clocks = Clocks()
        players = clocks.players(store)
        ada, token = players.create("Ada")
        clocks.wait(1e9)
        assert players.by_hash(hash_token(token)) == ada

    def test_a_revoked_token_is_refused_everywhere_within_five_seconds(self, store: Store) -> None:
        clocks = Clocks()
        here, elsewhere = clocks.players(store), clocks.players(store)
        ada, token = here.create("Ada")
        assert here.by_hash(hash_token(token)) == elsewhere.by_hash(hash_token(token)) is not None
        clocks.tokens(here).revoke_others(ada.id, None)
        assert here.by_hash(hash_token(token)) is None
        clocks.wait(4.99)
        assert elsewhere.by_hash(hash_token(token)) is None

    def test_a_clock_that_jumps_back_gives_a_revoked_token_no_time(self, store: Store) -> None:
        clocks = Clocks()
        here, elsewhere = clocks.players(store), clocks.players(store)
        ada, token = here.create("Ada")
        elsewhere.by_hash(hash_token(token))
        clocks.tokens(here).revoke_others(ada.id, None)
        clocks.wall -= 3600
        clocks.pulse += 5
        assert elsewhere.by_hash(hash_token(token)) is None

    def test_the_store_forgets_a_token_a_day_after_it_has_expired(self, store: Store) -> None:
        clocks = Clocks()
        players = clocks.players(store)
        token = clocks.issue(players, players.create("Ada")[0].id, clocks.wall)
        name = keys.token(hash_token(token))
        assert store.redis.pexpiretime(name) == int(clocks.wall * 1000) + FORGOTTEN_MS

    def test_the_invalid_tokens_of_many_are_found(self, store: Store) -> None:
        clocks = Clocks()
        players = clocks.players(store)
        ada, good = players.create("Ada")
        late = clocks.issue(players, ada.id, clocks.wall + 1)
        hashes = [hash_token(token) for token in (good, late, "unknown")]
        assert players.find_invalid(hashes) == hashes[2:]
        clocks.wait(1)
        assert players.find_invalid(hashes) == hashes[1:]


def test_two_changes_of_preferences_at_once_lose_none(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = store.players.create("Ada")[0]
    store.preferences.change(ada.id, {"open_data": "yes"})
    multi = Pipeline.multi

    def withdraw_meanwhile(pipe: Pipeline) -> None:
        monkeypatch.undo()
        store.preferences.change(ada.id, {"open_data": "no"})
        multi(pipe)

    monkeypatch.setattr(Pipeline, "multi", withdraw_meanwhile)
    store.preferences.change(ada.id, {"colour": "blue"})
    found = store.preferences.of(ada.id)
    assert (found["open_data"], found["colour"]) == ("no", "blue")


def test_a_token_is_valid_for_the_seconds_until_its_end() -> None:
    assert Stored("ada", 5_000).count_seconds(3_500) == 1.5
    assert Stored("ada").count_seconds(3_500) == float("inf")


def test_the_owner_of_a_passkey_is_found_though_a_damaged_store_leads_in_a_circle(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player, into in (("a", "b"), ("b", "c"), ("c", "b")):
        store.registry.hset(keys.player(player), "merged_into", into)
    asked: list[str] = []
    read = store.registry.hget

    def note(name: str, field: str) -> object:
        asked.append(name)
        assert len(asked) < 9
        return read(name, field)

    monkeypatch.setattr(store.registry, "hget", note)
    assert store.passkeys.find("a", "credential") is None
    assert asked[:3] == [keys.player(one) for one in "abc"]
