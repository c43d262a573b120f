"""The kinds of tables that people open, chosen by a random stream of the table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from cartulary.events.commands.table.opening import NewGame, SeatRequest
from cartulary.events.people.players import Player
from simulation.play.profiles import Profile

GAMES = ("carcassonne", "caylus")

PACES: Final[tuple[dict[str, Any], ...]] = (
    {"mode": "live", "delay": 5, "bank": 0},
    {"mode": "live", "delay": 10, "bank": 30},
    {"mode": "correspondence", "delay": 3600, "bank": 0, "refill": 0, "vacation": True},
)
"""Short ones, in which flags fall, and one in which none does."""


def choose_game(rng: random.Random, players: Sequence[Player]) -> NewGame:
    """Return an untimed game of these players, and some bots."""
    bots = rng.randint(1 if len(players) == 1 else 0, 2)
    seats = [SeatRequest("me"), *[SeatRequest("open")] * (len(players) - 1)]
    seats += [SeatRequest("bot", rng.choice(("random", "easy"))) for _ in range(bots)]
    rng.shuffle(seats)
    takebacks = rng.choice(("none", "undo", "consent"))
    return NewGame(rng.choice(GAMES), seats, takebacks=takebacks)


def change_kind(
    request: NewGame, rng: random.Random, profile: Profile, players: Sequence[Player], rates: bool
) -> NewGame:
    """Return the game with what the profile adds: a pace, a rating, people who are invited.

    `rates`: these players have accounts, as a rated game needs them.
    """
    if profile.bot_delay_ms and rng.random() < 0.5:
        request = request._replace(bot_delay=profile.bot_delay_ms)
    if rng.random() < profile.private:
        request = _invite(request, rng, players)
    if rates and len(players) > 1 and rng.random() < profile.rated:
        return _rate(request, rng)
    if rng.random() < profile.timed:
        follows = rng.choice((None, "stand_in", "forfeit", "claim"))
        request = request._replace(pace=rng.choice(PACES), on_timeout=follows)
    return request


def _invite(request: NewGame, rng: random.Random, players: Sequence[Player]) -> NewGame:
    """Hide a game from others; who has the link of an unlisted one sits down without being asked.

    In a private game each seat for a person is for a person who is named.
    """
    if rng.random() < 0.3:
        return request._replace(visibility="unlisted")
    invited = iter(players[1:])
    seats = [
        SeatRequest("invite", player=next(invited).id) if seat.kind == "open" else seat
        for seat in request.seats
    ]
    return request._replace(seats=seats, visibility="private")


def _rate(request: NewGame, rng: random.Random) -> NewGame:
    """Let a game count for the ratings: without bots, with a pace, and no takebacks by consent."""
    seats = [seat for seat in request.seats if seat.kind != "bot"]
    return request._replace(
        seats=seats,
        rated=True,
        pace=rng.choice(PACES),
        on_timeout=rng.choice((None, "forfeit", "claim")),
        takebacks=rng.choice(("none", "undo")),
    )
