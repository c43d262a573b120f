"""Players and their tokens."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.service.description.schemas.players import NewPlayer, OwnPlayerAnswer, PlayerAnswer
from cartulary.service.description.schemas.requests import PlayerChangeRequest, PlayerRequest
from cartulary.service.http.answers import answer_json, locate, revalidate, set_caching
from cartulary.service.http.callers import hash_caller_token
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.outcome import mark_stored
from cartulary.service.http.problems import not_found
from cartulary.service.shortcuts import environ

blueprint = Blueprint("players", __name__)


@blueprint.post("/players")
@operation(
    "players",
    "Register a player",
    {201: AnswerOf("Registered.", NewPlayer, headers=("Location", *STANDING))},
    body=PlayerRequest,
    limit="players",
)
def register_player(here: Parts, body: dict[str, Any]) -> Response:
    """The token is shown this once. It is stored as a hash only, so nobody can look it up."""
    made, token = here.store.players.create(body["name"].strip(" "))
    mark_stored(environ())
    location = locate(here, f"/api/v1/players/{made.id}")
    headers = {"Location": location, "Cache-Control": "no-store"}
    return answer_json({**describe_player(made), "token": token}, 201, headers)


@blueprint.get("/players/me")
@operation(
    "players",
    "Who am I?",
    {200: AnswerOf("The player of the token, with preferences.", OwnPlayerAnswer)},
    token="required",
)
def show_me(here: Parts, who: Player) -> Response:
    """Also a way to try whether a token is good."""
    return _answer_own(here, who)


@blueprint.patch("/players/me")
@operation(
    "players",
    "Change one's name or preferences",
    {200: AnswerOf("Changed.", OwnPlayerAnswer)},
    body=PlayerChangeRequest,
    limit="writes",
    token="required",
)
def change_me(here: Parts, who: Player, body: dict[str, Any]) -> Response:
    """Events that are stored keep the name of their time; new events have the new name within 5 s.

    A field that is missing stays as it is.
    """
    if "name" in body:
        who = who._replace(name=body["name"].strip(" "))
        here.store.players.rename(who.id, who.name, hash_caller_token(environ()))
    if preferences := body.get("preferences"):
        here.store.preferences.change(who.id, preferences)
    mark_stored(environ())
    return _answer_own(here, who)


def _answer_own(here: Parts, who: Player) -> Response:
    preferences = here.store.preferences.of(who.id)
    claimed_at = here.store.players.claimed_at(who.id)
    shown = {**describe_player(who), "preferences": preferences, "claimed_at": claimed_at}
    return set_caching(answer_json(shown), revalidate("private"))


@blueprint.get("/players/<player_id>")
@operation(
    "players",
    "A player",
    {200: AnswerOf("The player.", PlayerAnswer)},
    refusals=("not_found",),
    token="optional",
)
def show_player(here: Parts, player_id: str) -> Response:
    """Players have a name and nothing else that others could see."""
    found = here.store.players.by_id(player_id)
    if found is None:
        raise not_found("this player")
    return answer_json(describe_player(found))


def describe_player(shown: Player) -> dict[str, str]:
    """Return a player as others see one."""
    return {"id": shown.id, "name": shown.name, "created_at": shown.created_at}
