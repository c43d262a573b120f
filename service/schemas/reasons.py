"""The component `GoodReason` of `openapi.yaml`: why a line is good, as `docs/facts.md` lists it."""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]

REASONS: Final = (
    *("advances", "avoids", "batch", "blocks", "brings", "builds", "claims", "closes", "costs"),
    *("counts", "enlarges", "extends", "favours", "feeds", "helps", "hinders", "home", "houses"),
    *("income", "inn", "keeps", "order", "passes", "quiet", "reaches", "residences", "risks"),
    *("scores", "shares", "strands", "takes", "workers"),
)
"""The types of reasons: no fact of an event has one of these."""

_WORDS: Final = {
    "reason": "A feature, a penalty, or what kind it is.",
    "building": "A building of Caylus.",
    "line": "A line of favours.",
    "section": "A section of the castle.",
}
_NUMBERS: Final = {
    "by": "The seat of a rival.",
    "points": "What it comes to.",
    "followers": "So many followers.",
    "tiles": "So many tiles fit.",
    "cities": "Completed cities of a farm.",
    "beside": "Open cities of a farm.",
    "slot": "A place in the order of passing.",
    "houses": "So many houses.",
    "residences": "So many residences.",
    "favours": "So many favours.",
    "column": "A column of a line of favours.",
    "workers": "So many workers.",
    "deniers": "So much more income in each round.",
    "place": "A place in the turn order, 1 is first.",
}


def describe_reason() -> Json:
    """Return the schema of a reason."""
    words = {key: {"type": "string", "description": text} for key, text in _WORDS.items()}
    whole = {key: {"type": "integer", "description": text} for key, text in _NUMBERS.items()}
    properties = {
        "type": {"type": "string", "enum": list(REASONS), "description": "What speaks for it."},
        "seat": {"type": "integer", "minimum": 0, "description": "Whom it concerns."},
        **words,
        **whole,
        "chance": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "How likely a feature is completed.",
        },
        "goods": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "Numbers of goods by name.",
        },
    }
    return {
        "type": "object",
        "description": "Why a line is good. Each type has some of the keys (`docs/facts.md`).",
        "required": ["type", "seat"],
        "properties": properties,
        "additionalProperties": False,
    }
