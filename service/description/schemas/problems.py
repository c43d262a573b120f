"""Answers: why a request is refused."""

from __future__ import annotations

from marshmallow import fields

from cartulary.events.accounts.rows import SCOPES
from cartulary.events.quotas import Limits
from cartulary.service.description.schemas.base import Answer, count, text, version, whole
from cartulary.service.description.schemas.references import JsonObject, moves, refer


class ProblemError(Answer):
    """A fault of the request."""

    pointer = text("JSON pointer into the body; `/name` for a query parameter.")
    detail = text()


class ProblemAnswer(Answer):
    """A refusal (RFC 9457). A 4xx changes nothing; after a 5xx the outcome is unknown."""

    type = text()
    title = text()
    status = whole(400, 599, required=True)
    detail = text("For people.")
    instance = text()
    code = fields.String(required=True, metadata=refer("ProblemCode", "Stable; for programs."))
    request_id = text("The id of the request in the log.")
    errors = fields.List(
        fields.Nested(ProblemError), metadata={"description": "With `invalid`: all faults."}
    )
    current_version = version(metadata={"description": "With `stale_version`."})
    quota = fields.String(
        metadata={
            "description": "With `quota_exceeded`: what is counted for the player.",
            "enum": [*Limits._fields, "blocks", "tokens"],
        }
    )
    limit = count("With `quota_exceeded`: at most so many.")
    used = count("With `quota_exceeded`: so many there are.")
    free_at = fields.String(
        allow_none=True,
        metadata={
            "description": "With `quota_exceeded`: when there is a place; null: unknown.",
            "format": "date-time",
        },
    )
    scope = fields.String(
        metadata={
            "description": "With `scope_missing`: what the token is not for.",
            "enum": list(SCOPES),
        }
    )
    decision = JsonObject(metadata=refer("Decision", "With `not_your_turn`."))
    legal_moves = moves(metadata={"description": "With `illegal_move`."})
