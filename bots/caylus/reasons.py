"""Why a move of Caylus is good, as facts: `docs/facts.md`, "Reasons".

Two rounds are played out by reflex, as `medium` does it: the round after the move, and the round
after another answer. The differences are what the move is good for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.outlook import Outlook
from cartulary.bots.caylus.reflexes import Reflexes
from cartulary.engine.caylus.accounts import affordable
from cartulary.engine.caylus.buildings import INCOME
from cartulary.engine.caylus.goods import CUBE_NAMES, KINDS
from cartulary.engine.caylus.moves import OFFERS, Move
from cartulary.engine.caylus.places import INN_RIGHT, ROAD
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.core import Json

GOODS: Final = (*CUBE_NAMES, "deniers")

IDLE_ANSWERS: Final = ("pass", "decline", "leave")
"""The types of the answers that do nothing: what other answers bring is measured against them."""

USUAL_PRICE: Final = 2
"""A worker that costs at most this many deniers is not worth a word."""

PENALTIES: Final = ("no_batch", "no_house")


class Future(NamedTuple):
    """The end of the round after a move, and all facts until then."""

    state: CaylusState
    facts: list[Json]

    def count_points(self, seat: int, reasons: Sequence[str]) -> int:
        """Return the points of a seat for some reasons."""
        return sum(fact["points"] for fact in self._list("points", seat, reasons))

    def count_facts(self, kind: str, seat: int) -> Counter[str]:
        """Return how often a fact of a kind happens to a seat, by what it is about."""
        return Counter(
            fact.get("building") or fact.get("section") or "" for fact in self._list(kind, seat)
        )

    def _list(self, kind: str, seat: int, reasons: Sequence[str] = ()) -> list[Json]:
        return [
            fact
            for fact in self.facts
            if fact["type"] == kind
            and fact["seat"] == seat
            and (not reasons or fact["reason"] in reasons)
        ]

    def count_favours(self, seat: int) -> int:
        """Return the royal favours that a seat wins."""
        return sum(fact["favours"] for fact in self._list("favours_won", seat))


def find_reasons(
    state: CaylusState, move: Move, _: Sequence[Move]
) -> tuple[list[Json], list[Json]]:
    """Return the facts that a move causes, and its reasons, the weightiest first.

    A forced move has no reasons.
    """
    after = state.copy()
    facts: list[Json] = []
    after.facts = facts
    after.play(move)
    other = _choose_other(state, move)
    if other is None:
        return facts, []
    outlook = Outlook(state)
    comparison = Comparison(
        state, move, _play_out(state, move, outlook), _play_out(state, other, outlook), facts
    )
    return facts, list(comparison.list_reasons()) or [{"type": "quiet", "seat": state.seat}]


def _choose_other(state: CaylusState, move: Move) -> Move | None:
    """Return the answer that a move is measured against, None when the move is forced.

    It is the answer that does nothing. The best of the others stands in when the move itself does
    nothing, and the worst when every answer does something.
    """
    moves = state.moves()
    if len(moves) == 1:
        return None
    if not _is_idle(move):
        idle = [other for other in moves if _is_idle(other)]
        if idle:
            return idle[0]
    worths = dict(zip(moves, judge(state), strict=True))
    del worths[move]
    return (max if _is_idle(move) else min)(worths, key=lambda other: worths[other])


def _is_idle(move: Move) -> bool:
    return move.json["type"] in IDLE_ANSWERS


def _play_out(state: CaylusState, move: Move, outlook: Outlook) -> Future:
    """Return the end of the round when no player places another worker."""
    reflexes, position, this_round = Reflexes(outlook), state.copy(), state.round
    facts: list[Json] = []
    position.facts = facts
    position.play(move)
    while position.round == this_round and not position.over:
        position.play(reflexes.answer(position))
    return Future(position, facts)


class Comparison:
    """A move against another answer: `mine` and `other` are the futures after them."""

    def __init__(
        self, state: CaylusState, move: Move, mine: Future, other: Future, facts: Sequence[Json]
    ) -> None:
        self.state, self.seat, self.facts = state, state.seat, facts
        self.mine, self.other = mine, other
        self.is_idle = _is_idle(move)
        self.is_choice = not self.is_idle and not any(map(_is_idle, state.moves()))
        """Every answer brings something: what another answer brings is no cost of the move."""

    def list_reasons(self) -> Iterator[Json]:
        """Yield the reasons, the weightiest first."""
        yield from self._list_passing()
        yield from self._list_built()
        yield from self._list_points()
        yield from self._list_favours()
        yield from self._list_provost()
        yield from self._list_income()
        yield from self._list_goods()
        yield from self._list_order()

    def _reason(self, kind: str, **details: Any) -> Json:
        return {"type": kind, "seat": self.seat, **details}

    def _list_passing(self) -> Iterator[Json]:
        for fact in self.facts[:1]:
            if fact["type"] == "passed":
                yield self._reason("passes", slot=fact["slot"])

    def _list_built(self) -> Iterator[Json]:
        """Yield houses in the castle, buildings and residences."""
        for section, houses in self._more("house_built", self.seat).items():
            later = self._find_later("house_built")
            yield self._reason("houses", section=section, houses=houses, **later)
        for building in self._more("building_built", self.seat):
            yield self._reason("builds", building=building, **self._find_later("building_built"))
        if residences := self._more("residence_built", self.seat).total():
            later = self._find_later("residence_built")
            yield self._reason("residences", residences=residences, **later)

    def _find_later(self, kind: str) -> dict[str, str]:
        """Return the detail that says that the move itself builds nothing: it makes it possible."""
        builds = any(fact["type"] == kind and fact["seat"] == self.seat for fact in self.facts)
        return {} if builds else {"reason": "later"}

    def _more(self, kind: str, seat: int) -> Counter[str]:
        return self.mine.count_facts(kind, seat) - self.other.count_facts(kind, seat)

    def _list_points(self) -> Iterator[Json]:
        mine, other = self.mine.state.scores[self.seat], self.other.state.scores[self.seat]
        penalties = {reason: self._gain((reason,)) for reason in PENALTIES}
        gain = mine - other - sum(penalties.values())
        if gain > 0:
            yield self._reason("scores", points=gain)
        for reason, points in penalties.items():
            if points > 0:
                yield self._reason("avoids", reason=reason, points=points)
            elif points < 0 and not self.is_choice:
                yield self._reason("risks", reason=reason, points=-points)

    def _gain(self, reasons: Sequence[str]) -> int:
        mine = self.mine.count_points(self.seat, reasons)
        return mine - self.other.count_points(self.seat, reasons)

    def _list_favours(self) -> Iterator[Json]:
        favours = self.mine.count_favours(self.seat) - self.other.count_favours(self.seat)
        if favours > 0:
            yield self._reason("favours", favours=favours)
        for fact in self.facts[:1]:
            if fact["type"] == "favour_taken" and fact["advanced"]:
                yield self._reason("advances", line=fact["line"], column=fact["column"])

    def _list_provost(self) -> Iterator[Json]:
        """Yield own workers that the provost reaches, and workers of rivals that it does not."""
        idle = "building_idle"
        before, now = (future.count_facts(idle, self.seat) for future in (self.other, self.mine))
        reached = before.total() - now.total()
        if reached > 0 and self.state.kind in PROVOST:
            yield self._reason("reaches", workers=reached)
        for seat in range(self.state.seats):
            if seat != self.seat and (stranded := list(self._more(idle, seat))):
                one, several = {"building": stranded[0]}, {"workers": len(stranded)}
                yield {"type": "strands", "seat": seat, **(several if stranded[1:] else one)}

    def _list_income(self) -> Iterator[Json]:
        more = _income(self.mine.state, self.seat) - _income(self.other.state, self.seat)
        if more > 0:
            yield self._reason("income", deniers=more)

    def _list_goods(self) -> Iterator[Json]:
        """Yield the goods that the seat has more of, and less of, at the end of the round."""
        mine, other = _purse(self.mine.state, self.seat), _purse(self.other.state, self.seat)
        change = {good: m - o for good, m, o in zip(GOODS, mine, other, strict=True) if m != o}
        if more := {good: n for good, n in change.items() if n > 0}:
            yield self._reason("keeps" if self.is_idle else "brings", goods=more)
        has_batch, had_batch = (_holds_batch(f.state, self.seat) for f in (self.mine, self.other))
        if has_batch and not had_batch:
            yield self._reason("batch")
        less = {good: -n for good, n in change.items() if n < 0}
        if self.state.kind == "place_worker" and less.get("deniers", 0) <= USUAL_PRICE:
            less.pop("deniers", None)
        if less and not self.is_idle and not self.is_choice:
            yield self._reason("costs", goods=less)

    def _list_order(self) -> Iterator[Json]:
        place, was = (f.state.turn_order.index(self.seat) for f in (self.mine, self.other))
        if place < was:
            yield self._reason("order", place=place + 1)
        yield from self._list_inn()

    def _list_inn(self) -> Iterator[Json]:
        """Yield what the inn is good for: cheap workers, or a worker who comes home from there."""
        stays, would_stay = (
            f.state.worker[INN_RIGHT] == self.seat for f in (self.mine, self.other)
        )
        asked = self.state.kind == "inn"
        if stays and not would_stay:
            yield self._reason("inn", **({"reason": "stays"} if asked else {}))
        more = self.mine.state.workers[self.seat] - self.other.state.workers[self.seat]
        if asked and more > 0:
            yield self._reason("workers", workers=more)


PROVOST: Final = ("bribe", "merchants_guild")
"""The kinds of decisions that move the provost."""


def _purse(state: CaylusState, seat: int) -> list[int]:
    return state.goods[KINDS * seat : KINDS * (seat + 1)]


def _holds_batch(state: CaylusState, seat: int) -> bool:
    """Return whether a seat can give a batch, also one with gold (rules 3, phase 6)."""
    return bool(affordable(state, seat, OFFERS))


def _income(state: CaylusState, seat: int) -> int:
    return sum(INCOME[state.building[space]] for space in ROAD if state.owner[space] == seat)
