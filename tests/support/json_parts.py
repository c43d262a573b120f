"""Walking through JSON values."""

from __future__ import annotations

from typing import Any


def parts_of(value: Any) -> list[tuple[Any, Any]]:
    """Return key and part of an object, index and part of a list; of other values nothing."""
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []
