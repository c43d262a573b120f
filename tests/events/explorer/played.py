"""Finished games for the explorer: summaries and events of random games, made by the engine."""

from __future__ import annotations

import random
from typing import Any

from cartulary.engine.chance import RandomSource
from cartulary.engine.ranking import ranks
from tests.support.games import ALL_GAMES

Json = dict[str, Any]


def play(game: str, seats: int, seed: int, **more: Any) -> tuple[Json, list[Json]]:
    """Play at random to the end; returns the summary and the events of the game."""
    rules, rng = ALL_GAMES[game], random.Random(seed)
    source = RandomSource(rng)
    options = rules.check(seats, {})
    setup = rules.draw_setup(seats, options, source)
    state = rules.new(seats, options, setup)
    events: list[Json] = [
        {"type": "game_created", "version": 1, "options": options},
        {"type": "game_started", "version": 2, "setup": setup, "chance": state.settle(source)},
    ]
    while not state.over:
        move = state.move_json(rng.choice(state.moves()))
        seat = state.seat
        chance = state.apply(move, source).chance
        event = {"type": "move_made", "seat": seat, "move": move, "chance": chance}
        events.append({"version": len(events) + 1, **event})
    scores = state.final().scores
    outcomes = ["finished"] * seats
    summary = {
        "id": f"{game}{seed:04}",
        "game": game,
        "status": "over",
        "visibility": "public",
        "seats": [
            {"seat": one, "player": {"id": f"p{one}", "name": "P"}, "bot": None}
            for one in range(seats)
        ],
        "result": {
            "scores": scores,
            "ranks": ranks(scores, outcomes, []),
            "outcomes": outcomes,
            "ended_by": "play",
        },
        "branched_from": None,
        "version": len(events),
    }
    return {**summary, **more}, events
