"""The keys of `CARTULARY_SECRET`, with which secrets are encrypted at rest. No Redis in here.

`CARTULARY_SECRET` holds 64 hexadecimal digits (32 bytes), or several such keys with commas between
them: the first key encrypts, and every key decrypts. So `cartulary rotate-secret` can change the
key while processes with the new and the old key run.
"""

from __future__ import annotations

import hmac
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cartulary.events.model.failures import InvalidKey, WrongKey
from cartulary.settings.environment import Environment

NONCE_BYTES: Final = 12
KEY_BYTES: Final = 32
SEAL_BYTES: Final = 12
MARK: Final = 8
"""Digits of a check value that tell keys apart for people."""

_KEY: Final = re.compile(r"[0-9A-Fa-f]{64}", re.ASCII)


_TEMPORARY: Final = os.urandom(KEY_BYTES)
"""The key of a store that is never opened again: in tests and benches."""


class Keyring:
    """The keys of one process; without a key it neither encrypts nor decrypts."""

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        """Take keys of 32 bytes, the one that encrypts first."""
        self._keys = [AESGCM(key) for key in keys]
        self._checks = [_check_value(key) for key in keys]
        self._seals = [hmac.digest(key, b"cartulary: the key of seals", "sha256") for key in keys]

    @classmethod
    def find(cls) -> Self:
        """Return the keyring of the environment, else one that lasts as long as this process."""
        text = Environment.of_process().text("SECRET")
        return cls.parse(text) if text else cls([_TEMPORARY])

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the keyring that a text describes; raises `InvalidKey`, which shows no key."""
        return cls(parse_keys(text))

    @property
    def check(self) -> bytes:
        """The check value of the key that encrypts: it tells keys apart and says nothing of them.

        Raises `WrongKey` without a key.
        """
        if not self._checks:
            raise WrongKey("CARTULARY_SECRET is not set")
        return self._checks[0]

    @property
    def mark(self) -> str:
        """Eight digits of the check value, for people to compare; '' without a key."""
        return self._checks[0][:MARK].decode() if self._checks else ""

    def knows(self, check: bytes) -> bool:
        """Return whether a key of this keyring has the check value."""
        return any(hmac.compare_digest(check, own) for own in self._checks)

    def encrypt(self, secret: bytes, bound_to: str) -> bytes:
        """Return nonce and secret under AES-GCM, in Base64; only valid for what it is `bound_to`.

        Raises `WrongKey` without a key.
        """
        if not self._keys:
            raise WrongKey("CARTULARY_SECRET is not set")
        nonce = os.urandom(NONCE_BYTES)
        return b64encode(nonce + self._keys[0].encrypt(nonce, secret, bound_to.encode()))

    def decrypt(self, encrypted: bytes, bound_to: str) -> bytes:
        """Return the secret; raises `WrongKey` when no key fits, or the text was changed."""
        raw = _decode(encrypted)
        nonce, text = raw[:NONCE_BYTES], raw[NONCE_BYTES:]
        for key in self._keys:
            try:
                return key.decrypt(nonce, text, bound_to.encode())
            except (InvalidTag, ValueError):
                continue
        raise WrongKey("no key of CARTULARY_SECRET fits")

    def seal(self, text: bytes) -> bytes:
        """Return what shows that this service has written a text. Raises `WrongKey` without a key.

        It hides nothing of the text.
        """
        if not self._seals:
            raise WrongKey("CARTULARY_SECRET is not set")
        return _make_seal(self._seals[0], text)

    def has_sealed(self, text: bytes, seal: bytes) -> bool:
        """Return whether a seal is that of a text, by any key of this keyring."""
        return any(hmac.compare_digest(seal, _make_seal(key, text)) for key in self._seals)


def parse_keys(text: str) -> list[bytes]:
    """Return the keys of `CARTULARY_SECRET`; raises `InvalidKey`, which shows no key."""
    words = [word.strip() for word in text.replace("\n", ",").split(",") if word.strip()]
    if not words or not all(_KEY.fullmatch(word) for word in words):
        raise InvalidKey(
            "CARTULARY_SECRET must be 64 hexadecimal digits (32 bytes, for example from "
            "`openssl rand -hex 32`), or several such keys with commas between them"
        )
    return [bytes.fromhex(word) for word in words]


def _decode(encrypted: bytes) -> bytes:
    try:
        return b64decode(encrypted, validate=True)
    except ValueError as error:
        raise WrongKey("the secret in the store was changed") from error


def _make_seal(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, "sha256")[:SEAL_BYTES]


def _check_value(key: bytes) -> bytes:
    return hmac.digest(key, b"cartulary: the check value of a key", "sha256")[:16].hex().encode()
