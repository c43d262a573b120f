"""Presence, and requests for a seat."""

from __future__ import annotations

from cartulary.service.description.schemas.base import Answer, Request, count, list_of, seat, text


class PresentAnswer(Answer):
    """A seated player who has the game open."""

    seat = seat(required=True)
    id = text()
    name = text()


class PresenceAnswer(Answer):
    """Who has the game open."""

    players = list_of(PresentAnswer, "The seated players among them, by seat.")
    others = count("How many other streams of the game are open.", required=True)


class SeatAskingRequest(Request):
    """Which seat to ask for; missing: any."""

    seat = seat()
