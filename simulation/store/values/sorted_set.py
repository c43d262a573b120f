"""A sorted set: members by score, and by their bytes where scores are equal."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from simulation.store.values.keyspace import TYPES
from simulation.store.values.replies import StoreRefusal, read_float


class Bound(NamedTuple):
    """One end of a range of scores, with or without the score itself."""

    score: float
    is_open: bool


class LexBound(NamedTuple):
    """One end of a range of members: `side` is -1 before all members, 1 after them, 0 at one."""

    side: int
    member: bytes
    is_open: bool


class SortedSet:
    """Members with scores. Places count from 0, the lowest score first."""

    __slots__ = ("order", "scores")

    def __init__(self) -> None:
        self.scores: dict[bytes, float] = {}
        self.order: list[tuple[float, bytes]] = []

    def __len__(self) -> int:
        """Return the number of members."""
        return len(self.scores)

    def __repr__(self) -> str:
        """Say all that is in it."""
        return repr(self.order)

    def copy(self) -> SortedSet:
        """Return another set with the same members."""
        made = SortedSet()
        made.scores, made.order = self.scores.copy(), self.order.copy()
        return made

    def put(self, member: bytes, score: float) -> None:
        """Add a member, or give it another score."""
        before = self.scores.get(member)
        if before is not None:
            if before == score:
                return
            del self.order[bisect_left(self.order, (before, member))]
        self.scores[member] = score
        insort(self.order, (score, member))

    def discard(self, member: bytes) -> bool:
        """Remove a member; return whether it was there."""
        before = self.scores.pop(member, None)
        if before is None:
            return False
        del self.order[bisect_left(self.order, (before, member))]
        return True

    def find_place(self, member: bytes) -> int | None:
        """Return the place of a member."""
        score = self.scores.get(member)
        return None if score is None else bisect_left(self.order, (score, member))

    def find_scores(self, low: Bound, high: Bound) -> tuple[int, int]:
        """Return begin and end, as of a slice, of the members with scores in a range."""
        cut = bisect_right if low.is_open else bisect_left
        start = cut(self.order, low.score, key=_score)
        cut = bisect_left if high.is_open else bisect_right
        return start, max(start, cut(self.order, high.score, key=_score))

    def find_members(self, low: LexBound, high: LexBound) -> tuple[int, int]:
        """Return begin and end of the members in a range; all scores are to be equal."""
        start = self._find_lex(low, bisect_right if low.is_open else bisect_left)
        stop = self._find_lex(high, bisect_left if high.is_open else bisect_right)
        return start, max(start, stop)

    def _find_lex(self, bound: LexBound, cut: object) -> int:
        if bound.side:
            return 0 if bound.side < 0 else len(self.order)
        chosen = bisect_left if cut is bisect_left else bisect_right
        return chosen(self.order, bound.member, key=_member)

    def cut_out(self, start: int, stop: int) -> list[bytes]:
        """Remove the members of a slice, and return them."""
        removed = [member for _, member in self.order[start:stop]]
        del self.order[start:stop]
        for member in removed:
            del self.scores[member]
        return removed


TYPES[SortedSet] = "zset"


def _score(entry: tuple[float, bytes]) -> float:
    return entry[0]


def _member(entry: tuple[float, bytes]) -> bytes:
    return entry[1]


def read_bound(word: bytes) -> Bound:
    """Return an end of a range of scores: `5`, `(5`, `-inf`."""
    is_open = word.startswith(b"(")
    if not word[is_open:]:
        return Bound(0.0, is_open)  # as the server reads no digits at all
    return Bound(read_float(word[is_open:], "min or max is not a float"), is_open)


def read_lex_bound(word: bytes) -> LexBound:
    """Return an end of a range of members: `[a`, `(a`, `-`, `+`."""
    if word in (b"-", b"+"):
        return LexBound(-1 if word == b"-" else 1, b"", False)
    if word[:1] not in (b"(", b"["):
        raise StoreRefusal("min or max not valid string range item")
    return LexBound(0, word[1:], word[:1] == b"(")


def choose_page(
    entries: Iterable[tuple[float, bytes]], offset: int, count: int
) -> Iterator[tuple[float, bytes]]:
    """Yield `count` entries after the first `offset`; all of them for a negative count."""
    if offset < 0:
        return
    for place, entry in enumerate(entries):
        if 0 <= count <= place - offset:
            return
        if place >= offset:
            yield entry
