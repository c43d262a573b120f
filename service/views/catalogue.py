"""The games on offer, and what their pieces cost, do and are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary import locales
from cartulary.bots.base import Entry
from cartulary.engine.canonical import canonical_hash
from cartulary.engine.core import Option
from cartulary.engine.pieces import Piece
from cartulary.events.pace import PRESETS
from cartulary.games.offer import Offer
from cartulary.locales.pieces import Describer
from cartulary.service.description.schemas.catalogue import CatalogueAnswer, PiecesAnswer
from cartulary.service.http.answers import answer_changed
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.problems import Invalid, not_found

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
    paces = [
        {"name": name, "pace": None if pace is None else pace.to_json()}
        for name, pace in PRESETS.items()
    ]
    games = [_describe(offer, lang) for offer in here.offers.values()]
    catalogue = {"games": games, "paces": paces}
    tag = f'"{canonical_hash(catalogue)[:16]}"'
    answer = answer_changed(known, lambda: catalogue, tag, "public, max-age=60")
    return mark_language(answer, lang)


@blueprint.get("/catalogue/<game_name>")
@operation(
    "catalogue",
    "What the pieces of a game cost, do and are worth",
    {
        200: AnswerOf("The pieces.", PiecesAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    headers=("If-None-Match", "Accept-Language"),
    refusals=("not_found", "invalid"),
    any_query=True,
    token="optional",
)
def show_pieces(here: Parts, game_name: str, known: ETags, lang: str) -> Response:
    """Under the options of the query (`?edition=second`); a missing option has its default.

    `name`, `effect` and `owner` are in the language that `Accept-Language` likes best, `price` and
    `does` are for programs. The numbers are those that the rules themselves use.
    """
    offer = here.offers.get(game_name)
    if offer is None:
        raise not_found("this game")
    options = read_options(offer.rules.options, request.args.to_dict(flat=False))
    words = Describer(lang, offer.words)
    pieces = [_describe_piece(piece, words) for piece in offer.rules.list_pieces(options)]
    shown = {"game": game_name, "options": options, "pieces": pieces}
    tag = f'"{canonical_hash(shown)[:16]}"'
    answer = answer_changed(known, lambda: shown, tag, "public, max-age=60")
    return mark_language(answer, lang)


def read_options(
    options: Sequence[Option], asked: Mapping[str, Sequence[str]]
) -> dict[str, str | int]:
    """Return all options with the values of a query; raises `Invalid`."""
    chosen: dict[str, str | int] = {option.name: option.default for option in options}
    errors = [
        {"pointer": f"/{name}", "detail": "is no option of this game"}
        for name in asked.keys() - chosen.keys()
    ]
    for option in options:
        values = {str(value): value for value in option.values}
        given = asked.get(option.name, [])
        if len(given) > 1 or not set(given) <= values.keys():
            detail = f"must be one of: {', '.join(values)}"
            errors.append({"pointer": f"/{option.name}", "detail": detail})
        elif given:
            chosen[option.name] = values[given[0]]
    if errors:
        raise Invalid(sorted(errors, key=lambda error: error["pointer"]))
    return chosen


def _describe_piece(piece: Piece, words: Describer) -> dict[str, Any]:
    shown = {
        **piece._asdict(),
        "name": words.name(piece.kind, piece.id),
        "effect": words.effect(piece.id, piece.does),
        "owner": words.either(piece.owner),
        "owner_gets": list(piece.owner),
    }
    return {key: value for key, value in shown.items() if key in _SHOWN or value is not None}


_SHOWN = ("price", "points")
"""Shown as null where a piece has none; other members are left out."""


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
