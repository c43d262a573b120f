"""Patterns of keys, as KEYS and SCAN take them: `*`, `?`, `[a-z]`, `[^a]`, and a backslash."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=256)
def compile_pattern(pattern: bytes) -> re.Pattern[bytes] | None:
    """Return what matches whole keys, None for the pattern of all keys."""
    if pattern == b"*":
        return None
    parts: list[bytes] = []
    place = 0
    while place < len(pattern):
        sign = pattern[place : place + 1]
        place += 1
        if sign == b"*":
            parts.append(b".*")
        elif sign == b"?":
            parts.append(b".")
        elif sign == b"[":
            part, place = _read_class(pattern, place)
            parts.append(part)
        else:
            if sign == b"\\" and place < len(pattern):
                sign = pattern[place : place + 1]
                place += 1
            parts.append(re.escape(sign))
    return re.compile(b"".join(parts) + rb"\Z", re.DOTALL)


def _read_class(pattern: bytes, place: int) -> tuple[bytes, int]:
    """Return a class of signs, and the place behind it; one without an end goes to the end."""
    negated = pattern[place : place + 1] == b"^"
    place += negated
    signs: list[bytes] = []
    while place < len(pattern) and pattern[place : place + 1] != b"]":
        sign = pattern[place : place + 1]
        if sign == b"\\" and place + 1 < len(pattern):
            signs.append(re.escape(pattern[place + 1 : place + 2]))
            place += 2
        elif pattern[place + 1 : place + 2] == b"-" and place + 2 < len(pattern):
            low, high = sorted((sign, pattern[place + 2 : place + 3]))
            signs.append(re.escape(low) + b"-" + re.escape(high))
            place += 3
        else:
            signs.append(re.escape(sign))
            place += 1
    if not signs:
        return (b"." if negated else b"(?!)"), place + 1
    return b"[" + (b"^" if negated else b"") + b"".join(signs) + b"]", place + 1
