"""The lessons of the house, for the page that teaches a game: the same for everybody."""

from __future__ import annotations

import json
from typing import Any, Final

from flask import Blueprint, Response, request
from marshmallow import ValidationError

from cartulary.games.drawing import draw_position
from cartulary.games.offer import Offer
from cartulary.locales import DEFAULT, LANGUAGES
from cartulary.service.api.game.boards_schema import ReaderPictureQuery
from cartulary.service.api.site.lessons import find_offer, send_lesson
from cartulary.service.http.wire.problems import not_found
from cartulary.studies.house import HouseLesson, LessonPosition, list_lessons, walk_chapter

blueprint = Blueprint("house_lessons", __name__)

_NAMES: Final = ("Ada", "Bruno", "Carla", "Dario", "Edith")
"""Who sits at the table of a lesson: the reader is Ada."""


@blueprint.get("/learn/<game_name>/lessons/<lang>.json")
def list_house_lessons(game_name: str, lang: str) -> Response:
    """Send the names and titles of the lessons of a game, in a language or in English."""
    offer = find_offer(game_name)
    shown = [
        {"name": one.name, "title": one.pick(lang)["title"], "languages": one.languages}
        for one in list_lessons(offer.name)
    ]
    return send_lesson(_write({"lessons": shown}), "application/json")


@blueprint.get("/learn/<game_name>/lessons/<name>/<lang>.json")
def show_house_lesson(game_name: str, name: str, lang: str) -> Response:
    """Send a lesson: its study, and for each chapter the positions of its main line.

    A position has `view` and `decision` as in the API, and `moves`, all that are legal, where the
    study asks for one.
    """
    offer = find_offer(game_name)
    study = _find(offer, name).pick(lang if lang in LANGUAGES else DEFAULT)
    positions = [
        [_describe(position) for position in walk_chapter(chapter, {offer.name: offer.rules})]
        for chapter in study["chapters"]
    ]
    return send_lesson(
        _write({"name": name, "study": study, "positions": positions}), "application/json"
    )


@blueprint.get("/learn/<game_name>/lessons/<name>/<int:chapter>/<int:step>.svg")
def show_lesson_board(game_name: str, name: str, chapter: int, step: int) -> Response:
    """Send the picture of a position; the query is that of the picture of a table, with `lang`."""
    offer = find_offer(game_name)
    chapters = _find(offer, name).study["chapters"]
    if offer.picture is None or chapter >= len(chapters):
        raise not_found("this picture")
    positions = list(walk_chapter(chapters[chapter], {offer.name: offer.rules}))
    if step >= len(positions):
        raise not_found("this picture")
    wishes = request.args.to_dict()
    lang = wishes.pop("lang", DEFAULT)
    try:
        read: dict[str, Any] = ReaderPictureQuery().load(wishes)
    except ValidationError:
        raise not_found("this picture") from None
    lang = lang if lang in LANGUAGES else DEFAULT
    return send_lesson(_draw(offer, positions[step], lang, read), "image/svg+xml")


def _draw(offer: Offer, position: LessonPosition, lang: str, wishes: dict[str, Any]) -> str:
    state = position.state
    names = list(_NAMES[: state.seats])
    drawn = draw_position(offer, state, lang, position.last_move, players=names, **wishes)
    assert drawn is not None
    return drawn


def _describe(position: LessonPosition) -> dict[str, Any]:
    state = position.state
    decision = state.decision
    asked = {"moves": state.legal_moves()} if "question" in position.notes else {}
    return {
        "view": state.view(),
        "decision": None if decision is None else decision.to_json(),
        **asked,
    }


def _find(offer: Offer, name: str) -> HouseLesson:
    found = next((one for one in list_lessons(offer.name) if one.name == name), None)
    if found is None:
        raise not_found("this lesson")
    return found


def _write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
