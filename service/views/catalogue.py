"""The games on offer."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary import locales
from cartulary.engine.canonical import canonical_hash
from cartulary.games.offer import Offer
from cartulary.service.description.schemas.resources import CatalogueAnswer
from cartulary.service.http.conditions import tagged
from cartulary.service.http.context import caller, parts
from cartulary.service.http.languages import language, spoken
from cartulary.service.http.operations import AnswerOf, operation

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
    refusals=("token_unknown", "invalid"),
    token="optional",
)
def show_catalogue() -> Response:
    """What can be played: seats, options with their values and defaults, and the bots.

    `title` and `text` are in the language that `Accept-Language` likes best.
    """
    caller()
    lang = language()
    catalogue = {"games": [_offer(offer, lang) for offer in parts().offers.values()]}
    tag = f'"{canonical_hash(catalogue)[:16]}"'
    return spoken(tagged(lambda: catalogue, tag, "public, max-age=60"), lang)


def _offer(offer: Offer, lang: str) -> dict[str, Any]:
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
            {"name": name, "text": lines.get(name, entry.line)}
            for name, entry in offer.bots.items()
        ],
    }
