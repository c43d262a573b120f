"""Players and their tokens."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.model import names
from cartulary.events.model.failures import DrawsUnavailable
from cartulary.events.naming.naming import BadName
from cartulary.events.people.players import Player
from cartulary.events.people.preferences import COLOURS, OPEN_DATA, TAKEBACKS, VISIBILITIES
from cartulary.service.api.game.games_schema import GameSummary
from cartulary.service.api.profiles.shown import is_hidden
from cartulary.service.api.profiles.statistics import describe_reliability
from cartulary.service.api.profiles.statistics_schema import ReliabilityAnswer
from cartulary.service.api.ratings.ratings import read_ratings
from cartulary.service.api.ratings.ratings_schema import PlayerRatingAnswer
from cartulary.service.http.answers import answer_json, locate, revalidate, set_caching
from cartulary.service.http.callers import hash_caller_token
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Flag, Request, list_of, nullable, text
from cartulary.service.schemas.commitments import DrawCommitmentAnswer
from cartulary.service.schemas.players import PlayerAnswer

blueprint = Blueprint("players", __name__)


TAKEBACKS_TEXT = (
    "When another player asks for a takeback: `ask` the player each time; agree `always`; agree by "
    "itself to a `misclick`, the very last move within 15 s; `never`: no player may ask."
)
COLOUR_TEXT = (
    "The colour in which the player wants to see the own pieces; `usual`: that of the seat. A "
    "client gives the seat that has this colour that of the player's seat; the shapes stay."
)

VISIBILITY_TEXT = (
    "`hidden`: no search, list or statistics of others names the player, and no other player sees "
    "when the player is here. At a table the player is seen as any other."
)


OPEN_DATA_TEXT = (
    "`yes`: public games of the player may be in the [open data](/docs/dumps/) of this service, "
    "without names, where all other people of the game have said yes as well."
)


class PreferencesAnswer(Answer):
    """All preferences of a player."""

    takebacks = text(TAKEBACKS_TEXT, validate=validate.OneOf(TAKEBACKS))
    colour = text(COLOUR_TEXT, validate=validate.OneOf(COLOURS))
    visibility = text(VISIBILITY_TEXT, validate=validate.OneOf(VISIBILITIES))
    open_data = text(OPEN_DATA_TEXT, validate=validate.OneOf(OPEN_DATA))


class OwnPlayerAnswer(PlayerAnswer):
    """The player of the token."""

    preferences = fields.Nested(PreferencesAnswer, required=True)
    claimed_at = text(
        "Since when the player has recovery codes; null: a guest.",
        allow_none=True,
        metadata={"format": "date-time"},
    )
    asks_open_data = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether a client should ask the player once for "
            "`preferences.open_data`: the service publishes its open data, and the player has "
            "never set it."
        },
    )


class PlayerProfile(PlayerAnswer):
    """What others see of a player."""

    ratings = list_of(
        PlayerRatingAnswer,
        "As `GET /players/{id}/ratings`; none of a player who hides from the caller.",
    )
    reliability = nullable(
        ReliabilityAnswer, "How the player ends games; null for a player who hides from the caller."
    )
    online = fields.Boolean(
        required=True,
        description="True while the player is here, as far as the caller may see that.",
    )
    hosting = list_of(
        GameSummary,
        "The last five tables of the player with an open seat, as far as the caller may see them.",
    )


class NewPlayer(PlayerAnswer):
    """A new player."""

    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")
    commitment = fields.Nested(
        DrawCommitmentAnswer,
        allow_none=True,
        description="With `commit`: as the answer of `POST /api/v1/fair/commitments`; null: the "
        "service cannot commit to draws now, and that call says why.",
    )


def _name(**kwargs: Any) -> fields.String:
    """Return the field of a name; `choose_name` judges it."""
    return fields.String(
        description="Letters and digits of one script, and the signs of a keyboard "
        "(RFC 8265); nothing that looks like the name of an operator.",
        metadata={"minLength": 1, "maxLength": names.LONGEST, "pattern": names.PATTERN},
        **kwargs,
    )


class PlayerRequest(Request):
    """A new player."""

    name = _name(required=True)
    commit = Flag(
        load_default=False,
        description="Whether the answer brings a commitment to the draws of a game as well, so "
        "that a new player opens a game one trip earlier.",
    )


class PreferencesRequest(Request):
    """Preferences; what is missing stays as it is."""

    takebacks = fields.String(validate=validate.OneOf(TAKEBACKS), description=TAKEBACKS_TEXT)
    colour = fields.String(validate=validate.OneOf(COLOURS), description=COLOUR_TEXT)
    visibility = fields.String(validate=validate.OneOf(VISIBILITIES), description=VISIBILITY_TEXT)
    open_data = fields.String(validate=validate.OneOf(OPEN_DATA), description=OPEN_DATA_TEXT)


class PlayerChangeRequest(Request):
    """What is to change of a player; what is missing stays as it is."""

    name = _name()
    preferences = fields.Nested(PreferencesRequest)


@blueprint.post("/players")
@operation(
    "players",
    "Register a player",
    {201: AnswerOf("Registered.", NewPlayer, headers=("Location", *STANDING))},
    body=PlayerRequest,
    limit="players",
)
def register_player(services: Services, body: dict[str, Any]) -> Response:
    """The token is shown this once. It is stored as a hash only, so it cannot be looked up."""
    made, token = services.store.players.create(choose_name(services, body["name"]))
    mark_stored(request.environ)
    location = locate(services, f"/api/v1/players/{made.id}")
    headers = {"Location": location, "Cache-Control": "no-store"}
    promise = {"commitment": _commit(services, made)} if body["commit"] else {}
    return answer_json({**describe_player(made), "token": token, **promise}, 201, headers)


def choose_name(services: Services, name: str, player_id: str = "") -> str:
    """Return a name as it is stored; raises `Problem` 422 for a name that no player may choose."""
    try:
        return services.store.office.name_rules.prepare(name, player_id)
    except BadName as error:
        raise invalid("/name", str(error), error.reason) from error


def _commit(services: Services, who: Player) -> dict[str, Any] | None:
    """Return a commitment, None when no secret can be kept now: the player is registered anyway."""
    try:
        return services.store.commands.commit(who)._asdict()
    except DrawsUnavailable:
        return None


@blueprint.get("/players/me")
@operation(
    "players",
    "Who am I?",
    {200: AnswerOf("The player of the token, with preferences.", OwnPlayerAnswer)},
)
def show_me(services: Services, who: Player) -> Response:
    """Also a way to try whether a token is good."""
    return _answer_own(services, who)


@blueprint.patch("/players/me")
@operation(
    "players",
    "Change one's name or preferences",
    {200: AnswerOf("Changed.", OwnPlayerAnswer)},
    body=PlayerChangeRequest,
    limit="writes",
)
def change_me(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """Events that are stored keep the name of their time; new events have the new name within 5 s.

    A field that is missing stays as it is.
    """
    if "name" in body:
        who = who._replace(name=choose_name(services, body["name"], who.id))
        services.store.players.rename(who.id, who.name, hash_caller_token(request.environ))
    if preferences := body.get("preferences"):
        services.store.preferences.change(who.id, preferences)
    mark_stored(request.environ)
    return _answer_own(services, who)


def _answer_own(services: Services, who: Player) -> Response:
    preferences = services.store.preferences.of(who.id)
    claimed_at = services.store.players.claimed_at(who.id)
    shown = {
        **describe_player(who),
        "preferences": preferences,
        "claimed_at": claimed_at,
        "asks_open_data": _asks_open_data(services, who),
    }
    return set_caching(answer_json(shown), revalidate("private"))


def _asks_open_data(services: Services, who: Player) -> bool:
    """Return whether to ask a player for open data; of a bot its owner is asked."""
    publishes = bool(services.settings.dumps)
    return publishes and not who.owner and not services.store.preferences.has_answered(who.id)


@blueprint.get("/players/<player_id>")
@operation(
    "players",
    "A player",
    {200: AnswerOf("The player.", PlayerProfile)},
    refusals=("not_found",),
    token="optional",
)
def show_player(services: Services, who: Player | None, player_id: str) -> Response:
    """A player who hides, or who blocks the caller or is blocked, looks like one who is away."""
    found = services.store.players.by_id(player_id)
    if found is None:
        raise not_found("this player")
    caller, company = None if who is None else who.id, services.store.company
    hides = is_hidden(services, who, player_id)
    profile = {
        **describe_player(found),
        "ratings": [] if hides else read_ratings(services, player_id),
        "reliability": None if hides else describe_reliability(services, player_id),
        "online": company.is_online(caller, player_id),
        "hosting": company.list_hosted(player_id, caller),
    }
    return answer_json(profile, headers={"Cache-Control": "no-store"})


def describe_player(shown: Player) -> dict[str, str]:
    """Return a player as others see one."""
    kind = shown.kind or "person"
    return {"id": shown.id, "name": shown.name, "kind": kind, "created_at": shown.created_at}
