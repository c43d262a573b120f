"""What all views of studies need: the study a caller may read, its tag, its answers."""

from __future__ import annotations

from flask import Response, request

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.studies.streams import KnownStudy
from cartulary.events.studies.writer import StudyWritten
from cartulary.locales import DEFAULT
from cartulary.service.api.studies.studies_schema import StudyWrittenAnswer
from cartulary.service.http.answers import answer_json
from cartulary.service.http.conditions import Versions, tag_version
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.write_outcome import mark_stored
from cartulary.studies.state import StudyTree
from cartulary.studies.writing import write_document

_HEADERS = ("ETag", "Idempotency-Replayed", *STANDING)
DONE = AnswerOf("Done.", StudyWrittenAnswer, headers=_HEADERS)
SAME = AnswerOf("It is so already.", StudyWrittenAnswer, headers=_HEADERS)


def find_study(
    services: Services, study_id: str, who: Player | None, lang: str | None = None
) -> KnownStudy:
    """Return a study that a caller may read; raises `NotFound` for any other.

    With a language also a lesson of the house, which has no events.
    """
    lesson = None if lang is None else services.store.studies.house.find(study_id, lang)
    if lesson is not None:
        return lesson
    return services.store.studies.commands.read(study_id, who and who.id)


def tag_study(services: Services, study: StudyTree) -> str:
    """Return the entity tag of what is shown of a study.

    That of a lesson of the house is of its texts, which change with the language and the release.
    """
    if study.edition:
        return f'"{study.edition}"'
    masks = services.store.masks
    masks.look()
    named = [str(one["id"]) for one in (*study.authors, *study.invited)]
    masked = len(masks.deleted.intersection(named))
    return tag_version(study.version, masked)


def find_part(study: StudyTree, who: Player | None) -> str:
    """Return what a caller is to a study, as a part of a tag."""
    if who is None:
        return ""
    return "-mine" if study.has_author(who.id) else "-asked" * study.has_invited(who.id)


def show_study(
    services: Services,
    study_id: str,
    study: StudyTree,
    who: Player | None,
    now: StudyTree | None = None,
) -> Json:
    """Return a study as a resource; deleted names are masked. `now`: its last version.

    Why it is hidden only those see who may read it then: its authors, and operators.
    """
    mask, now = services.store.masks.mask_player, now or study
    part = find_part(now, who)
    return {
        "id": study_id,
        "version": study.version,
        "visibility": study.visibility,
        "authors": [mask(one) for one in study.authors],
        "may_write": part == "-mine",
        "is_invited": part == "-asked",
        "invited": [mask(one) for one in study.invited] if part == "-mine" else [],
        "hidden": now.hidden,
        "document": write_document(study),
        "created_at": study.created_at,
        "updated_at": study.updated_at,
    }


def set_expected(
    services: Services, study_id: str, if_match: Versions | None, intent: Intent
) -> Intent:
    """Return an intent for the version that `If-Match` names; raises `NotFound`, `Problem` 412."""
    if if_match is None:
        return intent
    current = find_study(services, study_id, intent.who, DEFAULT).study.version
    if current not in if_match and intent.key is None:
        detail = f"If-Match does not hold: the study is at version {current}"
        headers = {"ETag": tag_version(current)}
        raise Problem("stale_version", detail, status=412, headers=headers, current_version=current)
    return intent._replace(expected=current if current in if_match else max(if_match))


def answer_study_written(
    services: Services, study_id: str, done: StudyWritten, who: Player
) -> Response:
    """Return what a command did; with 200 where nothing had to be done."""
    mark_stored(request.environ)
    value = {
        "version": done.study.version,
        "events": done.events,
        "study": show_study(services, study_id, done.study, who),
    }
    headers = {"ETag": tag_study(services, done.study)}
    answer = answer_json(value, 201 if done.events else 200, headers)
    if done.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer
