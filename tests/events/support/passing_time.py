"""Timed games, and time that passes at them while web processes work."""

from __future__ import annotations

from typing import Any

from cartulary.events.store import Store
from tests.events.support.games_on_a_clock import Circle, circle
from tests.support.fake_clock import FakeClock

SECOND = 1000
LIVE = {"mode": "live", "delay": 30, "bank": 120, "refill": 0}
DAILY = {"mode": "correspondence", "delay": 86_400, "bank": 7_200, "refill": 0, "vacation": True}


def timed_circle(
    store: Store, *seats: str, pace: dict[str, Any] | None = None, follows: str = "claim"
) -> Circle:
    """A timed game in which everybody has moved once, while the service works."""
    store.outages.beat()
    game = circle(store, *seats, pace=DAILY if pace is None else pace, on_timeout=follows)
    game.answer_all()
    return game


def pass_time(store: Store, clock: FakeClock, ms: int) -> None:
    """Let time pass while web processes work."""
    end = clock.now + ms
    while clock.now < end:
        clock.advance(min(5 * SECOND, end - clock.now))
        store.outages.beat()


def jump(store: Store, clock: FakeClock, to: int) -> None:
    """Let time pass while web processes work, without a heartbeat in between."""
    clock.now = to - 10 * SECOND
    store.redis.set("heartbeat:web", clock.now)
    pass_time(store, clock, 10 * SECOND)


def find_fall(game: Circle) -> int:
    fall = game.store.commands.timeouts.find_fall(game.table)
    assert fall is not None
    return fall


def expire(game: Circle) -> list[str]:
    return [event["type"] for event in game.store.commands.expiry.expire(game.id).events]


def read_due(game: Circle) -> int:
    """When the game is judged next."""
    (found,) = game.store.redis.zmscore("{projections}:due", [game.id])
    return int(found or 0)
