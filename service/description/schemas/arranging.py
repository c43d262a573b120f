"""Bodies of requests that open a game or arrange a table; an unknown field is an error."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from cartulary.events.opening import (
    BOT_DELAY_MAX_MS,
    ENTROPY,
    EXPIRES_MAX_S,
    KINDS,
    ON_TIMEOUT,
    STARTS,
    TAKEBACKS,
    VISIBILITIES,
    fault_of_entropy,
)
from cartulary.service.description.schemas.base import (
    Flag,
    Named,
    Request,
    Whole,
    seat,
    version,
    whole,
)
from cartulary.service.description.schemas.pace import PaceRequest
from cartulary.service.description.schemas.references import game_name, refer


def _is_entropy(text: str) -> None:
    fault = fault_of_entropy(text)
    if fault is not None:
        raise ValidationError(fault)


def entropy() -> fields.String:
    """Return a field for what a player adds to the draws."""
    return fields.String(
        validate=_is_entropy,
        metadata={
            "description": "What the player adds to the seed of the draws: random characters.",
            "pattern": f"^{ENTROPY}$",
        },
    )


def expected_version() -> Whole:
    """Return a field for the version that a game must have."""
    return version(
        metadata={
            "description": "The version that the game must have. Without it the service judges the "
            "request by the game as it is."
        },
    )


def _player_id(description: str, **kwargs: Any) -> fields.String:
    metadata = {"description": description}
    return fields.String(validate=validate.Length(1, 64), metadata=metadata, **kwargs)


def must_belong(seat: dict[str, Any]) -> None:
    """Refuse a seat of kind `bot` without a bot, `invite` without a player, and the reverse."""
    for kind, name in (("bot", "bot"), ("invite", "player")):
        if seat.get("kind") == kind and name not in seat:
            raise ValidationError(f"is needed with the kind `{kind}`", name)
        if seat.get("kind") != kind and name in seat:
            raise ValidationError(f"belongs to the kind `{kind}` only", name)


class SeatRequestBody(Request):
    """A seat: for the caller (`me`), a `bot`, any player (`open`), or a guest (`invite`)."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    bot = fields.String(validate=validate.Length(1, 64))
    player = _player_id("With the kind `invite`: the player to whom the seat is offered.")

    @validates_schema
    def what_belongs_to_the_kind(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a bot or a player without the kind that goes with it, and the other way round."""
        must_belong(data)


class GameRequest(Request):
    """A new game; it starts when no seat is open, unless the host is to start it."""

    game = game_name(validate=validate.Length(1, 64))
    seats = fields.List(
        fields.Nested(SeatRequestBody), required=True, validate=validate.Length(2, 5)
    )
    options = Named(
        keys=fields.String(),
        values=fields.Raw(metadata={"type": ["string", "integer"]}),
        load_default=dict,
        metadata={"description": "See the catalogue; an option that is missing has its default."},
    )
    shuffle_seats = Flag(
        load_default=False,
        metadata={"description": "The lot decides at the start who sits where."},
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata=refer(
            "Visibility",
            "`public` (the default): in the lobby. `unlisted`: everybody with the link may watch "
            "and take an open seat. `private`: for the opener, the players and those invited.",
        ),
    )
    start = fields.String(
        validate=validate.OneOf(STARTS),
        metadata={
            "description": "`full` (the default): the game starts when the last seat is taken. "
            "`host`: the host starts it."
        },
    )
    takebacks = fields.String(
        validate=validate.OneOf(TAKEBACKS),
        metadata={
            "description": "`none`: no move is taken back, unless all others are bots. `undo` "
            "(the default): until another person has moved or chance was drawn. `consent`: also "
            "later, when the others agree."
        },
    )
    substitutes = Flag(
        metadata={"description": "Others may take over the seat of a player who left."},
    )
    hints = Flag(
        metadata={
            "description": "The player may ask for hints (`GET /games/{id}/hint`). Only in a "
            "practice game: one player, and bots on all other seats."
        },
    )
    stand_in = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "The bot that answers for absent players; default: `medium`."},
    )
    expires_in = whole(
        1,
        EXPIRES_MAX_S,
        metadata={
            "description": "Seconds after the last event at which a game that has not started is "
            "aborted; default: 2 hours for a live game, 14 days for "
            "another public game, 60 days for others."
        },
    )
    pace = fields.Nested(
        PaceRequest, allow_none=True, metadata={"description": "Missing or null: untimed."}
    )
    on_timeout = fields.String(
        validate=validate.OneOf(ON_TIMEOUT),
        metadata={
            "description": "What follows when a flag falls. `stand_in`: a bot answers until the "
            "player returns (the default of live games with three or more seats for persons). "
            "`forfeit`: the player is out. `claim`: the others decide (the default else)."
        },
    )
    bot_delay = whole(
        0,
        BOT_DELAY_MAX_MS,
        metadata={
            "description": "For so many milliseconds after the last event no bot moves; default: 0."
        },
    )
    rated = Flag(
        load_default=False,
        validate=validate.Equal(False, error="there are no rated games yet"),
        metadata={"description": "Rated games do not exist yet: only `false` is taken."},
    )
    entropy = entropy()
    commitment = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "The id from `POST /api/v1/fair/commitments`."},
    )


class SeatTakingRequest(Request):
    """A seat; without `seat`: the seat that is offered to the caller, else any open seat."""

    seat = seat()
    entropy = entropy()
    expected_version = expected_version()


class SeatChangeRequest(Request):
    """What a seat is to be: open, for a bot, or offered to a player."""

    kind = fields.String(required=True, validate=validate.OneOf(["open", "bot", "invite"]))
    bot = fields.String(validate=validate.Length(1, 64))
    player = _player_id("With the kind `invite`: the player to whom the seat is offered.")
    expected_version = expected_version()

    @validates_schema
    def what_belongs_to_the_kind(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a bot or a player without the kind that goes with it, and the other way round."""
        must_belong(data)


class StartRequest(Request):
    """The start of a game by its host."""

    drop_open_seats = Flag(
        load_default=False,
        metadata={"description": "Start without the seats on which nobody sits."},
    )
    expected_version = expected_version()


class HostRequest(Request):
    """Another host."""

    player = _player_id("A player who sits at the table.", required=True)
    expected_version = expected_version()


class PlainWrite(Request):
    """A write to a game that says nothing else."""

    expected_version = expected_version()
