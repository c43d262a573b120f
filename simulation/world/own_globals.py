"""Global variables that each logical process has of its own, as real processes have.

Processes of the world share one interpreter, so a module that keeps the one store of its process in
a global variable would mix them up. A `ProcessValue` stands in such a variable and leads to the
value of the process that runs.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from simulation.world.world import find_strand


class ProcessValue:
    """Leads to a value of the process that runs, which `make` makes when it is first needed."""

    def __init__(self, make: Callable[[], Any]) -> None:
        object.__setattr__(self, "_make", make)
        object.__setattr__(self, "_outside", make())

    def _value(self) -> Any:
        strand = find_strand()
        if strand is None:
            return object.__getattribute__(self, "_outside")
        own = strand.process.own
        if self not in own:
            own[self] = object.__getattribute__(self, "_make")()
        return own[self]

    def __getattr__(self, name: str) -> Any:
        return getattr(_find(self), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_find(self), name, value)

    def __getitem__(self, key: Any) -> Any:
        return _find(self)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        _find(self)[key] = value

    def __iter__(self) -> Any:
        return iter(_find(self))

    def __len__(self) -> int:
        return len(_find(self))

    def __bool__(self) -> bool:
        return bool(_find(self))


def _find(proxy: ProcessValue) -> Any:
    return object.__getattribute__(proxy, "_value")()


def separate(module: ModuleType, name: str, make: Callable[[], Any], *also: ModuleType) -> None:
    """Give each process a value of its own of a global variable of a module.

    `also` are modules that have imported the variable.
    """
    proxy = ProcessValue(make)
    for one in (module, *also):
        setattr(one, name, proxy)
