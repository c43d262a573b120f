"""How the events of a game are taken apart for the archive. Pure, and without loss for any bytes.

Half of a stream is hashes, which do not compress. `prev` is the hash of the event before it, so it
is computed again; the other hashes and the seeds are kept as bytes, apart from the lines. A line is
the text of an event in which a byte stands for what was taken out:

    0x01  "prev":"<hash of the event before>"     0x02  "<64 hex digits>"
    0x03  "<16 hex digits>"                        0x04  "version":<number of the line>

Canonical JSON holds no control characters. In other texts 0x1b and a letter stand for each control
character, so the lines can be split at 0x0a and each text comes back byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartulary.events.model.chain import GENESIS, hash_or_none

_PREV: Final = b"\x01"
_HASH: Final = b"\x02"
_SEED: Final = b"\x03"
_VERSION: Final = b"\x04"
_ESCAPE: Final = b"\x1b"
_LETTER: Final = 0x40
"""Added to a control character, it gives the letter that stands for it."""

_DIGITS: Final = re.compile(rb'"([0-9a-f]{64}|[0-9a-f]{16})"')
_CONTROL: Final = re.compile(rb"[\x00-\x1f]")
_ESCAPED: Final = re.compile(rb"\x1b([\x40-\x5f])")
_HASH_CODE, _SEED_CODE, _VERSION_CODE, _END_CODE = _HASH[0], _SEED[0], _VERSION[0], ord("\n")
_NO_MARKS: Final = bytes(set(range(256)) - {_HASH_CODE, _SEED_CODE, _VERSION_CODE, _END_CODE})
"""All bytes but those that `_fill_in` looks at."""


class Apart(NamedTuple):
    """The events of a game: what compresses (`lines`) and what does not (`hashes`)."""

    lines: bytes
    hashes: bytes


class Misfitting(ValueError):
    """Lines and hashes that do not belong together."""


def take_apart(texts: Sequence[bytes]) -> Apart:
    """Take the texts of a stream apart, oldest first; `put_together` gives the same texts back."""
    hashes: list[bytes] = []
    lines = []
    before: str | None = GENESIS
    for number, text in enumerate(texts, start=1):
        lines.append(_shorten(text, number, before, hashes))
        before = hash_or_none(text)
    return Apart(b"\n".join(lines), b"".join(hashes))


def _shorten(text: bytes, number: int, before: str | None, hashes: list[bytes]) -> bytes:
    if _CONTROL.search(text):
        text = _CONTROL.sub(_escape, text)
    if before is not None:
        text = text.replace(b'"prev":"%b"' % before.encode(), _PREV, 1)
    text = text.replace(b'"version":%d' % number, _VERSION, 1)

    def collect(match: re.Match[bytes]) -> bytes:
        digits = match[1]
        hashes.append(bytes.fromhex(digits.decode()))
        return _HASH if len(digits) == 64 else _SEED

    return _DIGITS.sub(collect, text)


def _escape(match: re.Match[bytes]) -> bytes:
    return _ESCAPE + bytes((match[0][0] + _LETTER,))


def put_together(apart: Apart, count: int) -> tuple[tuple[bytes, ...], str | None]:
    """Return the texts of a stream of `count` events, and the hash of the last event.

    The hash is None for what is no event. Raises `Misfitting`.
    """
    digits = apart.hashes.hex().encode()
    filled, position = _fill_in(apart.lines, digits)
    lines = filled.split(b"\n") if count else []
    if len(lines) != count:
        raise Misfitting(f"{len(lines)} events, and {count} were archived")
    escaped = _ESCAPE in apart.lines
    texts = []
    before: str | None = GENESIS
    for number, line in enumerate(lines, start=1):
        text = line.replace(_PREV, _encode(before, number)) if _PREV in line else line
        if escaped and _ESCAPE in text:
            text = _ESCAPED.sub(_unescape, text)
        texts.append(text)
        before = hash_or_none(text)
    if position != len(digits):
        raise Misfitting(f"hashes of {len(digits)} digits, and {position} digits belong to events")
    return tuple(texts), before if texts else None


def _fill_in(lines: bytes, digits: bytes) -> tuple[bytes, int]:
    """Return the lines with all values but the hashes of events before, and the digits used.

    In a few passes over all lines: a search in each line for the marks takes three times as long.
    """
    values: list[bytes] = []
    number, position = 1, 0
    for mark in lines.translate(None, _NO_MARKS):
        if mark == _VERSION_CODE:
            values.append(b"%d" % number)
        elif mark == _END_CODE:
            number += 1
        else:
            end = position + (64 if mark == _HASH_CODE else 16)
            values.append(digits[position:end])
            position = end
    lines = lines.replace(_PREV, b'"prev":"%b"' % _PREV).replace(_HASH, b'"%b"' % _HASH)
    lines = lines.replace(_SEED, b'"%b"' % _HASH).replace(_VERSION, b'"version":%b' % _HASH)
    pieces = [b""] * (2 * len(values) + 1)
    pieces[::2] = lines.split(_HASH)
    pieces[1::2] = values
    return b"".join(pieces), position


def _encode(before: str | None, number: int) -> bytes:
    if before is None:
        raise Misfitting(f"event {number} names an event before it that cannot be read")
    return before.encode()


def _unescape(match: re.Match[bytes]) -> bytes:
    return bytes((match[1][0] - _LETTER,))


def find_schema(texts: Sequence[bytes]) -> int:
    """Return the highest schema of the events of a stream, 0 where no event names a schema."""
    return max(map(int, _find_numbers(_SCHEMA, texts)), default=0)


def find_rules_version(texts: Sequence[bytes]) -> int | None:
    """Return the version of the rules that a game was started with, None without a start."""
    found = next(_find_numbers(_RULES, texts), None)
    return None if found is None else int(found)


_SCHEMA: Final = re.compile(rb'"schema": ?([0-9]{1,9})[,}]')
_RULES: Final = re.compile(rb'"rules_version": ?([0-9]{1,9})[,}]')


def _find_numbers(pattern: re.Pattern[bytes], texts: Sequence[bytes]) -> Iterator[bytes]:
    return (found[1] for text in texts if (found := pattern.search(text)) is not None)
