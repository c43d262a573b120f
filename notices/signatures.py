"""Signatures of webhooks: Standard Webhooks, `v1a` (ed25519) and `v1` (HMAC with SHA-256).

What is signed is `id.timestamp.body`. A receiver compares the id with those it has seen and the
timestamp with its clock; several signatures stand in one header while a secret is rotated.
https://www.standardwebhooks.com
"""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SigningScheme = Literal["v1", "v1a"]

PREFIXES: Final[dict[SigningScheme, str]] = {"v1": "whsec_", "v1a": "whsk_"}
PUBLIC_PREFIX: Final = "whpk_"
SECRET_BYTES: Final = 32
"""The seed of an ed25519 key (RFC 8032); the HMAC secret may have 24 to 64 bytes."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The secret of one webhook; `text` is `whsec_…` or `whsk_…`."""

    scheme: SigningScheme
    secret: bytes

    @classmethod
    def make(cls, scheme: SigningScheme) -> Self:
        """Make a secret from the random source of the operating system."""
        return cls(scheme, secrets.token_bytes(SECRET_BYTES))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the text of a secret; raises `ValueError` for all else."""
        for scheme, prefix in PREFIXES.items():
            if text.startswith(prefix):
                return cls(scheme, _decode(text.removeprefix(prefix)))
        raise ValueError("the secret must begin with whsec_ or whsk_")

    @property
    def text(self) -> str:
        """Return the secret as text. A receiver needs it for `v1` only."""
        return PREFIXES[self.scheme] + base64.b64encode(self.secret).decode()

    @property
    def public_text(self) -> str | None:
        """Return `whpk_…`, with which a receiver checks `v1a`; `v1` has no public key."""
        if self.scheme == "v1":
            return None
        key = Ed25519PrivateKey.from_private_bytes(self.secret).public_key()
        raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return PUBLIC_PREFIX + base64.b64encode(raw).decode()

    def sign(self, content: bytes) -> str:
        """Return one signature as it stands in the header: `v1a,…`."""
        if self.scheme == "v1":
            raw = hmac.digest(self.secret, content, sha256)
        else:
            raw = Ed25519PrivateKey.from_private_bytes(self.secret).sign(content)
        return f"{self.scheme},{base64.b64encode(raw).decode()}"


def sign_message(
    message: str, timestamp: int, body: bytes, keys: Sequence[SigningKey]
) -> dict[str, str]:
    """Return the three headers of a message; `timestamp` in seconds since 1970."""
    content = b"%s.%d.%s" % (message.encode(), timestamp, body)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(key.sign(content) for key in keys),
    }


def is_signed_by(public_text: str, headers: dict[str, str], body: bytes) -> bool:
    """Say whether one of the `v1a` signatures is of this public key and for this body.

    Raises `ValueError` for a public key that cannot be read.
    """
    raw = _decode(public_text.removeprefix(PUBLIC_PREFIX))
    key = Ed25519PublicKey.from_public_bytes(raw)
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    signatures = headers["webhook-signature"].split()
    found = (text.removeprefix("v1a,") for text in signatures if text.startswith("v1a,"))
    return any(_verifies(key, signature, content) for signature in found)


def _verifies(key: Ed25519PublicKey, signature: str, content: bytes) -> bool:
    try:
        key.verify(_decode(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not in base64") from error
