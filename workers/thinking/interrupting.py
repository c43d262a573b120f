"""Interrupts a computation when people wait for the worker: what it has not stored is lost."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

EVERY_S: Final = 0.02
"""How often the worker looks whether people wait, in seconds of its own CPU time."""


class Interrupted(Exception):
    """People wait for the worker."""


@contextmanager
def interrupt_when(is_wanted: Callable[[], bool], every_s: float = EVERY_S) -> Iterator[None]:
    """Raise `Interrupted` within the `with` block as soon as `is_wanted`.

    The block must be pure: it is left at any line. Only for the main thread, because it uses the
    signal SIGVTALRM.
    """

    def look(_number: int, _frame: FrameType | None) -> None:
        if is_wanted():
            # Here and not only below: the exception may be raised while the block ends.
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            raise Interrupted

    before = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, every_s, every_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
