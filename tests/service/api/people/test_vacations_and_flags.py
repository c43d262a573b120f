"""A vacation that changes moves the flags of the player, in both directions."""

from __future__ import annotations

import random
from collections.abc import Callable

import fakeredis
import pytest

from cartulary.events.model.clock import format_time
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.service.support.caller import Caller
from tests.support.fake_clock import DAY, HOUR, FakeClock

PATH = "/players/me/vacations"
PACE = {"mode": "correspondence", "delay": 86_400, "bank": 3_600, "vacation": True}


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: random.Random, clock: FakeClock) -> Store:
    return Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng, clock=clock)


@pytest.fixture
def pass_time(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> Callable[[int], None]:
    """Lets time pass while the service works, and the dispatcher look at what is due."""
    monkeypatch.setattr("cartulary.workers.sweep.EVERY_S", 0)
    dispatcher = Dispatcher(store, queues_on(store.redis))

    def pass_time(ms: int) -> None:
        store.redis.set(keys.heartbeat(), clock.now + ms)
        clock.advance(ms)
        for _ in range(3):
            dispatcher.step()

    pass_time(0)
    return pass_time


def sit(ada: Caller, bob: Caller) -> tuple[str, Caller]:
    """Open a game in which silence forfeits; return its id and the player who is asked."""
    game = ada.open("me", "open", pace=PACE, on_timeout="forfeit")
    bob.post(f"/games/{game['id']}/seats", {})
    now = ada.get(f"/games/{game['id']}").json
    asked = now["seats"][now["decision"]["seat"]]["player"]["id"]
    return game["id"], ada if asked == ada.id else bob


def test_the_flag_of_a_player_who_cuts_a_vacation_falls_in_time(
    ada: Caller,
    bob: Caller,
    clock: FakeClock,
    pass_time: Callable[[int], None],
    store: Store,
) -> None:
    game, asked = sit(ada, bob)
    span = {"from": format_time(clock.now), "until": format_time(clock.now + 10 * DAY)}
    assert asked.put(PATH, {"vacations": [span]}).status_code == 200
    pass_time(26 * HOUR)  # the flag would fall without the vacation, so it waits for the end of it
    assert "turn_timed_out" not in types(store, game)
    assert asked.put(PATH, {"vacations": []}).status_code == 200
    pass_time(10_000)
    assert asked.get(f"/games/{game}/clock").json["stopped_by"] is None
    pass_time(24 * HOUR)
    assert "turn_timed_out" not in types(store, game)
    pass_time(2 * HOUR)
    assert "turn_timed_out" in types(store, game)


@pytest.mark.slow
def test_nobody_is_flagged_in_a_vacation_that_has_become_longer(
    ada: Caller,
    bob: Caller,
    clock: FakeClock,
    pass_time: Callable[[int], None],
    store: Store,
) -> None:
    game, asked = sit(ada, bob)
    begin = clock.now
    for days in (2, 5):
        span = {"from": format_time(begin), "until": format_time(begin + days * DAY)}
        assert asked.put(PATH, {"vacations": [span]}).status_code == 200
        pass_time(25 * HOUR)
    pass_time(3 * DAY)
    assert "turn_timed_out" not in types(store, game)
    pass_time(26 * HOUR)
    assert "turn_timed_out" in types(store, game)


def types(store: Store, game: str) -> list[str]:
    return [event["type"] for event in store.ledger.deliver(game, 0, 100)]
