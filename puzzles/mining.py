"""Finds the puzzles of a game: positions in which one idea is much better than all others.

A position goes through four stages, and each is left as soon as it fails: what its lines promise at
once, a look with few samples, the thinking of the game's `THINKING`, and four times that thinking
with another seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Plan, find_analyst
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import Transcript
from cartulary.games.offer import Offer
from cartulary.puzzles import carcassonne, caylus
from cartulary.puzzles.case import Case
from cartulary.puzzles.ideas import is_same_idea
from cartulary.puzzles.judging import (
    POINT,
    WHOLE,
    JudgedLine,
    LineGap,
    LineJudge,
    compare_lines,
    is_near,
)
from cartulary.puzzles.record import Puzzle, make_id
from cartulary.puzzles.telling import FUTURES, ToldLine, tell, write_moves
from cartulary.puzzles.themes import find_themes
from cartulary.puzzles.walking import OpenQuestion, walk

VERSION: Final = 3
"""Rises whenever the same game and seed may give other puzzles."""

LEVEL: Final = "hard"
"""The level of the analysis that `THINKING` is like."""

GAMES: Final[Mapping[str, Any]] = {"carcassonne": carcassonne, "caylus": caylus}
"""What the search asks of each game."""

THINKING: Final = {"carcassonne": carcassonne.THINKING, "caylus": caylus.THINKING}

PROMISED: Final = 3 * POINT
"""Few lines promise so much more than all others in a position that is looked at."""

UNPROMISED: Final = 16
"""Of the other positions one in so many is looked at: there `medium` sees nothing of the point."""

LOOKED_POINTS: Final = 2 * POINT
"""How much better than the fourth line the best line is at the first look."""

OBVIOUS: Final = 8 * POINT
"""What `medium` sees at once and is so much better is no question."""

SHOWN: Final = 2 * POINT
"""By so much more the seat leads at the end of the future of the best line than after the tempting
one: else the two futures would explain nothing."""

ALIKE: Final = POINT
"""Lines of one idea differ by less than this; if they differ by more, it is not one idea."""

LOST: Final = WHOLE * 15 // 100
WON: Final = WHOLE * 85 // 100
"""A seat with a smaller share of the win by its best line is lost; with a larger one by the
second-best idea it is won anyway."""

DEEPER: Final = 4
"""The last stage has so many times the thinking of the second."""

MOST_EQUAL: Final = 3
"""More lines of one idea are no question any more."""

LOOKS: Final = {"carcassonne": carcassonne.LOOK, "caylus": caylus.LOOK}
"""The first stage."""

NARROWED: Final = 5
"""The number of best lines of one stage that go on to the next in any case."""


class MiningOrigin(NamedTuple):
    """Where the puzzles of a run come from."""

    source: str
    seed: str

    def describe(self) -> Json:
        """Return what `made` says of a puzzle."""
        return {"seed": self.seed, "source": self.source, "level": LEVEL, "version": VERSION}


class Examined(NamedTuple):
    """A position that passes the stages: its lines, the best first; the right ones; by promise."""

    lines: Sequence[JudgedLine]
    right: list[Plan]
    plans: Sequence[Plan]


class LinePair(NamedTuple):
    """The lines of the best idea and the tempting one, with futures that show the difference."""

    best: list[ToldLine]
    tempting: ToldLine


class FoundPuzzle(NamedTuple):
    """A position that holds: its lines, and the gap to the second-best idea."""

    lines: LinePair
    gap: LineGap
    ideas: int
    is_greedy: bool


def mine_game(
    offer: Offer, transcript: Transcript, origin: MiningOrigin, number: int
) -> Iterator[Puzzle]:
    """Yield the puzzles of a game. `number` is that of the game in the run.

    Raises `InvalidTranscript`.
    """
    for looked in walk(offer, transcript):
        puzzle = mine_question(offer, looked, origin, f"{origin.seed}/{number}")
        if puzzle is not None:
            yield puzzle


def mine_question(
    offer: Offer, looked: OpenQuestion, origin: MiningOrigin, seed: str
) -> Puzzle | None:
    """Return the puzzle of a question, None when it is no puzzle; `seed` is that of its game."""
    examined = examine(offer, looked.state, f"{seed}/{looked.index}")
    if examined is None:
        return None
    looked.holds()
    return make_puzzle(offer, looked, examined, origin)


def examine(offer: Offer, state: State[Any], seed: str) -> Examined | None:
    """Return the lines of a position that passes all stages, else None."""
    analyst, thinking = find_analyst(offer), THINKING[offer.name]
    if not is_worth_a_look(offer.name, state, seed):
        return None
    looked, look = LineJudge(analyst, state, f"{seed}/look"), LOOKS[offer.name]
    lines = looked.judge(looked.list_plans(look.width), look)
    if not lines or not _stands_out(lines) or is_decided(lines):
        return None
    ideas, judge = Ideas(offer, state), LineJudge(analyst, state, f"{seed}/1")
    lines = judge.judge(judge.list_plans(thinking.width), thinking, _list_best(lines))
    best = ideas.find_best(lines)
    if best is None:
        return None
    deeper = thinking.times(DEEPER)
    judge = LineJudge(analyst, state, f"{seed}/{DEEPER}")
    plans = judge.list_plans(deeper.width)
    again = judge.judge(plans, deeper, _list_best(lines))
    accepted = ideas.find_best(again)
    if accepted is None or best[0].plan not in [line.plan for line in accepted]:
        return None
    return Examined(again, [line.plan for line in accepted], plans)


def find_puzzle(offer: Offer, state: State[Any], seed: str) -> FoundPuzzle | None:
    """Return what makes a position a puzzle, None when it fails one of the stages."""
    examined = examine(offer, state, seed)
    return None if examined is None else choose_lines(offer, state, examined)


def is_worth_a_look(game: str, state: State[Any], seed: str) -> bool:
    """Return whether a position may be a puzzle: the first stage, which takes no samples.

    Few lines promise much more at once than all others, or the decision is a rare one, or the lot
    chooses the position.
    """
    rules = GAMES[game]
    found: list[int] = sorted(rules.list_promises(state), reverse=True)
    rivals: int = rules.RIVALS
    if len(found) > rivals and found[0] - found[rivals] >= PROMISED:
        return found[0] - found[1] <= OBVIOUS
    return bool(rules.is_rare(state)) or not random.Random(f"{seed}/lot").randrange(UNPROMISED)


def _list_best(lines: Sequence[JudgedLine]) -> list[Plan]:
    return [line.plan for line in lines[:NARROWED]]


def choose_lines(offer: Offer, state: State[Any], examined: Examined) -> FoundPuzzle | None:
    """Return the lines of a puzzle, None when it is lost or won anyway or facts fail to tell."""
    lines, right, plans = examined
    ideas = Ideas(offer, state)
    second = next(line for line in lines if line.plan not in right)
    if lines[0].win < LOST or second.win > WON:
        return None
    if is_same_idea(ideas.tell(right[0]), ideas.tell(second.plan)):
        return None
    gap, is_greedy = compare_lines(lines[0], second), plans[0] in right
    if is_greedy and gap.points > OBVIOUS:
        return None
    pair = pair_lines(ideas, right, [*plans, second.plan])
    return pair and FoundPuzzle(pair, gap, len(lines) - len(right), is_greedy)


def pair_lines(ideas: Ideas, right: Sequence[Plan], plans: Iterable[Plan]) -> LinePair | None:
    """Return the told lines of a puzzle, None when no future shows why the tempting line is wrong.

    The tempting line is the first of `plans` that is wrong and a question.
    """
    game, state = ideas.offer.name, ideas.state
    told = [ideas.tell(plan) for plan in right]
    wrong = (ideas.tell(plan) for plan in plans if plan not in right)
    first = next((line for line in wrong if GAMES[game].is_question(told[0], line)), None)
    if first is None or is_same_idea(told[0], first):
        return None
    for seed in range(FUTURES):
        best, tempting = (tell(ideas.offer, state, line.plan, seed) for line in (told[0], first))
        if shows(game, state, best, tempting):
            return LinePair([best, *told[1:]], tempting)
    return None


def shows(game: str, state: State[Any], best: ToldLine, tempting: ToldLine) -> bool:
    """Return whether the futures of two lines end as their lines promise.

    What rivals have at the end counts only where the two lines touch what rivals have.
    """
    rules, seat = GAMES[game], state.seat
    after, instead = (rules.rate_end(state, line.end) for line in (best, tempting))
    gain: int = after[seat] - instead[seat]
    if rules.touches_rivals(best, tempting):
        gain += max_of_others(instead, seat) - max_of_others(after, seat)
    return gain >= SHOWN


def max_of_others(values: Sequence[int], seat: int) -> int:
    """Return the largest value of the other seats."""
    return max([*values[:seat], *values[seat + 1 :]])


def is_decided(lines: Sequence[JudgedLine]) -> bool:
    """Return whether the seat is lost with its best line, or won with any of them."""
    return lines[0].win < LOST // 2 or lines[-1].win > WON


def _stands_out(lines: Sequence[JudgedLine]) -> bool:
    """Return whether few lines come near the best one."""
    last = lines[min(MOST_EQUAL, len(lines) - 1)]
    return compare_lines(lines[0], last).points >= LOOKED_POINTS


class Ideas:
    """The told lines of a position: each is made once."""

    def __init__(self, offer: Offer, state: State[Any]) -> None:
        self.offer, self.state = offer, state
        self._told: dict[Plan, ToldLine] = {}

    def tell(self, plan: Plan) -> ToldLine:
        """Return a line with its facts and a future."""
        found = self._told.get(plan)
        if found is None:
            found = self._told[plan] = tell(self.offer, self.state, plan)
        return found

    def find_best(self, lines: Sequence[JudgedLine]) -> list[JudgedLine] | None:
        """Return the lines of the best idea; None when another idea comes near it."""
        near = [line for line in lines if is_near(lines[0], line)]
        if not lines or len(near) > MOST_EQUAL or len(near) == len(lines):
            return None
        for line in near[1:]:
            if compare_lines(lines[0], line).points >= ALIKE:
                return None
        best = self.tell(lines[0].plan) if near[1:] else None
        if best and not all(is_same_idea(best, self.tell(line.plan)) for line in near[1:]):
            return None
        return near


def make_puzzle(
    offer: Offer, looked: OpenQuestion, examined: Examined, origin: MiningOrigin
) -> Puzzle | None:
    """Return the record of a puzzle, None when facts cannot say why its best line is best."""
    state, found = looked.state, choose_lines(offer, looked.state, examined)
    if found is None:
        return None
    puzzle = Puzzle(
        id=make_id(offer.name, state),
        game=offer.name,
        options=dict(state.options),
        transcript=looked.transcript,
        seat=state.seat,
        best=[],
        tempting=[],
        after={},
        themes=[],
        margin=round_gap(found.gap),
        facts={},
        rating=guess_rating(found),
        made=origin.describe(),
    )
    return write_lines_of(puzzle, state, found.lines)


def write_lines_of(puzzle: Puzzle, state: State[Any], lines: LinePair) -> Puzzle | None:
    """Return a puzzle with these lines, None when facts cannot say why the best line is best."""
    best, tempting = lines.best[0], lines.tempting
    themes = find_themes(puzzle.game, Case(state.copy(), best, tempting))
    if not themes:
        return None
    return puzzle._replace(
        best=[write_moves(state, told.plan) for told in lines.best],
        tempting=write_moves(state, tempting.plan),
        after={"best": best.after, "tempting": tempting.after},
        themes=themes,
        facts={
            "best": [*best.facts, *best.reasons],
            "tempting": [*tempting.facts, *tempting.reasons],
        },
    )


def round_gap(gap: LineGap) -> dict[str, float]:
    """Return a gap in tenths of a point and hundredths of a win, rounded down."""
    return {
        "points": gap.points * 10 // POINT / 10,
        "wins": gap.wins * 100 // WHOLE / 100,
    }


def guess_rating(found: FoundPuzzle) -> int:
    """Return a first guess: what one sees at once is easy, a small gap among many ideas is hard."""
    rating = 1250 if found.is_greedy else 1750
    rating += 10 * min(found.ideas, 20) - 25 * min(found.gap.points // POINT, 12)
    return max(800, min(2300, rating))
