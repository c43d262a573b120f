"""Finds the puzzles of a game: positions in which one idea is much better than all others.

A position goes through three stages, and each is left as soon as it fails: a look with few samples,
the thinking of the game's `THINKING`, and four times that thinking with another seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Analyst, Plan, find_analyst
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import Playback, RecordedMove, Transcript, record
from cartulary.games.offer import Offer
from cartulary.puzzles import carcassonne, caylus
from cartulary.puzzles.case import Case
from cartulary.puzzles.ideas import is_same_idea
from cartulary.puzzles.judging import (
    POINT,
    WHOLE,
    Judge,
    JudgedLine,
    LineGap,
    compare_lines,
    is_near,
)
from cartulary.puzzles.record import Puzzle, make_id
from cartulary.puzzles.telling import ToldLine, tell, write_moves
from cartulary.puzzles.themes import find_themes

VERSION: Final = 1
"""Rises whenever the same game and seed may give other puzzles."""

THINKING: Final = {"carcassonne": carcassonne.THINKING, "caylus": caylus.THINKING}

LOOKED_POINTS: Final = 2 * POINT
"""So much better than the fourth line is the best one at the first look."""

ALIKE: Final = POINT
"""Lines of one idea differ by less than this; if they differ by more, it is not one idea."""

LOST: Final = WHOLE * 15 // 100
WON: Final = WHOLE * 85 // 100
"""A seat with a smaller share of the win by its best line is lost; with a larger one by the
second-best idea it is won anyway."""

OPENING: Final = 16
"""So many moves at the start of a game are not looked at."""

MOST_OF_A_GAME: Final = 6
"""So many puzzles are taken from a game, that they are not all alike."""

DEEPER: Final = 4
"""The last stage has so many times the thinking of the second."""

MOST_EQUAL: Final = 3
"""More lines of one idea are no question any more."""

LOOKS: Final = {"carcassonne": carcassonne.LOOK, "caylus": caylus.LOOK}
"""The first stage."""

NARROWED: Final = 5
"""So many of the best lines of one stage go on to the next in any case."""


class Origin(NamedTuple):
    """Where the puzzles of a run come from: the words of `made`."""

    source: str
    seed: str


class Examined(NamedTuple):
    """A position that passes the stages: its lines, the best first; the right ones; by promise."""

    lines: Sequence[JudgedLine]
    right: list[Plan]
    plans: Sequence[Plan]


class Found(NamedTuple):
    """A position that holds: its lines of the best idea, the tempting one, the gap."""

    best: list[ToldLine]
    tempting: ToldLine
    gap: LineGap
    ideas: int
    is_greedy: bool


def mine_game(
    offer: Offer, transcript: Transcript, origin: Origin, number: int, share: float = 1.0
) -> Iterator[Puzzle]:
    """Yield the puzzles of a game. `number` is that of the game in the run.

    A `share` of the decisions, 0 to 1, is looked at. Raises `InvalidTranscript`.
    """
    seed = f"{origin.seed}/{number}"
    for looked in walk(offer, transcript, random.Random(f"{seed}/looks"), share):
        examined = examine(offer, looked.state, f"{seed}/{looked.index}")
        if examined is not None:
            looked.holds()
            puzzle = make_puzzle(offer, looked, examined, origin)
            if puzzle is not None:
                yield puzzle


class Looked:
    """A question of a game: the position, the number of its decision, and the game before it."""

    def __init__(self, state: State[Any], index: int, transcript: Json) -> None:
        self.state, self.index, self.transcript = state, index, transcript
        self.held = False

    def holds(self) -> None:
        """Note that the position passed all stages."""
        self.held = True


def walk(
    offer: Offer, transcript: Transcript, rng: random.Random, share: float = 1.0
) -> Iterator[Looked]:
    """Yield a share of the questions of a game, until `MOST_OF_A_GAME` of them hold."""
    analyst, held = find_analyst(offer), 0
    playback, made = Playback(transcript, {offer.name: offer.rules}), list[RecordedMove]()
    draws = list(playback.start.chance)
    while not playback.done and held < MOST_OF_A_GAME:
        state = playback.state
        if len(made) >= OPENING and is_question(analyst, state) and rng.random() < share:
            before = _record(offer, state, (transcript, draws, made))
            looked = Looked(state.copy(), playback.index, before)
            yield looked
            held += looked.held
        made.append(playback.entry)
        draws += playback.step().chance


def is_question(analyst: Analyst[Any], state: State[Any]) -> bool:
    """Return whether a turn begins here with a choice of three or more."""
    return not analyst.continues(state) and len(state.moves()) > 2


def examine(offer: Offer, state: State[Any], seed: str) -> Examined | None:
    """Return the lines of a position that passes all stages, else None."""
    analyst, thinking = find_analyst(offer), THINKING[offer.name]
    looked, look = Judge(analyst, state, f"{seed}/look"), LOOKS[offer.name]
    lines = looked.judge(looked.list_plans(look.width), look)
    if not lines or not _stands_out(lines) or is_decided(lines):
        return None
    ideas, judge = Ideas(offer, state), Judge(analyst, state, f"{seed}/1")
    lines = judge.judge(judge.list_plans(thinking.width), thinking, _list_best(lines))
    best = ideas.find_best(lines)
    if best is None:
        return None
    deeper = thinking.times(DEEPER)
    judge = Judge(analyst, state, f"{seed}/{DEEPER}")
    plans = judge.list_plans(deeper.width)
    again = judge.judge(plans, deeper, _list_best(lines))
    accepted = ideas.find_best(again)
    if accepted is None or best[0].plan not in [line.plan for line in accepted]:
        return None
    return Examined(again, [line.plan for line in accepted], plans)


def find_puzzle(offer: Offer, state: State[Any], seed: str) -> Found | None:
    """Return what makes a position a puzzle, None when it fails one of the stages."""
    examined = examine(offer, state, seed)
    return None if examined is None else choose_lines(offer, state, examined)


def _list_best(lines: Sequence[JudgedLine]) -> list[Plan]:
    return [line.plan for line in lines[:NARROWED]]


def choose_lines(offer: Offer, state: State[Any], examined: Examined) -> Found | None:
    """Return the lines of a puzzle, None when it is lost or won anyway or facts fail to tell."""
    lines, right, plans = examined
    ideas = Ideas(offer, state)
    second = next(line for line in lines if line.plan not in right)
    if lines[0].win < LOST or second.win > WON:
        return None
    tempting = next((plan for plan in plans if plan not in right), second.plan)
    told = [ideas.tell(plan) for plan in right]
    if any(is_same_idea(told[0], ideas.tell(plan)) for plan in {tempting, second.plan}):
        return None
    return Found(
        told,
        ideas.tell(tempting),
        compare_lines(lines[0], second),
        len(lines) - len(right),
        plans[0] in right,
    )


def is_decided(lines: Sequence[JudgedLine]) -> bool:
    """Return whether the seat is lost with its best line, or won with any of them."""
    return lines[0].win < LOST // 2 or lines[-1].win > WON


def _stands_out(lines: Sequence[JudgedLine]) -> bool:
    """Return whether few lines come near the best one."""
    last = lines[min(MOST_EQUAL, len(lines) - 1)]
    return compare_lines(lines[0], last).points >= LOOKED_POINTS


class Ideas:
    """The told lines of a position: each is told once."""

    def __init__(self, offer: Offer, state: State[Any]) -> None:
        self._offer, self._state = offer, state
        self._told: dict[Plan, ToldLine] = {}

    def tell(self, plan: Plan) -> ToldLine:
        """Return a line as it is told."""
        found = self._told.get(plan)
        if found is None:
            found = self._told[plan] = tell(self._offer, self._state, plan)
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


def _record(
    offer: Offer, state: State[Any], played: tuple[Transcript, list[str], list[RecordedMove]]
) -> Json:
    """Return the game up to a position as a contract transcript, without names."""
    transcript, draws, made = played
    setup = offer.rules.setup_of_transcript(
        transcript.setup, transcript.draws, transcript.bag or {}
    )
    return record(offer.rules, state, setup, draws, made).to_json()


def make_puzzle(
    offer: Offer, looked: Looked, examined: Examined, origin: Origin
) -> Puzzle | None:
    """Return the record of a puzzle, None when facts cannot say why its best line is best."""
    state, found = looked.state, choose_lines(offer, looked.state, examined)
    if found is None:
        return None
    best, tempting = found.best[0], found.tempting
    themes = find_themes(offer.name, Case(state.copy(), best, tempting))
    if not themes:
        return None
    return Puzzle(
        id=make_id(offer.name, state),
        game=offer.name,
        options=dict(state.options),
        transcript=looked.transcript,
        seat=state.seat,
        best=[write_moves(state, told.plan) for told in found.best],
        tempting=write_moves(state, tempting.plan),
        after={"best": best.after, "tempting": tempting.after},
        themes=themes,
        margin=round_gap(found.gap),
        facts={
            "best": [*best.facts, *best.reasons],
            "tempting": [*tempting.facts, *tempting.reasons],
        },
        rating=guess_rating(found),
        made={
            "seed": origin.seed,
            "source": origin.source,
            "level": "hard",
            "version": VERSION,
        },
    )


def round_gap(gap: LineGap) -> dict[str, float]:
    """Return a gap in tenths of a point and hundredths of a win, rounded down."""
    return {
        "points": gap.points * 10 // POINT / 10,
        "wins": gap.wins * 100 // WHOLE / 100,
    }


def guess_rating(found: Found) -> int:
    """Return a first guess: what one sees at once is easy, a small gap among many ideas is hard."""
    rating = 1250 if found.is_greedy else 1750
    rating += 10 * min(found.ideas, 20) - 25 * min(found.gap.points // POINT, 12)
    return max(800, min(2300, rating))
