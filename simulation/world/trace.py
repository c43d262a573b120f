"""The trace of a run: a digest of all that happened, and the lines of which a story is made."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

KEPT: Final = 200_000
"""The number of lines that are kept for a story; the digest covers all of them."""


FINDING: Final = "FINDING "
"""The beginning of a line that says what the service must not do."""


class TracedLine(NamedTuple):
    """Something that happened: when (virtual ns), to whom, and what."""

    at: int
    who: str
    what: str


class Trace:
    """What happened in a world."""

    def __init__(self) -> None:
        self.lines: list[TracedLine] = []
        self._digest = blake2b(digest_size=16)

    def note_step(self, at: int, who: str) -> None:
        """Note that a strand goes on."""
        self._digest.update(f"{at} {who}\n".encode())

    def note_words(self, at: int, who: str, words: list[bytes], reply: object) -> None:
        """Note what a store was asked for, and what it answered."""
        self._digest.update(
            b"%d %b %b %b\n" % (at, who.encode(), b" ".join(words), repr(reply).encode())
        )

    def note(self, at: int, who: str, what: str) -> None:
        """Note what a story tells of."""
        self._digest.update(f"{at} {who} {what}\n".encode())
        self.lines.append(TracedLine(at, who, what))
        if len(self.lines) > 2 * KEPT:
            del self.lines[:KEPT]

    def read_digest(self) -> str:
        """Return the digest of all that was noted, as 32 hexadecimal digits."""
        return self._digest.hexdigest()
