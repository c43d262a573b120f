"""Names of players as data: a reader that takes every text for an order must not obey a name."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 24
"""Letters of a name that are shown; more of them could be a speech."""

_QUOTES: Final = dict.fromkeys(map(ord, '"“”„«»`<>[]{}\\'), "'")
_UNSEEN: Final = ("C", "Z")
"""Categories of Unicode: controls, formats and surrogates; separators of words and lines."""


def quote_name(name: str) -> str:
    """Return a name in quotation marks, on one line, at most `LONGEST` letters.

    It holds no quotation mark and no bracket, so no name seems to end its quotation.
    """
    seen = "".join(" " if unicodedata.category(one)[0] in _UNSEEN else one for one in name)
    text = " ".join(seen.split()).translate(_QUOTES)
    return f'"{text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"}"'
