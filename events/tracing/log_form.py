"""The form of a line of the log: one JSON object, with `trace_id` where there is a trace."""

from __future__ import annotations

import logging
from typing import Any

from pythonjsonlogger.orjson import OrjsonFormatter

from cartulary.events.tracing.spans import find_current

_NAMES = {"levelname": "level", "name": "logger"}


class LogForm(OrjsonFormatter):
    """Formats each line of every process: `at` (UTC), `level`, `logger`, `message`, and more."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s %(message)s", rename_fields=_NAMES, timestamp="at")

    def add_fields(
        self,
        log_data: dict[str, Any],
        record: logging.LogRecord,
        message_dict: dict[str, Any],
    ) -> None:
        """Add the id of the trace in which the line was written."""
        super().add_fields(log_data, record, message_dict)
        if (span := find_current()) is not None:
            log_data["trace_id"] = span.trace_id
