"""Which tables a bot sits at, and how a run ends."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from cartulary.bots import Budget
from cartulary.cli.bot.runner import BotRunner, Wishes
from cartulary.client import Unauthenticated
from tests.cli.bot.small_service import ME, SmallService, make_bot, refuse

BOT = make_bot(lambda state, rng, budget: state.moves()[0])


def wish(*games: str, parallel: int = 4) -> Wishes:
    return Wishes(games or ("carcassonne", "caylus"), parallel, Budget(1))


async def run_until(service: SmallService, wishes: Wishes, said: str) -> None:
    """Run a bot until its log has a line that contains a text."""
    async with service.open() as client:
        running = asyncio.create_task(BotRunner(client, BOT, wishes, service.log.append).run())
        async with asyncio.timeout(60):
            while not any(said in line for line in service.log):
                assert not running.done(), running.result()
                await asyncio.sleep(0.005)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running


def say(kind: str, **data: Any) -> dict[str, Any]:
    return {"id": f"g:1:{kind}:me", "type": kind, "timestamp": "", "data": {"game": "g", **data}}


def invite(service: SmallService) -> None:
    service.seat |= {"player": None, "state": "offered", "offer": {"player": ME}}


@pytest.mark.parametrize(
    "item",
    [
        say("your_turn"),
        say("game_started"),
        say("snapshot", turns=[{"game": "g"}], invitations=[]),
    ],
)
def test_a_game_of_the_bot_is_played(item: dict[str, Any]) -> None:
    service = SmallService()
    service.inbox.append(item)
    asyncio.run(run_until(service, wish(), "g: over"))
    assert service.is_over
    assert any("listens" in line for line in service.log)
    assert sum("not in the list of bots" in line for line in service.log) == 1


@pytest.mark.parametrize(
    "item",
    [say("seat_offered"), say("rematch_opened"), say("snapshot", invitations=[{"game": "g"}])],
)
def test_an_invitation_that_fits_is_accepted(item: dict[str, Any]) -> None:
    service = SmallService()
    invite(service)
    service.inbox += [item, {**item, "id": "again"}]
    asyncio.run(run_until(service, wish(), "carcassonne g: accepts"))
    assert "POST /games/g/seats" in service.calls
    assert "DELETE /games/g/seats/0" not in service.calls


def test_an_invitation_to_another_game_is_declined() -> None:
    service = SmallService()
    invite(service)
    service.inbox.append(say("seat_offered"))
    asyncio.run(run_until(service, wish("caylus"), "declines: another game"))
    assert service.calls.count("DELETE /games/g/seats/0") == 1
    assert "POST /games/g/seats" not in service.calls


@pytest.mark.parametrize(("game", "said"), [("carcassonne", "accepts"), ("caylus", "declines")])
def test_a_later_invitation_to_the_same_seat_is_answered_too(game: str, said: str) -> None:
    service = SmallService()
    service.inbox.append(say("seat_offered"))
    for _ in range(2):
        invite(service)
        service.log.clear()
        asyncio.run(run_until(service, wish(game), said))
        assert service.seat["offer"] is None


def test_an_item_without_an_offer_and_one_of_an_unknown_type_do_nothing() -> None:
    service = SmallService()
    service.inbox += [say("later_kind"), say("seat_offered"), say("your_turn")]
    asyncio.run(run_until(service, wish(), "g: over"))
    assert "POST /games/g/seats" not in service.calls


def test_a_token_that_is_revoked_ends_the_run() -> None:
    service = SmallService()
    service.inbox.append(say("your_turn"))
    service.hold = lambda _: refuse(401, "unauthenticated")

    async def run() -> None:
        async with service.open() as client:
            await BotRunner(client, BOT, wish(), service.log.append).run()

    with pytest.raises(Unauthenticated):
        asyncio.run(asyncio.wait_for(run(), 60))


def test_a_problem_at_one_table_does_not_end_the_run() -> None:
    service = SmallService()
    service.inbox.append(say("your_turn"))
    service.hold = lambda _: httpx.Response(418, json={"code": "teapot", "detail": "short"})
    asyncio.run(run_until(service, wish(), "g: 418 teapot: short"))
    assert len(service.tries) == 1
