"""Where a stream of numbered events goes on."""

from __future__ import annotations

import re
from typing import Final

from cartulary.service.http.wire.problems import invalid
from cartulary.service.schemas.base import VERSION_MAX

_VERSION: Final = re.compile("(0|[1-9][0-9]{0,9})(-0)?", re.ASCII)


def read_last_version(last_event_id: str, after: int) -> int:
    """Return after which version a stream goes on; raises `Problem` for an id of no event."""
    if not last_event_id:
        return after
    found = _VERSION.fullmatch(last_event_id)
    if found is None or int(found[1]) > VERSION_MAX:
        raise invalid("", "the header Last-Event-ID must be the version of an event")
    return int(found[1])
