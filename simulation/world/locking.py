"""Locks and threads of logical processes, in the form of the module `threading`.

`Condition`, `Event` and `Semaphore` of the standard library are built on locks, so they are the
world's once the locks are. Outside of a logical process a lock that is free can be taken, and one
that is taken is an error: no strand could give it back.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from simulation.world.processes import Strand
from simulation.world.world import TOO_LATE, find_strand

OUTSIDE: Final = "outside"
"""Stands for the owner of a lock that no strand has taken."""


class Lock:
    """A lock; a free one is taken at once or, as the seed decides, after others have gone on."""

    def __init__(self) -> None:
        self._owner: Strand | str | None = None
        self._waiting: deque[tuple[Strand, int]] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; returns whether it was free, or became free in time."""
        strand = find_strand()
        if strand is None:
            return self._acquire_outside(blocking)
        world = strand.world
        if strand.process.is_halted or world.often():
            world.give_way(strand)
        limit = None if timeout is None or timeout < 0 else world.now + int(timeout * 1e9)
        while self._owner is not None:
            if not blocking or (limit is not None and world.now >= limit):
                return False
            self._waiting.append((strand, strand.token))
            rest = None if limit is None else (limit - world.now) / 1e9
            if world.wait("a lock", rest) is TOO_LATE and self._owner is not None:
                return False
        self._owner = strand
        return True

    def _acquire_outside(self, blocking: bool) -> bool:
        if self._owner is not None:
            if blocking:
                raise RuntimeError("a lock is held by a logical process")
            return False
        self._owner = OUTSIDE
        return True

    def release(self) -> None:
        """Give the lock back; one of those who wait gets it, or another that comes before."""
        if self._owner is None:
            raise RuntimeError("release of a lock that is free")
        self._owner = None
        waiting = [one for one in self._waiting if _still_waits(*one)]
        self._waiting = deque(waiting)
        if waiting:
            world = waiting[0][0].world
            chosen = waiting[world.choose(len(waiting))]
            self._waiting.remove(chosen)
            world.wake(*chosen)

    def locked(self) -> bool:
        """Return whether the lock is taken."""
        return self._owner is not None

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _at_fork_reinit(self) -> None:
        self._owner = None


def _still_waits(strand: Strand, token: int) -> bool:
    return strand.token == token and not strand.is_over and not strand.process.is_halted


class ReentrantLock:
    """A lock that its owner may take again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: Strand | str | None = None
        self._depth = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, at once when the strand has it already."""
        caller: Strand | str = find_strand() or OUTSIDE
        if self._owner is caller:
            self._depth += 1
            return True
        if not self._lock.acquire(blocking, timeout):
            return False
        self._owner, self._depth = caller, 1
        return True

    def release(self) -> None:
        """Give the lock back as often as it was taken."""
        self._depth -= 1
        if not self._depth:
            self._owner = None
            self._lock.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    # What `Condition` asks of a lock.

    def _release_save(self) -> int:
        depth, self._depth = self._depth, 1
        self.release()
        return depth

    def _acquire_restore(self, depth: int) -> None:
        self.acquire()
        self._depth = depth

    def _is_owned(self) -> bool:
        return self._owner is (find_strand() or OUTSIDE)

    def _at_fork_reinit(self) -> None:
        self.__init__()  # type: ignore[misc]


_numbers = itertools.count(1)


class Thread:
    """A thread of a logical process."""

    def __init__(
        self,
        group: None = None,
        target: Callable[..., Any] | None = None,
        name: str | None = None,
        args: Iterable[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        self._target, self._args, self._kwargs = target, tuple(args), dict(kwargs or {})
        self.name = name or "thread"
        self.daemon = bool(daemon)
        self._strand: Strand | None = None
        self._joining: list[tuple[Strand, int]] = []

    @property
    def ident(self) -> int | None:
        """Return a number of the thread, None before its start."""
        return None if self._strand is None else id_of(self._strand)

    native_id = ident

    def start(self) -> None:
        """Start the thread; the seed decides when it runs."""
        caller = find_strand()
        if caller is None:
            raise RuntimeError("a thread is started outside of a logical process")
        process = caller.process
        self._strand = caller.world.spawn(process, f"{process.name}/{self.name}", self.run)
        self._strand.thread = self
        self._strand.ended.append(self._wake_joining)
        caller.world.give_way(caller)

    def run(self) -> None:
        """Do what the thread is for."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def _wake_joining(self) -> None:
        for strand, token in self._joining:
            strand.world.wake(strand, token)

    def is_alive(self) -> bool:
        """Return whether the thread was started and is not over."""
        return self._strand is not None and not self._strand.is_over

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread is over, so many seconds at most."""
        caller = find_strand()
        if caller is None or not self.is_alive():
            return
        self._joining.append((caller, caller.token))
        caller.world.wait(f"the end of {self.name}", timeout)

    def getName(self) -> str:  # noqa: N802
        """Return the name."""
        return self.name

    def isDaemon(self) -> bool:  # noqa: N802
        """Return whether a process ends without waiting for the thread."""
        return self.daemon

    def setDaemon(self, daemon: bool) -> None:  # noqa: N802
        """Choose whether a process ends without waiting for the thread."""
        self.daemon = daemon


class MainThread:
    """The first strand of a logical process, or what runs outside of all of them."""

    name, daemon, ident, native_id = "MainThread", False, 1, 1

    def is_alive(self) -> bool:
        """Return True."""
        return True


_MAIN: Final = MainThread()


def id_of(strand: Strand) -> int:
    """Return the number of a strand: as many as were asked for before, never an address."""
    if strand.locals.get(0) is None:
        strand.locals[0] = {"number": next(_numbers) + 1}
    number: int = strand.locals[0]["number"]
    return number


def identify() -> int:
    """Return the number of the strand that runs, 1 outside."""
    strand = find_strand()
    return 1 if strand is None else id_of(strand)


def find_thread() -> Any:
    """Return the thread that runs."""
    strand = find_strand()
    return _MAIN if strand is None or strand.thread is None else strand.thread


def find_main_thread() -> Any:
    """Return what `find_thread` returns in the first strand of a process."""
    return _MAIN


_local_numbers = itertools.count(1)
_outside: dict[int, dict[str, Any]] = {}


class Local:
    """Attributes that each strand has of its own."""

    def __init__(self) -> None:
        object.__setattr__(self, "_number", next(_local_numbers))

    def _own(self) -> dict[str, Any]:
        strand = find_strand()
        number: int = object.__getattribute__(self, "_number")
        places = _outside if strand is None else strand.locals
        return places.setdefault(number, {})

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_own")()[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        object.__getattribute__(self, "_own")()[name] = value

    def __delattr__(self, name: str) -> None:
        if object.__getattribute__(self, "_own")().pop(name, None) is None:
            raise AttributeError(name)
