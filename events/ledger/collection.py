"""Pausing Python's garbage collection while many events are read and folded."""

from __future__ import annotations

import gc


class PausedCollection:
    """A context without garbage collection: it would look at each event several times in vain.

    Events are parsed JSON, which has no cycles. Not reentrant; threads may overlap, and the last to
    leave that found the collection running lets it run again.
    """

    __slots__ = ("_was_running",)

    def __enter__(self) -> None:
        """Pause the collection."""
        self._was_running = gc.isenabled()
        gc.disable()

    def __exit__(self, *_error: object) -> None:
        """Let the collection run again, if it ran before."""
        if self._was_running:
            gc.enable()
