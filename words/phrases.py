"""The texts of one game in one language, by their path, and the terms that moves and views name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cartulary import locales
from cartulary.locales import GameWords
from cartulary.locales.story import StoryTeller
from cartulary.locales.telling import follow_path

_TEXT: Final = re.compile(r"\{((?:ui|story|terms|picture)\.[a-z_.]+)\}")


class Phrases:
    """What a game says in one language; `words` are those of the game."""

    def __init__(self, lang: str, words: GameWords) -> None:
        self.lang = lang
        self._own = words.words(lang)
        self._general = locales.words(lang)
        self._teller = StoryTeller(lang, words, ())
        self.colon = locales.colon(lang)

    def read(self, path: str) -> str:
        """Return a text of the game, else one that belongs to no game, else the path itself."""
        found = follow_path(self._own, path) or follow_path(self._general, path)
        return found if isinstance(found, str) else path.rpartition(".")[2]

    def fill(self, template: str, **values: Any) -> str:
        """Return a text with `{ui.…}` and other paths read, and its parts filled in."""
        texts = _TEXT.sub(lambda found: self.read(found[1]), template)
        return locales.fill(self.lang, texts, values)

    def say(self, path: str, **values: Any) -> str:
        """Return the text of a path with its parts filled in."""
        return locales.fill(self.lang, self.read(path), values)

    def put_into_words(self, move: Mapping[str, Any]) -> dict[str, Any]:
        """Return the members of a move in words: `road-4` is `space 4`."""
        return {name: self._teller.put_into_words(name, value) for name, value in move.items()}

    def goods(self, goods: Mapping[str, int]) -> str:
        """Return goods in words, without amounts of zero; a dash for nothing."""
        return self._teller.bundle({name: n for name, n in goods.items() if n}) or "–"

    def seat(self, seat: int) -> str:
        """Return what a seat is called: `Seat 1`."""
        return self.say("ui.new.seat", n=seat + 1)

    def seats(self, seats: Sequence[int]) -> str:
        """Return several seats in their order."""
        return ", ".join(map(self.seat, seats)) or "–"
