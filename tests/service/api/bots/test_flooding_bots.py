"""A bot that floods spends its own limits: neither those of its owner nor of any other player."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from tests.service.api.bots.conftest import Connect, MakeBot, sit_down, until_asked
from tests.service.support.caller import Caller
from tests.service.support.scene import problem

RUBBISH = {"move": {"type": "place_tile", "x": 99, "y": 99, "rotation": 0}}
HOOK = {"url": "https://93.184.216.34/move", "types": ["game_over"]}


@pytest.mark.slow
def test_a_flood_of_writes_with_the_token_of_a_bot_is_refused_and_stops_only_this_bot(
    make_app: Callable[..., Flask], ada: Caller, bob: Caller, make_bot: MakeBot, connect: Connect
) -> None:
    bot, other = make_bot("Robo"), make_bot("Calm")
    for one in (bot, other):
        connect(one)
    games = [sit_down(bob, one, shuffle_seats=False) for one in (bot, other)]
    for game in games:
        until_asked(bob, game, 1, {0: bob})
    app = make_app(rates={"writes": "4/minute", "accounts": "4/minute"})
    flooding, calm, owner, host = (
        Caller(app.test_client(), one.token, one.id) for one in (bot, other, ada, bob)
    )
    path = f"/games/{games[0]}/moves"
    # Two of them, so that the bot is not replaced: three refused moves are a failure.
    statuses = [flooding.post(path, RUBBISH).status_code for _ in range(2)]
    statuses += [flooding.put("/players/me/bot", {"accepts": {}}).status_code for _ in range(2)]
    assert statuses == [422, 422, 200, 200]
    for _ in range(5):
        refused = flooding.post(path, RUBBISH)
        problem(refused, 429, "rate_limited")
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
    # What is refused by the limit counts as no refused move, and reading goes on.
    assert flooding.get(f"/games/{games[0]}").json["seats"][1]["state"] != "away"
    assert calm.move(games[1]).status_code == 201
    assert host.put(f"/games/{games[0]}/note", {"text": "slow down"}).status_code == 200
    statuses = [flooding.post("/players/me/webhooks", HOOK).status_code for _ in range(5)]
    assert statuses == [201] * 4 + [429]
    assert owner.post(f"/players/me/webhooks?bot={bot.id}", HOOK).status_code == 201


def test_a_new_token_does_not_give_a_bot_its_limit_back(
    make_app: Callable[..., Flask], ada: Caller, bot: Caller
) -> None:
    app = make_app(rates={"writes": "2/minute"})
    before = Caller(app.test_client(), bot.token, bot.id)
    wish = {"accepts": {"parallel": 1}}
    statuses = [before.put("/players/me/bot", wish).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    owner = Caller(app.test_client(), ada.token, ada.id)
    renewed = owner.post(f"/players/me/bots/{bot.id}/token").json["token"]
    after = Caller(app.test_client(), renewed, bot.id)
    problem(after.put("/players/me/bot", wish), 429, "rate_limited")
    assert after.get("/players/me/bot").status_code == 200
