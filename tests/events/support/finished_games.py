"""Finished games of Carcassonne, made by hand: a summary and the events that statistics read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartulary.engine.ranking import ranks
from cartulary.events.model.clock import format_time

Json = dict[str, Any]

BEGAN = 1_800_000_000_000
"""When the games began, in ms since the epoch."""

MINUTE = 60_000


def name(player: str) -> Json:
    return {"id": player, "name": player.title()}


def at(ms: int) -> str:
    """The time so many ms after the start."""
    return format_time(BEGAN + ms)


def move(version: int, seat: int, after: int, *facts: Json, **more: Any) -> Json:
    """A move; `after` is in ms since the start."""
    shown = {"version": version, "type": "move_made", "at": at(after), "seat": seat}
    return {**shown, "facts": list(facts), **more}


def points(seat: int, number: int, reason: str) -> Json:
    return {"type": "points", "seat": seat, "points": number, "reason": reason}


def follower(seat: int, feature: str) -> Json:
    return {"type": "follower_placed", "seat": seat, "feature": feature}


class FinishedGame:
    """A game of players (ids) and levels (`bot:medium`) with its scores; played to the end."""

    def __init__(self, game_id: str, sitters: Sequence[str], scores: Sequence[int]) -> None:
        self.id, self.sitters = game_id, list(sitters)
        self.events: list[Json] = [{"version": 1, "type": "game_started", "at": at(0)}]
        self.visibility, self.ended = "public", 10 * MINUTE
        self.more: Json = {}
        outcomes = ["bot" if one.startswith("bot:") else "finished" for one in sitters]
        self.result: Json = {
            "scores": list(scores),
            "winners": [],
            "breakdown": [],
            "ranks": ranks(scores, outcomes, []),
            "outcomes": outcomes,
            "ended_by": "play",
        }

    def end(self, seat: int, outcome: str) -> None:
        """Let the player of a seat leave, as the first one."""
        outcomes, scores = self.result["outcomes"], self.result["scores"]
        outcomes[seat] = outcome
        self.result["ranks"] = ranks(scores, outcomes, [seat])

    def add(self, *events: Json) -> None:
        self.events += events

    def summary(self) -> Json:
        seats = [
            {"seat": number, "player": None, "bot": sitter[4:]}
            if sitter.startswith("bot:")
            else {"seat": number, "player": name(sitter), "bot": None}
            for number, sitter in enumerate(self.sitters)
        ]
        return {
            "id": self.id,
            "game": "carcassonne",
            "seats": seats,
            "visibility": self.visibility,
            "result": self.result,
            "branched_from": None,
            "updated_at": at(self.ended),
            **self.more,
        }
