"""A vacation moves a deadline without an event: the list of turns and the streams learn of it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.games_on_a_clock import Circle, circle
from tests.support.fake_clock import DAY

PACE = {"mode": "correspondence", "delay": 86400, "bank": 0, "refill": 0, "vacation": True}


@pytest.fixture
def game(fake_store: Store) -> Circle:
    return circle(fake_store, "Ada", "Bob", pace=PACE)


def test_a_vacation_moves_the_turn_and_is_published(
    game: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, player = game.store, game.who(game.asked)
    store.list_updater.follow(game.table)
    before = store.turns.list(player.id)[0].score
    published: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(
        store.signals,
        "publish",
        lambda channel, name, data: published.append((f"{channel} {name}", orjson.loads(data))),
    )
    now = store.clock.now_ms()
    store.clock_news.change_vacations(player.id, [(now, now + 3 * DAY)])
    after = store.turns.list(player.id)[0].score
    assert 2 * DAY < after - before <= 3 * DAY
    ((where, shown),) = published
    assert where == f"{keys.signals(game.id)} clock"
    assert shown == {**store.commands.time.describe(game.table), "now": shown["now"]}
    assert store.turns.list(player.id)[0].deadline_at == shown["deadline_at"]


def test_the_vacation_of_a_player_who_is_not_asked_publishes_nothing(
    game: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, player = game.store, game.who(1 - game.asked)
    store.list_updater.follow(game.table)
    monkeypatch.setattr(store.signals, "publish", None)
    now = store.clock.now_ms()
    store.clock_news.change_vacations(player.id, [(now, now + DAY)])
    assert store.turns.list(player.id) == []
