"""A small transcript, whole and in parts."""

from __future__ import annotations

from cartulary.engine.core import Json


def small() -> Json:
    """A game of one turn, as a file."""
    return {
        "format": "cartulary/1",
        "game": "carcassonne",
        "options": {"tiny_city": 4},
        "seats": 2,
        "players": ["Ada", "mcts"],
        "setup": {},
        "draws": ["E"],
        "moves": [
            {"seat": 0, "move": {"type": "place_tile", "x": 0, "y": -1, "rotation": 180}},
            {"seat": 0, "move": {"type": "place_follower", "segment": "c0"}},
        ],
        "result": {"scores": [4, 0], "winners": [0]},
    }


def without(key: str) -> Json:
    """The same without one of its keys."""
    return {name: value for name, value in small().items() if name != key}
