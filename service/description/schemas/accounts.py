"""Bodies and answers: the tokens of a player, the codes that give one, and blocks."""

from __future__ import annotations

from marshmallow import ValidationError, fields, validate

from cartulary.events import names
from cartulary.events.accounts.rows import SCOPES
from cartulary.service.description.schemas.base import Answer, Request, list_of, text, time, whole

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
