"""What the machine gives to Python code, from the world instead: time, randomness, locks, threads.

`install` comes before the first import of the product, because modules bind what they use when they
are imported (`from time import monotonic`). It changes the whole interpreter and is never undone:
a simulation has an interpreter of its own.
"""

from __future__ import annotations

import datetime
import gc
import logging
import os
import queue
import random
import signal
import socket
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any, Final

from simulation.world import locking
from simulation.world.processes import Halted
from simulation.world.world import SimulatedWorld, find_strand, find_world

_real_datetime: Final = datetime.datetime
_real_seed: Final = random.Random.seed
_installed: list[bool] = []


def install() -> None:
    """Replace time, randomness, locks, threads and process ids; once in an interpreter."""
    if _installed:
        return
    _installed.append(True)
    # The lock of a handler is the interpreter's, which all logical processes share; no strand ever
    # gives way while it holds it.
    logging.raiseExceptions = False
    _replace_time()
    _replace_randomness()
    _replace_threads()
    _replace_process()
    # Collected by the world between two steps: what is collected may talk to others.
    gc.disable()
    sys.unraisablehook = _forgive


def _forgive(found: sys.UnraisableHookArgs) -> None:
    """Say nothing of what a killed process could not close any more."""
    if not issubclass(found.exc_type, Halted):
        sys.__unraisablehook__(found)


def _replace_time() -> None:
    changed: dict[str, Callable[..., Any]] = {
        "time": lambda: read_wall() / 1e9,
        "time_ns": lambda: read_wall(),
        "monotonic": lambda: read_monotonic() / 1e9,
        "monotonic_ns": lambda: read_monotonic(),
        "perf_counter": lambda: read_monotonic() / 1e9,
        "perf_counter_ns": lambda: read_monotonic(),
        "process_time": lambda: read_monotonic() / 1e9,
        "thread_time": lambda: read_monotonic() / 1e9,
        "sleep": sleep,
    }
    for name, function in changed.items():
        setattr(time, name, function)
    for name in ("gmtime", "localtime"):
        setattr(time, name, _default_to_now(getattr(time, name)))
    datetime.datetime = SimulatedDatetime  # type: ignore[misc]
    queue.time = time.monotonic  # type: ignore[attr-defined]
    threading._time = time.monotonic  # type: ignore[attr-defined]  # noqa: SLF001


def _default_to_now(function: Callable[..., Any]) -> Callable[..., Any]:
    def convert(seconds: float | None = None) -> Any:
        return function(read_wall() / 1e9 if seconds is None else seconds)

    return convert


def read_wall() -> int:
    """Return the time of the wall clock of this logical process, in ns since the epoch."""
    world = find_world()
    return world.read_wall() if world is not None else EPOCH_NS


def read_monotonic() -> int:
    """Return the time of the clock of this logical process that never jumps, in ns."""
    world = find_world()
    return world.read_monotonic() if world is not None else 0


EPOCH_NS: Final = 1_800_000_000_000_000_000
"""The time of the wall clock at which each world begins."""


def sleep(seconds: float) -> None:
    """Let the others go on for so many seconds."""
    strand = find_strand()
    if strand is not None:
        strand.world.sleep(seconds)


class _IsDatetime(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _real_datetime)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _real_datetime)


class SimulatedDatetime(_real_datetime, metaclass=_IsDatetime):  # type: ignore[valid-type, misc]
    """`datetime.datetime` with the time of the world; what it returns is of the real class."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a moment of the real class."""
        return _real_datetime(*args, **kwargs)

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        """Return the time of the world; without a time zone that of UTC."""
        found = _real_datetime.fromtimestamp(read_wall() / 1e9, datetime.UTC)
        return found.replace(tzinfo=None) if tz is None else found.astimezone(tz)

    @classmethod
    def utcnow(cls) -> Any:
        """Return the time of the world in UTC, without a time zone."""
        return cls.now()

    @classmethod
    def today(cls) -> Any:
        """Return the time of the world, without a time zone."""
        return cls.now()


def draw_bytes(count: int) -> bytes:
    """Return random bytes of this logical process."""
    world = find_world()
    rng = _outside if world is None else world.choose_entropy()
    return rng.randbytes(count)


def _seed(self: random.Random, a: Any = None, version: int = 2) -> None:
    _real_seed(self, draw_bytes(32) if a is None else a, version)


_outside: Final = random.Random(0)
"""The source while no world runs: while modules are imported."""


def _replace_randomness() -> None:
    os.urandom = draw_bytes
    random._urandom = draw_bytes  # type: ignore[attr-defined]  # noqa: SLF001
    random.Random.seed = _seed  # type: ignore[method-assign]
    random.seed(0)


def _replace_threads() -> None:
    changed: dict[str, Any] = {
        "Lock": locking.Lock,
        "RLock": locking.ReentrantLock,
        "_allocate_lock": locking.Lock,
        "Thread": locking.Thread,
        "local": locking.Local,
        "get_ident": locking.identify,
        "get_native_id": locking.identify,
        "current_thread": locking.find_thread,
        "main_thread": locking.find_main_thread,
        "_shutdown": lambda: None,
    }
    for name, value in changed.items():
        setattr(threading, name, value)
    # A fork looks for the main thread by its number, and would make another one.
    vars(threading)["_MainThread"] = lambda: vars(threading)["_main_thread"]
    setattr(queue, "SimpleQueue", vars(queue)["_PySimpleQueue"])  # noqa: B010


def _replace_process() -> None:
    os.getpid = _find_pid
    socket.gethostname = _find_host
    for name in ("signal", "alarm"):
        setattr(signal, name, _ignore)
    signal.setitimer = _ignore_timer


def _find_pid() -> int:
    strand = find_strand()
    return 1 if strand is None else strand.process.pid


def _find_host() -> str:
    strand = find_strand()
    return "world" if strand is None else strand.process.name


def _ignore(_number: int, handler: Any = None) -> Any:
    """Take no signal: a logical process gets none."""
    return handler if isinstance(handler, int | types.FunctionType) else None


def _ignore_timer(*_arguments: Any) -> tuple[float, float]:
    return 0.0, 0.0


def begin_world(seed: str) -> SimulatedWorld:
    """Return a new world, which is the one that the patches ask from now on."""
    install()
    return SimulatedWorld(seed, EPOCH_NS)
