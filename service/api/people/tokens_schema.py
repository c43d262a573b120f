"""Tokens: bodies of requests, and answers."""

from __future__ import annotations

from marshmallow import ValidationError, validate

from cartulary.events.model import names
from cartulary.events.people.rows import OPERATOR, SCOPES
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text, time, whole

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
        description=LABEL_TEXT,
        metadata={"maxLength": names.LONGEST},
    )


class TokenRequest(Request):
    """A new token."""

    label = label()
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        load_default=None,
        validate=validate.Length(min=1),
        description=f"{SCOPES_TEXT} Missing: those of the token that asks.",
    )
    expires_in = whole(
        60,
        YEARS_10,
        load_default=None,
        description="Seconds. Missing: the token lasts as long as the token that asks.",
    )


class TokenAnswer(Answer):
    """A token of the player, without its secret."""

    id = text()
    label = text(LABEL_TEXT)
    scopes = fields.List(
        fields.String(validate=validate.OneOf([*SCOPES, OPERATOR])),
        required=True,
        description=f"{SCOPES_TEXT} `operator`: keep order; only `cartulary operator` gives it.",
    )
    created_at = time()
    expires_at = text("null: never.", allow_none=True, metadata={"format": "date-time"})
    last_used_at = text(
        "A day, UTC; null: never yet.", allow_none=True, metadata={"format": "date"}
    )
    current = fields.Boolean(required=True, description="Whether it is the token of this request.")


class TokenListAnswer(Answer):
    """The tokens of the player, the oldest first."""

    tokens = list_of(TokenAnswer)


class NewTokenAnswer(TokenAnswer):
    """A new token."""

    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")
