"""Canonical JSON and the hash over it: the same bytes on every machine and Python version."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from cartulary.engine.compiling import mypyc_attr

_SHOWN_LENGTH: Final = 100


@mypyc_attr(native_class=False)
class JsonText(str):
    """The text of a value as canonical JSON: it stands for a part of a view that changes little."""

    __slots__ = ()


def canonical_json(value: Any) -> str:
    """Write `value` with sorted keys and without spaces; the values are dicts, lists, str, int."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(value: Any) -> str:
    """Return the SHA-256 (64 hex digits) of the canonical JSON of `value`, as UTF-8."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def identical(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal in type and value: `1.0` and `true` are not `1`.

    Comparing their canonical JSON gives the same answer, but takes longer.
    """
    if type(one) is not type(other) or one != other:
        return False
    if type(one) is dict:
        for key, value in one.items():
            if not identical(value, other[key]):
                return False
    elif type(one) is list:
        for value, counterpart in zip(one, other, strict=True):
            if not identical(value, counterpart):
                return False
    return True


def quote(value: Any, depth: int = 3) -> str:
    """Quote a value in an error message: nearly JSON, cut to `depth` levels and 100 characters.

    The value comes from outside, so it may be nested deeper than Python can follow.
    """
    if isinstance(value, dict):
        inside = (f'"{key}": {quote(item, depth - 1)}' for key, item in value.items())
        text = "{" + ", ".join(inside) + "}" if depth else "{…}"
    elif isinstance(value, list):
        text = "[" + ", ".join(quote(item, depth - 1) for item in value) + "]" if depth else "[…]"
    else:
        text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…"
