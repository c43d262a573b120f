"""Another release in the same interpreter: its modules are those of the package while it runs.

Both releases import themselves by the same name, also in functions and by words in a queue. So
`sys.modules` has the modules of the release whose process runs, and what is loaded later is its.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

PACKAGE = "cartulary"


class LoadedRelease:
    """The modules of a release whose package is in `folder`, those of some names to begin with."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self._own: dict[str, ModuleType] = {}
        self._theirs: dict[str, ModuleType] = {}
        self._counts = -1, -1
        """How many modules the interpreter has had with the modules of each release."""
        self._is_active = False
        sys.path.insert(0, str(folder))
        try:
            with self.active():
                for name in names:
                    import_module(f"{PACKAGE}.{name}")
        finally:
            sys.path.remove(str(folder))

    def find(self, name: str) -> ModuleType:
        """Return a module of this release by its name in the package."""
        return self._own[f"{PACKAGE}.{name}"]

    @contextmanager
    def active(self) -> Iterator[None]:
        """Let the package be this release."""
        if self._is_active:
            yield
            return
        theirs, own = len(sys.modules), self._counts[1]
        self._theirs = _take(self._theirs if theirs == self._counts[0] else None)
        sys.modules.update(self._own)
        self._is_active = True
        try:
            yield
        finally:
            self._is_active = False
            count = len(sys.modules)
            self._own = _take(self._own if count == own else None)
            self._counts = theirs, count
            sys.modules.update(self._theirs)


def _take(known: dict[str, ModuleType] | None) -> dict[str, ModuleType]:
    """Remove and return the modules of the package: those that are known, if they are all."""
    if known is None:  # something was loaded since then
        found = [one for one in sys.modules if one.partition(".")[0] == PACKAGE]
    else:
        found = list(known)
    return {name: sys.modules.pop(name) for name in found}
