"""Bots of players over two web processes on a real server."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import requests

from cartulary.events.lists.presence import GONE_MS
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.sweep import Sweep
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.streaming_player import Player
from tests.support.fake_clock import FakeClock
from tests.support.polling import until

pytestmark = pytest.mark.real

RUBBISH = {"type": "place_tile", "x": 99, "y": 99, "rotation": 0}


@pytest.fixture(scope="module")
def serving(valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    log = tmp_path_factory.mktemp("serving") / "log"
    with Gunicorn(valkey_url, log, web_processes=2) as running:
        yield running


class Bot:
    """A bot of a player, which speaks over connections of its own, so that each may go anywhere."""

    def __init__(self, owner: Player) -> None:
        made = owner.post(f"{owner.api}/players/me/bots", json={"name": "Robo"}, timeout=60)
        assert made.status_code == 201, made.text
        self.api, self.id = owner.api, made.json()["id"]
        self.headers = {"Authorization": f"Bearer {made.json()['token']}"}

    def listen(self) -> requests.Response:
        """Open the stream of the inbox."""
        headers = {**self.headers, "Accept": "application/x-ndjson"}
        url = f"{self.api}/players/me/inbox/stream"
        return requests.get(url, headers=headers, stream=True, timeout=60)

    def post(self, path: str, body: Any, key: str | None = None) -> requests.Response:
        headers = self.headers | ({} if key is None else {"Idempotency-Key": key})
        return requests.post(f"{self.api}{path}", json=body, headers=headers, timeout=60)

    def is_listed(self) -> bool:
        bots = requests.get(f"{self.api}/bots", timeout=60).json()["bots"]
        return self.id in [one["id"] for one in bots]


def sit_down(owner: Player, bot: Bot) -> str:
    """Open a game of the owner and the bot, in which the bot is asked; return its path."""
    seats = [{"kind": "invite", "player": bot.id}, {"kind": "me"}]
    body = {"game": "carcassonne", "seats": seats, "shuffle_seats": False}
    made = owner.post(f"{owner.api}/games", json=body, timeout=60)
    path = f"/games/{made.json()['id']}"
    assert bot.post(f"{path}/seats", {}).status_code == 201, made.text
    return path


def test_refusals_over_two_processes_are_counted_exactly(
    serving: Gunicorn, valkey_url: str
) -> None:
    owner = Player(serving)
    bot = Bot(owner)
    store = Store(connect(valkey_url), OFFERS)

    def sweep() -> list[str]:
        Sweep(store, Feeder(queues_on(store.redis))).run()
        events = owner.get(f"{owner.api}{path}/events", timeout=60).json()["events"]
        return [one["type"] for one in events if one.get("reason") == "bot_failed"]

    def refuse(key: str) -> int:
        return bot.post(f"{path}/moves", {"move": RUBBISH}, key).status_code

    with ExitStack() as open_:
        open_.enter_context(bot.listen())
        until(bot.is_listed)
        path = sit_down(owner, bot)
        pool = open_.enter_context(ThreadPoolExecutor(8))
        assert set(pool.map(refuse, ["one"] * 16 + ["two"] * 16)) == {422}
        assert sweep() == []
        assert set(pool.map(refuse, ["three"] * 8)) == {422}
        assert sweep() == ["stand_in_seated"]
        assert sweep() == ["stand_in_seated"], "once"


def test_a_bot_whose_process_was_killed_is_not_connected_for_long(
    serving: Gunicorn, valkey_url: str
) -> None:
    bot = Bot(Player(serving))
    with bot.listen():
        until(bot.is_listed)
        main = serving.process.pid
        for child in Path(f"/proc/{main}/task/{main}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
    later = FakeClock()
    store = Store(connect(valkey_url), OFFERS, clock=later)
    assert store.connected_bots.is_connected(bot.id)
    later.advance(GONE_MS + 1000)
    assert not store.connected_bots.is_connected(bot.id)
