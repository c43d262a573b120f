"""The story of a game in words, from the facts of its events: the same that the client tells.

A fact (`docs/facts.md`) has a phrase `story.<game>.<type>`; where it makes a difference
`<type>_<reason>`, `<type>_<feature>` or, with a building, `<type>_building`. A fact without a
phrase is not worth telling. What one seat did or got in a row makes one sentence. A move may have
a phrase itself, `moves.<type>`; where it makes a difference also by what it answers
(`locales.thread`). The sentences of all other events come from `locales.happenings`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from cartulary import locales
from cartulary.locales.happenings import Happenings
from cartulary.locales.thread import CONTEXT, list_keys

_GROUPS: Final = {
    "building": "buildings",
    "replaced": "buildings",
    "line": "lines",
    "section": "sections",
    "phase": "phases",
    "feature": "features",
    "source": "sources",
    "tile": "tiles",
}
_SEATS: Final = ("seat", "by")
_BUNDLES: Final = ("goods", "give", "get", "pay")
_ORDER: Final = ("deniers", "food", "wood", "stone", "cloth", "gold", "prestige")
_ROAD: Final = re.compile(r"road-(\d+)")

Fact = Mapping[str, Any]


class FormerName(NamedTuple):
    """The name that a seat had in the events before a version: another player sat there."""

    seat: int
    name: str
    version: int


class StoryTeller:
    """Tells one game in one language; `words` are those of the game, `names` those of the seats.

    `former` are the names of earlier owners, the earliest first.
    """

    def __init__(
        self,
        lang: str,
        words: locales.GameWords,
        names: Sequence[str],
        former: Sequence[FormerName] = (),
    ) -> None:
        self._lang = lang
        self._names = names
        self._former = former
        self._version = 0
        self._before: deque[Fact] = deque(maxlen=CONTEXT)
        self._happenings = Happenings(lang, self._name)
        self._phrases: Mapping[str, Any] = words.words(lang).get("story", {})
        self._terms: Mapping[str, Any] = words.terms(lang)

    def follow(self, event: Fact) -> None:
        """Remember an event that is not told: later events may refer to it."""
        self._before.append(event)

    def tell(self, event: Fact) -> list[str]:
        """Return an event as sentences; an empty list when there is nothing to tell.

        Tell the events in their order; `follow` takes the events before the first of them.
        """
        sentences = []
        self._version = event.get("version", 0)
        for seat, said in groupby(self._phrases_of(event), key=itemgetter(0)):
            phrases = [text for _, text in said]
            if seat is None:
                sentences += [f"{phrase[:1].upper()}{phrase[1:]}." for phrase in phrases]
            else:
                sentences.append(f"{self._subject(seat, event)}: {'; '.join(phrases)}.")
        self.follow(event)
        return sentences

    def _phrases_of(self, event: Fact) -> Iterator[tuple[int | None, str]]:
        """Yield the seat whose doing (or gain) it was, if any, and the phrase."""
        kind = event["type"]
        if kind == "move_made":
            text = self._move(event)
            if text:
                yield event["seat"], text
        else:
            for sentence in self._happenings.tell(event):
                yield None, sentence
        for fact in event.get("facts", ()):
            text = self.phrase(fact)
            if text:
                yield fact.get("seat"), text

    def _move(self, event: Fact) -> str | None:
        """Return a move as a phrase, None when its facts alone tell it."""
        phrases = self._phrases.get("moves", {})
        for key, more in list_keys(event, self._before) if phrases else ():
            if key in phrases:
                return self._fill(phrases[key], {**event["move"], **more})
        return None

    def _subject(self, seat: int, event: Fact) -> str:
        if seat == event.get("seat"):
            return self._happenings.name_mover(event)
        return self._name(seat)

    def _name(self, seat: int) -> str:
        """Return the name of a seat at the version of the pending event."""
        for former in self._former:
            if former.seat == seat and self._version < former.version:
                return former.name
        return self._names[seat] if seat < len(self._names) else ""  # dropped before the start

    def phrase(self, fact: Fact, phrases: Mapping[str, Any] | None = None) -> str | None:
        """Return a fact as a phrase without its subject, None when it is not worth one.

        `phrases` are those to choose from, by default the phrases of the story.
        """
        phrases = self._phrases if phrases is None else phrases
        kind = fact["type"]
        place = "_building" if fact.get("building") else ""
        keys = (
            *(f"{kind}_{fact.get('reason')}", f"{kind}_{fact.get('feature')}"),
            *(f"{kind}{place}", kind),
        )
        template = next((phrases[key] for key in keys if key in phrases), None)
        return template and self._fill(template, fact)

    def _fill(self, template: str, values: Fact) -> str:
        shown = {key: self.put_into_words(key, value) for key, value in values.items()}
        if "points" in values:
            shown["signed"] = f"{values['points']:+d}".replace("-", "−").replace("+0", "0")
        return locales.fill(self._lang, template, shown)

    def put_into_words(self, key: str, value: Any) -> Any:
        """Return a value of a fact in words, by the name under which the fact has it."""
        if key in _SEATS and isinstance(value, int):
            return self._name(value)
        if key in _BUNDLES:
            return self.bundle(value)
        if key == "space":
            return self._space(value)
        if key == "chance":
            return f"{round(100 * value)} %" if value >= 0.01 else "<1 %"
        if key == "segment":
            return self._terms["roles"][value[0]]
        if key == "turn_order":
            return ", ".join(map(self._name, value))
        if key in _GROUPS and isinstance(value, str):
            return self._terms.get(_GROUPS[key], {}).get(value, value.replace("_", " "))
        return value

    def _space(self, space: str) -> str:
        spaces: Mapping[str, str] = self._terms["spaces"]
        found = _ROAD.fullmatch(space)
        return locales.fill(self._lang, spaces["road"], {"n": found[1]}) if found else spaces[space]

    def bundle(self, goods: Mapping[str, int]) -> str:
        """Return goods in words: `3 deniers, 2 food`."""
        amounts = self._terms["amounts"]
        return ", ".join(
            locales.fill(self._lang, amounts[name], {"n": goods[name]})
            for name in sorted(goods, key=_ORDER.index)
        )
