"""Read JSON from strangers strictly, so that every reader gets the same values.

Besides the errors of the standard library it refuses `NaN` and infinities (also as `1e999`), broken
Unicode, keys that are not strings, a key twice in an object, nesting that would break a program
that writes it again, and so many values that they would fill the memory.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json
from cartulary.engine.errors import TranscriptError, pointer

DEEPEST: Final = 32
"""How deep a value may nest below its outermost object; the games need five."""
MOST: Final = 50_000
"""How many values a text may hold: each takes up to a hundred times the memory of its two bytes of
text. The longest games need five thousand."""
_PIECE: Final = 64 * 1024


class Malformed(ValueError):
    """A text is not strict JSON; the message continues the sentence "the text is …"."""


def loads(text: str | bytes) -> Any:
    """Return the JSON value of a file: UTF-8 without a byte order mark, as RFC 8259 has it.

    Raises `TranscriptError`.
    """
    try:
        return parse(text)
    except Malformed as error:
        raise TranscriptError(f"the transcript is {error}") from None


def parse(text: str | bytes, parser: Callable[[Any], Any] | None = None) -> Any:
    """Return the value of strict JSON, nested `DEEPEST` deep at most, with `MOST` values at most.

    `parser` replaces the parser of the standard library by a faster parser, which must be as
    strict and raise `ValueError`. Raises `Malformed`.
    """
    if len(text) > 2 * MOST and _has_too_many(text):
        raise Malformed(f"too large: it has more than {MOST} values")
    try:
        value = (parser or _parse)(text)
    except Malformed:
        raise
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except ValueError as error:  # also wrong UTF-8 and integers too long to be read
        raise Malformed(f"not JSON: {error}") from None
    if _may_be_deep(text) and _is_deep(value):
        raise Malformed(f"nested more than {DEEPEST} deep")
    _refuse_key_twice(text, value)
    return value


def _refuse_key_twice(text: str | bytes, value: Any) -> None:
    """Raise `Malformed` when an object of `text`, parsed as `value`, has a key twice.

    Two readers of such a text may take different values. A text has a colon for each key: as many
    colons as `value` has keys mean that no key was dropped, and the text is not read again.
    """
    colons = text.count(b":") if isinstance(text, bytes) else text.count(":")
    if colons != _count_keys(value):
        decoded = text.decode() if isinstance(text, bytes) else text
        try:
            json.loads(decoded, object_pairs_hook=_make_object, parse_int=str, parse_float=str)
        except RecursionError:  # the first value of a key that stands twice
            raise Malformed("nested too deeply") from None


def _count_keys(value: Any) -> int:
    keys, items = 0, [value]
    for item in items:  # grows while the loop runs
        if type(item) is dict:
            keys += len(item)
            items += item.values()
        elif type(item) is list:
            items += item
    return keys


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counted.items() if count > 1)
        raise Malformed(f"not strict JSON: the key {quote(twice)} stands twice")
    return made


def _parse(text: str | bytes) -> Any:
    # From bytes, the parser would guess other encodings than UTF-8.
    decoded = text.decode() if isinstance(text, bytes) else text
    return json.loads(decoded, parse_constant=_refuse_constant, parse_float=_read_float)


def _refuse_constant(name: str) -> float:
    raise Malformed(f"not JSON: it has no {name}")


def _read_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse_constant(text)


def _has_too_many(text: str | bytes) -> bool:
    """Return whether a text holds more than `MOST` values, without reading a value.

    Each value but the first stands after a comma or at the beginning of a list or an object; so an
    empty list or object counts twice.
    """
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if _count_beginnings(raw) <= MOST:
        return False
    # Without the strings: a long comment has commas, too. Piece by piece, to need little memory.
    unescaped = raw.replace(rb"\\", b"").replace(rb"\"", b"")
    found, inside = 0, 0
    for start in range(0, len(unescaped), _PIECE):
        parts = unescaped[start : start + _PIECE].split(b'"')
        found += _count_beginnings(b"".join(parts[inside::2]))
        inside ^= (len(parts) - 1) & 1
    return found > MOST


def _count_beginnings(raw: bytes) -> int:
    return raw.count(b",") + raw.count(b"[") + raw.count(b"{")


def _may_be_deep(text: str | bytes) -> bool:
    """Return whether a text has enough brackets to nest too deep: a walk over it costs more."""
    if isinstance(text, bytes):
        return text.count(b"[") + text.count(b"{") > DEEPEST
    return text.count("[") + text.count("{") > DEEPEST


def _is_deep(value: Any) -> bool:
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        level, depth = [inner for outer in level for inner in _list_containers(outer)], depth + 1
    return bool(level)


def _list_containers(value: Any) -> list[Any]:
    """Return the objects and lists directly in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [item for item in inner if isinstance(item, dict | list)]


def check_tree(value: Any) -> None:
    """Refuse a value that no JSON file holds, or that cannot be written again."""
    if _is_deep(value):
        raise TranscriptError(f"the transcript is nested more than {DEEPEST} deep")
    level = [value]
    while level:
        inner: list[Any] = []
        for item in level:
            _check_leaf(item)
            if isinstance(item, dict):
                inner += item.keys()
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        level = inner


def _check_leaf(item: Any) -> None:
    if isinstance(item, float) and not math.isfinite(item):
        raise TranscriptError(f"the transcript is not JSON: it has no {item}")
    if isinstance(item, str) and not item.isascii():
        try:
            item.encode()
        except UnicodeEncodeError:
            raise TranscriptError("a string of the transcript is not Unicode text") from None
    if isinstance(item, dict) and not all(isinstance(key, str) for key in item):
        raise TranscriptError("the keys of an object must be strings")
    if not isinstance(item, (str, int, float, dict, list)) and item is not None:
        raise TranscriptError(f"the transcript is not JSON: it has no {type(item).__name__}")


_NAMES: Final = {int: "an integer", str: "a string", dict: "an object", list: "a list"}


def read_typed(value: Json, key: str, kind: type, default: Any = None, *, at: str = "") -> Any:
    """Return `value[key]`, which must be of exactly this type: `true` and `1.0` are not integers.

    `at` is the JSON pointer to `value`.
    """
    if key not in value and default is not None:
        return default
    place = at + pointer(key)
    if key not in value:
        raise TranscriptError(f"the transcript lacks {key!r}", place)
    if type(value[key]) is not kind:
        raise TranscriptError(f"{key!r} must be {_NAMES[kind]}, not {quote(value[key])}", place)
    return value[key]
