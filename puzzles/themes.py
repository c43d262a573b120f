"""The catalogue of themes: what puzzles are about. A rule over facts decides each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.puzzles import carcassonne, caylus
from cartulary.puzzles.case import Case, Theme

THEMES: Final[Mapping[str, tuple[Theme, ...]]] = {
    "carcassonne": carcassonne.THEMES,
    "caylus": caylus.THEMES,
}
"""By game, the most telling first."""

MOST: Final = 3
"""So many themes has a puzzle at most."""


def list_themes(game: str) -> list[str]:
    """Return the ids of the themes of a game."""
    return [theme.id for theme in THEMES[game]]


def find_themes(game: str, case: Case) -> list[str]:
    """Return the themes whose rules hold, the most telling first; none: there is no reason."""
    return [theme.id for theme in THEMES[game] if theme.rule(case)][:MOST]
