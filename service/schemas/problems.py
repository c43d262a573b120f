"""Answers: why a request is refused."""

from __future__ import annotations

from cartulary.events.model.quota_words import OF_QUOTAS
from cartulary.events.naming.naming import REASONS
from cartulary.events.people.quotas import QuotaLimits
from cartulary.events.people.rows import OPERATOR, SCOPES
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, JsonObject, count, text, version, whole
from cartulary.service.schemas.references import moves, refer
from cartulary.studies.faults import WORDS


class ProblemError(Answer):
    """A fault of the request."""

    pointer = text("JSON pointer into the body; `/name` for a query parameter.")
    detail = text()
    reason = fields.String(
        description="For programs: why no player may choose a name, what is wrong with a study.",
        metadata={"enum": [*REASONS, *WORDS]},
    )


class ProblemAnswer(Answer):
    """A refusal (RFC 9457). A 4xx changes nothing; after a 5xx the outcome is unknown."""

    type = text()
    title = text()
    status = whole(400, 599, required=True)
    detail = text("For people.")
    instance = text()
    code = fields.String(required=True, metadata=refer("ProblemCode", "Stable; for programs."))
    request_id = text("The id of the request in the log.")
    errors = fields.List(fields.Nested(ProblemError), description="With `invalid`: all faults.")
    current_version = version(description="With `stale_version`.")
    quota = fields.String(
        description="With `quota_exceeded`: what is counted for the player.",
        metadata={"enum": list(dict.fromkeys([*QuotaLimits._fields, *OF_QUOTAS]))},
    )
    limit = count("With `quota_exceeded`: at most so many.")
    used = count("With `quota_exceeded`: so many there are.")
    free_at = fields.String(
        allow_none=True,
        description="With `quota_exceeded`: when there is a place; null: unknown.",
        metadata={"format": "date-time"},
    )
    scope = fields.String(
        description="With `scope_missing`: what the token is not for.",
        metadata={"enum": [*SCOPES, OPERATOR]},
    )
    decision = JsonObject(metadata=refer("Decision", "With `not_your_turn`."))
    legal_moves = moves(description="With `illegal_move`.")
