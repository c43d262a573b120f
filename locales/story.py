"""The story of a game in words, from the events and their facts, by the rules of `locales.telling`.

A fact (`docs/facts.md`) and a move have phrases in `story.<game>`, other events sentences in
`story`; what has no phrase is not told. What one seat did or got in a row makes one sentence. The
client tells the same story by the same rules (`web/js/story/teller.js`).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from cartulary import locales
from cartulary.locales.pieces import Describer
from cartulary.locales.telling import RULES, choose, follow_path
from cartulary.locales.thread import CONTEXT, find_thread

_NUMBERED: Final = re.compile(r"(\D+?)-?(\d+)")

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
        self._phrases: Mapping[str, Any] = words.words(lang).get("story", {})
        self._terms: Mapping[str, Any] = words.terms(lang)
        self._sentences: Mapping[str, Any] = locales.words(lang)["story"]
        self._general = locales.terms(lang)
        self.bundle = Describer(lang, words).goods
        self._kinds: Mapping[str, Callable[[Any], Any]] = {
            "name": self._name,
            "names": lambda seats: ", ".join(map(self._name, seats)),
            "bot": lambda bot: self._general.get("bots", {}).get(bot, bot),
            "bundle": self.bundle,
            "percent": lambda share: f"{round(100 * share)} %" if share >= 0.01 else "<1 %",
            "count": len,
            "best": lambda result: result["scores"][result["winners"][0]],
            "places": self._places,
        }

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
                subject = self._subject(seat, event)
                said_of = locales.semicolon(self._lang).join(phrases)
                sentences.append(f"{subject}{locales.colon(self._lang)}{said_of}.")
        self.follow(event)
        return sentences

    def _phrases_of(self, event: Fact) -> Iterator[tuple[int | None, str]]:
        """Yield the seat whose doing (or gain) it was, if any, and the phrase."""
        if event["type"] == "move_made":
            if text := self._move(event):
                yield event["seat"], text
        elif event["type"] in self._sentences:
            values = self._values(event)
            for patterns in RULES["events"]:
                template = choose(self._sentences, patterns, {**event, **values})
                if template:
                    yield None, self._fill(template, values)
        for fact in event.get("facts", ()):
            if text := self.phrase(fact):
                yield fact.get("seat"), text

    def _move(self, event: Fact) -> str | None:
        """Return a move as a phrase, None when its facts alone tell it."""
        phrases = self._phrases.get("moves", {})
        thread = find_thread(event, self._before)
        kind = event["move"]["type"]
        template = choose(phrases, RULES["moves"], {**thread, "type": kind})
        return template and self._fill(template, self._say_members({**event["move"], **thread}))

    def _subject(self, seat: int, event: Fact) -> str:
        """Return who did or got something; a stand-in is named together with its owner."""
        name = self._name(seat)
        if seat != event.get("seat"):
            return name
        values = {**self._values(event), "name": name}
        template = choose(self._sentences, RULES["mover"], {**event, **values})
        return self._fill(template, values) if template else name

    def _values(self, event: Fact) -> dict[str, Any]:
        """Return what the sentence of an event may hold, in words."""
        found: dict[str, Any] = {"name": ""}
        for name, paths in RULES["values"].items():
            for path, _, kind in (rule.partition(":") for rule in paths):
                if (value := follow_path(event, path)) is not None:
                    found[name] = self._kinds[kind](value) if kind else value
                    break
        return found

    def _name(self, seat: int) -> str:
        """Return the name of a seat at the version of the pending event."""
        for former in self._former:
            if former.seat == seat and self._version < former.version:
                return former.name
        return self._names[seat] if seat < len(self._names) else ""  # dropped before the start

    def _places(self, result: Fact) -> str | None:
        """Return the ranks of all seats in words, the best first; None when all of them stayed."""
        outcomes = result.get("outcomes", ())
        if all(outcome in RULES["stayed"] for outcome in outcomes):
            return None
        seats = sorted(range(len(outcomes)), key=result["ranks"].__getitem__)
        return locales.semicolon(self._lang).join(self._place(result, seat) for seat in seats)

    def _place(self, result: Fact, seat: int) -> str:
        outcome = result["outcomes"][seat]
        values = {
            "rank": result["ranks"][seat],
            "name": self._name(seat),
            "n": result["scores"][seat],
            "outcome": self._general["outcomes"][outcome],
        }
        left = outcome not in RULES["stayed"]
        return self._fill(choose(self._sentences, RULES["place"], {"left": left}) or "", values)

    def phrase(self, fact: Fact, phrases: Mapping[str, Any] | None = None) -> str | None:
        """Return a fact as a phrase without its subject, None when it is not worth one.

        `phrases` are those to choose from, by default the phrases of the story.
        """
        template = choose(self._phrases if phrases is None else phrases, RULES["facts"], fact)
        return template and self._fill(template, self._say_members(fact))

    def _say_members(self, values: Fact) -> dict[str, Any]:
        """Return the members of a fact or a move in words."""
        shown = {key: self.put_into_words(key, value) for key, value in values.items()}
        if "points" in values:
            shown["signed"] = f"{values['points']:+d}".replace("-", "−").replace("+0", "0")
        return shown

    def put_into_words(self, key: str, value: Any) -> Any:
        """Return a value of a fact in words, by the name under which the fact has it."""
        kind = RULES["members"].get(key)
        if kind is None or (kind == "name" and not isinstance(value, int)):
            return value
        if kind in self._kinds:
            return self._kinds[kind](value)
        return self._term(self._terms.get(kind, {}), value) if isinstance(value, str) else value

    def _term(self, group: Mapping[str, str], value: str) -> str:
        """Return what a value is called: `road-5` by the term `road`, with its number."""
        numbered = _NUMBERED.fullmatch(value)
        if value not in group and numbered and numbered[1] in group:
            return self._fill(group[numbered[1]], {"n": numbered[2]})
        return group.get(value, value.replace("_", " "))

    def _fill(self, template: str, values: Fact) -> str:
        return locales.fill(self._lang, template, values)
