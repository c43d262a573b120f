"""The rules of the story, which the client follows too: `telling.json` says what gets which words.

Keys of phrases are patterns, tried in their order; the first that fits and has words is taken. In
a pattern `{reason}` stands for the value of `reason`, which must be there; `{auto?}` and
`{ready=false}` stand for nothing, and demand a value, or this value.

`values` are what the sentence of an event may hold: the first path that leads to something, and how
that is put into words. `members` says the same of the members of facts and moves: a kind that
`StoryTeller` knows, or the group of terms that names the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cartulary.locales import Words, story_rules

RULES: Final = story_rules()

_PART: Final = re.compile(r"\{(\w+)(\?|=\w+)?\}")


def choose(phrases: Words, patterns: Iterable[str], scope: Mapping[str, Any]) -> str | None:
    """Return the phrase of the first pattern that fits the scope; None when there is no phrase."""
    for pattern in patterns:
        if all(_fits(scope.get(name), test) for name, test in _PART.findall(pattern)):
            key = _PART.sub(lambda part: "" if part[2] else str(scope[part[1]]), pattern)
            if isinstance(phrase := follow_path(phrases, key), str):
                return phrase
    return None


def follow_path(values: Any, path: str) -> Any:
    """Return what lies at a path such as `player.name`; None when there is nothing."""
    for name in path.split("."):
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def _fits(value: Any, test: str) -> bool:
    return str(value).lower() == test[1:] if test.startswith("=") else bool(value)
