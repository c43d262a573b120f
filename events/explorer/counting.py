"""Counting: what a finished game adds to the questions that its seats were asked. Pure.

A seat counts once for each question and answer, however often it gave that answer in one game. So
`times` is a number of seats of games, and a long game weighs no more than a short one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Game, State
from cartulary.events.model.status import Status
from cartulary.events.model.types import (
    GAME_CREATED,
    GAME_STARTED,
    MOVE_MADE,
    MOVES_TAKEN_BACK,
    Json,
)
from cartulary.explorer.questions import ExplorerQuestion, ask, find_answer

PUBLIC: Final = "public"
TO_THE_END: Final = ("finished", "bot")
"""The outcomes of seats that are counted."""

UNKNOWN: Final = 0
"""The band of a seat whose rating is not known, and the strength of such a game."""

BOUNDS: Final = (1300, 1500, 1700, 1900)
"""Band n + 1 begins at the rating `BOUNDS[n - 1]`; band 1 has all ratings below the first."""

ASKED: Final = ""
"""The answer under which it is counted how many seats were asked a question."""

WHOLE: Final = 1000
"""`beaten` of a seat that is ahead of all others, in thousandths."""


class Count(NamedTuple):
    """What sums belong to: a question at tables of a size, asked of seats of a band of ratings."""

    key: str
    seats: int
    band: int
    answer: str


class Sums(NamedTuple):
    """How often an answer could be given and was, and how the games ended for those who gave it.

    `won`: how often the seat was first, alone or tied. `beaten`: the share of the other seats that
    it left behind, tied ones half, in thousandths. `score`: final scores.
    """

    offered: int
    times: int
    won: int
    beaten: int
    score: int

    def plus(self, other: Sums) -> Sums:
        """Return both together."""
        return Sums(*(one + two for one, two in zip(self, other, strict=True)))


class ExploredGame(NamedTuple):
    """What a game adds. `strength` is the mean rating of its seats, 0 where none is known."""

    id: str
    game: str
    seats: int
    strength: int
    keys: frozenset[str]
    sums: Mapping[Count, Sums]


class GivenAnswer(NamedTuple):
    """An answer to a question, and its sums."""

    answer: str
    sums: Sums


class Met(NamedTuple):
    """How many seats were asked a question, and what they answered."""

    asked: int
    answers: list[GivenAnswer]


class BestGame(NamedTuple):
    """A game to learn from, and the mean rating of its seats; 0: not known."""

    id: str
    strength: int


def counts(summary: Json) -> bool:
    """Return whether the explorer counts a game.

    It is public, it was played here from the start, and to the end of its play.
    """
    result = summary["result"]
    imported = any("name" in seat for seat in summary["seats"])
    return (
        summary["visibility"] == PUBLIC
        and summary["status"] == Status.OVER.value
        and result is not None
        and result.get("ended_by", "play") == "play"
        and not imported
        and not summary["branched_from"]
    )


def find_band(rating: float | None) -> int:
    """Return the band of a rating, `UNKNOWN` for none."""
    return UNKNOWN if rating is None else 1 + sum(rating >= bound for bound in BOUNDS)


def list_bands(least: int | None) -> range:
    """Return the bands from a bound on; None: all of them, seats without a rating included."""
    last = len(BOUNDS) + 2
    return range(last) if least is None else range(2 + BOUNDS.index(least), last)


def explore(
    summary: Json, events: Iterable[Json], rules: Game, ratings: Sequence[float | None]
) -> ExploredGame:
    """Return what a game that `counts` adds, by its events and the ratings of its seats.

    Raises what the engine raises for a stream that does not fit the rules.
    """
    result = summary["result"]
    endings = [_find_ending(result, seat) for seat in range(len(ratings))]
    told = SeatQuestions(endings, [find_band(rating) for rating in ratings])
    _replay(events, rules, len(ratings), told)
    known = [rating for rating in ratings if rating is not None]
    return ExploredGame(
        summary["id"],
        summary["game"],
        len(ratings),
        round(sum(known) / len(known)) if known else UNKNOWN,
        frozenset(told.keys),
        told.add_up(),
    )


def _find_ending(result: Json, seat: int) -> Sums | None:
    """Return what an answer of a seat adds; None for a seat that is not counted."""
    outcomes = result.get("outcomes")
    if outcomes is not None and outcomes[seat] not in TO_THE_END:
        return None
    scores = result["scores"]
    ranks = result.get("ranks") or [1 + sum(x > one for x in scores) for one in scores]
    own, others = ranks[seat], [rank for other, rank in enumerate(ranks) if other != seat]
    beaten = sum(2 * (rank > own) + (rank == own) for rank in others)
    return Sums(0, 1, int(own == 1), beaten * WHOLE // (2 * len(others)), scores[seat])


class SeatQuestions:
    """The questions of one game and the answers that its seats gave."""

    def __init__(self, endings: Sequence[Sums | None], bands: Sequence[int]) -> None:
        self.keys: set[str] = set()
        self._endings, self._bands = endings, bands
        self._offered: set[tuple[int, str, str]] = set()
        self._given: set[tuple[int, str, str]] = set()

    def note(self, seat: int, question: ExplorerQuestion, given: str) -> None:
        """Note that a seat was asked a question, and what it answered."""
        self.keys.update(question.keys)
        if self._endings[seat] is None:
            return
        for key in question.keys:
            # All who meet a narrow key have the same answers: what was not given needs no row.
            possible = question.answers if key == question.wide else (given,)
            self._offered.update((seat, key, answer) for answer in (ASKED, *possible))
            self._given.add((seat, key, given))

    def add_up(self) -> dict[Count, Sums]:
        """Return the sums of all seats."""
        sums: dict[Count, Sums] = {}
        for seat, key, answer in self._offered:
            ending = self._endings[seat] if (seat, key, answer) in self._given else None
            one = Sums(1, 0, 0, 0, 0) if ending is None else ending._replace(offered=1)
            count = Count(key, len(self._bands), self._bands[seat], answer)
            sums[count] = one.plus(sums[count]) if count in sums else one
        return sums


def _replay(events: Iterable[Json], rules: Game, seats: int, told: SeatQuestions) -> None:
    """Play the moves that stand, and note each question before its answer."""
    state: State[Any] | None = None
    moves: list[Json] = []
    created: Json = {}
    for event in events:
        if event["type"] == GAME_CREATED:
            created = event
        elif event["type"] == GAME_STARTED:
            state = _start(rules, seats, created, event)
        elif event["type"] == MOVE_MADE:
            moves.append(event)
        elif event["type"] == MOVES_TAKEN_BACK:
            while moves and moves[-1]["version"] > event["to_version"]:
                moves.pop()
    if state is None:
        raise ValueError("the game was never started")
    for event in moves:
        question = ask(rules.name, state)
        told.note(state.seat, question, find_answer(question, state, event["move"]))
        state.apply(event["move"], RecordedSource(event["chance"]))


def _start(rules: Game, seats: int, created: Json, started: Json) -> State[Any]:
    options = rules.check(seats, created["options"])
    state = rules.new(seats, options, started["setup"])
    state.settle(RecordedSource(started["chance"]))
    return state
