"""Goes through a transcript, turn by turn, and judges each decision."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Analysable, AnalysisEffort, Analyst, Plan, find_analyst
from cartulary.bots.analysis.decisions import Alternative, DecisionAnalysis, choose_mark
from cartulary.bots.analysis.rating import Rated, compare, rate_plans
from cartulary.bots.reasons import Finder, explain
from cartulary.engine.canonical import quote
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import Playback, Transcript

LEVELS: Final = ("hard", "expert")
"""The levels of an analysis, the quicker first."""

MOST_ALTERNATIVES: Final = 5

MOST_MOVES_OF_A_LINE: Final = 5

FORCED: Final = AnalysisEffort(plans=1, first=1, finalists=1, more=0)
"""A turn in which each decision has one legal move: a single sample shows where it leads."""

BEFORE_THE_MOVES: Final = 2
"""The events of an import before its first move: `game_created` and `game_started`."""


class TurnDecisions(NamedTuple):
    """The decisions of one turn: the state before, the index of the first, the moves made."""

    state: State[Any]
    first: int
    made: Plan


def analyse(
    transcript: Transcript,
    offers: Mapping[str, Analysable],
    level: str = "hard",
    *,
    versions: Sequence[int] | None = None,
    start: int = 0,
    seed: int | str = 0,
) -> Iterator[DecisionAnalysis]:
    """Yield the judgement of each decision, from the move with the index `start` on.

    The same transcript, level and seed give the same judgement of a move, wherever the analysis
    starts. `versions` has the version of `move_made` for each move; without it the versions are
    those that an import would give. Raises `NoAnalysis`, `ValueError` for another level or another
    number of versions, and `InvalidTranscript` when an illegal move is reached.
    """
    offer = offers[transcript.game]
    analyst = find_analyst(offer)
    if level not in LEVELS:
        raise ValueError(f"the level of an analysis is one of {LEVELS}, not {quote(level)}")
    numbers = count_versions(transcript) if versions is None else versions
    if len(numbers) != len(transcript.moves):
        raise ValueError(f"{len(numbers)} versions for {len(transcript.moves)} moves")
    return _walk(transcript, offer, analyst, analyst.efforts[level], numbers, start, seed)


def count_versions(transcript: Transcript) -> list[int]:
    """Return, for each move, the version of its event if the transcript were imported.

    An import writes the event of a seat that its owner left before the first move that another
    player or a bot made for it (`docs/transcript.md`).
    """
    count = len(transcript.moves)
    ending = transcript.ending
    befores = [] if ending is None else [left.before for left in ending.find_leaving(count)]
    return [
        BEFORE_THE_MOVES + index + 1 + sum(before <= index for before in befores)
        for index in range(count)
    ]


def _walk(
    transcript: Transcript,
    offer: Analysable,
    analyst: Analyst[Any],
    effort: AnalysisEffort,
    versions: Sequence[int],
    start: int,
    seed: int | str,
) -> Iterator[DecisionAnalysis]:
    playback, analyst = Playback(transcript, {transcript.game: offer.rules}), analyst.open(seed)
    while not playback.done:
        turn = play_turn(playback, analyst)
        if playback.index > start:
            rng = random.Random(f"{seed}/{turn.first}")
            found = judge_turn(offer.reasons, analyst, turn, effort, rng, versions)
            yield from islice(found, max(0, start - turn.first), None)


def play_turn(playback: Playback, analyst: Analyst[Any]) -> TurnDecisions:
    """Play the recorded moves of one turn; raises `InvalidTranscript`."""
    state, first = playback.state.copy(), playback.index
    made = []
    while True:
        made.append(playback.check())
        playback.step()
        if playback.done or not analyst.continues(playback.state):
            return TurnDecisions(state, first, tuple(made))


def judge_turn(
    finder: Finder | None,
    analyst: Analyst[Any],
    turn: TurnDecisions,
    effort: AnalysisEffort,
    rng: random.Random,
    versions: Sequence[int],
) -> Iterator[DecisionAnalysis]:
    """Yield the judgement of each decision of a turn."""
    rated = rate_plans(analyst, turn.state, turn.made, _choose_effort(turn, effort), rng)
    state = turn.state.copy()
    for at, move in enumerate(turn.made):
        options = _list_options(rated, turn.made[:at])
        # The draw counts for the first decision of the turn alone.
        luck = 0.0 if at else analyst.rate_luck(state, rng)
        version = versions[turn.first + at]
        yield _judge(finder, analyst, state, turn.made[at:], options, version, luck)
        state.play(move)


def _choose_effort(turn: TurnDecisions, effort: AnalysisEffort) -> AnalysisEffort:
    state = turn.state.copy()
    for move in turn.made:
        if len(state.moves()) > 1:
            return effort
        state.play(move)
    return FORCED


class DecisionOption(NamedTuple):
    """A move of a decision, with the best plan that makes it, from this move on."""

    move: Any
    plan: Plan
    rated: Rated


def _list_options(rated: Sequence[Rated], before: Plan) -> list[DecisionOption]:
    """Return the moves that the plans make after the moves `before`, the best first."""
    at, options = len(before), dict[Any, DecisionOption]()
    for one in rated:
        if one.plan[:at] == before and len(one.plan) > at:
            options.setdefault(one.plan[at], DecisionOption(one.plan[at], one.plan[at:], one))
    return list(options.values())


def _judge(
    finder: Finder | None,
    analyst: Analyst[Any],
    state: State[Any],
    plan: Plan,
    options: Sequence[DecisionOption],
    version: int,
    luck: float,
) -> DecisionAnalysis:
    """Judge the first move of the plan that was made."""
    move, best = plan[0], options[0]
    made = next(option for option in options if option.move == move)
    gap = compare(best.rated, made.rated)
    loss = max(0.0, gap.margin)  # of equal plans a sum may be smaller by the last binary digit
    value, win = best.rated.margin, best.rated.win
    others = [_describe(state, option, best) for option in options if option is not made]
    others.sort(key=lambda other: other.value, reverse=True)
    return DecisionAnalysis(
        version=version,
        seat=state.seat,
        kind=state.kind,
        move=state.move_json(move),
        best=state.move_json(best.move),
        value=value - loss,
        best_value=value,
        error=gap.error,
        win=win - gap.win,
        best_win=win,
        luck=luck,
        mark=choose_mark(loss, gap.error, analyst.marks),
        alternatives=others[:MOST_ALTERNATIVES],
        line=_follow(analyst, state, best.plan),
        why={
            "move": explain(finder, state, move, plan[1:]),
            "best": explain(finder, state, best.move, best.plan[1:]),
        },
    )


def _describe(state: State[Any], option: DecisionOption, best: DecisionOption) -> Alternative:
    """Return an option as an alternative.

    Plans that are no finalists have fewer samples, so their value follows from the gap to the best
    over the samples that both have.
    """
    gap = compare(best.rated, option.rated)
    value = best.rated.margin - max(0.0, gap.margin)
    win = min(1.0, max(0.0, best.rated.win - gap.win))
    return Alternative(state.move_json(option.move), value, win)


def _follow(analyst: Analyst[Any], state: State[Any], plan: Plan) -> list[Json]:
    """Return the moves of a plan, and what is likely to follow."""
    position, line = state.copy(), []
    for move in plan:
        line.append(position.move_json(move))
        position.play(move)
    return [*line, *analyst.list_replies(position)][:MOST_MOVES_OF_A_LINE]
