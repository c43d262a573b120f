"""What a target of the fuzzing is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Broke(Exception):
    """A reader has broken a promise; the message says which."""


class FuzzTarget(NamedTuple):
    """A reader of bytes from outside.

    `run` gives the bytes to the reader. It returns, or raises an exception of `refusals`, whose
    message is for people: any other exception is a finding. `seeds` returns valid inputs, which
    the fuzzing changes; `words` are the words of the format. No input has more than `most` bytes.
    """

    name: str
    run: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...]
    seeds: Callable[[], Iterable[bytes]]
    words: tuple[str, ...] = ()
    most: int = 8192

    def judge(self, data: bytes) -> bool:
        """Return whether the reader takes the bytes; raises what is a finding."""
        try:
            self.run(data)
        except self.refusals as refusal:
            if not str(refusal):
                raise Broke(f"{type(refusal).__name__} says nothing") from refusal
            return False
        return True
