"""Verification: a study is what its events make of it, and the engine allows each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cartulary.engine.core import Json
from cartulary.events.model.chain import GENESIS, hash_event
from cartulary.events.model.failures import Misfit
from cartulary.studies.checking import check
from cartulary.studies.fold import evolve
from cartulary.studies.lines import Games
from cartulary.studies.state import StudyTree
from cartulary.studies.writing import write_document


def verify_study(events: Sequence[Json], games: Games) -> list[Json]:
    """Return the problems of a stream as it is delivered: `{"version", "problem", "detail"}`.

    Checked are the chain of hashes, whether each event may come where it stands, and what the
    study is in the end.
    """
    study: StudyTree | None = None
    problems = list(_check_chain(events))
    for event in events:
        try:
            study = evolve(study, {key: event[key] for key in event if key != "hash"})
        except Misfit as misfit:
            return [*problems, _tell(event, misfit.problem, str(misfit))]
    if study is not None:
        faults = check(write_document(study), games)
        problems += [_tell(events[-1], one.code, f"{one.pointer}: {one.detail}") for one in faults]
    return problems


def _check_chain(events: Sequence[Json]) -> Iterator[Json]:
    before = GENESIS
    for event in events:
        if event["prev"] != before:
            yield _tell(event, "chain", "the event does not name the hash of the event before")
        # A masked event is not shown as it was stored: its hash cannot be computed.
        if not event.get("masked") and hash_event(event) != event["hash"]:
            yield _tell(event, "hash", "the event does not have its hash")
        before = event["hash"]


def _tell(event: Json, problem: str, detail: str) -> Json:
    return {"version": event["version"], "problem": problem, "detail": detail}
