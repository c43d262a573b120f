"""Plans: moves that a bot has thought of for a position before it may make them.

A plan saves a second thought, nothing else. A plan that is lost, or that fits no more, is thought
of again, so plans are stored next to the stream and expire.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from redis import Redis

from cartulary.engine.core import State
from cartulary.engine.errors import IllegalMove
from cartulary.events.model.table import Table
from cartulary.events.model.thinking import BotThought
from cartulary.events.model.types import Json
from cartulary.events.server import keys

KEPT_S = 300
"""Seconds that a plan is kept: longer than any bot waits before it moves."""


class Plans:
    """The plans on one server. Thread-safe."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def keep(self, table: Table, thought: BotThought) -> None:
        """Store what the bot that is to move has thought of. Raises `RedisError`."""
        assert table.state is not None
        moves = list(_write_moves(table.state, thought.moves))
        plan = {"bot": table.bot_to_move, "moves": moves, "about": thought.about}
        key = keys.plan(table.id, table.position)
        self._redis.set(key, orjson.dumps(plan), ex=KEPT_S)

    def recall(self, table: Table) -> BotThought | None:
        """Return what the bot that is to move has thought of at this position, None for nothing.

        Raises `RedisError`.
        """
        stored: Any = self._redis.get(keys.plan(table.id, table.position))
        if stored is None or table.state is None:
            return None
        plan = orjson.loads(stored)
        moves = list(_read_moves(table.state, plan["moves"]))
        if not moves or plan["bot"] != table.bot_to_move:
            return None
        return BotThought(moves, plan["about"])


def fits(state: State[Any], seat: int, move: Any) -> bool:
    """Return whether a planned move (internal form) of a seat can be made in a state."""
    return state.seat == seat and move in state.moves()


def _write_moves(state: State[Any], moves: Sequence[Any]) -> Iterator[Json]:
    """Yield the contract form of moves, as far as they follow each other without a draw."""
    state, seat = state.copy(), state.seat
    for move in moves:
        if not fits(state, seat, move):
            return
        yield state.move_json(move)
        state.play(move)


def _read_moves(state: State[Any], moves: Sequence[Json]) -> Iterator[Any]:
    """Yield the internal form of moves, as far as they can be made."""
    state, seat = state.copy(), state.seat
    for move in moves:
        if state.seat != seat:
            return
        try:
            found = state.find(move)
        except IllegalMove:
            return
        yield found
        state.play(found)
