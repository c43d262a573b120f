"""What becomes of settings, browsers and webhooks at a merge, a restore, a change of the key."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import fakeredis
import pytest

from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.errors import NotFound
from cartulary.events.notices.registry import NoticeRegistry, hash_endpoint
from cartulary.events.notices.rows import StoredSecret, StoredSubscription, StoredWebhook
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.server import keys
from tests.support.fake_clock import FakeClock

OLD, NEW = (secrets.token_bytes(32) for _ in range(2))
URL = "https://hook.example/"
QUIET = NoticeSettings.read({"quiet": {"from": "22:00", "until": "07:00"}})


@pytest.fixture
def redis() -> fakeredis.FakeRedis:
    return fakeredis.FakeRedis()


@pytest.fixture
def registry(redis: fakeredis.FakeRedis) -> NoticeRegistry:
    return NoticeRegistry(redis, FakeClock())


def browser(name: str) -> StoredSubscription:
    return StoredSubscription(name, f"https://push.example/{name}", "p", "a", name, "en", 0)


def webhook(name: str, keyring: Keyring | None = None) -> StoredWebhook:
    kept: tuple[StoredSecret, ...] = ()
    if keyring is not None:
        kept = (StoredSecret(keyring.encrypt(b"of " + name.encode(), name).decode(), None),)
    return StoredWebhook(name, URL, ("your_turn",), "standard", kept, 0)


def fill(registry: NoticeRegistry, player: str) -> None:
    registry.add_browser(player, browser(f"b-{player}"))
    registry.add_webhook(player, webhook(f"w-{player}"))
    registry.write_settings(player, QUIET)


def test_what_a_guest_has_registered_follows_into_the_account(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis
) -> None:
    fill(registry, "guest")
    registry.add_webhook("ada", webhook("own"))
    for _ in range(2):  # A merge may be repeated.
        registry.move("guest", "ada")
        assert [one.id for one in registry.list_browsers("ada")] == ["b-guest"]
        assert {one.id for one in registry.list_webhooks("ada")} == {"own", "w-guest"}
        assert registry.read_settings("ada").quiet == QUIET.quiet
        assert (registry.list_browsers("guest"), registry.list_webhooks("guest")) == ([], [])
        assert redis.hkeys(keys.notice_wishes()) == [b"ada"]
    registry.remove_browser("ada", "b-guest")
    assert not redis.exists(keys.push_endpoint(hash_endpoint("https://push.example/b-guest")))


def test_the_settings_of_the_account_stay(registry: NoticeRegistry) -> None:
    fill(registry, "guest")
    registry.write_settings("ada", NoticeSettings.read({"reminder": None}))
    registry.move("guest", "ada")
    assert registry.read_settings("ada").quiet is None


def test_a_browser_that_another_player_has_by_then_stays_there(registry: NoticeRegistry) -> None:
    fill(registry, "guest")
    registry.add_browser("bob", browser("b-guest"))
    registry.move("guest", "ada")
    assert registry.list_browsers("ada") == []
    assert [one.id for one in registry.list_browsers("bob")] == ["b-guest"]


def test_wishes_that_are_lost_are_made_again(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis
) -> None:
    fill(registry, "ada")
    registry.add_webhook("bob", webhook("of-bob"))
    before = redis.hgetall(keys.notice_wishes())
    assert set(before) == {b"ada", b"bob"}
    redis.delete(keys.notice_wishes())
    registry.rebuild_wishes()
    assert redis.hgetall(keys.notice_wishes()) == before


def test_secrets_are_encrypted_with_the_new_key_and_what_no_key_decrypts_stays(
    registry: NoticeRegistry,
) -> None:
    registry.add_webhook("ada", webhook("one", Keyring([OLD])))
    lost = webhook("two", Keyring([secrets.token_bytes(32)]))
    registry.add_webhook("bob", lost)
    registry.add_webhook("bob", webhook("unsigned"))
    assert registry.rotate(Keyring([NEW, OLD])) == (1, ["two"])
    (kept,) = registry.find_webhook("ada", "one").secrets
    assert Keyring([NEW]).decrypt(kept.encrypted.encode(), "one") == b"of one"
    assert registry.find_webhook("bob", "two") == lost


CHANGES: dict[str, Callable[[NoticeRegistry], object]] = {
    "fails": lambda registry: registry.note_outcome("ada", "one", URL, False),
    "is_gone": lambda registry: registry.note_gone("ada", "one", URL),
    "new_key": lambda registry: registry.rotate(Keyring([NEW, OLD])),
    "merge": lambda registry: registry.move("ada", "bob"),
}


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_a_player_changes_in_a_webhook_meanwhile_stays(
    registry: NoticeRegistry,
    change: Callable[[NoticeRegistry], object],
    times: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each time the change has read the webhook, its player gives it another key and address."""
    registry.add_webhook("ada", webhook("one", Keyring([OLD])))
    read, names = StoredWebhook.read, ["last", "second", "first"][:times]

    def read_and_wait(text: bytes) -> StoredWebhook:
        found = read(text)
        if names:
            with monkeypatch.context() as alone:
                alone.setattr(StoredWebhook, "read", read)
                renew(registry, names.pop())
        return found

    monkeypatch.setattr(StoredWebhook, "read", read_and_wait)
    change(registry)
    (stored,) = registry.list_webhooks("ada") + registry.list_webhooks("bob")
    assert names == []
    assert (stored.secrets[0].public, stored.url) == ("last", "https://last.example/")


def renew(registry: NoticeRegistry, name: str) -> None:
    """Give the webhook a new key and a new address, of whichever player it is by now."""
    key = StoredSecret(Keyring([OLD]).encrypt(name.encode(), "one").decode(), name)
    for player in ("ada", "bob"):
        with suppress(NotFound):
            registry.change_webhook(
                player,
                "one",
                lambda found: replace(found.rotate(key, 0), url=f"https://{name}.example/"),
            )


def test_a_player_who_is_deleted_has_nothing_registered(
    registry: NoticeRegistry, redis: fakeredis.FakeRedis
) -> None:
    fill(registry, "ada")
    registry.forget("ada")
    assert redis.keys("*") == []
    with pytest.raises(NotFound):
        registry.find_webhook("ada", "w-ada")
