"""The catalogue of themes: what puzzles are about. A rule over facts decides each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.engine.core import Json
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
"""The points in favour of the tempting line that outweigh any other reason for a reader."""

NAMED: Final = (
    *("scores", "closes", "feeds", "counts"),  # points at once, or at the end for sure
    *("takes", "shares", "blocks", "hinders"),  # points of rivals
)
"""The types of reasons whose points a reader compares. What an open feature may pay some day is not
among them."""

MOST: Final = 3
"""The most themes of a puzzle."""


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
    """Return whether the reasons name `LOUD` points more for the tempting line."""
    best, tempting = (count_named(told) for told in (case.best, case.tempting))
    return tempting - best >= LOUD


def count_named(told: ToldLine) -> int:
    """Return the points that the reasons of a line name, less those that it gives to rivals."""
    named = [reason for reason in told.reasons if reason["type"] in NAMED or is_farm(reason)]
    given = [reason for reason in told.reasons if reason["type"] == "helps"]
    return sum(int(r["points"]) for r in named) - sum(int(r["points"]) for r in given)


def is_farm(reason: Json) -> bool:
    """Return whether a reason is the claim of a farm, which pays for sure."""
    return bool(reason["type"] == "claims" and reason["reason"] == "farm")
