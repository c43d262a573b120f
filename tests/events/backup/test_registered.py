"""What players have registered comes back from a backup, and its secrets are of use there."""

from __future__ import annotations

import os
import secrets

import pytest

from cartulary.events.draws.keyring import Keyring
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import (
    StoredAddress,
    StoredSecret,
    StoredSubscription,
    StoredWebhook,
)
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.people.passkeys import Passkey
from cartulary.events.people.players import Player, hash_token
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.backup.restoring import back_up, carried, restore

pytestmark = pytest.mark.real

OLD, NEW = (secrets.token_bytes(32) for _ in range(2))
HOOK, ADDRESS = "w" * 16, "e" * 16


def register(store: Store, keyring: Keyring) -> Player:
    """Let a player register one of each."""
    ada, token = store.players.create("Ada")
    now = store.clock.now_ms()
    notices = store.notices
    secret = StoredSecret(keyring.encrypt(b"whsec_hook", HOOK).decode(), None)
    hook = StoredWebhook(HOOK, "https://a.example/", ("your_turn",), "standard", (secret,), now)
    notices.add_webhook(ada.id, hook)
    browser = StoredSubscription("b1", "https://push.example/1", "p", "a", "Phone", "en", now)
    notices.add_browser(ada.id, browser)
    notices.write_settings(ada.id, NoticeSettings.read({"digest": "09:00"}))
    sealed = keyring.encrypt(b"address", ADDRESS).decode()
    notices.emails.ask(ada.id, StoredAddress(ADDRESS, "ada@example.org", "en", sealed, now))
    notices.emails.confirm(ada.id, ADDRESS)
    passkey = Passkey("Y3JlZA", "a2V5", 3, "games.example", "Phone", "2026-01-01T00:00:00.000Z")
    store.passkeys.add(ada.id, passkey, hash_token(token))
    return ada


def read_secrets(store: Store, player: Player, keyring: Keyring) -> list[bytes]:
    hook = store.notices.find_webhook(player.id, HOOK)
    address = store.notices.emails.find(player.id)
    assert address is not None
    return [
        keyring.decrypt(hook.secrets[0].encrypted.encode(), HOOK),
        keyring.decrypt(address.encrypted.encode(), ADDRESS),
    ]


def test_browsers_webhooks_addresses_and_passkeys_come_back_with_their_secrets(
    store: Store, other: Store
) -> None:
    ada = register(store, Keyring([OLD]))
    unconfirmed, _ = store.players.create("Bob")
    id_ = make_endpoint_id()
    sealed = Keyring([OLD]).encrypt(os.urandom(32), id_).decode()
    waits = StoredAddress(id_, "bob@example.org", "en", sealed, store.clock.now_ms())
    store.notices.emails.ask(unconfirmed.id, waits)
    restore(other, back_up(store))
    assert carried(other.redis) == carried(store.redis)
    assert read_secrets(other, ada, Keyring([OLD])) == [b"whsec_hook", b"address"]
    assert other.notices.list_browsers(ada.id) == store.notices.list_browsers(ada.id)
    assert other.notices.read_settings(ada.id) == store.notices.read_settings(ada.id)
    assert other.passkeys.list_of(ada.id) == store.passkeys.list_of(ada.id)
    assert other.notices.emails.find(unconfirmed.id) == waits
    # Who is notified of what follows from these.
    for each in (store, other):
        wishes = each.registry.hgetall(keys.notice_wishes())
        assert list(wishes) == [ada.id.encode()]
        assert b'"email"' in wishes[ada.id.encode()]
    assert other.notices.rotate(Keyring([NEW, OLD])) == (3, [])
    assert read_secrets(other, ada, Keyring([NEW])) == [b"whsec_hook", b"address"]
