"""What a line of text may be: the name of a player or of an imported seat, a message."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

LONGEST: Final = 64
"""Characters that a name may have."""

BIDI: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""The characters that turn the direction of text (Bidi_Control of Unicode), for a pattern."""

_ENDS_A_LINE: Final = r"\u0000-\u001f\u007f-\u009f\u2028\u2029" + BIDI

PATTERN: Final = rf"^[^{_ENDS_A_LINE}]*[^\u0020\u00a0{_ENDS_A_LINE}][^{_ENDS_A_LINE}]*$"
"""What a regular expression of every dialect can say of it; `fault_of_name` is stricter."""

_NOT_ON_A_LINE: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
_SHOWS_NOTHING: Final = frozenset(("Cf", "Mn", "Me", "Zs")) | _NOT_ON_A_LINE
# Letters and symbols by category, blank by design: Hangul fillers, and Braille without a dot.
_BLANK: Final = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")


_TURNS: Final = re.compile(f"[{BIDI}]")


class LineFault(NamedTuple):
    """What is wrong with a line: a stable word (`length`, `unseen`, `turning`), and a sentence."""

    reason: str
    detail: str


def fault_of_name(name: str) -> str | None:
    """Return what is wrong with a name, None when nothing is wrong."""
    return fault_of_line(name, LONGEST)


def fault_of_line(text: str, longest: int) -> str | None:
    """Return in words what is wrong with a line of at most `longest` characters, or None."""
    fault = judge_line(text, longest)
    return None if fault is None else fault.detail


def judge_line(text: str, longest: int) -> LineFault | None:
    """Return what is wrong with a line of at most `longest` characters, None if nothing is wrong.

    Joiners, marks and the like are part of many names and emoji: they may be in a line, but a line
    that holds nothing else would be invisible. A character that turns the direction of text would
    also turn the text that follows the line.
    """
    if not 1 <= len(text) <= longest:
        return LineFault("length", f"must have 1 to {longest} characters")
    categories = {unicodedata.category(letter) for letter in _BLANK.sub(" ", text)}
    if categories & _NOT_ON_A_LINE or categories <= _SHOWS_NOTHING:
        return LineFault("unseen", "must be one line with something to be seen in it")
    if _TURNS.search(text):
        return LineFault("turning", "must not hold characters that turn the direction of text")
    return None
