"""In which language the caller reads, and what the seats of a table are called in it."""

from __future__ import annotations

from flask import Response, request

from cartulary import locales
from cartulary.events.table import Table


def language() -> str:
    """Return the language on offer that `Accept-Language` likes best; English without one."""
    return locales.negotiate(request.environ.get("HTTP_ACCEPT_LANGUAGE"))


def spoken(answer: Response, lang: str) -> Response:
    """Mark an answer with its language, for readers and for caches."""
    answer.headers["Content-Language"] = lang
    answer.vary.add("Accept-Language")
    return answer


def names_of(table: Table, lang: str) -> list[str | None]:
    """Return the name of every seat: of the transcript, the player or the bot; None when open."""
    if table.names is not None:
        return list(table.names)
    bots = locales.terms(lang).get("bots", {})
    return [
        seat.player["name"] if seat.player else seat.bot and bots.get(seat.bot, seat.bot)
        for seat in table.seats
    ]
