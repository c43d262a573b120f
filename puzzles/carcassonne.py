"""The themes of Carcassonne: what the best line does that the tempting one does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.fitting import Fitting
from cartulary.bots.carcassonne.imagining import rate_farmer
from cartulary.bots.carcassonne.reasons import find_reasons
from cartulary.bots.carcassonne.turn import list_answers
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.core import Json
from cartulary.puzzles.case import Case, Theme
from cartulary.puzzles.judging import POINT, Thinking
from cartulary.puzzles.telling import ToldLine

LOOK: Final = Thinking(width=6, first=3, finalists=1, samples=3)
"""What the first look takes."""

THINKING: Final = Thinking(width=16, first=4, finalists=4, samples=28)
"""As the analysis at the level `hard`."""

RIVALS: Final = 3
"""The fourth line by promise shows whether a few lines promise more than all others."""


def list_promises(state: CarcassonneState) -> list[int]:
    """Return what each line promises at once, in units of a point, as `medium` sees it."""
    others = state.seats - 1  # a worth counts the points of the seat once for each other seat
    answers = list_answers(state, rate_farmer(state.seats, state.left))
    return [POINT * answer.worth // (UNIT * others) for answer in answers]


TOUCHING: Final = frozenset({"takes", "shares", "blocks", "hinders"})
"""The reasons of lines that touch what a rival has."""

LOOKED_AT: Final = 2


def is_rare(state: CarcassonneState) -> bool:
    """Return whether one of the most promising lines touches what a rival has.

    Such positions are looked at even where `medium` sees no large difference.
    """
    answers = list_answers(state, rate_farmer(state.seats, state.left))
    answers.sort(reverse=True)
    return any(
        reason["type"] in TOUCHING
        for answer in answers[:LOOKED_AT]
        for reason in find_reasons(state, answer.move, (answer.segment,))[1]
    )


def is_question(best: ToldLine, other: ToldLine) -> bool:
    """Return whether a reader may prefer another line to the best one.

    The same placement without a follower that would come home at once is no question.
    """
    placed = [fact for fact in best.facts if fact["type"] == "follower_placed"]
    if not placed or _find_follower(best):
        return True
    others = [fact["type"] for fact in other.facts]
    return best.after[0] != other.after[0] or "follower_placed" in others


def touches_rivals(best: ToldLine, tempting: ToldLine) -> bool:
    """Return whether the best line touches what rivals have, or the tempting line helps them."""
    return best.has(*TOUCHING) or tempting.has("helps", "enlarges")


def rate_end(state: CarcassonneState, end: CarcassonneState) -> list[int]:
    """Return what each seat may expect after a future, in units of a point."""
    return [POINT * value // UNIT for value in Fitting(state).seats(end)]


SURE: Final = 3
"""The least number of points more at once that is a reason."""


def joins_city(case: Case) -> bool:
    """Return whether a follower gets into an open city of a rival, alone or in a tie."""
    return case.gains("takes", "shares", reason="city")


def takes_field(case: Case) -> bool:
    """Return whether the best line alone takes a field, or gets into a farm of a rival."""
    claims = _claims_field(case.best) and not _claims_field(case.tempting)
    return claims or case.gains("takes", "shares", reason="farm")


def leaves_field(case: Case) -> bool:
    """Return whether the tempting line alone puts a follower on a field."""
    return _claims_field(case.tempting) and not _claims_field(case.best)


def _claims_field(told: ToldLine) -> bool:
    return told.has("claims", reason="farm") or told.has("claims", reason="field")


def blocks(case: Case) -> bool:
    """Return whether few tiles or none fit what a rival has open, after the best line alone."""
    return case.gains("blocks", "hinders")


def is_about_last_follower(case: Case) -> bool:
    """Return whether the seat has one follower left, and the lines use it differently."""
    if case.state.view()["followers"][case.seat] != 1:
        return False
    return _find_follower(case.best) != _find_follower(case.tempting)


def scores_surely(case: Case) -> bool:
    """Return whether the best line scores `SURE` points more, those of its farms included."""
    best, tempting = (_count_sure(case, told) for told in (case.best, case.tempting))
    return best - tempting >= SURE


def _count_sure(case: Case, told: ToldLine) -> int:
    fed: Iterator[int] = (
        reason["points"] for reason in told.reasons if reason["type"] in ("feeds", "counts")
    )
    return case.count_points(told) + sum(fed)


def _find_follower(told: ToldLine) -> str:
    """Return the feature of the follower that a line leaves on the board, '' for none."""
    home = [_find_spot(fact) for fact in told.facts if fact["type"] == "follower_returned"]
    for fact in told.facts:
        if fact["type"] == "follower_placed" and _find_spot(fact) not in home:
            return str(fact["feature"])
    return ""


def _find_spot(fact: Json) -> tuple[int, int, str]:
    return fact["x"], fact["y"], fact["segment"]


THEMES: Final = (
    Theme("join_city", "gets into a city of a rival", joins_city),
    Theme("take_field", "takes a field, or gets into a farm", takes_field),
    Theme("block", "leaves a rival few tiles that fit", blocks),
    Theme("last_follower", "uses or keeps the last follower", is_about_last_follower),
    Theme("leave_field", "does not put a follower on a field yet", leaves_field),
    Theme("sure_points", "scores at once, or by a city next to its farm", scores_surely),
)
"""The most telling first."""
