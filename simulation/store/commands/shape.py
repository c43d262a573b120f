"""What is known of a command besides what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import (
    Blocked,
    StoreRefusal,
    StoreReply,
    Words,
    read_int,
    refuse_syntax,
)

KeyHandler: TypeAlias = Callable[[Keyspace, Words], "StoreReply | Blocked"]
"""Gets the database and the words of the command, its name included; raises `StoreRefusal`."""

FindKeys: TypeAlias = Callable[[Words], Sequence[bytes]]


class Command(NamedTuple):
    """A command: what does it, how many words it has, what it may do.

    `arity` is the number of words, negative: at least so many. `flags` has `w` for one that
    writes, `m` for one that is refused while the memory is full, `s` for one that scripts may not
    call, `p` for one that a session with subscriptions may send, `l` for one that is answered while
    the server loads.
    """

    handler: KeyHandler
    arity: int
    flags: str = ""
    keys: FindKeys | None = None


def first_key(words: Words) -> Sequence[bytes]:
    """Return the only key of a command: its first argument."""
    return words[1:2]


def two_keys(words: Words) -> Sequence[bytes]:
    """Return the first two arguments."""
    return words[1:3]


def all_keys(words: Words) -> Sequence[bytes]:
    """Return all arguments."""
    return words[1:]


def all_but_last(words: Words) -> Sequence[bytes]:
    """Return all arguments but the last: a time-out."""
    return words[1:-1]


def counted_keys(at: int) -> FindKeys:
    """Return what finds the keys of a command that says at word `at` how many there are."""

    def find(words: Words) -> Sequence[bytes]:
        try:
            count = int(words[at])
        except (ValueError, IndexError):
            return ()
        return words[at + 1 : at + 1 + max(0, count)]

    return find


def keys_after(word: bytes) -> FindKeys:
    """Return what finds the keys after a word: the first half of what follows it."""

    def find(words: Words) -> Sequence[bytes]:
        for place, one in enumerate(words):
            if one.upper() == word:
                rest = words[place + 1 :]
                return rest[: len(rest) // 2]
        return ()

    return find


def read_range(first: bytes, last: bytes, size: int) -> tuple[int, int]:
    """Return begin and end, as of a slice, of a range of places that may count from the end."""
    start, stop = read_int(first), read_int(last)
    start = max(0, start + size) if start < 0 else start
    stop = stop + size if stop < 0 else stop
    return start, min(stop, size - 1) + 1


def read_limit(words: Words, at: int) -> tuple[int, int]:
    """Return offset and count of `LIMIT offset count`, whose first word stands at a place."""
    if len(words) < at + 3:
        raise refuse_syntax()
    return read_int(words[at + 1]), read_int(words[at + 2])


def refuse_arity(name: bytes) -> StoreRefusal:
    """Return the refusal for too few or too many words."""
    shown = name.decode(errors="replace").lower()
    return StoreRefusal(f"wrong number of arguments for '{shown}' command")
