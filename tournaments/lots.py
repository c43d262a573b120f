"""Lots: what chance decides in a tournament follows from its pairing secret, and can be checked.

Every lot is an HMAC-SHA256 of the secret over a label, so the same secret draws the same lots.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Final

PAIRING_SCHEME: Final = "cartulary-pairing/1"
"""The version of the rules of pairing: another cost, search or label is another version."""

_STEP: Final = 1 << 32


def draw_lot(secret: bytes, *label: str | int) -> int:
    """Return the lot of a label: a number of 64 bits."""
    return int.from_bytes(_derive(secret, *label)[:8])


def draw_steps(secret: bytes, *label: str | int) -> Iterator[int]:
    """Yield numbers of 32 bits without end: eight out of each SHA-256 of a seed and a count."""
    seed, count = _derive(secret, *label), 0
    while True:
        block = hashlib.sha256(seed + count.to_bytes(8)).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4])
        count += 1


def pick(step: int, among: int) -> int:
    """Return the index that a number of 32 bits picks among so many."""
    return step * among // _STEP


def _derive(secret: bytes, *label: str | int) -> bytes:
    text = "\n".join([PAIRING_SCHEME, ":".join(map(str, label))])
    return hmac.digest(secret, text.encode(), "sha256")
