"""The themes of Carcassonne: what the best line does that the tempting one does not."""

from __future__ import annotations

from typing import Final

from cartulary.puzzles.case import Case, Theme
from cartulary.puzzles.judging import Thinking
from cartulary.puzzles.telling import ToldLine

LOOK: Final = Thinking(width=6, first=3, finalists=1, samples=3)
"""What the first look takes."""

THINKING: Final = Thinking(width=16, first=4, finalists=4, samples=28)
"""As the analysis at the level `hard`."""

SURE: Final = 3
"""So many points more at once are a reason."""


def joins_city(case: Case) -> bool:
    """A follower of the seat gets into an open city of a rival, alone or in a tie."""
    return case.gains("takes", "shares", reason="city")


def takes_field(case: Case) -> bool:
    """The best line puts a follower on a field, or gets into a farm; the tempting one does not."""
    claims = case.best.has("claims", reason="farm") or case.best.has("claims", reason="field")
    tempts = case.tempting.has("claims", reason="farm") or case.tempting.has(
        "claims", reason="field"
    )
    return (claims and not tempts) or case.gains("takes", "shares", reason="farm")


def blocks(case: Case) -> bool:
    """After the best line few tiles or none fit what a rival has open."""
    return case.gains("blocks", "hinders")


def is_about_last_follower(case: Case) -> bool:
    """The seat has one follower left, and the lines use it differently."""
    if case.state.view()["followers"][case.seat] != 1:
        return False
    return _find_follower(case.best) != _find_follower(case.tempting)


def scores_surely(case: Case) -> bool:
    """The best line scores at least three points more at once."""
    return case.count_points(case.best) - case.count_points(case.tempting) >= SURE


def _find_follower(told: ToldLine) -> str:
    placed = [fact for fact in told.facts if fact["type"] == "follower_placed"]
    return placed[0]["feature"] if placed else ""


THEMES: Final = (
    Theme("join_city", "gets into a city of a rival", joins_city),
    Theme("take_field", "takes a field, or gets into a farm", takes_field),
    Theme("block", "leaves a rival few tiles that fit", blocks),
    Theme("last_follower", "uses or keeps the last follower", is_about_last_follower),
    Theme("sure_points", "scores at once", scores_surely),
)
"""The most telling first."""
