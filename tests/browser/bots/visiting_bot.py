"""A bot of a player that is connected to the real service and plays the first legal move."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any, Self

import pytest
import requests

from cartulary.client import AsyncClient, IllegalMove
from tests.browser.support.account import Account
from tests.support.polling import until
from tests.support.real_serve import Served

MOST_REFUSED = 3
"""Refused moves at one position: with the last one a bot has failed."""
RUBBISH = {"type": "place_tile", "x": 99, "y": 99, "rotation": 0}


class VisitingBot:
    """A context manager: connected inside, gone after. What went wrong in its thread is raised.

    A bot that does not play makes illegal moves, until the service does not wait for it any more.
    """

    def __init__(
        self, served: Served, owner: Account, name: str, about: str = "", *, plays: bool = True
    ) -> None:
        made = owner.ask("POST", "/players/me/bots", {"name": name, "about": about})
        self.id, self.name = str(made["id"]), name
        self._url, self._token, self._owner = served.url, str(made["token"]), owner
        self._plays = plays
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._task: asyncio.Task[None] | None = None
        self._error: Exception | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        until(lambda: self.is_online)
        return self

    def __exit__(self, *_: object) -> None:
        # The loop is closed already when following has ended: an error of it is raised below.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(30)
        assert not self._thread.is_alive()
        if self._error is not None:
            raise self._error

    @property
    def is_online(self) -> bool:
        """Whether the service lists the bot as connected."""
        own = self._owner.ask("GET", "/players/me/bots")["bots"]
        return any(one["id"] == self.id and one["online"] for one in own)

    def accept(self, **accepts: Any) -> None:
        """Let the bot say what it accepts from now on."""
        self._send("PUT", "/players/me/bot", {"accepts": accepts})

    def say_hello(self, game: str) -> None:
        """Say a phrase at a table of the bot."""
        self._send("POST", f"/games/{game}/messages", {"room": "players", "phrase": "hello"})

    def _send(self, method: str, path: str, body: dict[str, Any]) -> None:
        answer = requests.request(
            method,
            f"{self._url}/api/v1{path}",
            json=body,
            headers={"Authorization": f"Bearer {self._token}"},
            timeout=60,
        )
        assert answer.ok, answer.text

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _run(self) -> None:
        self._task = self._loop.create_task(self._follow())
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass  # the test is over
        except Exception as error:
            self._error = error
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _follow(self) -> None:
        async with AsyncClient(self._url, self._token) as client:
            async for item in client.follow_inbox():
                game = item["data"].get("game")
                if item["type"] == "seat_offered":
                    await client.join_game(str(game))
                elif item["type"] in ("your_turn", "game_started"):
                    await self._play(client, str(game))

    async def _play(self, client: AsyncClient, game: str) -> None:
        """Move as long as the bot is asked."""
        game_now = await client.read_game(game)
        players = {one["seat"]: one["player"] for one in game_now["seats"]}
        (mine,) = [seat for seat, player in players.items() if player and player["id"] == self.id]
        while True:
            legal = await client.list_moves(game)
            decision = legal["decision"]
            if decision is None or decision["seat"] != mine:
                return
            if not self._plays:
                await self._fail(client, game)
                return
            await client.make_move(game, legal["moves"][0], version=legal["version"])

    async def _fail(self, client: AsyncClient, game: str) -> None:
        for _ in range(MOST_REFUSED):
            with pytest.raises(IllegalMove):
                await client.make_move(game, RUBBISH)
