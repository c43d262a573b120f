"""Studies: begun, listed, read, changed, deleted."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.service.api.studies.reading import (
    answer_study_written,
    find_study,
    set_expected,
    show_study,
    tag_study,
)
from cartulary.service.api.studies.sources import read_source
from cartulary.service.api.studies.studies_schema import (
    StudyAnswer,
    StudyChangesRequest,
    StudyEventsPage,
    StudyEventsQuery,
    StudyListQuery,
    StudyPage,
    StudyQuery,
    StudyRequest,
    StudyWrittenAnswer,
)
from cartulary.service.http.answers import (
    answer_changed,
    answer_json,
    answer_stored,
    locate,
    revalidate,
    set_caching,
)
from cartulary.service.http.callers import require_player
from cartulary.service.http.conditions import Versions
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("studies", __name__)

FRESH = {"Cache-Control": "no-store"}
_HEADERS = ("ETag", *STANDING)
_DONE = AnswerOf("Done.", StudyWrittenAnswer, headers=_HEADERS)
_SAME = AnswerOf("It is so already.", StudyWrittenAnswer, headers=_HEADERS)


@blueprint.post("/studies")
@operation(
    "studies",
    "Begin a study",
    {201: AnswerOf("Begun.", StudyAnswer, headers=("Location", *_HEADERS))},
    body=StudyRequest,
    body_limit="max_import",
    limit="games",
    refusals=("not_for_bots", "quota_exceeded", "round_open"),
)
def begin_study(services: Services, who: Player, body: dict[str, Any], key: str | None) -> Response:
    """A study file becomes a study of the caller, which is private until `visibility_set`.

    The engine plays each line: a move that is not legal is 422 `invalid`, with its place.
    """
    study_id, done = services.store.studies.commands.create(Intent(who, key=key, body=body), body)
    mark_stored(request.environ)
    headers = {
        "ETag": tag_study(services, done.study),
        "Location": locate(services, f"/api/v1/studies/{study_id}"),
    }
    answer = answer_json(show_study(services, study_id, done.study, who), 201, headers)
    if done.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer


@blueprint.get("/studies")
@operation(
    "studies",
    "Studies",
    {200: AnswerOf("A page.", StudyPage)},
    query=StudyListQuery,
    refusals=("token_missing",),
)
def list_studies(services: Services, who: Player | None, query: dict[str, Any]) -> Response:
    """Public ones, or with `author=me` those in which the caller writes; the last changed first."""
    author = None if query.pop("author") is None else require_player(who).id
    page = services.store.studies.lists.read_page(author, **query)
    return answer_json(page._asdict(), headers=FRESH)


@blueprint.get("/studies/<study_id>")
@operation(
    "studies",
    "A study",
    {
        200: AnswerOf("The study.", StudyAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=StudyQuery,
    refusals=("not_found",),
)
def show_study_at(
    services: Services, study_id: str, who: Player | None, query: dict[str, Any], known: ETags
) -> Response:
    """The whole study as a study file, now or after any event."""
    found = find_study(services, study_id, who)
    study, version = found.study, query["version"]
    if version is not None:
        study = services.store.studies.streams.read_at(study_id, version)
    mine = "" if who is None or not found.study.has_author(who.id) else "-mine"
    tag = f'"{tag_study(services, study).strip(chr(34))}{mine}"'

    def make() -> Json:
        return show_study(services, study_id, study, who)

    answer = answer_changed(known, make, tag, revalidate("private"))
    answer.vary.add("Authorization")
    return answer


@blueprint.post("/studies/<study_id>/changes")
@operation(
    "studies",
    "Change a study",
    {200: _SAME, 201: _DONE},
    body=StudyChangesRequest,
    body_limit="max_import",
    limit="writes",
    refusals=(
        *("not_found", "not_author", "muted", "stale_version", "game_running"),
        *("round_open",),
    ),
)
def change_study(
    services: Services,
    study_id: str,
    who: Player,
    body: dict[str, Any],
    key: str | None,
    if_match: Versions | None,
) -> Response:
    """Its authors change it. All changes of a request are made, or none is.

    What a change needs besides its `type`: `study_described` a title and a language;
    `visibility_set` a visibility (the owner alone); `chapter_added` a content, or a title with a
    transcript or a game; `chapter_renamed` a chapter and a title; `chapter_removed` a chapter;
    `line_added` a parent and moves; `text_set`, `marks_set`, `question_set` a node and what is set;
    `node_removed`, `node_promoted` a node.
    """
    changes = [read_source(services, change, who) for change in body["changes"]]
    intent = set_expected(services, study_id, if_match, Intent(who, key=key, body=body))
    done = services.store.studies.commands.change(intent, study_id, changes)
    return answer_study_written(services, study_id, done, who)


@blueprint.delete("/studies/<study_id>")
@operation(
    "studies",
    "Delete a study",
    {204: AnswerOf("Deleted, with all its events.")},
    limit="writes",
    while_suspended=True,
    refusals=("not_found", "not_author"),
)
def delete_study(services: Services, study_id: str, who: Player) -> Response:
    """Its owner alone; nothing of it is left."""
    services.store.studies.commands.delete(Intent(who), study_id)
    return answer_stored()


@blueprint.put("/studies/<study_id>/authors/<player_id>")
@operation(
    "studies",
    "Let another player write in a study",
    {200: _SAME, 201: _DONE},
    limit="writes",
    refusals=("not_found", "not_author", "muted", "stale_version"),
)
def add_study_author(
    services: Services, study_id: str, player_id: str, who: Player, key: str | None
) -> Response:
    """The owner alone. One who blocks the owner, or is a bot, is 404 like a missing player."""
    intent = Intent(who, key=key)
    done = services.store.studies.commands.add_author(intent, study_id, player_id)
    return answer_study_written(services, study_id, done, who)


@blueprint.delete("/studies/<study_id>/authors/<player_id>")
@operation(
    "studies",
    "Take an author out of a study",
    {201: _DONE},
    limit="writes",
    while_suspended=True,
    refusals=("not_found", "not_author", "stale_version", "invalid"),
)
def remove_study_author(
    services: Services, study_id: str, player_id: str, who: Player, key: str | None
) -> Response:
    """The owner removes others, and each of them may leave. The owner stays, or deletes it."""
    intent = Intent(who, key=key)
    done = services.store.studies.commands.remove_author(intent, study_id, player_id)
    return answer_study_written(services, study_id, done, who)


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
    """The whole truth about it: every version follows from these events."""
    found = find_study(services, study_id, who)
    after = query["after"]
    events = services.store.studies.streams.deliver(study_id, after, query["limit"])
    next_after = events[-1]["version"] if events else min(after, found.study.version)
    return set_caching(
        answer_json({"events": events, "next_after": next_after}), revalidate("private")
    )
