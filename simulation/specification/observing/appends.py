"""The words of an append, and of a read of a game, as the code sends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from simulation.specification.recording import StoreOperation

NO_RECORD = "no record"


class SentAppend(NamedTuple):
    """An append of one game, and what the store has answered."""

    game: str
    expected: int
    nonce: str
    field: str
    events: tuple[dict[str, Any], ...]
    code: int
    found: Any

    @property
    def is_stored(self) -> bool:
        """Whether the store has the events, by this append or by one before."""
        return self.code == 1


class WholeRead(NamedTuple):
    """A read of the end of a game, with the record of a key where one was asked for."""

    game: str
    version: int
    record: bytes | str | None


def find_append(words: tuple[Any, ...], answer: Any) -> SentAppend | None:
    """Return the append that a command is, None for another command."""
    if words[0] != "EVALSHA" or not isinstance(answer, list):
        return None
    keys, rest = words[3 : 3 + int(words[2])], words[3 + int(words[2]) :]
    if not keys or not str(keys[0]).endswith((":events", ":tournament")) or len(rest) < 11:
        return None
    texts = rest[10 : 10 + int(rest[8])]
    return SentAppend(
        *(str(rest[5]), int(rest[0]), str(rest[2]), str(rest[3])),
        tuple(orjson.loads(text) for text in texts),
        *(answer[0], answer[1]),
    )


def list_appends(operation: StoreOperation) -> Iterator[SentAppend]:
    """Yield the appends in an operation."""
    for words, answer in operation.commands:
        if (found := find_append(words, answer)) is not None:
            yield found


def find_read(operation: StoreOperation) -> WholeRead | None:
    """Return the read of the end of a game that an operation is, None for another operation."""
    words, answer = operation.commands[0]
    if words[0] != "XRANGE" or words[3] != "+" or "COUNT" in words or not answer:
        return None
    if not str(words[1]).endswith(":events"):
        return None
    version = int(answer[-1][0].split(b"-")[0])
    record: Any = NO_RECORD
    if len(operation.commands) > 1:
        record = operation.commands[1][1]
    return WholeRead(str(words[1]).split("}")[0][1:], version, record)


def is_check(operation: StoreOperation) -> bool:
    """Return whether an operation looks up the record of a key and whether its game is stored."""
    names = [words[0] for words, _ in operation.commands]
    return names == ["HGET", "EXISTS"] and str(operation.commands[0][0][1]).endswith(":idempotency")
