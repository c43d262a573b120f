"""Answers to what has been written."""

from __future__ import annotations

from flask import request

from cartulary.events.commands import Written
from cartulary.service.http.context import parts


def written(done: Written) -> Written:
    """Count the events of a command; returns it."""
    if not done.replayed:
        metrics = parts().metrics
        for event in done.events:
            metrics.written(event["type"])
    return done


def location(game_id: str) -> str:
    """Return the path of a game."""
    return f"{request.root_path}/api/v1/games/{game_id}"
