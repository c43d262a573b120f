"""The description of the API as committed, read once in a process."""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml

from cartulary.service.describe import FILE

ENDLESS = {
    *("stream_inbox", "stream_messages", "stream_lobby"),
    *("stream_tournament_events", "stream_study_events"),
}
"""The operations whose streams have no end, or that of a tournament only, whatever is asked."""


@cache
def read_description() -> dict[str, Any]:
    """Return `openapi.yaml`. Callers do not change it."""
    value: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return value
