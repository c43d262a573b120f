"""Answers: players."""

from __future__ import annotations

from cartulary.service.schemas.base import Answer, text, time


class PlayerAnswer(Answer):
    """A player."""

    id = text()
    name = text()
    created_at = time()


class PlayerName(Answer):
    """The player on a seat."""

    id = text()
    name = text()
