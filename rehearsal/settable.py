"""What a rehearsal sets from outside: the clock and the draws.

Both are files in the directory of the rehearsal: the edge writes them, the processes of the service
read them. Each file is replaced as a whole, so that no reader sees half of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from time import time_ns

CLOCK, DRAWS = "clock", "draws"


class SettableClock:
    """The clock of the machine, and how far it was set forward; a `Clock` of the ledger."""

    def __init__(self, folder: Path, now_ns: Callable[[], int] = time_ns) -> None:
        self._file, self._now_ns = folder / CLOCK, now_ns

    def now_ms(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return self._now_ns() // 1_000_000 + self.read_ahead()

    def read_ahead(self) -> int:
        """Return how many milliseconds the clock is ahead of the machine."""
        try:
            return int(self._file.read_text())
        except FileNotFoundError:
            return 0

    def advance(self, ms: int) -> None:
        """Set the clock forward; raises `ValueError` for a step back: events stay in order."""
        if ms < 0:
            raise ValueError("the clock goes forward only")
        _replace(self._file, str(self.read_ahead() + ms))


class SettableDraws(Random):
    """Makes the secrets of games; a seed makes the same games again, in the order of opening."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._file = folder / DRAWS
        self._text: str | None = None

    def randbytes(self, n: int) -> bytes:
        """Return bytes that follow from the seed, and from how often they were asked for."""
        text = self._file.read_text()
        if text != self._text:
            self._text = text
            super().seed(sha256(text.partition(" ")[0].encode()).digest())
        return super().randbytes(n)


def set_seed(folder: Path, seed: int, time: Callable[[], int] = time_ns) -> None:
    """Choose the draws of the games that are opened from now on, the first of the seed next."""
    # The moment makes the text a new one, so that the same seed begins again.
    _replace(folder / DRAWS, f"{seed} {time()}")


def _replace(file: Path, text: str) -> None:
    new = file.with_suffix(".new")
    new.write_text(text)
    os.replace(new, file)
