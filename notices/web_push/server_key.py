"""The key with which a push service knows us: VAPID (RFC 8292)."""

from __future__ import annotations

from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from cartulary.notices.egress import Target
from cartulary.notices.web_push.subscriptions import encode_url

SECONDS_VALID: Final = 12 * 3600
"""RFC 8292, section 2: at most a day. Half of it leaves room for clocks that differ."""


class PushServerKey:
    """A key pair on P-256 and whom a push service may write to, `mailto:` or `https:`."""

    def __init__(self, pem: bytes, contact: str) -> None:
        """Read a private key in PEM; raises `ValueError` when it cannot be one."""
        self._key = Vapid02.from_pem(pem)
        self._contact = contact

    @classmethod
    def make(cls, contact: str) -> Self:
        """Make a key pair."""
        key = Vapid02()
        key.generate_keys()
        return cls(key.private_pem(), contact)

    @property
    def pem(self) -> bytes:
        """Return the private key in PEM, to be kept where no other user can read it."""
        pem: bytes = self._key.private_pem()
        return pem

    @property
    def public_text(self) -> str:
        """Return the public key as a browser wants it: 65 bytes in base64url."""
        key: ec.EllipticCurvePublicKey = self._key.public_key
        return encode_url(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def authorize(self, target: Target, now: int) -> str:
        """Return the header `Authorization` for a push service; `now` in seconds since 1970."""
        claims = {
            "aud": f"https://{target.authority}",
            "exp": now + SECONDS_VALID,
            "sub": self._contact,
        }
        header: str = self._key.sign(claims)["Authorization"]
        return header
