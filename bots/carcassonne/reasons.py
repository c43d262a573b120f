"""Why a placement or a follower is good, as facts: `docs/facts.md`, "Reasons".

The reasons compare the table after the answer with the table before it. A node keeps its number, so
any of its nodes finds a feature again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from cartulary.bots.carcassonne.chances import UNIT, list_chances
from cartulary.bots.carcassonne.fitting import SIDES_ASKED
from cartulary.bots.carcassonne.turn import list_answers
from cartulary.engine.carcassonne.features import OPEN_ENDS
from cartulary.engine.carcassonne.laid import FIT, LAID, LAID_BITS, LAID_MASK, opposite
from cartulary.engine.carcassonne.outlook import list_cities
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, PLACE_TILE, SKIP
from cartulary.engine.carcassonne.scoring import majority, rate_completed, rate_unfinished
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.core import Json

FEW: Final = 3
"""At most this many followers in the supply are worth keeping; at most this many fitting tiles are
rare."""

FIELD_DEMANDED: Final = 1
"""The code of a side of an open cell that demands a field."""


def find_reasons(
    state: CarcassonneState, move: int, plan: Sequence[int]
) -> tuple[list[Json], list[Json]]:
    """Return the facts that an answer causes, and its reasons, the weightiest first.

    A placement is explained with the follower that is planned after it, else with the follower that
    promises most.
    """
    after = state.copy()
    facts: list[Json] = []
    after.facts = facts
    follower = plan[0] if plan else _choose_follower(state, move)
    after.play(move)
    asked = PLACE_FOLLOWER in (state.kind, after.kind)
    if after.kind == PLACE_FOLLOWER:
        after.play(follower)
    after.facts = None
    comparison = Comparison(state, after, facts)
    found = [*comparison.list_reasons()]
    if asked and not after.over:
        found += comparison.list_kept()
    return facts, found or [_reason("quiet", state.turn)]


def _choose_follower(state: CarcassonneState, move: int) -> int:
    """Return the follower that promises most after a placement, `SKIP` for none."""
    if state.kind != PLACE_TILE:
        return SKIP
    return max(answer for answer in list_answers(state) if answer.move == move).segment


def _reason(kind: str, seat: int, **details: Any) -> Json:
    return {"type": kind, "seat": seat, **details}


class Comparison:
    """What an answer changes: the table before it and after it, and the facts that it causes."""

    def __init__(
        self, before: CarcassonneState, after: CarcassonneState, facts: Sequence[Json]
    ) -> None:
        self.before, self.after, self.facts = before, after, facts
        self.seat = before.turn
        self.features = after.features
        root = self.features.root
        self.new = {
            root(node): kind
            for node, (_, kind) in after.pieces.items()
            if node not in before.pieces
        }
        """The feature of the new follower, with its kind."""
        self.old: dict[int, tuple[str, set[int]]] = {}
        """By feature with followers of before: its kind, and the features that it was."""
        for node in before.pieces.keys() & after.pieces.keys():
            _, kind = after.pieces[node]
            _, parts = self.old.setdefault(root(node), (kind, set()))
            parts.add(before.features.root(node))

    def list_reasons(self) -> Iterator[Json]:
        """Yield the reasons, the weightiest first."""
        yield from self.list_scored()
        if self.after.over:
            yield from self.list_farms()
            yield from self.list_counted()
            return
        yield from self.list_joined()
        yield from self.list_farms()
        yield from self.list_claimed()
        yield from self.list_blocked()
        yield from self.list_extended()

    def list_scored(self) -> Iterator[Json]:
        """Yield what the answer completes, and the followers that come home."""
        points = [fact for fact in self.facts if fact["type"] == "points"]
        own = [fact for fact in points if fact["seat"] == self.seat]
        for fact in own:
            yield _reason("closes", self.seat, reason=fact["reason"], points=fact["points"])
        if home := self.before.pieces.keys() - self.after.pieces.keys():
            count = sum(self.before.pieces[node][0] == self.seat for node in home)
            if count:
                yield _reason("home", self.seat, followers=count)
        for fact in points:
            if fact not in own:
                yield _reason("helps", fact["seat"], points=fact["points"])

    def list_joined(self) -> Iterator[Json]:
        """Yield the open features of rivals that a follower of the seat gets into."""
        for root, (kind, parts) in self.old.items():
            held = self.features.followers(root, self.after.seats)
            holders = majority(held)
            rivals = {
                seat
                for part in parts
                for seat in self._holders_of(part)
                if self.seat not in self._holders_of(part)
            }
            if self.seat in holders and rivals:
                how = "takes" if holders == [self.seat] else "shares"
                reason = _name(kind)
                points = self._rate_done(root, kind)
                yield _reason(how, self.seat, reason=reason, by=min(rivals), points=points)

    def _holders_of(self, root: int) -> list[int]:
        return majority(self.before.features.followers(root, self.before.seats))

    def list_farms(self) -> Iterator[Json]:
        """Yield the points that farms of before gain: the answer completes cities next to them."""
        gain = self._count_gain(
            (root, parts) for root, (kind, parts) in self.old.items() if kind == "field"
        )
        if gain > 0:
            yield _reason("feeds", self.seat, points=gain)

    def list_counted(self) -> Iterator[Json]:
        """Yield what the last answer of the game adds at the final scoring, farms of before aside.

        No feature can be completed any more, so what it would pay then says nothing.
        """
        old = [(root, parts) for root, (kind, parts) in self.old.items() if kind != "field"]
        gain = self._count_gain([*old, *((root, set[int]()) for root in self.new)])
        if gain > 0:
            yield _reason("counts", self.seat, points=gain)

    def _count_gain(self, features: Iterable[tuple[int, set[int]]]) -> int:
        """Return what the seat gains at the final scoring by features and the parts they were."""
        before, gain = self.before.features, 0
        for root, parts in features:
            kind = self._kind_of(root)
            if self.seat in majority(self.features.followers(root, self.after.seats)):
                gain += rate_unfinished(self.features, root, kind).points
            for part in parts:
                if self.seat in self._holders_of(part):
                    gain -= rate_unfinished(before, part, kind).points
        return gain

    def _kind_of(self, root: int) -> str:
        return self.new[root] if root in self.new else self.old[root][0]

    def list_claimed(self) -> Iterator[Json]:
        """Yield what the new follower holds."""
        for root, kind in self.new.items():
            if kind != "field":
                yield _reason("claims", self.seat, **self._rate(root, kind))
                continue
            worth = rate_unfinished(self.features, root, kind)
            all_cities = len(list_cities(self.features, root))
            counts = {"cities": worth.detail["cities"], "beside": all_cities}
            reason = "farm" if worth.points else "field"
            yield _reason("claims", self.seat, reason=reason, points=worth.points, **counts)

    def list_extended(self) -> Iterator[Json]:
        """Yield the open features that the answer makes larger, those of the seat first."""
        grown = []
        for root, (kind, parts) in self.old.items():
            holders, part = majority(self.features.followers(root, self.after.seats)), min(parts)
            if kind == "field" or not set(holders).intersection(self._holders_of(part)):
                continue
            now = rate_unfinished(self.features, root, kind).points
            if now > rate_unfinished(self.before.features, part, kind).points:
                grown.append((self.seat not in holders, root, kind, holders))
        for is_rival, root, kind, holders in sorted(grown):
            if is_rival:
                yield _reason("enlarges", holders[0], **self._rate(root, kind))
            else:
                yield _reason("extends", self.seat, **self._rate(root, kind))

    def _rate(self, root: int, kind: str) -> Json:
        """Return what an open feature pays when it is completed as large as it is, and the chance.

        A monastery has no chance: `points` are those that it may expect.
        """
        chances, ends = list_chances(self.after.left), self.features.records[root] & OPEN_ENDS
        if kind == "monastery":
            return {"reason": kind, "points": round(chances.monastery[ends] / UNIT)}
        chance = (chances.city if kind == "city" else chances.road)[ends]
        points = self._rate_done(root, kind)
        return {"reason": kind, "points": points, "chance": round(chance / UNIT, 2)}

    def _rate_done(self, root: int, kind: str) -> int:
        if kind == "field":
            return rate_unfinished(self.features, root, kind).points
        tiny_city = int(self.after.options["tiny_city"])
        return rate_completed(self.features, root, kind, tiny_city).points

    def list_blocked(self) -> Iterator[Json]:
        """Yield the open features of rivals that few tiles or no tile can complete any more."""
        before = {
            self.features.root(root): tiles for root, tiles in count_fitting(self.before).items()
        }
        for root, tiles in count_fitting(self.after).items():
            kind, parts = self.old.get(root, ("", set()))
            holders = majority(self.features.followers(root, self.after.seats))
            if not parts or self.seat in holders or tiles > FEW or tiles >= before.get(root, 0):
                continue
            how = "hinders" if tiles else "blocks"
            points = self._rate_done(root, kind)
            yield _reason(how, holders[0], reason=_name(kind), points=points, tiles=tiles)

    def list_kept(self) -> Iterator[Json]:
        """Yield the followers of a seat that has few and does not place one."""
        supply = self.after.supply[self.seat]
        placed = any(fact["type"] == "follower_placed" for fact in self.facts)
        if not placed and 0 < supply <= FEW:
            yield _reason("keeps", self.seat, followers=supply)


def _name(kind: str) -> str:
    return "farm" if kind == "field" else kind


def count_fitting(state: CarcassonneState) -> dict[int, int]:
    """Return, for each open city and road, how many tiles left fit its most difficult cell."""
    bag = [(FIT[tile], count) for tile, count in enumerate(state.bag) if count]
    found: dict[int, int] = {}
    for cell, code in state.board.open.items():
        fitting = sum(count for fit, count in bag if fit[code])
        for step, side in SIDES_ASKED[code]:
            if code >> 2 * opposite(side) & 3 != FIELD_DEMANDED:
                packed = state.board.tiles[cell + step]
                port = LAID[packed & LAID_MASK].ports[side][0]
                root = state.features.root((packed >> LAID_BITS) + port)
                found[root] = min(found.get(root, fitting), fitting)
    return found
