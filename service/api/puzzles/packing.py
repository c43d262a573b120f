"""Packs: puzzles with their answers, for times without a network."""

from __future__ import annotations

from typing import Any, Final

import orjson
from flask import Blueprint, Response, request
from werkzeug.datastructures import ETags

from cartulary.events.people.players import Player
from cartulary.service.api.puzzles.describing import show_packed
from cartulary.service.api.puzzles.puzzles_schema import (
    PuzzlePackAnswer,
    PuzzlePackedAnswer,
    PuzzlePackQuery,
    PuzzlePackRequest,
)
from cartulary.service.http.answers import answer_changed, answer_json
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import tag_content
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("puzzle_packs", __name__)

_CACHING: Final = "private, no-cache"


@blueprint.get("/puzzles/pack")
@operation(
    "puzzles",
    "The pack of the caller",
    {
        200: AnswerOf("The puzzles with their answers.", PuzzlePackAnswer, headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=PuzzlePackQuery,
)
def show_puzzle_pack(
    services: Services, who: Player, query: dict[str, Any], known: ETags
) -> Response:
    """What `POST /puzzles/pack` has put there, but what is answered since then.

    It is for clients with the engine: with it they judge and explain without the service.
    """
    game = _find_game(services, query.get("game"))
    found = services.store.puzzles.read_pack(who.id, game)
    body = orjson.dumps({"game": game, "puzzles": [show_packed(one) for one in found]})
    return compress(answer_changed(known, lambda: body, tag_content(body), _CACHING))


@blueprint.post("/puzzles/pack")
@operation(
    "puzzles",
    "Fill the pack of the caller",
    {200: AnswerOf("What is in it now.", PuzzlePackedAnswer, headers=STANDING)},
    body=PuzzlePackRequest,
    limit="writes",
    refusals=("not_for_bots",),
)
def fill_puzzle_pack(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """With puzzles that the caller has not answered, until there are `number`.

    The caller has the answers of these from then on, so attempts at them move no rating. Sent
    again it adds nothing, unless some were answered meanwhile.
    """
    game = _find_game(services, body["game"])
    ids = services.store.puzzles.fill_pack(who, game, body["number"])
    mark_stored(request.environ)
    return answer_json({"game": game, "puzzles": ids}, headers={"Cache-Control": "no-store"})


def _find_game(services: Services, name: str | None) -> str:
    games = services.store.puzzles.shelf.list_games()
    game = name or next(iter(games), "")
    if game not in games:
        raise invalid("/game", f"must be one of: {', '.join(games)}")
    return game
