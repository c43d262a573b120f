"""Ranges of sorted sets: by place, by score, by member, in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from simulation.store.commands.shape import Command, first_key, read_limit, read_range
from simulation.store.commands.sorted_sets import read_sorted
from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import (
    StoreRefusal,
    StoreReply,
    Words,
    read_int,
    refuse_syntax,
    write_float,
)
from simulation.store.values.sorted_set import SortedSet, choose_page, read_bound, read_lex_bound


class _WantedRange(NamedTuple):
    """A range: its kind (`place`, `score`, `lex`), its ends, and what is shown of it."""

    kind: str
    first: bytes
    last: bytes
    is_reversed: bool
    limit: tuple[int, int] | None = None
    with_scores: bool = False


def get_range(space: Keyspace, words: Words) -> StoreReply:
    """ZRANGE key first last with BYSCORE, BYLEX, REV, LIMIT, WITHSCORES."""
    options = _read_options(words, (b"BYSCORE", b"BYLEX", b"REV", b"LIMIT", b"WITHSCORES"))
    kinds = {b"BYSCORE": "score", b"BYLEX": "lex"}
    named = [kinds[word] for word in options.flags if word in kinds]
    if len(named) > 1:
        raise refuse_syntax()
    if options.limit is not None and not named:
        raise StoreRefusal(
            "syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"
        )
    with_scores = b"WITHSCORES" in options.flags
    if with_scores and named == ["lex"]:
        raise StoreRefusal("syntax error, WITHSCORES not supported in combination with BYLEX")
    kind = named[0] if named else "place"
    is_reversed = b"REV" in options.flags
    return _answer(space, words, kind, is_reversed, options.limit, with_scores)


def get_reversed_range(space: Keyspace, words: Words) -> StoreReply:
    """ZREVRANGE key first last with WITHSCORES."""
    options = _read_options(words, (b"WITHSCORES",))
    return _answer(space, words, "place", True, None, bool(options.flags))


def get_scores_range(space: Keyspace, words: Words) -> StoreReply:
    """ZRANGEBYSCORE key low high, and ZREVRANGEBYSCORE key high low; WITHSCORES, LIMIT."""
    options = _read_options(words, (b"WITHSCORES", b"LIMIT"))
    is_reversed = words[0].upper() == b"ZREVRANGEBYSCORE"
    return _answer(space, words, "score", is_reversed, options.limit, bool(options.flags))


def get_lex_range(space: Keyspace, words: Words) -> StoreReply:
    """ZRANGEBYLEX key low high, and ZREVRANGEBYLEX key high low; LIMIT."""
    options = _read_options(words, (b"LIMIT",))
    is_reversed = words[0].upper() == b"ZREVRANGEBYLEX"
    return _answer(space, words, "lex", is_reversed, options.limit, False)


class _Options(NamedTuple):
    flags: set[bytes]
    limit: tuple[int, int] | None


def _read_options(words: Words, known: tuple[bytes, ...]) -> _Options:
    flags: set[bytes] = set()
    limit, place = None, 4
    while place < len(words):
        word = words[place].upper()
        if word not in known:
            raise refuse_syntax()
        if word == b"LIMIT":
            limit = read_limit(words, place)
            place += 2
        else:
            flags.add(word)
        place += 1
    return _Options(flags, limit)


def _answer(
    space: Keyspace,
    words: Words,
    kind: str,
    is_reversed: bool,
    limit: tuple[int, int] | None,
    with_scores: bool,
) -> StoreReply:
    wanted = _WantedRange(kind, words[2], words[3], is_reversed, limit, with_scores)
    _find(SortedSet(), wanted)  # ends that are no ends are refused for a missing key, too
    found = read_sorted(space, words[1])
    if found is None:
        return []
    return _write(_find(found, wanted), with_scores)


def _find(found: SortedSet, wanted: _WantedRange) -> Iterable[tuple[float, bytes]]:
    if wanted.kind == "place":
        start, stop = read_range(wanted.first, wanted.last, len(found))
        if wanted.is_reversed:
            start, stop = len(found) - stop, len(found) - start
        chosen = found.order[max(0, start) : max(0, stop)]
        return chosen[::-1] if wanted.is_reversed else chosen
    low, high = (wanted.first, wanted.last)[:: -1 if wanted.is_reversed else 1]
    if wanted.kind == "score":
        # The first end of the words is looked at first.
        ends = [read_bound(word) for word in (low, high)]
        start, stop = found.find_scores(*ends)
    else:
        start, stop = found.find_members(read_lex_bound(low), read_lex_bound(high))
    chosen = found.order[start:stop]
    if wanted.is_reversed:
        chosen.reverse()
    return chosen if wanted.limit is None else choose_page(chosen, *wanted.limit)


def _write(entries: Iterable[tuple[float, bytes]], with_scores: bool) -> StoreReply:
    if with_scores:
        return [part for score, member in entries for part in (member, write_float(score))]
    return [member for _, member in entries]


def count_lex(space: Keyspace, words: Words) -> StoreReply:
    """ZLEXCOUNT key low high."""
    low, high = read_lex_bound(words[2]), read_lex_bound(words[3])
    found = read_sorted(space, words[1])
    if found is None:
        return 0
    start, stop = found.find_members(low, high)
    return stop - start


def remove_lex(space: Keyspace, words: Words) -> StoreReply:
    """ZREMRANGEBYLEX key low high."""
    low, high = read_lex_bound(words[2]), read_lex_bound(words[3])
    found = read_sorted(space, words[1])
    if found is None:
        return 0
    removed = found.cut_out(*found.find_members(low, high))
    if removed:
        space.drop_if_empty(words[1], found)
    return len(removed)


def pop_lowest(space: Keyspace, words: Words) -> StoreReply:
    """ZPOPMIN key, with a count."""
    count = 1 if len(words) == 2 else read_int(words[2])
    if count < 0:
        raise StoreRefusal("value is out of range, must be positive")
    found = read_sorted(space, words[1])
    if found is None or not count:
        return []
    chosen = found.order[:count]
    found.cut_out(0, count)
    space.drop_if_empty(words[1], found)
    return _write(chosen, True)


COMMANDS: Final = {
    b"ZRANGE": Command(get_range, -4, "", first_key),
    b"ZREVRANGE": Command(get_reversed_range, -4, "", first_key),
    b"ZRANGEBYSCORE": Command(get_scores_range, -4, "", first_key),
    b"ZREVRANGEBYSCORE": Command(get_scores_range, -4, "", first_key),
    b"ZRANGEBYLEX": Command(get_lex_range, -4, "", first_key),
    b"ZREVRANGEBYLEX": Command(get_lex_range, -4, "", first_key),
    b"ZLEXCOUNT": Command(count_lex, 4, "", first_key),
    b"ZREMRANGEBYLEX": Command(remove_lex, 4, "w", first_key),
    b"ZPOPMIN": Command(pop_lowest, -2, "w", first_key),
}
