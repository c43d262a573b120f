"""Why a move is good, as one sentence in eight languages: the facts of `cartulary.bots.reasons`.

A reason has a phrase `story.<game>.reasons.<type>`; where it makes a difference `<type>_<reason>`.
Facts without such a phrase are not said, because the reasons sum them up. When no fact has such a
phrase (a forced move, a game without reasons), the phrases of the story stand in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cartulary import locales
from cartulary.locales.story import StoryTeller

MOST: Final = 4
"""The most phrases of a sentence."""

Fact = Mapping[str, Any]


class Sentences:
    """Makes sentences in one language; `names` are those of the seats.

    A seat without a name is called by its number.
    """

    def __init__(self, lang: str, names: Sequence[str] = ()) -> None:
        own = locales.words(lang)
        self._lang = lang
        self._joined: str = own["story"]["more"]["joined"]
        self._names = names

    def say(self, words: locales.GameWords, facts: Iterable[Fact]) -> str:
        """Return facts as a sentence without its subject and its full stop, "" without facts.

        `words` are those of the game.
        """
        facts = list(facts)
        teller = StoryTeller(self._lang, words, self._name_seats(facts))
        reasons = words.words(self._lang).get("story", {}).get("reasons", {})
        found = [text for fact in facts if (text := teller.phrase(fact, reasons))]
        phrases = found or [text for fact in facts if (text := teller.phrase(fact))]
        return self._join(phrases[:MOST])

    def _name_seats(self, facts: Iterable[Fact]) -> Sequence[str]:
        if self._names:
            return self._names
        most = max((fact.get(key, 0) for fact in facts for key in ("seat", "by")), default=0)
        return locales.name_seats(self._lang, most + 1)

    def _join(self, phrases: Sequence[str]) -> str:
        *first, last = phrases or [""]
        if not first:
            return last
        return locales.fill(self._lang, self._joined, {"first": ", ".join(first), "last": last})
