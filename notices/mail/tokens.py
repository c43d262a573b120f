"""Links in mails that act without a sign-in: a token says what for, for whom, and that it is ours.

A token is signed with a secret that belongs to one address of one player, so that it ends when the
address is replaced or removed, and outlives a change of the operator's key.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import Final, Literal, NamedTuple, get_args

Purpose = Literal["confirm", "unsubscribe"]

SECRET_BYTES: Final = 32
_MAC_BYTES: Final = 18


class MailToken(NamedTuple):
    """What the token of a link says; `mac` is to be checked with the secret of the address."""

    purpose: Purpose
    player: str
    mac: bytes

    def is_signed_with(self, secret: bytes) -> bool:
        """Say whether the token was made with a secret."""
        return hmac.compare_digest(self.mac, _sign(self.purpose, self.player, secret))


def write_token(purpose: Purpose, player: str, secret: bytes) -> str:
    """Return a token in letters that every mail program leaves alone."""
    mac = _sign(purpose, player, secret)
    return base64.urlsafe_b64encode(mac + _say(purpose, player)).decode().rstrip("=")


def read_token(text: str) -> MailToken | None:
    """Return what a token says, None for a text that this service cannot have made."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        said = raw[_MAC_BYTES:].decode("ascii")
    except (binascii.Error, ValueError):
        return None
    purpose, blank, player = said.partition(" ")
    if not blank or not player.isalnum():
        return None
    for known in get_args(Purpose):
        if purpose == known:
            return MailToken(known, player, raw[:_MAC_BYTES])
    return None


def _say(purpose: Purpose, player: str) -> bytes:
    return f"{purpose} {player}".encode()


def _sign(purpose: Purpose, player: str, secret: bytes) -> bytes:
    return hmac.digest(secret, _say(purpose, player), "sha256")[:_MAC_BYTES]
