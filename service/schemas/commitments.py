"""A commitment to the draws of a game that is not open yet."""

from __future__ import annotations

from cartulary.service.schemas.base import Answer, text, time


class DrawCommitmentAnswer(Answer):
    """A commitment to a secret of draws, for one game."""

    id = text("For `commitment` of `POST /api/v1/games`.")
    commitment = text("SHA-256 of the secret.")
    expires_at = time()
