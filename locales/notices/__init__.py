"""The words of notices, which only the service says: no client has to load them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cartulary import locales


@cache
def read_notices(lang: str) -> Mapping[str, str]:
    """Return the head lines of notices by type; those of English for an unknown language."""
    chosen = lang if lang in locales.LANGUAGES else locales.DEFAULT
    return {
        name: str(text) for name, text in locales.read_folder(Path(__file__).parent)[chosen].items()
    }
