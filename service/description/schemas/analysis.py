"""Answers of the teacher: hints, and the analysis of a game that is over."""

from __future__ import annotations

from marshmallow import fields

from cartulary.service.description.schemas.base import Answer, text, version
from cartulary.service.description.schemas.references import JsonObject, refer


class HintAnswer(Answer):
    """The move that a strong bot would make, and why."""

    version = version(required=True)
    move = JsonObject(required=True, metadata=refer("Move"))
    why = fields.List(
        fields.Dict(),
        required=True,
        metadata={"description": "Facts: what the move leads to (`docs/facts.md`)."},
    )
    text = text("The reasons in words, in the language asked for.")
