"""Bodies and answers: the tokens of a player, the codes that give one, and blocks."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from cartulary.events import names
from cartulary.events.accounts.rows import SCOPES
from cartulary.service.description.schemas.base import Answer, Request, list_of, text, time, whole
from cartulary.service.description.schemas.players import PlayerAnswer

SCOPES_TEXT = (
    "What the token is for. `read`: what its player may read, and every token may; `play`: write "
    "to games; `account`: write to the account, list its tokens."
)

LABEL_TEXT = "What the player calls the device or the program; empty without a label."

YEARS_10 = 10 * 366 * 24 * 3600


def _no_fault(label: str) -> None:
    if label and (fault := names.fault_of_name(label)) is not None:
        raise ValidationError(fault)


def label() -> fields.String:
    """Return the field for the label of a new token."""
    return fields.String(
        load_default="",
        validate=_no_fault,
        metadata={"description": LABEL_TEXT, "maxLength": names.LONGEST},
    )


class TokenRequest(Request):
    """A new token."""

    label = label()
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        load_default=None,
        validate=validate.Length(min=1),
        metadata={"description": f"{SCOPES_TEXT} Missing: those of the token that asks."},
    )
    expires_in = whole(
        60,
        YEARS_10,
        load_default=None,
        metadata={
            "description": "Seconds. Missing: the token lasts as long as the token that asks."
        },
    )


class TokenAnswer(Answer):
    """A token of the player, without its secret."""

    id = text()
    label = text(LABEL_TEXT)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        metadata={"description": SCOPES_TEXT},
    )
    created_at = time()
    expires_at = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "null: never.", "format": "date-time"},
    )
    last_used_at = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "A day, UTC; null: never yet.", "format": "date"},
    )
    current = fields.Boolean(
        required=True, metadata={"description": "Whether it is the token of this request."}
    )


class TokensAnswer(Answer):
    """The tokens of the player, the oldest first."""

    tokens = list_of(TokenAnswer)


class NewTokenAnswer(TokenAnswer):
    """A new token."""

    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")


class BlockAnswer(Answer):
    """A player whom the caller blocks."""

    id = text()
    name = text()
    since = time()


class BlocksAnswer(Answer):
    """Whom the caller blocks, the longest blocked first."""

    blocks = list_of(BlockAnswer)


class EmptyRequest(Request):
    """An object without fields."""


class LinkCodeAnswer(Answer):
    """A code that gives another device a token of the caller, once."""

    code = text("Eight letters and a hyphen. Valid for ten minutes and for one use.")
    expires_at = time()
    url = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The settings of the web client with the code behind `#`, which no "
            "server is sent; null when the service does not know its address."
        },
    )
    svg = text("A QR code of `url`, or of `code` without an `url`: an SVG document.")


class RecoveryCodesAnswer(Answer):
    """Ten codes, each for one use."""

    codes = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Shown in this answer only. Earlier codes are void."},
    )


class SessionRequest(Request):
    """One of the two codes, and a label for the new token."""

    link_code = fields.String(
        metadata={"description": "Of `POST /players/me/link_codes`, from another device."}
    )
    recovery_code = fields.String(
        metadata={
            "description": "Of `POST /players/me/recovery_codes`. All other tokens become void."
        }
    )
    label = label()

    @validates_schema
    def check_one(self, data: dict[str, Any], **_: Any) -> None:
        """Raise unless there is one code."""
        if ("link_code" in data) == ("recovery_code" in data):
            raise ValidationError("one of link_code and recovery_code is needed")


class SessionAnswer(Answer):
    """The player of the code, and a new token."""

    player = fields.Nested(PlayerAnswer, required=True)
    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")


class DeletionRequest(Request):
    """The name of the caller, so that nobody deletes an account by mistake."""

    confirm = fields.String(
        required=True, metadata={"description": "The name of the caller, letter by letter."}
    )


class MergeRequest(Request):
    """The guest who is to be merged."""

    token = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata={"description": "A token of the guest, with all scopes."},
    )


class MergeAnswer(Answer):
    """The guest who is gone."""

    merged = fields.Nested(PlayerAnswer, required=True)
    games = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The games in which this call has moved something."},
    )
