"""The words of the service in eight languages: the client, the catalogue, the pictures, the story.

`<tag>.json` holds the words of one language that belong to no game; `<game>/<tag>.json` holds those
of one game. Both have four parts: `ui` (the client alone), `terms` (what things are called),
`picture` (what stands in pictures besides), `story` (phrases for events and facts). The words that
belong to no game are complete in every language. A game brings English words at least; a text that
it lacks in another language is English there. `telling.json` says which phrase an event gets, for
the service and the client, in every language.

The terms of Caylus in Polish, Croatian, Dutch and Russian and those of Carcassonne in Polish are
those of the rule documents in these languages. German, French and Spanish have the terms of the
published editions, as far as those are known; the others are our own (`docs/words.md`).

A text may hold `{name}`, replaced by a value, and `{count|point|points}`: the number and the form
that goes with it. English, Dutch, German, French and Spanish have two forms (one, other), Polish
and Russian three (one, few, many), Croatian three (one, few, other). In French zero takes the form
of one. The client fills texts in by the same rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent

LANGUAGES: Final = ("en", "de", "es", "fr", "hr", "nl", "pl", "ru")
"""All languages of the service; whatever goes over the languages goes over these."""

TWO_FORMS: Final = frozenset({"en", "de", "es", "fr", "nl"})
"""The languages whose counted words have two forms; the others have three."""

DEFAULT: Final = "en"

Words = Mapping[str, Any]
"""Texts by key, in groups that nest."""

_PART: Final = re.compile(r"\{([a-z_]+)((?:\|[^{}|]*)*)\}")


@cache
def words(lang: str) -> Words:
    """Return the words of a language that belong to no game; raises `KeyError` for others."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    return _read(FOLDER / f"{lang}.json")


@cache
def story_rules() -> Words:
    """Return the rules by which the service and the client tell a game (`locales.telling`)."""
    return _read(FOLDER / "telling.json")


def colon(lang: str) -> str:
    """Return what stands between a name and what is said of it, with its spaces."""
    found: str = words(lang)["ui"]["signs"]["colon"]
    return found


def semicolon(lang: str) -> str:
    """Return what stands between two parts of a sentence, with its spaces."""
    found: str = words(lang)["ui"]["signs"]["semicolon"]
    return found


def terms(lang: str) -> Words:
    """Return what things are called that belong to no game: `terms("pl")["bots"]["medium"]`."""
    found: Words = words(lang)["terms"]
    return found


def read_folder(folder: Path) -> dict[str, Words]:
    """Return the words of the files `<tag>.json` of a folder, by language."""
    return {file.stem: _read(file) for file in sorted(folder.glob("*.json"))}


def _read(file: Path) -> Words:
    found: Words = json.loads(file.read_text(encoding="utf-8"))
    return found


class GameWords:
    """The words of one game, by language. A text that a language lacks is English there."""

    def __init__(
        self, by_language: Mapping[str, Words], lessons: Mapping[str, Words] | None = None
    ) -> None:
        self._own = by_language
        self._lessons = lessons or {}
        self._english = by_language.get(DEFAULT, {})
        self._complete: dict[str, Words] = {}
        self._pictures: dict[str, Mapping[str, str]] = {}

    @classmethod
    def of_folder(cls, folder: Path) -> GameWords:
        """Read the files `<tag>.json` of a folder; raises `FileNotFoundError` without English.

        Its folder `learn`, if there is one, has the words for people who learn the game.
        """
        own = read_folder(folder)
        if DEFAULT not in own:
            raise FileNotFoundError(
                f"{folder / DEFAULT}.json is missing: a game needs English words"
            )
        return cls(own, read_folder(folder / "learn"))

    def speaks(self, lang: str) -> bool:
        """Return whether the game has words of its own in a language, and its lesson, if any."""
        return lang in self._own and (not self._lessons or lang in self._lessons)

    def lesson(self, lang: str) -> Words:
        """Return the words for people who learn the game; empty where none are written."""
        return self._lessons.get(lang) or self._lessons.get(DEFAULT, {})

    def words(self, lang: str) -> Words:
        """Return all words of the game in a language."""
        if lang not in self._complete:
            self._complete[lang] = _merge(self._english, self._own.get(lang, {}))
        return self._complete[lang]

    def terms(self, lang: str) -> Words:
        """Return what the things of the game are called: `terms("pl")["goods"]["food"]`."""
        found: Words = self.words(lang).get("terms", {})
        return found

    def picture(self, lang: str) -> Mapping[str, str]:
        """Return the words of its pictures: terms and texts by path, as in `goods.food`.

        A text of the part `picture` comes before the term of the same path: it may be shorter.
        """
        if lang not in self._pictures:
            found = dict(_picture_words(lang))
            for own in (self._english, self._own.get(lang, {})):
                found |= _flatten(own.get("terms", {})) | _flatten(own.get("picture", {}))
            self._pictures[lang] = found
        return self._pictures[lang]


def _merge(below: Words, above: Words) -> Words:
    """Return the texts of `above`, and those of `below` that it lacks."""
    merged = dict(below) | dict(above)
    for key in below.keys() & above.keys():
        if isinstance(below[key], dict) and isinstance(above[key], dict):
            merged[key] = _merge(below[key], above[key])
    return merged


def _flatten(group: Words, path: str = "") -> dict[str, str]:
    """Return every text of a group by its path: `goods.food`."""
    found: dict[str, str] = {}
    for key, value in group.items():
        if isinstance(value, dict):
            found |= _flatten(value, f"{path}{key}.")
        else:
            found[f"{path}{key}"] = value
    return found


@cache
def _picture_words(lang: str) -> Mapping[str, str]:
    """Return the words of all pictures, by path, in a language."""
    own = words(lang)
    ui = own["ui"]
    general = {"status": ui["status"], "winners": ui["lobby"]["won"]}
    return _flatten(own["picture"]) | _flatten(general)


def join(lang: str, games: Mapping[str, GameWords]) -> Words:
    """Return all words of a language as the client reads them: those of a game by its name.

    The words of Caylus stand in `ui.caylus`, `terms.caylus` and `story.caylus`. `telling` has the
    rules of the story, which hold in every language.
    """
    joined = {**words(lang), "telling": story_rules()}
    for part in ("ui", "terms", "story"):
        of_games = {name: own.words(lang).get(part, {}) for name, own in games.items()}
        joined[part] = {**joined[part], **of_games}
    return joined


def name_seats(lang: str, seats: int) -> list[str]:
    """Return what seats are called that have no name: by their numbers."""
    seat = words(lang)["ui"]["new"]["seat"]
    return [fill(lang, seat, {"n": number + 1}) for number in range(seats)]


def fill(lang: str, template: str, values: Mapping[str, Any]) -> str:
    """Fill a text in; a part without a value stays as it is."""

    def part(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        value = values[found[1]]
        if not found[2]:
            return str(value)
        return f"{value} {inflect(lang, int(value), found[2][1:].split('|'))}"

    return _PART.sub(part, template)


def inflect(lang: str, count: int, forms: list[str]) -> str:
    """Return the form that goes with a number; the last one when there are too few."""
    return forms[min(_category(lang, abs(count)), len(forms) - 1)]


def _category(lang: str, count: int) -> int:
    """Return 0 for one, 1 for few, 2 for the rest (CLDR's plural rules for whole numbers)."""
    if lang in TWO_FORMS:
        return 0 if count == 1 or (lang == "fr" and count == 0) else 2
    last, teens = count % 10, 11 <= count % 100 <= 14
    is_one = count == 1 if lang == "pl" else last == 1 and not teens
    if is_one:
        return 0
    return 1 if 2 <= last <= 4 and not teens else 2
