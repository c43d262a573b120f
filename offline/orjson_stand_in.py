"""The part of orjson that the folded model uses, made of the standard library.

Pyodide has no orjson next to it. The engine for the browser contains this module under the name
`orjson`. It writes the same bytes: `tests/offline/test_orjson_stand_in.py` compares both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

OPT_SORT_KEYS: Final = 1
OPT_STRICT_INTEGER: Final = 2

LARGEST: Final = 2**53 - 1
"""The largest amount of a number that `OPT_STRICT_INTEGER` allows."""

JSONDecodeError = json.JSONDecodeError

_MARK: Final = re.compile('"\\\\u0000fragment ([0-9]+)"')


class JSONEncodeError(TypeError):
    """The value has no JSON text."""


class Fragment:
    """JSON text that is written as it is."""

    __slots__ = ("contents",)

    def __init__(self, contents: bytes | str) -> None:
        self.contents = contents if isinstance(contents, str) else contents.decode()


def loads(text: bytes | str) -> Any:
    """Return the value of a JSON text; raises `JSONDecodeError`."""
    return json.loads(text)


def dumps(value: Any, *, option: int = 0) -> bytes:
    """Return the JSON text of a value, without spaces, as UTF-8; raises `JSONEncodeError`.

    A fragment leaves a mark in the text, which its contents replace.
    """
    fragments: list[str] = []

    def mark(found: Any) -> str:
        if not isinstance(found, Fragment):
            raise JSONEncodeError(f"Type is not JSON serializable: {type(found).__name__}")
        fragments.append(found.contents)
        return f"\0fragment {len(fragments) - 1}"

    if option & OPT_STRICT_INTEGER:
        _check_integers(value)
    text = _encoder(bool(option & OPT_SORT_KEYS), mark).encode(value)
    if fragments:
        text = _MARK.sub(lambda found: fragments[int(found[1])], text)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise JSONEncodeError("str is not valid UTF-8: surrogates not allowed") from error


def _encoder(sort: bool, default: Callable[[Any], str]) -> json.JSONEncoder:
    return json.JSONEncoder(
        ensure_ascii=False, separators=(",", ":"), sort_keys=sort, default=default
    )


def _check_integers(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _check_integers(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_integers(item)
    elif type(value) is int and abs(value) > LARGEST:
        raise JSONEncodeError("Integer exceeds 53-bit range")
