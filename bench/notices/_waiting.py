"""What intents cost that wait for their time: CPU of the notifier and of the store."""

from __future__ import annotations

import time
from typing import Any, Final

import orjson

from bench.notices._house import NoticeHouse
from cartulary.events.model.clock import format_time
from cartulary.events.notices.intents import name_intent
from cartulary.events.server import keys

HOUR_MS: Final = 3_600_000
AT_ONCE: Final = 1000


def measure_waiting(house: NoticeHouse, number: int, seconds: float) -> dict[str, float]:
    """Compare an idle notifier without intents, and with so many of which none is due.

    In ms of CPU a second.
    """
    alone = _measure_idle(house, seconds)
    fill(house, number)
    beside = _measure_idle(house, seconds)
    return {
        "intents": number,
        "idle_ms_per_s": alone,
        "waiting_ms_per_s": beside,
        "growth_ms_per_s": beside - alone,
    }


def _measure_idle(house: NoticeHouse, seconds: float) -> float:
    """Return the ms of CPU a second of notifier and store while nothing is due."""
    before, began = house.read_cpu(), time.monotonic()
    time.sleep(seconds)
    spent = house.read_cpu().since(before)
    return 1000 * (spent.notifier + spent.store) / (time.monotonic() - began)


def fill(house: NoticeHouse, number: int) -> None:
    """Let so many intents wait for an hour and longer, as `add_items.lua` writes them."""
    redis, now = house.store.registry, house.store.clock.now_ms()
    for first in range(0, number, AT_ONCE):
        texts: dict[Any, Any] = {}
        dues: dict[Any, float] = {}
        for one in range(first, min(number, first + AT_ONCE)):
            player, game = f"waits{one % 5000}", f"01WAITS{one:019}"
            name = name_intent(player, "webhook", game, "your_turn")
            texts[name], dues[name] = _make_item(player, game, now), now + HOUR_MS + one
        pipe = redis.pipeline(transaction=False)
        pipe.hset(keys.intended(), mapping=texts)
        pipe.zadd(keys.intents(), dues)
        pipe.execute()


def _make_item(player: str, game: str, now: int) -> bytes:
    return orjson.dumps(
        {
            "id": f"{game}:10:your_turn:{player}",
            "type": "your_turn",
            "timestamp": format_time(now),
            "data": {
                "game": game,
                "version": 10,
                "seat": 0,
                "title": "Carcassonne: bench",
                "deadline_at": None,
                "url": f"/games/{game}",
            },
        }
    )
