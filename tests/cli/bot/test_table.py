"""What a bot does at a table: one move for a version, whatever comes in between."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx
import pytest

from cartulary.bots import Budget
from cartulary.cli.bot import mind as minds
from cartulary.cli.bot.mind import Mind
from cartulary.cli.bot.table import TablePlayer, fit_budget, write
from cartulary.outside.functions import Function
from tests.cli.bot.small_service import MOVES, SmallService, make_bot, refuse

WISHED = Budget(seconds=1.0)


def take_last(state: Any, rng: Any, budget: Any) -> Any:
    return state.moves()[-1]


async def play(service: SmallService, function: Function, *, fallback: bool = False) -> None:
    async with service.open() as client:
        mind = Mind(make_bot(function), service.log.append)
        try:
            player = TablePlayer(
                client, "g", "me", mind, WISHED, service.log.append, fallback=fallback
            )
            await asyncio.wait_for(player.play(), 60)
        finally:
            await mind.close()


def run(service: SmallService, function: Function = take_last, *, fallback: bool = False) -> None:
    asyncio.run(play(service, function, fallback=fallback))


def test_a_bot_plays_a_game_and_logs_a_line_a_move() -> None:
    service = SmallService()
    run(service)
    assert len(service.stored) == len(service.tries) == MOVES
    lines = [line for line in service.log if " seat 0: " in line]
    assert len(lines) == MOVES
    assert lines[0].startswith(f"carcassonne g v{service.stored[service.tries[0][0]]['version']} ")
    assert write(service.tries[0][1]["move"]) in lines[0]
    assert service.is_over


def test_the_key_of_a_move_is_made_of_its_version_alone() -> None:
    first, second = SmallService(), SmallService()
    run(first)
    run(second)
    assert [key for key, _ in first.tries] == [key for key, _ in second.tries]
    assert all(key == f"bot-{body['expected_version']}" for key, body in first.tries)


def test_a_busy_service_is_waited_for_as_long_as_it_says() -> None:
    service = SmallService()
    answers = [refuse(429, "rate_limited", 7), refuse(503, "unavailable", 11), refuse(500, "oh")]
    service.hold = lambda _: answers.pop(0) if answers else None
    run(service)
    assert len(service.stored) == MOVES
    assert len(service.tries) == MOVES + 3
    assert service.tries[0] == service.tries[1] == service.tries[2] == service.tries[3]
    waited = [seconds for seconds in service.slept if seconds >= 2]
    assert [7 <= waited[0] <= 8, 11 <= waited[1] <= 12] == [True, True]


def test_an_answer_that_is_lost_brings_no_second_move() -> None:
    service = SmallService()
    lost: list[str] = []

    def lose(body: dict[str, Any]) -> httpx.Response | None:
        if lost:
            return None
        service.hold = lambda _: None
        lost.append(service.tries[-1][0])
        service.store_move(service.tries.pop()[0], body)
        raise httpx.ReadError("cut")

    service.hold = lose
    run(service)
    assert len(service.stored) == MOVES
    keys = [key for key, _ in service.tries]
    assert keys.count(lost[0]) == 2
    assert len(set(keys)) == MOVES


def test_a_stale_version_is_looked_at_again() -> None:
    service = SmallService()
    answers = [refuse(409, "stale_version", current_version=9)]
    service.hold = lambda _: answers.pop(0) if answers else None
    run(service)
    assert len(service.stored) == MOVES
    assert any("not stored: stale_version" in line for line in service.log)


async def watch_it_wait(service: SmallService, function: Function) -> None:
    """Let the bot fail, and end the game a while later."""
    playing = asyncio.create_task(play(service, function))
    while not any("waits" in line for line in service.log):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.1)
    service.end()
    await playing


def test_a_refused_move_is_logged_with_the_legal_moves_and_not_tried_again() -> None:
    service = SmallService()
    legal = [{"type": "place_tile", "x": n, "y": 0, "rotation": 0} for n in range(25)]
    service.hold = lambda _: refuse(422, "illegal_move", legal_moves=legal)
    asyncio.run(watch_it_wait(service, take_last))
    assert len(service.tries) == 1
    (why,) = [line for line in service.log if "illegal_move" in line]
    assert write(service.tries[0][1]["move"]) in why
    (named,) = [line for line in service.log if "legal are" in line]
    assert '"x": 19' in named
    assert named.endswith("and 5 more")


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda state, rng, budget: None, "returned None, which is not one of state.moves()"),
        (lambda state, rng, budget: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_bot_that_fails_sends_nothing_and_waits(function: Function, why: str) -> None:
    service = SmallService()
    asyncio.run(watch_it_wait(service, function))
    assert service.tries == []
    assert any(why in line for line in service.log)
    assert any("legal are" in line for line in service.log) == ("returned" in why)


def test_a_bot_that_fails_moves_by_lot_when_its_author_wants_that() -> None:
    service = SmallService()
    run(service, lambda state, rng, budget: None, fallback=True)
    assert len(service.stored) == len(service.tries) == MOVES
    assert all(key.endswith("-fallback") for key in service.stored)


def test_a_refused_move_by_lot_is_the_last_try() -> None:
    service = SmallService()

    async def watch() -> None:
        playing = asyncio.create_task(play(service, take_last, fallback=True))
        while len(service.tries) < 2:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.1)
        service.end()
        await playing

    service.hold = lambda _: refuse(422, "illegal_move", legal_moves=[])
    asyncio.run(watch())
    assert len(service.tries) == 2


def test_a_function_that_does_not_return_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minds, "GRACE_SECONDS", -0.95)
    monkeypatch.setattr(minds, "CLOSE_SECONDS", 0.05)
    service, end = SmallService(), threading.Event()
    try:
        asyncio.run(watch_it_wait(service, lambda state, rng, budget: end.wait(60)))
    finally:
        end.set()
    assert service.tries == []
    assert any("has not returned within 0.05 s" in line for line in service.log)
    assert any("is left behind" in line for line in service.log)


def test_a_budget_is_a_share_of_the_time_that_is_left() -> None:
    assert fit_budget(WISHED, None) is WISHED
    assert fit_budget(WISHED, 60.0).seconds == 1.0
    assert fit_budget(WISHED, 2.0).seconds == pytest.approx(0.4)
    assert fit_budget(WISHED, 0.0).seconds == pytest.approx(0.02)
    both = fit_budget(Budget(96), 2.0)
    assert both.iterations == 96
    assert both.seconds == pytest.approx(0.4)


def test_a_bot_thinks_within_the_clock() -> None:
    service, budgets = SmallService(), list[float]()
    service.seconds = 1.5

    def note(state: Any, rng: Any, budget: Budget) -> Any:
        assert budget.seconds is not None
        budgets.append(budget.seconds)
        return state.moves()[0]

    run(service, note)
    assert budgets == [pytest.approx(0.3)] * MOVES


def test_a_bot_returns_to_the_seat_at_which_a_stand_in_answers() -> None:
    service = SmallService()
    service.seat["state"] = "away"
    run(service)
    assert service.calls.count("POST /games/g/seats/0/return") == 1
    assert any("returns to its seat" in line for line in service.log)


def test_a_bot_says_that_it_is_ready() -> None:
    service = SmallService()
    service.status, service.seat["ready"] = "open", False
    run(service)
    assert service.calls.count("PUT /games/g/seats/0/ready") == 1
    assert service.seat["ready"]


def test_a_bot_says_that_it_is_ready_again_where_the_table_asks_again() -> None:
    service = SmallService()
    service.status = "open"
    for _ in range(2):
        service.seat["ready"] = False
        service.stored.clear()
        run(service)
        assert service.seat["ready"]


def test_each_seat_of_a_bot_has_keys_of_its_own() -> None:
    service = SmallService()

    async def return_to_both() -> None:
        async with service.open() as client:
            for seat in (0, 1):
                await client.return_to("g", seat, 7)

    asyncio.run(return_to_both())
    assert len(service.seat_keys) == 2


def test_a_position_that_this_program_reads_otherwise_gets_no_move() -> None:
    service = SmallService()
    service.list_moves = lambda version: {  # type: ignore[method-assign]
        "version": version,
        "decision": None if service.is_over else {"seat": 0, "kind": "place_tile", "context": {}},
        "moves": [{"type": "castle"}],
    }
    asyncio.run(watch_it_wait(service, take_last))
    assert service.tries == []
    assert any("other legal moves than this program" in line for line in service.log)
