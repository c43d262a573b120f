"""An e-mail address is confirmed by its reader, or forgotten; it follows its player."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

import fakeredis
import pytest

from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.errors import NotFound, QuotaExceeded
from cartulary.events.notices.addresses import LIFE_MS, MOST_REQUESTS
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.server import keys
from tests.support.fake_clock import FakeClock

OLD, NEW = (secrets.token_bytes(32) for _ in range(2))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def redis() -> fakeredis.FakeRedis:
    return fakeredis.FakeRedis()


@pytest.fixture
def registry(redis: fakeredis.FakeRedis, clock: FakeClock) -> NoticeRegistry:
    return NoticeRegistry(redis, clock)


def ask(registry: NoticeRegistry, clock: FakeClock, player: str, id_: str = "") -> StoredAddress:
    id_ = id_ or f"id-{player}"
    secret = Keyring([OLD]).encrypt(b"of " + id_.encode(), id_).decode()
    asked = StoredAddress(id_, f"{player}@example.org", "en", secret, clock.now_ms())
    registry.emails.ask(player, asked)
    return asked


def wishes_of(redis: fakeredis.FakeRedis) -> list[Any]:
    return sorted(redis.hgetall(keys.notice_wishes()))


def test_an_address_gets_notices_when_its_reader_has_confirmed_it(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis, clock: FakeClock
) -> None:
    asked = ask(registry, clock, "ada")
    assert registry.emails.find("ada") == asked
    assert (asked.state, wishes_of(redis)) == ("unconfirmed", [])
    assert not registry.emails.confirm("ada", "another")
    assert registry.emails.confirm("ada", asked.id)
    found = registry.emails.find("ada")
    assert found == replace(asked, confirmed_at=clock.now_ms())
    assert wishes_of(redis) == [b"ada"]
    assert redis.ttl(keys.email("ada")) == -1
    assert not registry.emails.confirm("ada", asked.id), "once"


def test_an_address_that_is_not_confirmed_within_a_day_is_forgotten(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis, clock: FakeClock
) -> None:
    asked = ask(registry, clock, "ada")
    assert 0 < redis.pttl(keys.email("ada")) <= LIFE_MS
    clock.advance(LIFE_MS - 1)
    assert registry.emails.find("ada") == asked
    clock.advance(1)
    redis.persist(keys.email("ada"))  # as after a restore
    assert registry.emails.find("ada") is None
    assert not registry.emails.confirm("ada", asked.id)


def test_another_address_takes_the_place_of_the_one_before(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis, clock: FakeClock
) -> None:
    first = ask(registry, clock, "ada", "first")
    registry.emails.confirm("ada", first.id)
    ask(registry, clock, "ada", "second")
    assert wishes_of(redis) == []
    assert not registry.emails.switch_off("ada", first.id, "refused")
    assert not registry.emails.confirm("ada", first.id)


def test_an_address_that_was_switched_off_is_not_confirmed_by_its_old_link(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis, clock: FakeClock
) -> None:
    asked = ask(registry, clock, "ada")
    registry.emails.confirm("ada", asked.id)
    assert registry.emails.switch_off("ada", asked.id, "unsubscribed")
    assert not registry.emails.switch_off("ada", asked.id, "refused")
    found = registry.emails.find("ada")
    assert found is not None
    assert (found.off, found.is_told, wishes_of(redis)) == ("unsubscribed", False, [])
    assert not registry.emails.confirm("ada", asked.id)


def test_an_address_is_asked_so_often_a_day_by_all_players_together(
    registry: NoticeRegistry, clock: FakeClock
) -> None:
    for number in range(MOST_REQUESTS):
        one = ask(registry, clock, f"player{number}")
        registry.emails.ask(f"other{number}", replace(one, address="Ada@example.org"))
    with pytest.raises(QuotaExceeded) as refused:
        registry.emails.ask("bob", replace(one, address="ada@example.org"))
    assert (refused.value.limit, refused.value.used) == (MOST_REQUESTS, MOST_REQUESTS)
    assert refused.value.wait is not None
    assert 0 < refused.value.wait <= LIFE_MS // 1000
    assert registry.emails.find("bob") is None


def test_the_address_of_a_guest_follows_into_an_account_without_one(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis, clock: FakeClock
) -> None:
    asked = ask(registry, clock, "guest")
    registry.emails.confirm("guest", asked.id)
    for _ in range(2):
        registry.move("guest", "ada")
        found = registry.emails.find("ada")
        assert found is not None
        assert (found.id, found.is_told) == (asked.id, True)
        assert registry.emails.find("guest") is None
        assert wishes_of(redis) == [b"ada"]
    own = ask(registry, clock, "bob")
    ask(registry, clock, "guest")
    registry.move("guest", "bob")
    assert registry.emails.find("bob") == own
    assert registry.emails.find("guest") is None


def test_the_secret_of_an_address_is_encrypted_with_the_new_key(
    registry: NoticeRegistry, clock: FakeClock
) -> None:
    asked = ask(registry, clock, "ada")
    lost = replace(ask(registry, clock, "bob"), encrypted="AAAA")
    registry.emails.ask("bob", lost)
    assert registry.rotate(Keyring([NEW, OLD])) == (1, ["bob"])
    found = registry.emails.find("ada")
    assert found is not None
    assert Keyring([NEW]).decrypt(found.encrypted.encode(), asked.id) == b"of id-ada"
    assert registry.emails.find("bob") == lost


def test_an_address_that_was_removed_is_gone(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis, clock: FakeClock
) -> None:
    registry.emails.confirm("ada", ask(registry, clock, "ada").id)
    registry.emails.remove("ada")
    assert redis.keys(f"*{'ada'}*") == []
    assert wishes_of(redis) == []
    with pytest.raises(NotFound):
        registry.emails.remove("ada")
