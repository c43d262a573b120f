"""What a name may be: of a player who registers, and of a seat in a transcript that is imported."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST: Final = 64
"""Characters that a name may have."""

PATTERN: Final = (
    r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*"
    r"[^\u0000-\u0020\u007f-\u00a0\u2028\u2029]"
    r"[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
)
"""What a regular expression of every dialect can say of it; `fault_of_name` is stricter."""

_NOT_ON_A_LINE: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
_SHOWS_NOTHING: Final = frozenset(("Cf", "Mn", "Me", "Zs")) | _NOT_ON_A_LINE
# Letters and symbols by category, blank by design: Hangul fillers, and Braille without a dot.
_BLANK: Final = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")


def fault_of_name(name: str) -> str | None:
    """Say what is wrong with a name, None when nothing is.

    Joiners, marks and the like are part of many names and emoji: they may be in one, but a name
    that holds nothing else could not be seen.
    """
    if not 1 <= len(name) <= LONGEST:
        return f"must have 1 to {LONGEST} characters"
    categories = {unicodedata.category(letter) for letter in _BLANK.sub(" ", name)}
    if categories & _NOT_ON_A_LINE or categories <= _SHOWS_NOTHING:
        return "must be one line with something to be seen in it"
    return None
