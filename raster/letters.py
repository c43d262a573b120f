"""Which letters the fonts of the package have, and a sign in place of those that they lack.

resvg draws nothing for a letter that no font has: a player whose name is Chinese, or an emoji,
would have no name in the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Final
from unicodedata import category

FONTS: Final = Path(__file__).parent / "fonts"
MISSING: Final = "□"
"""What stands for a letter that no font has."""

_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_UNSEEN: Final = ("Cf", "Mn", "Me")
"""The categories of what has no shape of its own: marks of direction, accents, joiners."""


@cache
def list_fonts() -> list[str]:
    """Return the paths of the fonts."""
    return [str(path) for path in sorted(FONTS.glob("*.ttf"), reverse=True)]


def replace_missing(text: str) -> str:
    """Return a text with `MISSING` in place of each letter that no font has."""
    return text if text.isascii() else _FOREIGN.sub(lambda found: _replace(found[0]), text)


def _replace(letter: str) -> str:
    if ord(letter) in _list_letters():
        return letter
    return "" if category(letter) in _UNSEEN else MISSING


@cache
def _list_letters() -> frozenset[int]:
    """Return the code points of all letters of the fonts."""
    return frozenset(
        code
        for path in list_fonts()
        for first, last in _read_ranges(Path(path).read_bytes())
        for code in range(first, last + 1)
    )


def _read_ranges(font: bytes) -> Iterator[tuple[int, int]]:
    """Yield the ranges of code points of a TrueType font (OpenType, table `cmap`)."""
    count = unpack_from(">H", font, 4)[0]
    records = (unpack_from(">4sIII", font, 12 + 16 * at) for at in range(count))
    start = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    for at in range(unpack_from(">H", font, start + 2)[0]):
        table = start + unpack_from(">I", font, start + 8 + 8 * at)[0]
        kind = unpack_from(">H", font, table)[0]
        if kind == 4:
            yield from _read_segments(font, table)
        elif kind == 12:
            groups = unpack_from(">I", font, table + 12)[0]
            for group in range(groups):
                yield unpack_from(">II", font, table + 16 + 12 * group)


def _read_segments(font: bytes, table: int) -> Iterator[tuple[int, int]]:
    """Yield the segments of a table of format 4; the last one, 0xffff, is no letter."""
    count = unpack_from(">H", font, table + 6)[0] // 2
    lasts = unpack_from(f">{count}H", font, table + 14)
    firsts = unpack_from(f">{count}H", font, table + 16 + 2 * count)
    return ((first, last) for first, last in zip(firsts, lasts, strict=True) if last != 0xFFFF)
