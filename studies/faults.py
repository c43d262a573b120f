"""What is wrong with a study: data for clients, a sentence for people."""

from __future__ import annotations

from typing import Final, NamedTuple

from cartulary.engine.errors import pointer

WORDS: Final = ("form", "too_much", "text", "start", "illegal", "draw", "twice", "question")
"""What may be wrong, in stable words for programs."""


class StudyFault(NamedTuple):
    """A fault: a stable word, the JSON pointer to its place, a sentence.

    Words: `form` (a key is missing, unknown, or has another type), `too_much` (a limit), `text`
    (what a text may not hold), `start` (the position cannot be set up), `illegal` (a move that the
    rules do not allow there), `draw` (a draw that is not asked, not possible, or missing), `twice`
    (the same move twice in a position), `question` (answers that contradict each other).
    """

    code: str
    pointer: str
    detail: str


Path = tuple[str | int, ...]
"""Keys and indexes from the document to a value."""


class FaultyStudy(ValueError):
    """Raised at the first fault of a value."""

    def __init__(self, code: str, path: Path, detail: str) -> None:
        super().__init__(detail)
        self.fault = StudyFault(code, pointer(*path), detail)

    @classmethod
    def of(cls, fault: StudyFault) -> FaultyStudy:
        """Return the error of a fault that was found before."""
        made = cls(fault.code, (), fault.detail)
        made.fault = fault
        return made


def must(holds: bool, code: str, path: Path, detail: str) -> None:
    """Raise `FaultyStudy` unless something holds."""
    if not holds:
        raise FaultyStudy(code, path, detail)
