"""Players and their tokens."""

from __future__ import annotations

from flask import Blueprint, Response, request

from cartulary.events.players import Player
from cartulary.service.description.schemas.requests import PlayerRequest
from cartulary.service.description.schemas.resources import NewPlayer, PlayerAnswer
from cartulary.service.http.bodies import json_response, read_body
from cartulary.service.http.conditions import fresh, kept
from cartulary.service.http.context import caller, parts, player
from cartulary.service.http.operations import WITH_BODY, AnswerOf, operation
from cartulary.service.http.problems import not_found

blueprint = Blueprint("players", __name__)
_BODY = PlayerRequest()


@blueprint.post("/players")
@operation(
    "players",
    "Register a player",
    {201: AnswerOf("Registered.", NewPlayer, headers=("Location",))},
    body=PlayerRequest,
    refusals=(*WITH_BODY, "rate_limited"),
)
def register_player() -> Response:
    """The token is shown this once. It is stored as a hash only, so nobody can look it up."""
    parts().limits.hit("players", request.remote_addr or "")
    name = read_body(_BODY)["name"].strip(" ")
    made, token = parts().store.players.create(name)
    location = f"{request.root_path}/api/v1/players/{made.id}"
    headers = {"Location": location, "Cache-Control": "no-store"}
    return json_response({**_player_json(made), "token": token}, 201, headers)


@blueprint.get("/players/me")
@operation(
    "players",
    "Who am I?",
    {200: AnswerOf("The player of the token.", PlayerAnswer)},
    refusals=("token_missing", "token_unknown", "invalid"),
    token="required",
)
def show_me() -> Response:
    """Also a way to try whether a token is good."""
    return kept(json_response(_player_json(player())), fresh("private"))


@blueprint.get("/players/<player_id>")
@operation(
    "players",
    "A player",
    {200: AnswerOf("The player.", PlayerAnswer)},
    refusals=("token_unknown", "not_found", "invalid"),
    token="optional",
)
def show_player(player_id: str) -> Response:
    """Players have a name and nothing else that others could see."""
    caller()
    found = parts().store.players.by_id(player_id)
    if found is None:
        raise not_found("this player")
    return json_response(_player_json(found))


def _player_json(shown: Player) -> dict[str, str]:
    return {"id": shown.id, "name": shown.name, "created_at": shown.created_at}
