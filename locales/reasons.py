"""Why a move is not legal, in eight languages: the `Reason` of the engine as a sentence.

A reason has a phrase `terms.<game>.reasons.<rule>`, or `terms.reasons.<rule>` for a rule that every
game has. The words of the engine, which are English, stand in for a missing phrase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cartulary import locales
from cartulary.locales.story import StoryTeller


class Reasons:
    """Tells the reasons of one game in one language; `names` are those of the seats."""

    def __init__(self, lang: str, words: locales.GameWords, names: Sequence[str]) -> None:
        self._lang, self._names = lang, names
        self._terms: Mapping[str, Any] = words.terms(lang)
        self._teller = StoryTeller(lang, words, names)
        own = locales.words(lang)
        self._general: Mapping[str, str] = own["terms"]["reasons"]
        self._ui: Mapping[str, Any] = own["ui"]

    def tell(self, rule: str, details: Mapping[str, Any], otherwise: str = "") -> str:
        """Return a reason as a sentence; `otherwise` is the sentence of a rule without a phrase."""
        own: Mapping[str, str] = self._terms.get("reasons", {})
        template = own.get(rule) or self._general.get(rule)
        if template is None:
            return otherwise
        shown = {key: self._put_into_words(key, value) for key, value in details.items()}
        text = locales.fill(self._lang, template, shown)
        return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('?') else '.'}"

    def _put_into_words(self, key: str, value: Any) -> Any:
        if key == "choices":
            return f" {self._ui['or']} ".join(map(self._teller.bundle, value))
        if key == "holders":
            return ", ".join(self._names[seat] for seat in value)
        if key == "clashes":
            return ", ".join(map(self._describe_clash, value))
        if key == "ask":
            return self._terms.get("asks", {}).get(value, value)
        return self._teller.put_into_words(key, value)

    def _describe_clash(self, clash: Mapping[str, str]) -> str:
        edges: Mapping[str, str] = self._terms["features"]
        edge, meets = (edges["f" if clash[one] == "field" else clash[one]] for one in _MEETING)
        side = self._ui["compass"][clash["side"]]
        return f"{side}{locales.colon(self._lang)}{edge} – {meets}"


_MEETING = ("edge", "meets")
