"""Canonical JSON and the hash over it: the same bytes on every machine and Python version."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Write `value` with sorted keys and without spaces; the values are dicts, lists, str, int."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(value: Any) -> str:
    """Return the SHA-256 (64 hex digits) of the canonical JSON of `value`, as UTF-8."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
