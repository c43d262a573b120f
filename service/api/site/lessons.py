"""What a person needs to learn a game: the rules in short, a guided first game, all pieces."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, request

from cartulary.games.offer import Offer
from cartulary.locales import DEFAULT, LANGUAGES
from cartulary.service.api.site.built_client import WEB
from cartulary.service.api.site.catalogue import read_options
from cartulary.service.http.compression import compress
from cartulary.service.http.shared.services import current_services
from cartulary.service.http.wire.problems import not_found

blueprint = Blueprint("lessons", __name__)

_THEMES = ("auto", "light", "dark")
_LANG, _THEME = "lang", "theme"


@blueprint.get("/learn/<game_name>/<lang>.json")
def show_lesson(game_name: str, lang: str) -> Response:
    """Send the words of a lesson and its prepared game; empty where a game has no lesson."""
    offer = find_offer(game_name)
    lesson = {**offer.words.lesson(lang), "prepared": _read_prepared(game_name)}
    body = json.dumps(lesson, ensure_ascii=False, separators=(",", ":"))
    return send_lesson(body, "application/json")


@blueprint.get("/learn/<game_name>/pieces.svg")
def show_pieces_of_lesson(game_name: str) -> Response:
    """Send all pieces of a game as one picture; raises `Problem` 404 without such a picture.

    The query has the options of the game, `lang` and `theme`; `#bank` shows the bank alone.
    """
    offer = find_offer(game_name)
    if offer.sheet is None:
        raise not_found("a picture of the pieces")
    query = request.args.to_dict(flat=False)
    lang, theme = (query.pop(name, [""])[-1] for name in (_LANG, _THEME))
    words = offer.words.picture(lang if lang in LANGUAGES else DEFAULT)
    options = read_options(offer.rules.options, query)
    drawn = offer.sheet(words, options, theme if theme in _THEMES else "auto")
    return send_lesson(drawn, "image/svg+xml")


def find_offer(game_name: str) -> Offer:
    """Return the offer of a game; raises `Problem` 404."""
    offer = current_services().offers.get(game_name)
    if offer is None:
        raise not_found("this game")
    return offer


@cache
def _read_prepared(game_name: str) -> Any:
    """Return the prepared game of a lesson, None for a game that has none."""
    file = Path(WEB / "learn" / f"{game_name}.json")
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def send_lesson(body: str, kind: str) -> Response:
    """Send what a lesson is made of: it changes with the program alone."""
    answer = Response(body, content_type=kind)
    answer.add_etag(weak=True)
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    answer.make_conditional(request)
    return compress(answer)
