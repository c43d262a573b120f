"""What a process lets the collector of garbage look at: nothing that it has loaded.

A start makes more than a hundred thousand objects, and nearly all live until the end. To look at
them again and again takes a fifth of the CPU of a start, and to look once more at the end takes
another fifth. A program disables the collector before it imports, and calls a function of this
module afterwards.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType


def keep_what_is_loaded() -> None:
    """Let the collector look at what comes from now on, and never at what is there."""
    gc.freeze()
    gc.enable()


def load_uncollected(name: str) -> ModuleType:
    """Import a module with all that it needs; raises what the import raises."""
    if name in sys.modules or not gc.isenabled():
        return import_module(name)
    gc.disable()
    try:
        return import_module(name)
    finally:
        keep_what_is_loaded()


def collect_garbage_less_often() -> None:
    """Spare the collector the code and the hundreds of cached positions of a web process.

    None of that is garbage, and a full collection walks over all of it. Saves a tenth of the CPU
    time of a busy process, and most of the time of its slowest hundredth of the requests.
    """
    gc.set_threshold(20_000, 20, 50)
    keep_what_is_loaded()
