"""Answers: tickets, which stand for a token where no header can."""

from __future__ import annotations

from cartulary.service.schemas.base import Answer, text, time


class StreamTicketAnswer(Answer):
    """A ticket for one stream of one game."""

    ticket = text("Open the stream with `?ticket=`; it works once.")
    expires_at = time("A minute from now.")
