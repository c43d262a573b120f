"""The bytes that a program writes, as lines, within a bound of memory."""

from __future__ import annotations

from collections import deque
from typing import Final

LONGEST: Final = 1 << 20
"""Bytes of a line of the protocol: an answer has a few hundred."""

SHOWN: Final = 500
"""Bytes of a line of stderr that are logged."""

LOGGED: Final = 100
"""Lines of stderr that are logged in one thought; more lines are counted."""


class LineTooLong(ValueError):
    """A line has no end within `LONGEST` bytes."""


class LineBuffer:
    """Splits what comes into lines; blank lines are left out."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._lines: deque[bytes] = deque()

    def take(self, data: bytes) -> None:
        """Take bytes; raises `LineTooLong`."""
        *complete, rest = data.split(b"\n")
        for part in complete:
            self._begun += part
            if line := bytes(self._begun).strip():
                self._lines.append(line)
            self._begun.clear()
        self._begun += rest
        if len(self._begun) > LONGEST or any(len(line) > LONGEST for line in self._lines):
            raise LineTooLong(f"a line has more than {LONGEST} bytes")

    def pop(self) -> bytes | None:
        """Return the next line, None when there is no complete line."""
        return self._lines.popleft() if self._lines else None


class ErrorLines:
    """The lines of stderr: each is cut, and only the first of a thought are given out."""

    def __init__(self) -> None:
        self._begun = b""
        self._count = 0

    def take(self, data: bytes) -> list[str]:
        """Return the lines that the bytes complete, as far as they are to be logged."""
        *complete, rest = (self._begun + data).split(b"\n")
        # What is longer than a line may be is dropped, or a program without line feeds would fill
        # the memory.
        self._begun = rest[: SHOWN + 1]
        return self._choose(complete)

    def finish(self) -> list[str]:
        """Return what is left at the end of a thought: a line without an end, a count."""
        found = self._choose([self._begun] if self._begun else [])
        if self._count > LOGGED:
            found.append(f"… and {self._count - LOGGED} more lines")
        self._begun, self._count = b"", 0
        return found

    def _choose(self, lines: list[bytes]) -> list[str]:
        free = max(0, LOGGED - self._count)
        self._count += len(lines)
        return [_cut(line) for line in lines[:free]]


def _cut(line: bytes) -> str:
    text = line[:SHOWN].decode(errors="replace").rstrip()
    shown = "".join(char if char.isprintable() else "·" for char in text)
    return f"{shown}…" if len(line) > SHOWN else shown
