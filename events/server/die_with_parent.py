"""End a process with its parent: nothing is left of a `serve` that is killed. Linux only."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def make_end_with_parent(number: signal.Signals) -> Callable[[], None]:
    """Return a function that a child calls first, to get the signal when this process ends.

    Call it in the parent, and fork from the main thread: Linux sends the signal when the thread
    ends that has forked. On other systems the function does nothing, and the child keeps running.
    """
    if not sys.platform.startswith("linux"):
        return lambda: None
    libc, parent = ctypes.CDLL(None, use_errno=True), os.getpid()

    def end_with_parent() -> None:
        # A handler of the parent would only set a flag, and exec would lose the flag.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        libc.prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)

    return end_with_parent
