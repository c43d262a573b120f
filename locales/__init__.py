"""The words of the games in five languages: the client, the catalogue, the pictures, the story.

One file per language, `<tag>.json`, in four parts: `ui` (the client alone), `terms` (what things
are called in each game), `picture` (what stands in pictures besides), `story` (phrases for facts).
The terms of Caylus in Polish, Croatian, Dutch and Russian and those of Carcassonne in Polish are
those of the rule documents in these languages.

A text may hold `{name}`, replaced by a value, and `{count|point|points}`: the number and the form
that goes with it. English and Dutch have two forms (one, other), Polish and Russian three (one,
few, many), Croatian three (one, few, other). The client fills texts in by the same rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
"""Where the files `<tag>.json` lie: the service sends them to the client as they are."""

LANGUAGES: Final = ("en", "pl", "hr", "nl", "ru")
DEFAULT: Final = "en"

Words = dict[str, Any]

_PART: Final = re.compile(r"\{([a-z_]+)((?:\|[^{}|]*)*)\}")
_QUALITY: Final = r"(?:;\s*q\s*=\s*([\d.]+))?"
_RANGE: Final = re.compile(rf"\s*([A-Za-z]{{1,8}}|\*)(?:-[A-Za-z0-9-]*)?\s*{_QUALITY}\s*")


@cache
def words(lang: str) -> Words:
    """Return all words of a language; raises `KeyError` for one that is not on offer."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    loaded: Words = json.loads((FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return loaded


def terms(lang: str) -> Words:
    """Return what the things of each game are called: `terms("pl")["caylus"]["goods"]["food"]`."""
    found: Words = words(lang)["terms"]
    return found


def negotiate(accept_language: str | None) -> str:
    """Return the language on offer that a header `Accept-Language` likes best, else English."""
    best, weight = DEFAULT, 0.0
    for part in (accept_language or "").split(","):
        found = _RANGE.fullmatch(part)
        if not found:
            continue
        tag = DEFAULT if found[1] == "*" else found[1].lower()
        liked = _quality(found[2])
        if tag in LANGUAGES and liked > weight:
            best, weight = tag, liked
    return best


def _quality(text: str | None) -> float:
    try:
        return 1.0 if text is None else min(float(text), 1.0)
    except ValueError:
        return 0.0


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
    if lang in ("en", "nl"):
        return 0 if count == 1 else 2
    last, teens = count % 10, 11 <= count % 100 <= 14
    is_one = count == 1 if lang == "pl" else last == 1 and not teens
    if is_one:
        return 0
    return 1 if 2 <= last <= 4 and not teens else 2


_PLAIN_NAMES: Final = {
    "wood_farm_food": "neutral_farm",
    "wood_farm_cloth": "neutral_farm",
    "stone_farm": "neutral_farm",
    "wood_sawmill": "neutral_sawmill",
    "wood_quarry": "neutral_quarry",
    "wood_marketplace": "neutral_marketplace",
    "wood_peddler": "fixed_peddler",
}
"""On a card the colour says of what kind a building is, so the short name is enough."""

_ROLES: Final = {"c": "knight", "r": "highwayman", "m": "monk", "f": "farmer"}
_KINDS: Final = {"c": "city", "r": "road", "m": "monastery", "f": "field"}


@cache
def picture_words(lang: str) -> dict[str, str]:
    """Return the words of pictures (`pictures.words`) in a language."""
    own = words(lang)
    caylus, carcassonne = own["terms"]["caylus"], own["terms"]["carcassonne"]
    names = caylus["buildings"]
    picture = dict(own["picture"])
    found = {f"shape.{key}": text for key, text in picture.pop("shape").items()} | picture
    found |= {game: own["terms"][game]["title"] for game in ("carcassonne", "caylus")}
    found |= {f"status.{key}": text for key, text in own["ui"]["status"].items()}
    found["winners"] = own["ui"]["lobby"]["won"]
    for game in (carcassonne, caylus):
        found |= {f"ask.{key}": text for key, text in game["asks"].items()}
    found |= {f"role.{role}": carcassonne["roles"][key].lower() for key, role in _ROLES.items()}
    found |= {f"kind.{kind}": carcassonne["features"][key] for key, kind in _KINDS.items()}
    for group, key in (("phases", "phase"), ("sections", "section"), ("lines", "line")):
        found |= {f"{key}.{name}": text for name, text in caylus[group].items()}
    found |= {f"building.{id_}": names[_PLAIN_NAMES.get(id_, id_)] for id_ in names}
    found |= {f"building.{id_}": text for id_, text in caylus["spaces"].items() if id_ != "road"}
    found |= {f"good.{name}": text for name, text in caylus["goods"].items()}
    found |= {"good.coin": caylus["goods"]["deniers"], "good.pawn": caylus["pieces"]["worker"]}
    found |= {key: caylus["pieces"][key] for key in ("provost", "bailiff", "passing", "turn_order")}
    found |= {"favours": caylus["pieces"]["favour_table"], "stock": caylus["pieces"]["stock"]}
    capital = {"passing", "turn_order", "stock"}
    found |= {key: found[key][:1].upper() + found[key][1:] for key in capital}
    return found | {"castle": caylus["spaces"]["castle"]}
