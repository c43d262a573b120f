"""JSON as `cjson` reads it: bytes stay bytes, each number is a double, null is a value."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

DEEPEST: Final = 1000
"""Tables in tables."""


def refuse_constant(name: str) -> None:
    """Raise `ValueError` for a number that JSON does not have."""
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(parse_int=float, parse_constant=refuse_constant, strict=False)


def decode(text: bytes, null: object, make_table: Callable[[Any], Any]) -> Any:
    """Return a value for Lua; `make_table` makes a table of a list or of a dictionary.

    Raises `ValueError`.
    """
    parsed = _DECODER.decode(text.decode("utf-8", "surrogateescape"))
    return _translate(parsed, null, make_table, 0)


def _translate(value: Any, null: object, make_table: Callable[[Any], Any], depth: int) -> Any:
    if depth > DEEPEST:
        raise ValueError("Found too many nested data structures")
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, list):
        return make_table([_translate(one, null, make_table, depth + 1) for one in value])
    if isinstance(value, dict):
        return make_table(
            {
                name.encode("utf-8", "surrogateescape"): _translate(
                    one, null, make_table, depth + 1
                )
                for name, one in value.items()
            }
        )
    return null if value is None else value
