"""What players have registered: settings, browsers, webhooks, addresses: carried by a backup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from secrets import token_hex
from typing import Any, Final

import orjson
from redis import Redis
from redis.client import Pipeline

from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import NotFound, QuotaExceeded
from cartulary.events.model.failures import WrongKey
from cartulary.events.notices.addresses import EmailAddresses
from cartulary.events.notices.rows import StoredSubscription, StoredWebhook
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.notices.wishes import NoticeWishes
from cartulary.events.server import keys

GIVEN_UP_MS: Final = 5 * 24 * 3600 * 1000
MOST_BROWSERS: Final = 20
MOST_WEBHOOKS: Final = 5

WebhookChange = Callable[[StoredWebhook], StoredWebhook]
"""Returns what becomes of a webhook; called again when something else has changed meanwhile."""


def make_endpoint_id() -> str:
    """Return the id of a browser or a webhook."""
    return token_hex(8)


def hash_endpoint(endpoint: str) -> str:
    """Return the name under which the store finds an endpoint."""
    return sha256(endpoint.encode()).hexdigest()


def _read_webhook(found: Any) -> StoredWebhook:
    """Return what the store has kept. Raises `NotFound` when that is nothing."""
    if found is None:
        raise NotFound("you have no such webhook")
    return StoredWebhook.read(found)


class NoticeRegistry:
    """Settings, browsers and webhooks of all players. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock) -> None:
        self._redis, self._clock = redis, clock
        self.wishes = NoticeWishes(redis)
        self.emails = EmailAddresses(redis, clock, self.wishes)

    # -- settings ---------------------------------------------------------------------------------

    def read_settings(self, player_id: str) -> NoticeSettings:
        """Return what a player has chosen, the defaults where nothing was chosen."""
        found: Any = self._redis.get(keys.notice_settings(player_id))
        return NoticeSettings.read(orjson.loads(found) if found else {})

    def read_settings_of(self, players: Sequence[str]) -> dict[str, NoticeSettings]:
        """Return what some players have chosen, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for player_id in players:
            pipe.get(keys.notice_settings(player_id))
        found: list[Any] = pipe.execute() if players else []
        chosen = (NoticeSettings.read(orjson.loads(text) if text else {}) for text in found)
        return dict(zip(players, chosen, strict=True))

    def write_settings(self, player_id: str, settings: NoticeSettings) -> None:
        """Store what a player has chosen."""

        def write(pipe: Pipeline) -> None:
            pipe.multi()
            text: Any = orjson.dumps(settings.describe())
            pipe.set(keys.notice_settings(player_id), text)

        self.wishes.change(player_id, write)

    # -- browsers ---------------------------------------------------------------------------------

    def list_browsers(self, player_id: str) -> list[StoredSubscription]:
        """Return the browsers of a player, the oldest first."""
        found: Any = self._redis.hvals(keys.push_subscriptions(player_id))
        browsers = [StoredSubscription.read(text) for text in found]
        return sorted(browsers, key=lambda one: (one.created_at, one.id))

    def add_browser(self, player_id: str, browser: StoredSubscription) -> StoredSubscription:
        """Register a browser, or renew its row: one endpoint is one row, and of one player.

        A browser in which another player signs in tells the player before nothing more. Returns
        the row; its id is that of before. Raises `QuotaExceeded`.
        """
        owner = keys.push_endpoint(hash_endpoint(browser.endpoint))
        stored, losers = [browser], list[str]()

        def add(pipe: Pipeline) -> None:
            losers.clear()
            found: Any = pipe.get(owner)
            before, _, old_id = found.decode().partition(" ") if found else ("", "", "")
            count: Any = pipe.hlen(keys.push_subscriptions(player_id))
            if before != player_id and count >= MOST_BROWSERS:
                raise QuotaExceeded("push_subscriptions", MOST_BROWSERS, int(count), 0, None)
            stored[0] = replace(browser, id=old_id or browser.id)
            pipe.multi()
            if before and before != player_id:
                losers.append(before)
                pipe.hdel(keys.push_subscriptions(before), old_id)
                pipe.sadd(keys.stale_wishes(), before)
            text: Any = stored[0].text()
            pipe.hset(keys.push_subscriptions(player_id), stored[0].id, text)
            pipe.set(owner, f"{player_id} {stored[0].id}")

        self.wishes.change(player_id, add, owner)
        for loser in losers:
            self.wishes.write(loser)
        return stored[0]

    def find_browser(self, player_id: str, browser_id: str) -> StoredSubscription:
        """Return a browser of a player. Raises `NotFound`."""
        found: Any = self._redis.hget(keys.push_subscriptions(player_id), browser_id)
        if found is None:
            raise NotFound("you have no such push subscription")
        return StoredSubscription.read(found)

    def remove_browser(self, player_id: str, browser_id: str) -> None:
        """Forget a browser. Raises `NotFound`."""
        browser = self.find_browser(player_id, browser_id)
        owner = keys.push_endpoint(hash_endpoint(browser.endpoint))

        def remove(pipe: Pipeline) -> None:
            found: Any = pipe.get(owner)
            pipe.multi()
            pipe.hdel(keys.push_subscriptions(player_id), browser_id)
            if found == f"{player_id} {browser_id}".encode():
                pipe.delete(owner)

        self.wishes.change(player_id, remove, owner)

    # -- webhooks ---------------------------------------------------------------------------------

    def list_webhooks(self, player_id: str) -> list[StoredWebhook]:
        """Return the webhooks of a player, the oldest first."""
        found: Any = self._redis.hvals(keys.webhooks(player_id))
        webhooks = [StoredWebhook.read(text) for text in found]
        return sorted(webhooks, key=lambda one: (one.created_at, one.id))

    def find_webhook(self, player_id: str, webhook_id: str) -> StoredWebhook:
        """Return a webhook of a player. Raises `NotFound`."""
        return _read_webhook(self._redis.hget(keys.webhooks(player_id), webhook_id))

    def add_webhook(
        self,
        player_id: str,
        webhook: StoredWebhook,
        check: Callable[[Pipeline], None] | None = None,
    ) -> None:
        """Register a webhook; `check` is asked in the same step and raises when it may not be.

        Raises `QuotaExceeded`.
        """

        def add(pipe: Pipeline) -> None:
            if check is not None:
                check(pipe)
            count: Any = pipe.hlen(keys.webhooks(player_id))
            if count >= MOST_WEBHOOKS:
                raise QuotaExceeded("webhooks", MOST_WEBHOOKS, int(count), 0, None)
            pipe.multi()
            text: Any = webhook.text()
            pipe.hset(keys.webhooks(player_id), webhook.id, text)

        self.wishes.change(player_id, add)

    def change_webhook(
        self, player_id: str, webhook_id: str, change: WebhookChange
    ) -> StoredWebhook:
        """Change a webhook as it is in that step; returns what is stored by then.

        Raises `NotFound`, and what `change` raises: then nothing is stored.
        """
        stored: list[StoredWebhook] = []

        def write(pipe: Pipeline) -> None:
            found = _read_webhook(pipe.hget(keys.webhooks(player_id), webhook_id))
            stored[:] = [change(found)]
            pipe.multi()
            text: Any = stored[0].text()
            pipe.hset(keys.webhooks(player_id), webhook_id, text)

        self.wishes.change(player_id, write)
        return stored[0]

    def remove_webhook(self, player_id: str, webhook_id: str) -> None:
        """Forget a webhook, its log too. Raises `NotFound`."""
        self.find_webhook(player_id, webhook_id)

        def remove(pipe: Pipeline) -> None:
            pipe.multi()
            pipe.hdel(keys.webhooks(player_id), webhook_id)
            pipe.delete(keys.delivery_log(webhook_id))

        self.wishes.change(player_id, remove)

    def drop_webhooks(self, pipe: Pipeline, player_id: str) -> None:
        """Add the commands that forget all webhooks of a player; their logs expire."""
        pipe.delete(keys.webhooks(player_id))
        pipe.sadd(keys.stale_wishes(), player_id)

    def note_outcome(
        self, player_id: str, webhook_id: str, url: str, succeeded: bool
    ) -> StoredWebhook:
        """Note what the target at an address answered; returns the webhook as it is by then.

        A target that has not taken a message for five days is switched off. Raises `NotFound`.
        """
        now = self._clock.now_ms()

        def note(webhook: StoredWebhook) -> StoredWebhook:
            if succeeded:
                return replace(webhook, failing_since=0)
            if not webhook.failing_since:
                return replace(webhook, failing_since=now)
            given_up = now - webhook.failing_since >= GIVEN_UP_MS
            return replace(webhook, off="failing") if given_up else webhook

        return self._note(player_id, webhook_id, url, note)

    def note_gone(self, player_id: str, webhook_id: str, url: str) -> StoredWebhook:
        """Switch off a webhook whose target is gone; returns it as it is by then.

        Raises `NotFound`.
        """
        now = self._clock.now_ms()

        def note(webhook: StoredWebhook) -> StoredWebhook:
            return replace(webhook, off="gone", failing_since=webhook.failing_since or now)

        return self._note(player_id, webhook_id, url, note)

    def _note(
        self, player_id: str, webhook_id: str, url: str, note: WebhookChange
    ) -> StoredWebhook:
        """Note an answer, unless the webhook is off or has another address by now."""

        def note_if_asked(webhook: StoredWebhook) -> StoredWebhook:
            return webhook if webhook.off or webhook.url != url else note(webhook)

        webhook = self.find_webhook(player_id, webhook_id)
        if note_if_asked(webhook) == webhook:  # most outcomes change nothing
            return webhook
        return self.change_webhook(player_id, webhook_id, note_if_asked)

    # -- the whole player -------------------------------------------------------------------------

    def forget(self, player_id: str) -> None:
        """Forget all that a player has registered, as at the deletion of an account."""
        for browser in self.list_browsers(player_id):
            self.remove_browser(player_id, browser.id)
        for webhook in self.list_webhooks(player_id):
            self.remove_webhook(player_id, webhook.id)
        self.emails.forget(player_id)
        self._redis.delete(keys.notice_settings(player_id))
        self.wishes.write(player_id)

    def move(self, guest_id: str, player_id: str) -> None:
        """Move all that a guest has registered to an account, whose own settings stay.

        Also what is beyond the bounds: it exists already. Repeating a call that was interrupted
        goes on.
        """
        for browser in self.list_browsers(guest_id):
            self._move_browser(guest_id, player_id, browser)
        for webhook in self.list_webhooks(guest_id):
            self._move_webhook(guest_id, player_id, webhook.id)
        self.emails.move(guest_id, player_id)
        chosen: Any = self._redis.get(keys.notice_settings(guest_id))
        if chosen is not None:
            self._redis.set(keys.notice_settings(player_id), chosen, nx=True)
            self._redis.delete(keys.notice_settings(guest_id))
        self.wishes.write(guest_id)
        self.wishes.write(player_id)

    def _move_browser(self, guest_id: str, player_id: str, browser: StoredSubscription) -> None:
        owner = keys.push_endpoint(hash_endpoint(browser.endpoint))

        def move(pipe: Pipeline) -> None:
            found: Any = pipe.get(owner)
            pipe.multi()
            pipe.hdel(keys.push_subscriptions(guest_id), browser.id)
            # Another player may have subscribed with it at this moment.
            if found == f"{guest_id} {browser.id}".encode():
                text: Any = browser.text()
                pipe.hset(keys.push_subscriptions(player_id), browser.id, text)
                pipe.set(owner, f"{player_id} {browser.id}")

        self.wishes.change(guest_id, move, owner)

    def _move_webhook(self, guest_id: str, player_id: str, webhook_id: str) -> None:
        def move(pipe: Pipeline) -> None:
            found: Any = pipe.hget(keys.webhooks(guest_id), webhook_id)
            pipe.multi()
            if found is not None:
                pipe.hset(keys.webhooks(player_id), webhook_id, found)
                pipe.hdel(keys.webhooks(guest_id), webhook_id)

        self.wishes.change(guest_id, move)

    # -- the whole store --------------------------------------------------------------------------

    def rebuild_wishes(self) -> None:
        """Write the wishes of all players again, as after a restore."""
        for player_id in sorted(self._list_players()):
            self.wishes.write(player_id)

    def rotate(self, keyring: Keyring) -> tuple[int, list[str]]:
        """Encrypt the secrets of all webhooks and addresses with the first key of a keyring.

        Returns their number, and the webhooks and the players of whose address no key decrypts a
        secret: those stay as they are.
        """
        done, unreadable = 0, list[str]()
        for player_id in sorted(self._list_players(keys.webhooks("*"))):
            for webhook in self.list_webhooks(player_id):
                try:
                    done += self._encrypt_again(player_id, webhook.id, keyring)
                except WrongKey:
                    unreadable.append(webhook.id)
        for player_id in sorted(self._list_players(keys.email("*"))):
            try:
                done += self.emails.encrypt_again(player_id, keyring)
            except WrongKey:
                unreadable.append(player_id)
        return done, unreadable

    def _encrypt_again(self, player_id: str, webhook_id: str, keyring: Keyring) -> int:
        """Encrypt the secrets of a webhook; returns how many it has. Raises `WrongKey`."""

        def encrypt(webhook: StoredWebhook) -> StoredWebhook:
            secrets = tuple(one.encrypt_again(keyring, webhook_id) for one in webhook.secrets)
            return replace(webhook, secrets=secrets)

        try:
            return len(self.change_webhook(player_id, webhook_id, encrypt).secrets)
        except NotFound:
            return 0  # The player has removed it in the meantime.

    def _list_players(self, *patterns: str) -> set[str]:
        """Return the players who have registered something."""
        wanted = patterns or (
            keys.notice_settings("*"),
            keys.push_subscriptions("*"),
            keys.webhooks("*"),
            keys.email("*"),
        )
        return {
            key.decode().partition(":")[2]
            for pattern in wanted
            for key in self._redis.scan_iter(match=pattern, count=1000)
        }
