"""The themes of Caylus: what the best line does that the tempting one does not."""

from __future__ import annotations

from typing import Any, Final

from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.leaf import LEARNED
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.core import Json
from cartulary.puzzles.case import Case, Theme
from cartulary.puzzles.judging import POINT, Thinking
from cartulary.puzzles.telling import ToldLine

LOOK: Final = Thinking(width=5, first=1, finalists=1, samples=1)
"""What the first look takes."""

THINKING: Final = Thinking(width=8, first=1, finalists=4, samples=6)
"""More than the analysis at the level `hard`, less than at `expert`."""

RIVALS: Final = 2
"""The third move by promise shows whether a few moves promise more than all others."""


def list_promises(state: CaylusState) -> list[int]:
    """Return what each move promises at once, in units of a point, as `medium` sees it."""
    return [round(POINT * worth) for worth in judge(state)]


USUAL: Final = ("place_worker", "trade")
"""The kinds of most decisions."""


def is_rare(state: CaylusState) -> bool:
    """Return whether this is a rarer decision than a worker or a trade: a bribe, a favour, a house.

    Such positions are looked at even where `medium` sees no large difference.
    """
    return state.kind not in USUAL


def is_question(_best: ToldLine, _other: ToldLine) -> bool:
    """Return True: each line costs or brings something that another does not."""
    return True


def touches_rivals(_best: ToldLine, _tempting: ToldLine) -> bool:
    """Return True: all seats share the places of the road and the castle."""
    return True


def rate_end(_state: CaylusState, end: CaylusState) -> list[int]:
    """Return what each seat may expect after a future, in units of a point."""
    return [round(POINT * value) for value in LEARNED.rate(end)]


RICHER: Final = 2
"""The least number of deniers more that is a reason."""


def uses_provost(case: Case) -> bool:
    """Return whether the lines differ in the provost, or in which workers it reaches."""
    if case.state.kind in ("bribe", "merchants_guild"):
        return True
    return case.gains("reaches", "strands") or _sends(case.best) == "merchants_guild"


def is_about_order(case: Case) -> bool:
    """Return whether the best line goes to the stables, or comes earlier in the turn order."""
    if _sends(case.best) == "stables":
        return True
    before, after = (_find_place(case, told) for told in (case.tempting, case.best))
    return case.gains("order") and after < before


def is_about_favours(case: Case) -> bool:
    """Return whether a royal favour is to be used, or the best line brings more of them."""
    if case.state.kind.startswith("favour") or case.state.kind == "joust_field":
        return True
    if _sends(case.best) == "joust_field":
        return True
    best, tempting = (_count(case, told, "favours_won", "favours") for told in _both(case))
    return case.gains("favours", "advances") and best > tempting


def is_about_castle(case: Case) -> bool:
    """Return whether the best line goes to the castle, builds more there, or avoids a penalty."""
    if case.state.kind == "castle" or _sends(case.best) == "castle":
        return True
    return case.gains("houses", "avoids", "batch")


def is_about_money(case: Case) -> bool:
    """Return whether the best line brings `RICHER` deniers more, or more income."""
    if _sends(case.best) == "trading_post" or case.gains("income"):
        return True
    best, tempting = (_find_purse(case, told) for told in _both(case))
    return best - tempting >= RICHER and any(
        reason["type"] in ("brings", "keeps") and "deniers" in reason["goods"]
        for reason in case.best.reasons
    )


def builds(case: Case) -> bool:
    """Return whether the best line builds more on the road, now or later in the round."""
    best, tempting = (
        sum(reason["type"] in ("builds", "residences") for reason in told.reasons)
        for told in _both(case)
    )
    return best > tempting


def denies(case: Case) -> bool:
    """Return whether the best line takes a place to which a rival goes after the tempting one."""
    space = _sends(case.best)
    return bool(space) and any(
        fact["type"] == "worker_placed" and fact["seat"] != case.seat and fact["space"] == space
        for fact in case.tempting.later
    )


def is_last_round(case: Case) -> bool:
    """Return whether the game ends with this round, after each of the two lines."""
    return case.best.end.over and case.tempting.end.over


def _both(case: Case) -> tuple[ToldLine, ToldLine]:
    return case.best, case.tempting


def _sends(told: ToldLine) -> str:
    """Return where a line sends a worker, the empty string for nowhere."""
    move: Json = told.after[0]["move"]
    return move["space"] if move["type"] in ("place_worker", "move_worker") else ""


def _find_place(case: Case, told: ToldLine) -> int:
    order: list[int] = told.end.view()["turn_order"]
    return order.index(case.seat)


def _find_purse(case: Case, told: ToldLine) -> int:
    player: dict[str, Any] = told.end.view()["players"][case.seat]
    return int(player["deniers"])


def _count(case: Case, told: ToldLine, kind: str, key: str = "") -> int:
    """Return how often a fact happens to the seat in a future, or the sum of a key of it."""
    found = [f for f in told.later if f["type"] == kind and f["seat"] == case.seat]
    return sum(int(fact[key]) for fact in found) if key else len(found)


THEMES: Final = (
    Theme("last_round", "the game ends with this round", is_last_round),
    Theme("provost", "moves the provost, or counts on where it will stand", uses_provost),
    Theme("denial", "takes a place that a rival would take", denies),
    Theme("turn_order", "comes earlier in the turn order", is_about_order),
    Theme("castle", "builds in the castle", is_about_castle),
    Theme("favour", "wins or uses a royal favour", is_about_favours),
    Theme("build", "builds on the road", builds),
    Theme("money", "has more deniers", is_about_money),
)
"""The most telling first."""
