"""Studies: begun, listed, read, changed, deleted."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.errors import NotFound
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.studies.listing import find_first
from cartulary.service.api.studies.reading import (
    DONE,
    SAME,
    answer_study_written,
    find_part,
    find_study,
    set_expected,
    show_study,
    tag_study,
)
from cartulary.service.api.studies.sources import read_copy, read_source
from cartulary.service.api.studies.studies_schema import (
    HOUSE,
    StudyAnswer,
    StudyChangesRequest,
    StudyListQuery,
    StudyPage,
    StudyQuery,
    StudyRequest,
)
from cartulary.service.http.answers import (
    answer_changed,
    answer_json,
    answer_stored,
    locate,
    revalidate,
)
from cartulary.service.http.callers import require_player
from cartulary.service.http.conditions import Versions
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("studies", __name__)

FRESH = {"Cache-Control": "no-store"}
_HEADERS = ("ETag", "Idempotency-Replayed", *STANDING)
_INDEXES = {"me": "of", "invited": "asked"}


@blueprint.post("/studies")
@operation(
    "studies",
    "Begin a study",
    {201: AnswerOf("Begun.", StudyAnswer, headers=("Location", *_HEADERS))},
    body=StudyRequest,
    body_limit="max_import",
    limit="games",
    refusals=("not_for_bots", "quota_exceeded", "round_open", "not_found"),
)
def begin_study(
    services: Services, who: Player, body: dict[str, Any], key: str | None, lang: str
) -> Response:
    """A study file becomes a study of the caller, which is private until `visibility_set`.

    The engine plays each line: a move that is not legal is 422 `invalid`, with its place. With
    `copy_of` another study that the caller may read is copied as it is now, without its history.
    """
    intent, make = Intent(who, key=key, body=body), None
    if "copy_of" in body:
        make = partial(read_copy, services, body, who, lang)
    study_id, done = services.store.studies.commands.create(intent, body, make)
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
def list_studies(
    services: Services, who: Player | None, query: dict[str, Any], lang: str
) -> Response:
    """Public ones, those in which the caller writes, or those to which the caller is invited.

    The last changed first. The lessons of the house stand in their order, in the language of the
    caller or in English.
    """
    author, index = query.pop("author"), "public"
    if author == HOUSE:
        lessons = services.store.studies.house.read_page(lang, **query)
        return answer_json(lessons._asdict(), headers=FRESH)
    if author is not None:
        index = f"{_INDEXES[author]}:{require_player(who).id}"
    page = services.store.studies.lists.read_page(index, **query)
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
    services: Services,
    study_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """The whole study as a study file, now or after any event that the caller may read.

    Its authors read every version, others those since it was shared. A lesson of the house has
    no authors and one version, in the language of the caller or in English.
    """
    found = find_study(services, study_id, who, lang)
    study, version = found.study, query["version"]
    if version is not None and version != study.version:
        if version < find_first(found.study, who and who.id):
            raise NotFound("the study has no such version")
        study = services.store.studies.streams.read_at(study_id, version)
    part = find_part(found.study, who)
    tag = f'"{tag_study(services, study).strip(chr(34))}{part}"'

    def make() -> Json:
        return show_study(services, study_id, study, who, found.study)

    answer = answer_changed(known, make, tag, revalidate("private"))
    answer.vary.add("Authorization")
    return mark_language(answer, study.language)


@blueprint.post("/studies/<study_id>/changes")
@operation(
    "studies",
    "Change a study",
    {200: SAME, 201: DONE},
    body=StudyChangesRequest,
    body_limit="max_import",
    limit="writes",
    refusals=(
        "not_found",
        "not_author",
        "muted",
        "stale_version",
        "game_running",
        "round_open",
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
