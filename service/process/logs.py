"""Log one JSON object a line on stderr, never headers or bodies, and so no tokens."""

from __future__ import annotations

import atexit
import sys
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from threading import Lock, Thread
from time import sleep
from typing import Any

import orjson


def configure(level: str) -> dict[str, Any]:
    """Return a configuration for `logging.config.dictConfig`; gunicorn takes the same one."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": "cartulary.events.tracing.log_form.LogForm"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "cartulary": {"level": level},
            "gunicorn.error": {"level": level, "propagate": True, "handlers": []},
        },
    }


_ALWAYS = {"level": "INFO", "logger": "cartulary.access", "message": "request"}
_LINE = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z

AT_MOST = 10_000
"""Lines that wait to be written, a few megabytes; of more the oldest are lost."""


class RequestLog:
    """Collects the lines about requests; a thread of its own writes them.

    `logging` would take 10 µs per line instead of 3 µs, and a write in the middle of a request
    hands the interpreter to another thread. So lines come up to a quarter of a second late, and a
    process that is killed may lose its last lines.
    """

    def __init__(self, every: float = 0.25) -> None:
        self._every = every
        self._lines: deque[bytes] = deque(maxlen=AT_MOST)
        self._writer: Thread | None = None
        self._lock = Lock()

    def add(self, fields: dict[str, Any]) -> None:
        """Add the line of a request."""
        line = {"at": datetime.now(UTC), **_ALWAYS, **fields}
        self._lines.append(orjson.dumps(line, option=_LINE))
        if self._writer is None:
            self._start()

    def flush(self) -> None:
        """Write the collected lines. Raises `OSError`: then they may be lost."""
        with self._lock:
            lines = [self._lines.popleft() for _ in range(len(self._lines))]
            if lines:
                sys.stderr.buffer.write(b"".join(lines))
                sys.stderr.buffer.flush()

    def _start(self) -> None:
        with self._lock:
            if self._writer is None:
                self._writer = Thread(target=self._write, name="request-log", daemon=True)
                self._writer.start()
                atexit.register(self.flush)

    def _write(self) -> None:
        while True:
            sleep(self._every)
            # A full disk may have room again later, and the log has no other place to go.
            with suppress(OSError):
                self.flush()


REQUESTS = RequestLog()
"""The log of this process; its thread starts with the first line, so after a fork."""
