"""Texts of a study: plain text with a few signs, never HTML.

A blank line parts paragraphs; a line that begins with `- ` is an item of a list; `**strong**` and
`*emphasis*` are the only signs within a line. Everything else is shown as it stands. A text that
looks like HTML is refused, because its author expects what never happens.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from cartulary.engine.canonical import quote
from cartulary.events.model.names import judge_line
from cartulary.studies.faults import Path, must
from cartulary.studies.limits import TEXT, TITLE

_TAG: Final = re.compile(r"<[A-Za-z/!?]|&#|javascript:", re.IGNORECASE)
_CHARACTERS: Final = frozenset(("Cc", "Cs", "Co", "Cn", "Zl", "Zp"))
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of a text, and with it what a reader believes to read."""


def check_title(value: Any, path: Path) -> str:
    """Return a title: one line with something to be seen. Raises `FaultyStudy`."""
    title = _check(value, path, TITLE, "")
    fault = judge_line(title, TITLE)
    must(fault is None, "text", path, f"a title {'' if fault is None else fault.detail}")
    return title


def check_text(value: Any, path: Path) -> str:
    """Return a text, which may be empty. Raises `FaultyStudy`."""
    return _check(value, path, TEXT, "\n")


def _check(value: Any, path: Path, most: int, allowed: str) -> str:
    must(isinstance(value, str), "form", path, f"a text is a string, not {quote(value)}")
    text = str(value)
    long = f"a text has {most} characters at most, not {len(text)}"
    must(len(text) <= most, "too_much", path, long)
    found = _TAG.search(text)
    where = "" if found is None else text[found.start() : found.start() + 12]
    html = f"a text is never HTML; {quote(where)} would be shown as it stands: leave it out"
    must(found is None, "text", path, html)
    for sign in text:
        shown = sign in allowed or unicodedata.category(sign) not in _CHARACTERS
        must(shown and sign not in _TURNING, "text", path, f"a text has no sign U+{ord(sign):04X}")
    return text
