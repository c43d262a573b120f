"""The events of a study: a page of them, or live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response

from cartulary.events.people.players import Player
from cartulary.events.studies.listing import find_first
from cartulary.events.studies.streams import KnownStudy
from cartulary.service.api.game.resuming import read_last_version
from cartulary.service.api.studies.reading import find_study
from cartulary.service.api.studies.studies_schema import (
    StudyEventsPage,
    StudyEventsQuery,
    StudyStreamQuery,
)
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import NUMBERED_FORMS, Stream, StreamForm
from cartulary.service.http.streams.stream_revocation import hold_token
from cartulary.service.http.streams.waiting import answer_stream, enter_and_subscribe

blueprint = Blueprint("study_events", __name__)


@blueprint.get("/studies/<study_id>/events")
@operation(
    "studies",
    "What has happened in a study",
    {200: AnswerOf("Events.", StudyEventsPage)},
    query=StudyEventsQuery,
    refusals=("not_found",),
)
def list_study_events(
    services: Services, study_id: str, who: Player | None, query: dict[str, Any]
) -> Response:
    """The whole truth about it: every version follows from these events.

    Its authors read all of them, others those since it was shared: what was taken out before is
    between its authors.
    """
    found = find_study(services, study_id, who)
    after = _begin(found, who, query["after"])
    events = services.store.studies.streams.deliver(study_id, after, query["limit"])
    next_after = events[-1]["version"] if events else min(after, found.study.version)
    answer = answer_json({"events": events, "next_after": next_after})
    answer.vary.add("Authorization")
    return set_caching(answer, revalidate("private"))


def _begin(found: KnownStudy, who: Player | None, after: int) -> int:
    """Return after which version a caller reads the events."""
    return max(after, find_first(found.study, who and who.id) - 1)


@blueprint.get("/studies/<study_id>/events/stream")
@operation(
    "studies",
    "What happens in a study, at once",
    {200: AnswerOf("Events, each at once.", media=tuple(NUMBERED_FORMS), lines=("StudyEvent",))},
    query=StudyStreamQuery,
    refusals=("not_found", "too_many_streams"),
)
def stream_study_events(
    services: Services,
    study_id: str,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    last_event_id: str,
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    The stream sends the events after `Last-Event-ID` (or `after`), then each new one at once. The
    id of an event is its version. The stream ends where it changes who may read the study: come
    back with the last id.
    """
    found = find_study(services, study_id, who)
    after = _begin(found, who, read_last_version(last_event_id, query["after"]))
    begin = NUMBERED_FORMS[form]
    answer = answer_stream(begin, lambda: _open(services, found, begin, after))
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


def _open(services: Services, found: KnownStudy, form: StreamForm, after: int) -> Iterable[bytes]:
    """Follow the stream; a client from beyond the end begins at the end, and misses nothing."""
    version = found.study.version
    feed = services.store.studies.streams.follow(found.id, version)
    subscription, leave = enter_and_subscribe(
        services, lambda: services.hub.follow_feed(feed, f"{min(after, version)}-0")
    )
    leave = hold_token(services, subscription.close, leave)
    return Stream(subscription, form, b"", services.settings.heartbeat, leave)
