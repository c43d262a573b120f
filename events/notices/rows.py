"""The rows of the registry of notices: browsers, webhooks, addresses. Pure but for encryption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, Self, get_args

import orjson

from cartulary.events.draws.keyring import Keyring
from cartulary.events.lists.inbox import Type

WebhookFormat = Literal["standard", "discord", "slack", "relay", "move"]
FORMATS: Final[tuple[WebhookFormat, ...]] = get_args(WebhookFormat)

MOVE: Final = "move"
"""The format of a webhook that asks a bot for its moves; it is sent no items of the inbox."""

SIGNED: Final = frozenset({"standard", "relay", MOVE})
"""Formats of our own; Discord and Slack know no signature."""

ROTATION_MS: Final = 24 * 3600 * 1000
"""For so long the old secret signs as well after a new one was made."""


@dataclass(frozen=True, slots=True)
class StoredSubscription:
    """A browser of a player: as `PushSubscription.toJSON()`, with a label; times in ms."""

    id: str
    endpoint: str
    p256dh: str
    auth: str
    label: str
    language: str
    created_at: int

    @property
    def origin(self) -> str:
        """The push service, without what only the browser knows."""
        return "/".join(self.endpoint.split("/")[:3])

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Return what the store has kept."""
        return cls(**orjson.loads(text))

    def text(self) -> bytes:
        """Return what the store keeps."""
        return orjson.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """A secret of a webhook, encrypted; `until` (ms): when it stops signing, 0: never."""

    encrypted: str
    public: str | None
    until: int = 0

    def encrypt_again(self, keyring: Keyring, webhook_id: str) -> Self:
        """Return the secret under the first key of a keyring. Raises `WrongKey`."""
        return replace(self, encrypted=change_key(keyring, self.encrypted, webhook_id))


def change_key(keyring: Keyring, encrypted: str, bound_to: str) -> str:
    """Return a secret under the first key of a keyring. Raises `WrongKey`."""
    secret = keyring.decrypt(encrypted.encode(), bound_to)
    return keyring.encrypt(secret, bound_to).decode()


@dataclass(frozen=True, slots=True)
class StoredWebhook:
    """A webhook of a player; times in ms since the epoch.

    `failing_since`: since when no delivery has succeeded, 0: the last one has. It stays while the
    webhook is off. `off`: why nothing is sent to it, '' while it is on. `secrets`: newest first.
    """

    id: str
    url: str
    types: tuple[Type, ...]
    format: WebhookFormat
    secrets: tuple[StoredSecret, ...]
    created_at: int
    language: str = "en"
    failing_since: int = 0
    off: str = ""

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Return what the store has kept."""
        found: dict[str, Any] = orjson.loads(text)
        secrets = tuple(StoredSecret(**one) for one in found.pop("secrets"))
        return cls(**found | {"types": tuple(found["types"]), "secrets": secrets})

    def text(self) -> bytes:
        """Return what the store keeps."""
        return orjson.dumps(asdict(self))

    @property
    def has_failed(self) -> bool:
        """Whether it was switched off because of what its target answered."""
        return self.off in ("failing", "gone")

    def list_signing(self, now_ms: int) -> Sequence[StoredSecret]:
        """Return the secrets that sign now."""
        return [one for one in self.secrets if not one.until or one.until > now_ms]

    def rotate(self, secret: StoredSecret, now_ms: int) -> Self:
        """Return the webhook with a new secret; the one before signs for another day."""
        before = [replace(one, until=one.until or now_ms + ROTATION_MS) for one in self.secrets]
        living = [one for one in before if one.until > now_ms]
        # Two secrets at most: a player who rotates twice within a day wants the oldest gone.
        return replace(self, secrets=(secret, *living[:1]))


AddressState = Literal["unconfirmed", "confirmed"]


@dataclass(frozen=True, slots=True)
class StoredAddress:
    """The e-mail address of a player; times in ms since the epoch.

    `encrypted`: the secret that signs the links in its mails. `confirmed_at` is 0 until the person
    who reads the address has agreed. `off`: why nothing is sent to it, '' while it is on.
    """

    id: str
    address: str
    language: str
    encrypted: str
    created_at: int
    confirmed_at: int = 0
    off: str = ""

    @property
    def state(self) -> AddressState:
        """Whether the person who reads the address has agreed."""
        return "confirmed" if self.confirmed_at else "unconfirmed"

    @property
    def is_told(self) -> bool:
        """Whether notices are sent to it."""
        return bool(self.confirmed_at) and not self.off

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Return what the store has kept."""
        return cls(**orjson.loads(text))

    def text(self) -> bytes:
        """Return what the store keeps."""
        return orjson.dumps(asdict(self))
