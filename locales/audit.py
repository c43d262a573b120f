"""What a translator has to look at: what is missing, unknown, filled in wrongly or too long.

English is the measure. What the bots are like the offers say in English, so there it is another
language. A text may be longer than the English one by half, and by twelve letters more: so much
room every button and title has. Sentences flow on, so they may be twice as long.
`script/words` prints what is found here; `tests/browser` look at the pages themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from cartulary.locales import DEFAULT, FOLDER, TWO_FORMS, Words, read_folder

LONGER_BY: Final = 12
TIMES: Final = 1.5
TIMES_IN_SENTENCES: Final = 2
ROOM: Final[Mapping[str, int]] = {
    "ui.kinds.feature": 40,
    "terms.phases.buildings": 30,
    "terms.phases.scoring": 38,
    "rules.buildings.title": 34,
}
"""Letters that a text may have where its place is wider than the English text makes believe."""

_PART: Final = re.compile(r"\{([a-z_]+[a-z_0-9.+]*)((?:\|[^{}|]*)*)\}")
_SENTENCES: Final = ("story.", "rules.", "guide.")


class TextFault(NamedTuple):
    """Something about one text; `file` is that of the language."""

    lang: str
    file: str
    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.lang}  {self.file}  {self.path}: {self.problem}"


def find_faults(lang: str, folder: Path = FOLDER) -> Iterator[TextFault]:
    """Yield the faults of a language in all its files."""
    for place in list_folders(folder):
        every = read_folder(place)
        if every.keys() == {DEFAULT}:
            continue  # a game may have English words alone
        file = f"{place.relative_to(folder) / lang}.json"
        english = every[DEFAULT] if lang == DEFAULT else _add_bot_lines(every)
        for path, problem in compare(english, every.get(lang, {}), lang):
            yield TextFault(lang, file, path, problem)


def _add_bot_lines(every: Mapping[str, Words]) -> Words:
    """Return the English words with what the bots are like in the language that says most of it."""
    english = every[DEFAULT]
    lines = [words.get("terms", {}).get("bot_lines", {}) for words in every.values()]
    said = max(lines, key=len)
    return {**english, "terms": {**english["terms"], "bot_lines": said}} if said else english


def list_folders(folder: Path = FOLDER) -> list[Path]:
    """Return the folders that hold words: that of the service, of each game, of each lesson."""
    return sorted(english.parent for english in folder.rglob(f"{DEFAULT}.json"))


def compare(english: Words, own: Words, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each text with a fault and what the fault is."""
    wanted, found = dict(flatten(english)), dict(flatten(own))
    for path in wanted.keys() - found.keys():
        if not _stands_in(path, wanted):
            yield path, "is missing"
    for path in found.keys() - wanted.keys():
        if not _stands_in(path, found):
            yield path, f"is unknown: {found[path]}"
    for path in wanted.keys() & found.keys():
        for problem in _compare_text(path, wanted[path], found[path], lang):
            yield path, problem


def _stands_in(path: str, texts: Mapping[str, str]) -> bool:
    """Return whether the term of the same path says what this text of a picture says."""
    return path.startswith("picture.") and path.replace("picture.", "terms.", 1) in texts


def _compare_text(path: str, english: str, own: str, lang: str) -> Iterator[str]:
    if sorted(set(list_parts(english))) != sorted(set(list_parts(own))):
        yield f"has other parts than {english!r}: {own}"
    wanted = 2 if lang in TWO_FORMS else 3
    for forms in (forms for _, forms in _PART.findall(own) if forms):
        if forms.count("|") != wanted:
            yield f"has {forms.count('|')} forms instead of {wanted}: {own}"
    room = find_room(path, english)
    if (length := measure(own)) > room:
        yield f"has {length} letters, {length - room} too many: {own}"


def find_room(path: str, english: str) -> int:
    """Return how many letters a text may have."""
    times = TIMES_IN_SENTENCES if path.startswith(_SENTENCES) else TIMES
    return ROOM.get(path, LONGER_BY + round(times * measure(english)))


def list_parts(text: str) -> list[str]:
    """Return the names of the parts that are filled in."""
    return [name for name, _ in _PART.findall(text)]


def measure(text: str) -> int:
    """Return how many letters a text has with its longest forms; a value counts as two."""
    return len(_PART.sub(lambda part: f"00{max(part[2].split('|'), key=len)}", text))


def flatten(words: Words, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text with its path: `terms.goods.food`."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value
