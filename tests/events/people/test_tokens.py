"""Tokens: issued, listed and revoked; what a killed process or an earlier release has left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from cartulary.events.model.errors import NotFound, QuotaExceeded
from cartulary.events.people import tokens
from cartulary.events.people.players import Player, PlayerRegistry, hash_token
from cartulary.events.people.rows import ID_LENGTH, Stored, limit_scopes, read_stored
from cartulary.events.people.tokens import TokenGone, Tokens, Wish
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.fake_clock import DAY, HOUR, FakeClock


class Account:
    """A player and the tokens of the player, with a clock that the test sets."""

    def __init__(self, store: Store) -> None:
        self.store, self.clock = store, FakeClock()
        self.players = self.process()
        self.tokens = Tokens(store.redis, self.players, self.clock)
        self.player, self.first = self.players.create("Ada")

    def process(self) -> PlayerRegistry:
        """Return the registry as another process sees it."""
        return PlayerRegistry(
            self.store.redis,
            clock=lambda: self.clock.now / 1000,
            pulse=lambda: self.clock.now / 1000,
        )

    def issue(self, label: str = "", by: str | None = None, **more: Any) -> str:
        self.clock.advance(1)
        wish = Wish(label)._replace(**more)
        return self.tokens.issue(self.player.id, wish, by and hash_token(by)).secret

    def labels(self) -> list[str]:
        return [one.row.label for one in self.tokens.list_of(self.player.id)]

    def rows(self) -> int:
        return int(self.store.redis.hlen(keys.tokens(self.player.id)))


@pytest.fixture
def account(store: Store) -> Account:
    return Account(store)


def test_every_token_is_listed_also_that_of_the_registration(account: Account) -> None:
    account.clock.advance(1000)
    account.issue("phone")
    account.clock.advance(1000)
    account.issue("tablet")
    assert account.labels() == ["", "phone", "tablet"]
    assert Account(account.store).labels() == [""]


def test_the_id_of_a_token_is_the_begin_of_its_hash(account: Account) -> None:
    listed = {one.row.id for one in account.tokens.list_of(account.player.id)}
    assert listed == {hash_token(account.first)[:ID_LENGTH]}


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (b"01AB", Stored("01AB")),
        (b"01AB 123", Stored("01AB", 123)),
        (b"01AB 0 read,play", Stored("01AB", 0, frozenset({"read", "play"}))),
        (b"01AB 123 read", Stored("01AB", 123, frozenset({"read"}))),
    ],
)
def test_old_and_new_values_of_a_token_are_read(value: bytes, stored: Stored) -> None:
    assert read_stored(value) == stored


def test_a_token_that_may_do_all_is_stored_as_earlier_releases_read_it(account: Account) -> None:
    value = account.store.redis.get(keys.token(hash_token(account.issue("phone"))))
    assert value == account.player.id.encode()


@pytest.mark.parametrize(
    ("asked", "scopes"),
    [
        (["play"], ["read", "play"]),
        (["account", "account"], ["read", "account"]),
        (["account", "play"], None),
        (["read"], ["read"]),
    ],
)
def test_every_token_may_read(asked: list[str], scopes: list[str] | None) -> None:
    assert limit_scopes(asked) == scopes


def test_the_scopes_of_a_token_come_with_it(account: Account) -> None:
    token = account.issue(scopes=["read"])
    access = account.process().access(hash_token(token))
    assert access is not None
    assert access.scopes == frozenset({"read"})
    whole = account.process().access(hash_token(account.first))
    assert whole is not None
    assert whole.scopes is None


def run(go: threading.Barrier, what: Callable[[], object]) -> None:
    go.wait()
    with suppress(TokenGone):
        what()


class TestRevoking:
    def test_one(self, account: Account) -> None:
        phone = account.issue("phone")
        token_id = hash_token(phone)[:ID_LENGTH]
        account.tokens.revoke(account.player.id, token_id)
        assert account.players.by_hash(hash_token(phone)) is None
        assert account.labels() == [""]
        with pytest.raises(NotFound):
            account.tokens.revoke(account.player.id, token_id)

    def test_a_token_of_another_player_cannot_be_revoked(
        self, account: Account, bob: Player
    ) -> None:
        with pytest.raises(NotFound):
            account.tokens.revoke(bob.id, hash_token(account.first)[:ID_LENGTH])
        assert account.process().by_hash(hash_token(account.first)) == account.player

    def test_all_others(self, account: Account) -> None:
        phone, tablet = account.issue("phone"), account.issue("tablet")
        account.tokens.revoke_others(account.player.id, hash_token(phone))
        assert account.labels() == ["phone"]
        assert account.process().by_hash(hash_token(phone)) == account.player
        for token in (account.first, tablet):
            assert account.process().by_hash(hash_token(token)) is None

    def test_a_revoked_token_issues_nothing_however_fresh_it_seems(self, account: Account) -> None:
        thief = account.issue("thief")
        assert account.players.by_hash(hash_token(thief)) is not None
        Tokens(account.store.redis, account.process()).revoke_others(
            account.player.id, hash_token(account.first)
        )
        assert account.players.by_hash(hash_token(thief)) is not None, (
            "this process has it in its cache"
        )
        with pytest.raises(TokenGone):
            account.issue("more", by=thief)
        assert account.labels() == [""]

    @pytest.mark.real
    def test_what_is_issued_at_the_same_moment_never_survives_the_revocation_of_its_issuer(
        self, real_store: Store
    ) -> None:
        for _ in range(10):
            account = Account(real_store)
            thief = account.issue("thief")
            go = threading.Barrier(3)

            asked: list[Callable[[], object]] = [
                partial(account.issue, "a", by=thief),
                partial(account.issue, "b", by=thief),
                partial(account.tokens.revoke_others, account.player.id, hash_token(account.first)),
            ]
            threads = [threading.Thread(target=run, args=[go, what]) for what in asked]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert account.labels() == [""]


class TestTheEnd:
    def test_an_expired_token_is_listed_no_more(self, account: Account) -> None:
        account.issue("short", expires_at=account.clock.now + HOUR + 1)
        assert account.labels() == ["", "short"]
        account.clock.advance(HOUR + 1)
        assert account.labels() == [""]
        assert account.rows() == 1

    def test_a_player_has_not_too_many_but_the_expired_do_not_count(
        self, account: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tokens, "MOST", 3)
        account.issue("short", expires_at=account.clock.now + HOUR + 1)
        account.issue("phone")
        with pytest.raises(QuotaExceeded, match="at most 3 tokens"):
            account.issue("tablet")
        account.clock.advance(HOUR + 1)
        account.issue("tablet")
        assert account.labels() == ["", "phone", "tablet"]

    def test_an_expired_token_issues_nothing(self, account: Account) -> None:
        short = account.issue("short", expires_at=account.clock.now + HOUR + 1)
        account.clock.advance(HOUR + 1)
        with pytest.raises(TokenGone):
            account.issue("more", by=short)


class TestLastUsed:
    def days(self, account: Account) -> list[str | None]:
        return [one.last_used_at for one in account.tokens.list_of(account.player.id)]

    def test_it_is_a_day(self, account: Account) -> None:
        account.clock.now = 1_800_000_000_000
        assert self.days(account) == [None]
        account.players.by_hash(hash_token(account.first))
        assert self.days(account) == ["2027-01-15"]
        account.clock.advance(DAY)
        account.players.by_hash(hash_token(account.first))
        assert self.days(account) == ["2027-01-16"]

    def test_it_is_written_once_a_day_by_all_processes_together(self, account: Account) -> None:
        account.clock.now = 1_800_000_000_000
        account.players.by_hash(hash_token(account.first))
        dumped = account.store.redis.dump(keys.tokens(account.player.id))
        for players in (account.players, account.process()):
            for _ in range(3):
                account.clock.advance(5000)
                players.by_hash(hash_token(account.first))
        assert account.store.redis.dump(keys.tokens(account.player.id)) == dumped


class TestBeforeTheRows:
    """Registrations of earlier releases: a record with the hash of the token, and the token."""

    def forget_row(self, account: Account) -> None:
        account.store.redis.delete(keys.tokens(account.player.id))

    def test_the_token_is_listed(self, account: Account) -> None:
        self.forget_row(account)
        (found,) = account.tokens.list_of(account.player.id)
        assert found.row.created_at == account.player.created_at
        account.tokens.revoke(account.player.id, found.row.id)
        assert account.process().by_hash(hash_token(account.first)) is None
        assert account.labels() == []

    def test_the_token_is_listed_with_the_day_after_its_use(self, account: Account) -> None:
        self.forget_row(account)
        account.players.by_hash(hash_token(account.first))
        (found,) = account.tokens.list_of(account.player.id)
        assert found.last_used_at is not None

    def test_it_ends_with_all_others(self, account: Account) -> None:
        phone = account.issue("phone")
        account.store.redis.hdel(
            keys.tokens(account.player.id), hash_token(account.first)[:ID_LENGTH]
        )
        account.tokens.revoke_others(account.player.id, hash_token(phone))
        assert account.process().by_hash(hash_token(account.first)) is None
        assert account.labels() == ["phone"]

    def test_a_row_without_its_token_goes(self, account: Account) -> None:
        phone = account.issue("phone")
        account.store.redis.delete(keys.token(hash_token(phone)))
        assert account.labels() == [""]
        assert account.rows() == 1
