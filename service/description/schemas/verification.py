"""Answers: what is proved of a game and of its draws."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.service.description.schemas.base import (
    Answer,
    list_of,
    nullable,
    text,
    time,
    version,
    whole,
)


class CommitmentAnswer(Answer):
    """A commitment to a secret of draws, for one game."""

    id = text("For `commitment` of `POST /api/v1/games`.")
    commitment = text("SHA-256 of the secret.")
    expires_at = time()


class VerificationProblem(Answer):
    """A place where the events disagree with the rules or with each other."""

    version = whole(0, required=True)
    problem = text("Stable; for programs.")
    detail = text()


class FairAnswer(Answer):
    """What is proved of the draws of a game."""

    scheme = text("`cartulary-fair/1`.")
    commitment = text("The last commitment: SHA-256 of the secret.")
    given = whole(
        0, required=True, metadata={"description": "Outcomes that a transcript gave: not drawn."}
    )
    draws = whole(0, required=True, metadata={"description": "Draws so far."})
    state = text(
        "`hidden` until the last event reveals the secret. `proved`: commitment, seed and every "
        "draw after the last renewal hold.",
        validate=validate.OneOf(["hidden", "proved", "failed"]),
    )
    renewed_at = fields.List(
        version(),
        required=True,
        metadata={"description": "Versions at which the secret was lost and replaced."},
    )


class VerificationAnswer(Answer):
    """Whether the game follows from its events."""

    valid = fields.Boolean(required=True)
    version = version(required=True)
    problems = list_of(VerificationProblem)
    head = text("Hash of the last event; empty when that is unreadable.")
    chained_from = whole(
        1,
        required=True,
        allow_none=True,
        metadata={
            "description": "Version of the first event that names the hash of the event before it. "
            "Null for a game that ended before there was a chain."
        },
    )
    masked = whole(0, required=True, metadata={"description": "Events with a deleted name."})
    fair = nullable(FairAnswer)
