"""What happens at a table besides the moves, in words: people come, go, ask and answer.

An event type has a sentence `story.<type>`; where it makes a difference,
`story.cases.<type>_<reason>`. `story.more` has what is added to some sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from cartulary import locales

_REASONS: Final = ("reason", "kind", "answer", "outcome", "code")
"""The fields that choose among the sentences of a type."""

_COUNTED: Final = ("moves", "seats")
"""The fields whose length is the number in a sentence."""

Event = Mapping[str, Any]


class Happenings:
    """Tells what happens at one table in one language; `name_of` returns the name of a seat."""

    def __init__(self, lang: str, name_of: Callable[[int], str]) -> None:
        self._lang = lang
        self._name_of = name_of
        words = locales.words(lang)
        self._sentences: Mapping[str, Any] = words["story"]
        self._cases: Mapping[str, str] = words["story"]["cases"]
        self._more: Mapping[str, str] = words["story"]["more"]
        self._outcomes: Mapping[str, str] = words["terms"]["outcomes"]
        self._bots: Mapping[str, str] = words["terms"].get("bots", {})

    def tell(self, event: Event) -> Iterator[str]:
        """Yield the phrases of an event; nothing for a type without a sentence."""
        type_ = event["type"]
        if type_ not in self._sentences:
            return
        if type_ == "game_scored":
            yield from self._tell_result(event["result"])
            return
        values = self._values(event)
        yield self._fill(self._template(event), values)
        if type_ == "seat_forfeited" and event["stand_in"] is not None:
            yield self._fill(self._more["plays_on"], values)

    def name_mover(self, event: Event) -> str:
        """Return who has made a move: a stand-in is named together with its owner."""
        name = self._name_of(event["seat"])
        if event.get("by") != "stand_in" or "bot" not in event:
            return name
        bot = self._name_bot(event["bot"]["level"])
        return self._fill(self._more["for"], {"bot": bot, "name": name})

    def _template(self, event: Event) -> str:
        type_ = event["type"]
        names = [f"{type_}_{event[key]}" for key in _REASONS if event.get(key)]
        if event.get("ready") is False:
            names = [f"{type_}_not"]
        if event.get("auto"):
            names = [f"{name}_auto" for name in names]
        found = next((self._cases[name] for name in names if name in self._cases), None)
        return found or str(self._sentences[type_])

    def _values(self, event: Event) -> dict[str, Any]:
        values: dict[str, Any] = {"name": self._subject(event)}
        if bot := event.get("bot") or event.get("stand_in"):
            values["bot"] = self._name_bot(bot)
        if before := event.get("from"):
            values["former"] = before["player"]["name"]
        if event.get("target") is not None:
            values["target"] = self._name_of(event["target"])
        for key in _COUNTED:
            if key in event:
                values["n"] = len(event[key])
        return values

    def _subject(self, event: Event) -> str:
        """Return whom the sentence is about: the player of the event, a bot, or its seat."""
        was = event.get("was") or {}
        if player := event.get("player") or was.get("player"):
            return str(player["name"])
        if "bot" in was:
            return self._name_bot(was["bot"])
        return self._name_of(event["seat"]) if "seat" in event else ""

    def _tell_result(self, result: Event) -> Iterator[str]:
        names = ", ".join(map(self._name_of, result["winners"]))
        best = result["scores"][result["winners"][0]]
        template = self._sentences["game_scored"]
        if result.get("ended_by") == "forfeits":
            template = self._cases["game_scored_forfeits"]
        yield self._fill(template, {"names": names, "n": best})
        if any(_has_left(outcome) for outcome in result.get("outcomes", ())):
            yield self._fill(self._more["places"], {"places": self._places(result)})

    def _places(self, result: Event) -> str:
        """Return the ranks of all seats in words, the best first."""
        seats = sorted(range(len(result["ranks"])), key=result["ranks"].__getitem__)
        return "; ".join(self._place(result, seat) for seat in seats)

    def _place(self, result: Event, seat: int) -> str:
        outcome = result["outcomes"][seat]
        values = {
            "rank": result["ranks"][seat],
            "name": self._name_of(seat),
            "n": result["scores"][seat],
            "outcome": self._outcomes[outcome],
        }
        return self._fill(self._more["place_left" if _has_left(outcome) else "place"], values)

    def _name_bot(self, bot: str) -> str:
        return self._bots.get(bot, bot)

    def _fill(self, template: str, values: Mapping[str, Any]) -> str:
        return locales.fill(self._lang, template, values)


def _has_left(outcome: str) -> bool:
    return outcome not in ("finished", "bot")
