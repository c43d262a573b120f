"""Marks on the board: a place, or an arrow from one to another, in the words of the move contract.

A place is what a picture names in its `data-` members (`pictures`): a cell or a segment of
Carcassonne, a space, a building or a line of favours of Caylus, a seat of either.
"""

from __future__ import annotations

import re
from typing import Any, Final

from cartulary.engine.canonical import canonical_json, quote
from cartulary.engine.core import Json
from cartulary.studies.faults import Path, must
from cartulary.studies.limits import MARKS

KINDS: Final = ("look", "good", "bad")
"""What a mark says: look here; this is good; this is bad."""

PLACES: Final = (
    frozenset(("x", "y")),
    frozenset(("x", "y", "segment")),
    frozenset(("space",)),
    frozenset(("building",)),
    frozenset(("line",)),
    frozenset(("section",)),
    frozenset(("seat",)),
)
"""The keys that a place has together."""

_NUMBERS: Final = frozenset(("x", "y", "seat"))
_NAME: Final = re.compile(r"[A-Za-z0-9_:.-]{1,40}")


def check_marks(value: Any, path: Path) -> list[Json]:
    """Return the marks of a position. Raises `FaultyStudy`."""
    must(isinstance(value, list), "form", path, f"marks are a list, not {quote(value)}")
    must(len(value) <= MARKS, "too_much", path, f"a position has {MARKS} marks at most")
    marks = [_check_mark(mark, (*path, index)) for index, mark in enumerate(value)]
    alone = len({canonical_json(mark) for mark in marks}) == len(marks)
    must(alone, "twice", path, "a position has the same mark twice")
    return marks


def _check_mark(mark: Any, path: Path) -> Json:
    must(isinstance(mark, dict), "form", path, f"a mark is an object, not {quote(mark)}")
    keys = set(mark) - {"kind"}
    shape = "a mark has 'kind', and either 'at' or 'from' and 'to'"
    must("kind" in mark and keys in ({"at"}, {"from", "to"}), "form", path, shape)
    known = mark["kind"] in KINDS if isinstance(mark["kind"], str) else False
    must(known, "form", (*path, "kind"), f"a mark is one of {', '.join(KINDS)}")
    for key in sorted(keys):
        _check_place(mark[key], (*path, key))
    return dict(mark)


def _check_place(place: Any, path: Path) -> None:
    must(isinstance(place, dict), "form", path, f"a place is an object, not {quote(place)}")
    allowed = "; ".join(", ".join(sorted(keys)) for keys in PLACES)
    must(frozenset(place) in PLACES, "form", path, f"a place has the keys of one of: {allowed}")
    for key, value in place.items():
        if key in _NUMBERS:
            right = type(value) is int and -1000 < value < 1000
        else:
            right = isinstance(value, str) and _NAME.fullmatch(value) is not None
        must(right, "form", (*path, key), f"{quote(value)} names no place")
