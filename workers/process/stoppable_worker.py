"""What depends on the internals of RQ, in one place.

Checked with RQ 2.12; `pyproject.toml` has the upper bound, and `tests/project/test_borrowed.py`
fails when an upgrade changes something that is used here.

Why the internals: RQ stops a worker by an exception that the handler of the signal raises. A worker
is in redis-py nearly all the time, and redis-py catches every exception in some places: there the
worker goes on, or leaves an answer unread. So the handler only notes the signal, and the worker
asks for the note in the methods that RQ calls between two jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

from redis.exceptions import ConnectionError as Unreachable
from rq import SimpleWorker
from rq.exceptions import StopRequested

from cartulary.events.server.format import FORMAT
from cartulary.events.server.heartbeat import make_beat, read_release

STOP_WITHIN_S = 1
"""How long an idle worker may take to notice that it is to stop."""


class StoppableWorker(SimpleWorker):
    """A worker that stops between two jobs, wherever it is when the signal comes."""

    max_connection_wait_time = STOP_WITHIN_S
    beat: Callable[[], None] = staticmethod(make_beat())
    """Shows the supervisor that the worker works."""
    key_mark = ""
    """The mark of the key of the draws of this process (`Keyring.mark`)."""

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note that the worker is to stop; the handler of SIGINT and SIGTERM, takes no lock."""
        self._stop_requested = True

    @property
    def is_stopping(self) -> bool:
        """Whether the worker ends, or has ended, because of a signal."""
        return bool(self._stop_requested)

    def register_birth(self) -> None:
        """Tell RQ that the worker lives, and the store which format the worker reads."""
        super().register_birth()  # type: ignore[no-untyped-call]
        about: Any = {"format": FORMAT, "release": read_release(), "key_mark": self.key_mark}
        self.connection.hset(self.key, mapping=about)

    def heartbeat(self, *arguments: Any, **options: Any) -> None:
        """Report that the worker lives.

        RQ begins with this again and again while the server of the queue is away. Raises
        `StopRequested` when the server is away and the worker is to stop.
        """
        self.beat()
        try:
            super().heartbeat(*arguments, **options)
        except Unreachable:
            if self._stop_requested:
                raise StopRequested from None
            raise

    @property
    def dequeue_timeout(self) -> int:
        """Seconds to wait for a job before the worker looks around."""
        return STOP_WITHIN_S

    @property
    def should_run_maintenance_tasks(self) -> bool:
        """Whether maintenance is due.

        RQ asks each time before it waits for a job, when no job is running. Raises `StopRequested`,
        which ends `work`, when the worker is to stop.
        """
        self.beat()
        if self._stop_requested:
            raise StopRequested
        return bool(super().should_run_maintenance_tasks)
