"""What a line leads to, for people: its facts, its reasons, and a future that may follow."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Plan
from cartulary.bots.reasons import explain
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json, State
from cartulary.games.offer import Offer
from cartulary.puzzles.record import Line

TURNS: Final = 2
"""The number of turns of each seat that follow in a game without rounds."""

FUTURES: Final = 8
"""The number of futures of a line, by seed: a puzzle has the first that shows its point."""

FORETOLD: Final = "medium"
"""The bot that plays the futures: it moves at once."""


class ToldLine(NamedTuple):
    """A line with what it leads to.

    Attributes: `facts`, what the line causes, without its draws; `reasons`, what it is good for;
    `after`, the steps of a future, the line first; `later`, the facts of that future from the first
    step to the last; `end`, the position at its end.
    """

    plan: Plan
    facts: list[Json]
    reasons: list[Json]
    after: list[Json]
    later: list[Json]
    end: State[Any]

    def has(self, *kinds: str, **details: Any) -> bool:
        """Return whether a reason has one of these types, and these details."""
        return any(
            reason["type"] in kinds and all(reason.get(key) == one for key, one in details.items())
            for reason in self.reasons
        )


def tell(offer: Offer, state: State[Any], plan: Plan, seed: int = 0) -> ToldLine:
    """Return a line with its facts, its reasons and a future.

    With one seed all lines of a position have the same draws, as far as they ask for the same.
    """
    told, count = list_line_facts(offer, state, plan), len(list_facts(state, plan))
    return ToldLine(plan, told[:count], told[count:], *foresee(offer, state, plan, seed))


def list_line_facts(offer: Offer, state: State[Any], plan: Plan) -> list[Json]:
    """Return the facts of a line with its reasons, as `Puzzle.facts` has them."""
    facts = list_facts(state, plan)
    return [*facts, *explain(offer.reasons, state, plan[0], plan[1:])[len(facts) :]]


def list_facts(state: State[Any], plan: Plan) -> list[Json]:
    """Return the facts that a line causes, without those of a draw."""
    position, facts = state.copy(), list[Json]()
    position.facts = facts
    for move in plan:
        position.play(move)
    return facts


def foresee(
    offer: Offer, state: State[Any], plan: Plan, seed: int = 0
) -> tuple[list[Json], list[Json], State[Any]]:
    """Return the steps of a future after a line, its facts, and the position at its end.

    All seats play as `medium` does, to the end of the round, or `TURNS` turns each.
    """
    position, later, steps = state.copy(), list[Json](), list[Json]()
    source, rng = RandomSource(random.Random(seed)), random.Random(seed)
    bot, planned, turns = offer.bots[FORETOLD].bot, list(plan), TURNS * state.seats + 1
    this_round, last = getattr(state, "round", None), -1
    while not position.over:
        seat = position.seat
        turns -= not planned and seat != last
        ended = turns < 0 if this_round is None else getattr(position, "round", 0) != this_round
        if ended and not planned:
            break
        move = planned.pop(0) if planned else bot(position, rng)
        step = {"seat": seat, "move": position.move_json(move)}
        position.facts = later
        position.play(move)
        steps.append({**step, "chance": position.settle(source)})
        last = -1 if steps[-1]["chance"] else seat
    position.facts = None
    return steps, later, position


def write_moves(state: State[Any], plan: Plan) -> Line:
    """Return a line as contract objects."""
    position, line = state.copy(), []
    for move in plan:
        line.append(position.move_json(move))
        position.play(move)
    return line


def read_moves(state: State[Any], line: Sequence[Json]) -> Plan:
    """Return a line in internal form; raises `IllegalMove`."""
    position, plan = state.copy(), []
    for move in line:
        found = position.find(move)
        plan.append(found)
        position.play(found)
    return tuple(plan)
