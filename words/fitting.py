"""A text that has to be short: what matters least goes first, and no word is cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

MORE: Final = " … +"
"""Stands, with a number, for the items that a line has lost."""


@dataclass(frozen=True, slots=True)
class TextItem:
    """A part of a line that stays whole; items with the highest `rank` go first."""

    text: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line: what it is about, and its items."""

    head: str
    items: Sequence[TextItem]
    between: str = "; "


def fit(lines: Iterable[TextLine], most: int) -> str:
    """Return lines as a text of at most `most` characters.

    A line without items is left out. Items go by their rank, the last of a rank first; one that
    has rank 0 goes when nothing else is left. A line says how many items it has lost.
    """
    lines = [line for line in lines if line.items]
    order = [
        (item.rank, row, place)
        for row, line in enumerate(lines)
        for place, item in enumerate(line.items)
    ]
    kept, length = {(row, place) for _, row, place in order}, sum(map(_measure, lines))
    for _, row, place in sorted(order, reverse=True):
        if length <= most:
            break
        before = _measure_kept(lines[row], row, kept)
        kept.remove((row, place))
        length += _measure_kept(lines[row], row, kept) - before
    return "".join(_write(line, row, kept) for row, line in enumerate(lines))


def _measure(line: TextLine) -> int:
    return len(_write(line, 0, {(0, place) for place in range(len(line.items))}))


def _measure_kept(line: TextLine, row: int, kept: set[tuple[int, int]]) -> int:
    return len(_write(line, row, kept))


def _write(line: TextLine, row: int, kept: set[tuple[int, int]]) -> str:
    """Return what is left of a line, with its end; empty when nothing is."""
    left = [item.text for place, item in enumerate(line.items) if (row, place) in kept]
    if not left:
        return ""
    lost = len(line.items) - len(left)
    return f"{line.head}{line.between.join(left)}{f'{MORE}{lost}' if lost else ''}\n"
