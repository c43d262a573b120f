"""Codes that people read from a screen or from paper, and type.

A code has letters of which no two look the same (Crockford's base 32): `0` and `O`, and `1`, `I`
and `L`, are the same letter, and a person may write small letters and leave out the hyphens.
"""

from __future__ import annotations

import secrets
from typing import Final

LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""32 letters: each holds five bits."""

GROUP: Final = 4
"""Letters between two hyphens."""

_LOOKS_LIKE: Final = str.maketrans("OIL", "011", "- ")


def make_code(letters: int) -> str:
    """Return a new code of so many letters, without hyphens."""
    return "".join(secrets.choice(LETTERS) for _ in range(letters))


def show_code(code: str) -> str:
    """Return a code with hyphens, as people see it."""
    return "-".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


def read_code(text: str, letters: int) -> str | None:
    """Return the code that a person has typed, None when it is no code of so many letters."""
    if len(text) > 4 * letters:
        return None
    code = text.strip().upper().translate(_LOOKS_LIKE)
    return code if len(code) == letters and set(code) <= set(LETTERS) else None
