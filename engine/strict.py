"""Read JSON from strangers strictly, so that every reader gets the same values.

Besides the errors of the standard library it refuses `NaN` and infinities (also as `1e999`), broken
Unicode, keys that are not strings, and nesting that would break a program that writes it again.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json
from cartulary.engine.errors import TranscriptError, pointer

DEEPEST: Final = 32
"""How deep a file may nest below its outermost object, as in an import; the games need five."""


def loads(text: str | bytes) -> Any:
    """Return the JSON value of a file: UTF-8 without a byte order mark, as RFC 8259 has it.

    Raises `TranscriptError`.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode()  # the parser would guess other encodings
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except TranscriptError:
        raise
    except RecursionError:
        raise TranscriptError("the transcript is nested too deeply") from None
    except ValueError as error:  # also wrong UTF-8 and integers too long to be read
        raise TranscriptError(f"the transcript is not JSON: {error}") from None


def _refuse_constant(name: str) -> float:
    raise TranscriptError(f"the transcript is not JSON: it has no {name}")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse_constant(text)


def check_tree(value: Any) -> None:
    """Refuse a value that no JSON file holds, or that cannot be written again."""
    level, depth = [value], 0
    while level:
        if depth > DEEPEST and any(isinstance(item, dict | list) for item in level):
            raise TranscriptError(f"the transcript is nested more than {DEEPEST} deep")
        inner: list[Any] = []
        for item in level:
            _check_leaf(item)
            if isinstance(item, dict):
                inner += item.keys()
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        level, depth = inner, depth + 1


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
