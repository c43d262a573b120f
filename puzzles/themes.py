"""The catalogue of themes: what puzzles are about. A rule over facts decides each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.puzzles import carcassonne, caylus
from cartulary.puzzles.case import Case, Theme
from cartulary.puzzles.telling import ToldLine

THEMES: Final[Mapping[str, tuple[Theme, ...]]] = {
    "carcassonne": carcassonne.THEMES,
    "caylus": caylus.THEMES,
}
"""By game, the most telling first."""

SPEAKING: Final = (
    *("closes", "home", "takes", "shares", "feeds", "counts", "claims", "blocks", "hinders"),
    *("extends", "houses", "builds", "residences", "scores", "avoids", "favours", "advances"),
    *("reaches", "strands", "income", "brings", "batch", "order"),
)
"""The types of reasons that speak for a line. The inn is not among them: what it is worth comes
after the round at whose end the futures end."""

LOUD: Final = 3
"""So many points in favour of the tempting line outweigh any other reason for a reader."""

MOST: Final = 3
"""So many themes has a puzzle at most."""


def list_themes(game: str) -> list[str]:
    """Return the ids of the themes of a game."""
    return [theme.id for theme in THEMES[game]]


def find_themes(game: str, case: Case) -> list[str]:
    """Return the themes whose rules hold, the most telling first.

    The list is empty unless a reason speaks for the best line that the tempting one lacks, and
    where the points that the reasons name speak for the tempting line.
    """
    if not case.gains(*SPEAKING) or speaks_against(case):
        return []
    return [theme.id for theme in THEMES[game] if theme.rule(case)][:MOST]


def speaks_against(case: Case) -> bool:
    """Return whether the reasons name `LOUD` points more in this round for the tempting line."""
    best, tempting = (_count_scored(told) for told in (case.best, case.tempting))
    return tempting - best >= LOUD


def _count_scored(told: ToldLine) -> int:
    return sum(int(reason["points"]) for reason in told.reasons if reason["type"] == "scores")
