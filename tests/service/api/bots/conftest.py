"""A bot of Ada, and what brings it to a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask

from cartulary.events.store import Store
from tests.service.support.caller import Caller

Connect = Callable[[Caller], None]
MakeBot = Callable[..., Caller]


@pytest.fixture
def make_bot(app: Flask, ada: Caller) -> MakeBot:
    """Make a bot of Ada, or of another owner."""

    def make(name: str = "Robo", owner: Caller = ada) -> Caller:
        made = owner.post("/players/me/bots", {"name": name, "about": "plays the first move"})
        assert made.status_code == 201, made.text
        return Caller(app.test_client(), made.json["token"], made.json["id"])

    return make


@pytest.fixture
def bot(make_bot: MakeBot) -> Caller:
    return make_bot()


@pytest.fixture
def connect(store: Store) -> Iterator[Connect]:
    """Let a bot have the stream of its inbox open until the test ends."""
    with ExitStack() as streams:

        def hold(bot: Caller) -> None:
            streams.callback(store.connected_bots.hold(bot.id))

        yield hold


def invite(host: Caller, *bots: Caller, **more: Any) -> dict[str, Any]:
    """Open a game of the host with these bots, and return it."""
    seats = [{"kind": "me"}, *({"kind": "invite", "player": one.id} for one in bots)]
    answer = host.post("/games", {"game": "carcassonne", "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    opened: dict[str, Any] = answer.json
    return opened


def sit_down(host: Caller, *bots: Caller, **more: Any) -> str:
    """Open a game in which the invited bots have taken their seats; return its id."""
    game_id: str = invite(host, *bots, **more)["id"]
    for one in bots:
        taken = one.post(f"/games/{game_id}/seats", {})
        assert taken.status_code == 201, taken.text
    return game_id


def until_asked(caller: Caller, game_id: str, seat: int, others: dict[int, Caller]) -> None:
    """Let the others move until a seat is asked."""
    while (asked := caller.get(f"/games/{game_id}/moves").json["decision"]["seat"]) != seat:
        assert others[asked].move(game_id).status_code == 201


def types_of(caller: Caller, game_id: str) -> list[str]:
    """Return the types of the events of a game."""
    events = caller.get(f"/games/{game_id}/events?limit=1000").json["events"]
    return [one["type"] for one in events]
