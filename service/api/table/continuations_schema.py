"""Bodies for another game: a branch, a rematch."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validate, validates_schema

from cartulary.events.commands.table.opening import VISIBILITIES
from cartulary.events.commands.table.rematch import ORDERS
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Flag, Request, text, version
from cartulary.service.schemas.game_bodies import commitment, entropy
from cartulary.service.schemas.pace import PaceRequest
from cartulary.service.schemas.references import refer


class BranchSeatBody(Request):
    """A seat of a branch: for the caller (`me`), or for a `bot` (named in `bot`)."""

    kind = text(validate=validate.OneOf(["me", "bot"]))
    bot = fields.String(validate=validate.Length(1, 64))

    @validates_schema
    def bot_belongs_to_bots(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a bot without a name, and a name on a seat that has no bot."""
        if data.get("kind") == "bot" and "bot" not in data:
            raise ValidationError("is needed with the kind `bot`", "bot")
        if data.get("kind") != "bot" and "bot" in data:
            raise ValidationError("belongs to the kind `bot` only", "bot")


class BranchRequest(Request):
    """A branch: a new game that goes on from a version of this game. It is running at once."""

    version = version(
        required=True, description="The branch begins with the table after this event."
    )
    seats = fields.List(
        fields.Nested(BranchSeatBody),
        validate=validate.Length(2, 5),
        description="One for each seat of this game. Missing: the bots stay, and the caller "
        "has the seats of all players.",
    )
    visibility = fields.String(
        validate=validate.OneOf(VISIBILITIES),
        metadata=refer(
            "Visibility", "Missing: that of this game. A branch of a private game is private."
        ),
    )
    pace = fields.Nested(
        PaceRequest, allow_none=True, description="Missing or null: untimed, whatever this game is."
    )
    hints = Flag(
        allow_none=True,
        description="The player may ask for hints. Only in a practice game. Missing or null: as in "
        "this game, if the branch is a practice game.",
    )
    entropy = entropy()
    commitment = commitment()


class RematchRequest(Request):
    """The rematch of a game that is over."""

    seats = fields.String(
        load_default="rotate",
        validate=validate.OneOf(ORDERS),
        description="`same`: everybody sits as before. `rotate` (the default): the second "
        "seat becomes the first. `shuffle`: the lot decides. It counts for the first request.",
    )
    entropy = entropy()
    commitment = commitment(" It counts for the first request.")
