"""The games on offer."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary import locales
from cartulary.bots.base import Entry
from cartulary.engine.canonical import canonical_hash
from cartulary.games.offer import Offer
from cartulary.service.description.schemas.catalogue import CatalogueAnswer
from cartulary.service.http.answers import answer_changed
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf

blueprint = Blueprint("catalogue", __name__)


@blueprint.get("/catalogue")
@operation(
    "catalogue",
    "The games on offer",
    {
        200: AnswerOf("The catalogue.", CatalogueAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match", "Accept-Language"),
    token="optional",
)
def show_catalogue(here: Parts, known: ETags, lang: str) -> Response:
    """What can be played: seats, options with their values and defaults, and the bots.

    `title` and `text` are in the language that `Accept-Language` likes best.
    """
    catalogue = {"games": [_describe(offer, lang) for offer in here.offers.values()]}
    tag = f'"{canonical_hash(catalogue)[:16]}"'
    answer = answer_changed(known, lambda: catalogue, tag, "public, max-age=60")
    return mark_language(answer, lang)


def _describe(offer: Offer, lang: str) -> dict[str, Any]:
    game = offer.rules
    own = offer.words.terms(lang)
    lines = locales.terms(lang)["bot_lines"]
    return {
        "name": game.name,
        "title": own.get("title", game.title),
        "rules_version": game.rules_version,
        "seats": {"from": game.seats_from, "to": game.seats_to},
        "options": [
            {
                "name": option.name,
                "text": own.get("options", {}).get(option.name, {}).get("name", option.text),
                "values": list(option.values),
                "default": option.default,
            }
            for option in game.options
        ],
        "bots": [
            _describe_bot(name, lines.get(name, entry.line), entry)
            for name, entry in offer.bots.items()
        ],
    }


def _describe_bot(name: str, line: str, entry: Entry) -> dict[str, Any]:
    return {
        "name": name,
        "text": line,
        "description": line,
        "strength": entry.strength,
        "ms": entry.ms,
    }
