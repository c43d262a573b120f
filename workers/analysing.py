"""The job that analyses a game that is over, slice by slice.

Each decision is stored as soon as it is judged: a worker that is killed loses one decision, and the
next slice goes on after the last decision that is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Final, NamedTuple

import orjson
from redis import RedisError
from rq.timeouts import BaseTimeoutException

from cartulary.bots.analysis import analyse, choose_moments, describe_moment, summarise
from cartulary.engine.transcript import Transcript
from cartulary.events.analyses.storage import Analysis
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.commands.table.transcripts import StandingMoves, transcript_of
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import is_person
from cartulary.events.model.types import Json
from cartulary.events.store import Store
from cartulary.games.offer import Offer
from cartulary.workers.jobs import Patience
from cartulary.workers.thinking.analysis_in_memory import WalkPlace
from cartulary.workers.thinking.analysis_slices import ANALYSING, put_slice
from cartulary.workers.thinking.interrupting import Interrupted, interrupt_when
from cartulary.workers.wiring import do_people_wait, find_queues, list_offers, provided, walks

SLICE_S: Final = 0.25
"""A slice ends after this time, in seconds, and after its first turn when people wait."""

INTERRUPTED: Final = 3
"""The number of attempts at a decision that end as soon as people wait; later ones do not."""

ATTEMPTS: Final = 5
"""The most attempts at the same decision; with one more the analysis has failed."""

log = logging.getLogger("cartulary.analysis")


Guard = Callable[[Callable[[], bool]], AbstractContextManager[None]]
"""Is entered while a decision is judged, with what says whether people wait."""


class AnalysisSlice(NamedTuple):
    """How long a slice goes on, and what is entered while a decision is judged."""

    patience: Patience
    guard: Callable[[], AbstractContextManager[None]]


class FinishedGame(NamedTuple):
    """A game that is over: its moves that stand, with the versions of their events.

    `stood_in` are the versions of those that a stand-in has made for a player who was away.
    """

    table: Table
    transcript: Transcript
    versions: list[int]
    stood_in: frozenset[int]


def go_on(game_id: str) -> int:
    """Judge the next decisions of a game, and enqueue the next slice; returns how many it judged.

    Does nothing when another worker judges them, or while the archive does not give the game: the
    dispatcher repeats it. Raises `RedisError`.
    """
    store, queues = provided(), find_queues()
    with store.leases.hold(game_id, ANALYSING) as lease:
        if lease is None:
            return 0
        try:
            judged = analyse_slice(
                store, list_offers(), game_id, is_wanted=do_people_wait, guard=interrupt_when
            )
        except ArchiveError as error:
            log.warning("the analysis of game %s waits: %s", game_id, error)
            return 0
        analysis = store.analyses.find(game_id)
        if analysis is not None and analysis.under_way and queues is not None:
            put_slice(queues.analysis, game_id, analysis.done)
    return judged


def analyse_slice(
    store: Store,
    offers: Mapping[str, Offer],
    game_id: str,
    seconds: float = SLICE_S,
    is_wanted: Callable[[], bool] = lambda: False,
    guard: Guard = lambda _is_wanted: nullcontext(),
) -> int:
    """Judge decisions for some seconds, or until `is_wanted`; returns how many.

    A turn is always judged to its end: what follows the first decision of a turn costs nothing. An
    analysis that cannot go on has failed. `guard` is entered while a decision is judged; it may
    raise `Interrupted`. Raises `RedisError`, `ArchiveError`.
    """
    analysis = store.analyses.find(game_id)
    if analysis is None or not analysis.under_way:
        store.analyses.drop(game_id)
        return 0
    try:
        attempt = store.analyses.count_attempt(game_id)
        if attempt > ATTEMPTS:
            store.analyses.fail(game_id, analysis, "crashed")
            return 0
        slice_ = AnalysisSlice(
            Patience(0.0, seconds, is_wanted),
            partial(guard, is_wanted) if attempt <= INTERRUPTED else nullcontext,
        )
        return _judge(store, offers, game_id, analysis, slice_)
    except Interrupted:
        now = store.analyses.find(game_id)
        return 0 if now is None else now.done - analysis.done
    except RedisError:
        raise
    except ArchiveError:
        store.analyses.uncount_attempt(game_id)
        raise
    except Exception as error:
        log.exception("the analysis of game %s has failed", game_id)
        store.analyses.fail(game_id, analysis, _name_reason(error))
        return 0


def _name_reason(error: Exception) -> str:
    if isinstance(error, BaseTimeoutException):
        return "late"
    return "unreadable" if isinstance(error, LedgerError) else "error"


def _judge(
    store: Store,
    offers: Mapping[str, Offer],
    game_id: str,
    analysis: Analysis,
    slice_: AnalysisSlice,
) -> int:
    record = _read(store, game_id)
    if record.table.head != analysis.head:  # the store has lost the end that was to be analysed
        store.analyses.drop(game_id)
        return 0
    moves, done = record.transcript.moves, analysis.done
    place = WalkPlace(game_id, analysis.head, analysis.level, done)
    found = walks.take(place) or analyse(
        record.transcript,
        offers,
        analysis.level,
        versions=record.versions,
        start=done,
        seed=game_id,
    )
    while done < len(moves):
        with slice_.guard():
            one = next(found)
        if not store.analyses.add(game_id, analysis, done, len(moves), one.to_json()):
            return done - analysis.done
        done += 1
        if (
            done < len(moves)
            and moves[done].seat != moves[done - 1].seat
            and slice_.patience.is_over()
        ):
            walks.keep(place._replace(done=done), found)
            return done - analysis.done
    with slice_.guard():
        found_moments = _find_moments(store, offers[record.table.game], record)
    _finish(store, offers[record.table.game], record.table, analysis, found_moments)
    return done - analysis.done


def _read(store: Store, game_id: str) -> FinishedGame:
    """Return a game that is over. Raises `LedgerError`."""
    table = store.projector.table(game_id)
    events = store.ledger.events(game_id, 0, table.version)
    standing = StandingMoves()
    for event in events:
        standing.add(event)
    versions = [move["version"] for move in standing.moves]
    stood_in = frozenset(move["version"] for move in standing.moves if move.get("by") == "stand_in")
    return FinishedGame(table, transcript_of(table, events, {}), versions, stood_in)


def _find_moments(store: Store, offer: Offer, record: FinishedGame) -> list[Json]:
    """Return the moments of each person; of each seat in a game without a person."""
    table, versions = record.table, record.versions
    persons = [number for number, seat in enumerate(table.seats) if is_person(seat.player)]
    decisions = _read_decisions(store, table)
    return [
        describe_moment(record.transcript, offer, versions.index(one["version"]), one, table.id)
        for seat in persons or range(len(table.seats))
        for one in choose_moments(decisions, seat, len(table.seats), record.stood_in)
    ]


def _read_decisions(store: Store, table: Table) -> list[Json]:
    return [orjson.loads(one) for one in store.analyses.read_decisions(table.id)]


def _finish(
    store: Store, offer: Offer, table: Table, analysis: Analysis, moments: Sequence[Json]
) -> None:
    seats = summarise(_read_decisions(store, table), offer, len(table.seats))
    # First, because no slice comes to an analysis that is done: what a worker that dies in between
    # has left out would stay out.
    store.learning.note(table, seats, moments)
    store.analyses.finish(table.id, analysis, seats, moments)
