"""What a notice says, in the language of its endpoint. Names of players are data, cut and cleaned.

A name is written by its player: it may hold line breaks, `@everyone`, a link or letters that turn
the direction of all that follows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from cartulary import locales
from cartulary.events.model.types import Json
from cartulary.locales.notices import read_notices
from cartulary.workers.notices.judging import OF_A_TURN

MOST_LETTERS: Final = 120


def clean(text: str) -> str:
    """Return a text on one line, without control characters and marks of direction (`Cc`, `Cf`)."""
    kept = (letter if unicodedata.category(letter)[0] != "C" else " " for letter in text)
    line = " ".join("".join(kept).split())
    return line if len(line) <= MOST_LETTERS else f"{line[: MOST_LETTERS - 1].rstrip()}…"


def write_title(items: Sequence[Json], language: str) -> str:
    """Return the head line: what has happened."""
    words = read_notices(language)
    games = {item["data"].get("game") for item in items}
    if not all(item["type"] in OF_A_TURN for item in items) and len(items) > 1:
        return words["news"]
    if len(games) > 1:
        return locales.fill(language, words["several"], {"n": len(games)})
    return words.get(items[0]["type"], words["other"])


def write_body(items: Sequence[Json], language: str) -> str:
    """Return the line below: in which games."""
    titles = [clean(str(item["data"].get("title") or "")) for item in items]
    return clean(locales.semicolon(language).join(title for title in titles if title))
