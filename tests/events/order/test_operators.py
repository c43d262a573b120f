"""Operators: who is one, which token may operate, and which names look like theirs."""

from __future__ import annotations

import pytest

from cartulary.events.model.errors import Invalid
from cartulary.events.naming.naming import BadName
from cartulary.events.people.players import Player, hash_token
from cartulary.events.people.rows import OPERATOR, READ, limit_scopes, list_scopes
from cartulary.events.people.tokens import Wish
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.fake_clock import DAY, FakeClock


def read_scopes(store: Store, secret: str) -> frozenset[str] | None:
    access = store.players.access(hash_token(secret))
    assert access is not None
    return access.scopes


def test_the_token_of_an_operator_reads_and_operates_until_its_end(
    store: Store, ada: Player, clock: FakeClock
) -> None:
    issued = store.office.operators.grant(ada, days=1)
    assert read_scopes(store, issued.secret) == frozenset({READ, OPERATOR})
    assert store.office.operators.list_all() == {ada.id: "Ada"}
    clock.advance(DAY)
    store.players.forget(hash_token(issued.secret))
    assert store.players.access(hash_token(issued.secret)) is None


def test_what_is_revoked_is_void_and_other_tokens_stay(store: Store) -> None:
    ada, token = store.players.create("Ada")
    issued = store.office.operators.grant(ada, days=1)
    assert store.office.operators.revoke(ada.id)
    assert store.players.access(hash_token(issued.secret)) is None
    assert read_scopes(store, token) is None
    assert not store.office.operators.revoke(ada.id)
    assert not store.office.operators.has(ada.id)


def test_a_token_that_is_issued_like_that_of_an_operator_operates_not(
    store: Store, ada: Player
) -> None:
    issued = store.office.operators.grant(ada, days=1)
    like = store.tokens.issue_alike(ada.id, "phone", hash_token(issued.secret))
    assert read_scopes(store, like.secret) == frozenset({READ})


def test_no_list_of_scopes_means_the_three_and_no_request_gives_the_fourth() -> None:
    assert list_scopes(None) == ["read", "play", "account"]
    assert limit_scopes(["read", "play", "account", OPERATOR]) is None
    assert limit_scopes([OPERATOR]) == [READ]


def test_a_bot_is_no_operator(store: Store, ada: Player) -> None:
    with pytest.raises(Invalid):
        store.office.operators.grant(ada._replace(kind="bot"), days=1)


def test_an_operator_whose_account_is_deleted_is_one_no_more(store: Store, ada: Player) -> None:
    store.office.operators.grant(ada, days=1)
    store.accounts.deletion.delete(ada, "Ada")
    assert not store.registry.exists(keys.operators())


class TestNames:
    @pytest.mark.parametrize("name", ["Ada", "ADA", "А\u0434а".replace("\u0434", "ԁ"), "Ａｄａ"])
    def test_no_player_looks_like_an_operator(self, store: Store, ada: Player, name: str) -> None:
        assert store.office.name_rules.prepare(name)
        store.office.operators.grant(ada, days=1)
        with pytest.raises(BadName, match="operator"):
            store.office.name_rules.prepare(name)

    def test_an_operator_keeps_the_own_name(self, store: Store, ada: Player) -> None:
        store.office.operators.grant(ada, days=1)
        assert store.office.name_rules.prepare("ADA", ada.id) == "ADA"

    @pytest.mark.parametrize("name", ["🎲", "日本ada"])
    def test_a_name_from_before_the_rules_stays(self, store: Store, name: str) -> None:
        before = store.players.create(name)[0]
        assert store.office.name_rules.prepare(name, before.id) == name
        with pytest.raises(BadName):
            store.office.name_rules.prepare(name)


def test_a_stored_token_without_a_list_never_operates(store: Store, ada: Player) -> None:
    store.office.operators.grant(ada, days=1)
    old = store.tokens.issue(ada.id, Wish(""))
    store.registry.set(keys.token(hash_token(old.secret)), ada.id)
    assert read_scopes(store, old.secret) is None
