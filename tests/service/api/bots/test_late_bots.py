"""A bot of a player that answers too late is replaced, whatever the game says of silent people."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import fakeredis
import pytest

from cartulary.events.model.time.silence_rules import BOT_MS
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.service.api.bots.conftest import Connect, sit_down, types_of, until_asked
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.fake_clock import HOUR, MINUTE, FakeClock

Pass = Callable[..., None]

LIVE = {"mode": "live", "delay": 10, "bank": 300}


@pytest.fixture
def store(server: fakeredis.FakeServer, rng: random.Random, clock: FakeClock) -> Store:
    store = Store(fakeredis.FakeRedis(server=server), OFFERS, rng=rng, clock=clock)
    store.since.read()
    return store


@pytest.fixture
def pass_time(store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Pass:
    """Lets time pass, and the dispatcher look at what is due."""
    monkeypatch.setattr("cartulary.workers.sweep.EVERY_S", 0)
    dispatcher = Dispatcher(store, queues_on(store.redis))

    def pass_time(ms: int, serving: bool = True) -> None:
        clock.advance(ms)
        if serving:
            store.redis.set(keys.heartbeat(), clock.now)
        for _ in range(3):
            dispatcher.step()

    pass_time(0)
    return pass_time


def ask(bob: Caller, bot: Caller, connect: Connect, **more: Any) -> str:
    """Open a game in which the bot (seat 1) is asked; return its id."""
    connect(bot)
    game_id = sit_down(bob, bot, shuffle_seats=False, **more)
    until_asked(bob, game_id, 1, {0: bob})
    return game_id


def test_a_bot_that_is_silent_for_ten_minutes_in_an_untimed_game_has_failed(
    ada: Caller, bob: Caller, bot: Caller, connect: Connect, pass_time: Pass
) -> None:
    game_id = ask(bob, bot, connect)
    pass_time(BOT_MS - MINUTE)
    assert "stand_in_seated" not in types_of(bob, game_id)
    pass_time(MINUTE)
    event = _find_stand_in(bob, game_id)
    assert (event["seat"], event["reason"]) == (1, "bot_failed")
    (item,) = ada.get("/players/me/inbox").json["items"]
    assert item["type"] == "bot_failed"
    assert bot.post(f"/games/{game_id}/seats/1/return", {}).status_code == 201
    assert bob.get(f"/games/{game_id}/verification").json["valid"]


def test_a_bot_has_ten_minutes_for_each_answer(
    bob: Caller, bot: Caller, connect: Connect, pass_time: Pass
) -> None:
    game_id = ask(bob, bot, connect)
    for _ in range(3):
        pass_time(BOT_MS - MINUTE)
        assert bot.move(game_id).status_code == 201
        until_asked(bob, game_id, 1, {0: bob, 1: bot})
    assert "stand_in_seated" not in types_of(bob, game_id)


def test_a_person_in_the_same_game_is_not_late(
    bob: Caller, bot: Caller, connect: Connect, pass_time: Pass
) -> None:
    game_id = ask(bob, bot, connect)
    until_asked(bob, game_id, 0, {1: bot})
    pass_time(HOUR)
    assert "stand_in_seated" not in types_of(bob, game_id)


def test_no_bot_is_late_because_the_service_was_away(
    bob: Caller, bot: Caller, connect: Connect, pass_time: Pass
) -> None:
    game_id = ask(bob, bot, connect)
    pass_time(HOUR, serving=False)
    assert "stand_in_seated" not in types_of(bob, game_id)


@pytest.mark.slow
@pytest.mark.parametrize("follows", ["stand_in", "forfeit", "claim"])
def test_a_bot_whose_time_is_over_has_failed_whatever_a_time_out_leads_to(
    bob: Caller, bot: Caller, connect: Connect, pass_time: Pass, follows: str
) -> None:
    made = ask(bob, bot, connect, pace=LIVE, on_timeout=follows)
    pass_time(7 * MINUTE)
    assert types_of(bob, made)[-2:] == ["turn_timed_out", "stand_in_seated"]
    assert _find_stand_in(bob, made)["reason"] == "bot_failed"


def test_a_bot_that_is_late_the_fourth_time_does_not_return(
    bob: Caller, bot: Caller, connect: Connect, pass_time: Pass
) -> None:
    game_id = ask(bob, bot, connect)
    for _ in range(3):
        pass_time(BOT_MS)
        assert bot.post(f"/games/{game_id}/seats/1/return", {}).status_code == 201
    pass_time(BOT_MS)
    problem(bot.post(f"/games/{game_id}/seats/1/return", {}), 409, "seat_forfeited")


def _find_stand_in(caller: Caller, game_id: str) -> dict[str, Any]:
    events = caller.get(f"/games/{game_id}/events?limit=1000").json["events"]
    found: dict[str, Any] = next(one for one in events if one["type"] == "stand_in_seated")
    return found
