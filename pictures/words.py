"""Looking a word up in the words that a picture is drawn with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_PART: Final = re.compile(r"\{(\w+)\}")


def say(words: Mapping[str, str], word: str, **parts: object) -> str:
    """Return a word, or its key when the words lack it, with its parts filled in.

    Parts are put in literally: braces in a player's name mean nothing.
    """
    sentence = words.get(word, word)
    if not parts:
        return sentence
    return _fill(sentence, *((name, str(part)) for name, part in parts.items()))


@lru_cache(maxsize=1024)
def _fill(sentence: str, *parts: tuple[str, str]) -> str:
    known = dict(parts)
    return _PART.sub(lambda found: known.get(found[1], found[0]), sentence)


def capitalise(text: str) -> str:
    """Return a text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]
