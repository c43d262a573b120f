"""Answers about moves that are not made."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import Answer, text


class WhyAnswer(Answer):
    """Whether a move is legal now, and why not."""

    legal = fields.Boolean(required=True)
    rule = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The broken rule, for programs: for example `cannot_pay`. More may be "
            "added. Null for a legal move."
        },
    )
    reason = text("The reason as the engine says it, in English; empty for a legal move.")
    text = text("The reason in the language asked for.")
