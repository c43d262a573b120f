"""What a browser gives to who may send to it, and the encryption for that browser alone."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Final, Self

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

AUTH_BYTES: Final = 16
POINT_BYTES: Final = 65
MOST_CONTENT: Final = 3000
"""A push service may refuse bodies over 4096 bytes (RFC 8030, section 7.2)."""


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """An endpoint with the browser's public key (65 bytes) and its shared secret (16 bytes)."""

    endpoint: str
    public_key: bytes
    secret: bytes

    @classmethod
    def read(cls, endpoint: str, p256dh: str, auth: str) -> Self:
        """Read a subscription as `PushSubscription.toJSON()` writes it.

        Raises `ValueError` for a key that is not a point of P-256 or a secret of another length.
        The endpoint is read by `egress`, like every address that a person gives.
        """
        public_key, secret = decode_url(p256dh), decode_url(auth)
        if len(public_key) != POINT_BYTES:
            raise ValueError("p256dh must be an uncompressed point: 65 bytes in base64url")
        if len(secret) != AUTH_BYTES:
            raise ValueError("auth must be 16 bytes in base64url")
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public_key)
        except ValueError as error:
            raise ValueError("p256dh must be a point of the curve P-256") from error
        return cls(endpoint, public_key, secret)

    def encrypt(
        self,
        content: bytes,
        salt: bytes | None = None,
        key: ec.EllipticCurvePrivateKey | None = None,
    ) -> bytes:
        """Encrypt a message of at most 3000 bytes; a test may give salt (16 bytes) and key.

        A key serves for one message (RFC 8291, section 3.1), so both are made here.
        """
        if len(content) > MOST_CONTENT:
            raise ValueError(f"a push message has at most {MOST_CONTENT} bytes")
        encrypted: bytes = http_ece.encrypt(
            content,
            salt=salt,
            private_key=key or ec.generate_private_key(ec.SECP256R1()),
            dh=self.public_key,
            auth_secret=self.secret,
            version="aes128gcm",
        )
        return encrypted


def decode_url(text: str) -> bytes:
    """Decode base64url with or without padding; raises `ValueError` for all else."""
    try:
        raw = text.rstrip("=").encode("ascii")
        return base64.b64decode(raw + b"=" * (-len(raw) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("not in base64url") from error


def encode_url(raw: bytes) -> str:
    """Encode as base64url without padding, as the Push API does."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
