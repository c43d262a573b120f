"""A bot on a service: listens to its inbox, accepts invitations, plays its games."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cartulary.bots import Budget
from cartulary.cli.bot.client import BotClient
from cartulary.cli.bot.mind import Mind
from cartulary.cli.bot.table import TablePlayer
from cartulary.client import ApiProblem, ClientError, NotFound, Unauthenticated
from cartulary.client.core.api_types import Item
from cartulary.outside.bots import LoadedBot
from cartulary.outside.seats import Log

SWEEP_SECONDS: Final = 60.0
"""So often the list of games is read, in case an item of the inbox was lost."""

MOST_TABLES: Final = 40
"""Games that are followed at once: a player may have fifty streams."""

AGAIN_SECONDS: Final = 10.0
"""After a problem at a table it is opened again, that much later."""


class Wishes(NamedTuple):
    """What a bot accepts: `games` by name (empty: all that this program knows)."""

    games: Sequence[str]
    parallel: int
    budget: Budget
    fallback: bool = False


class BotRunner:
    """Plays until it is cancelled. Nothing is kept on this machine: a restart asks the service."""

    def __init__(self, client: BotClient, bot: LoadedBot, wishes: Wishes, log: Log) -> None:
        self._client, self._bot, self._wishes, self._log = client, bot, wishes, log
        self._me = ""
        self._tables: dict[str, asyncio.Task[None]] = {}
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Play; raises `Unauthenticated` when the token is not valid (any more)."""
        me = await self._client.read_me()
        self._me = me["id"]
        if me.get("kind", "person") != "bot":
            self._log(f"{me['name']} is a person: POST /players/me/bots makes a bot with a token")
        await self._announce()
        self._log(f"{me['name']} ({me['id']}) listens")
        parts = [asyncio.create_task(part) for part in (self._listen(), self._sweep())]
        try:
            await asyncio.wait([*parts, self._failed], return_when=asyncio.FIRST_COMPLETED)
            for part in parts:
                if part.done():
                    part.result()
            if self._failed.done():
                self._failed.result()
        finally:
            await _cancel([*parts, *self._tables.values()])

    async def _announce(self) -> None:
        accepts: dict[str, Any] = {"parallel": self._wishes.parallel}
        if self._wishes.games:
            accepts["games"] = list(self._wishes.games)
        try:
            await self._client.set_bot(accepts)
        except NotFound:
            self._log("not in the list of bots: other players invite this player by its id")
        except Unauthenticated:
            raise
        except ApiProblem as problem:
            self._log(f"the service does not list this bot: {problem}")

    async def _listen(self) -> None:
        async for item in self._client.follow_inbox():
            await self._take(item)

    async def _take(self, item: Item) -> None:
        data = item["data"]
        if item["type"] == "snapshot":
            for turn in data.get("turns", ()):
                self._open_table(turn["game"])
            for invitation in data.get("invitations", ()):
                await self._accept(invitation["game"])
        elif item["type"] in ("your_turn", "game_started"):
            self._open_table(data["game"])
        elif item["type"] in ("seat_offered", "rematch_opened"):
            await self._accept(data["game"])

    async def _sweep(self) -> None:
        """Open the tables of all games of the bot, at the start and now and then."""
        while True:
            for status in ("running", "open"):
                cursor: str | None = None
                while True:
                    page = await self._client.list_games(
                        player="me", status=status, limit=100, cursor=cursor
                    )
                    for game in page["games"]:
                        if any(_holds(seat, self._me) for seat in game["seats"]):
                            self._open_table(game["id"])
                    cursor = page["next_cursor"]
                    if cursor is None:
                        break
            await asyncio.sleep(SWEEP_SECONDS)

    async def _accept(self, game: str) -> None:
        """Take the seat that is offered, or decline it."""
        try:
            found = await self._client.read_game(game)
            offered = [
                seat["seat"]
                for seat in found["seats"]
                if (offer := seat.get("offer")) and offer["player"]["id"] == self._me
            ]
            if not offered or game in self._tables:
                return
            # The version is in the keys: a later offer of the same seat needs a request of its own.
            seat, version = offered[0], found["version"]
            if (why := self._find_misfit(found["game"])) is not None:
                await self._client.leave_game(game, seat, key=f"bot-decline-{seat}-{version}")
                self._log(f"{found['game']} {game}: declines: {why}")
                return
            await self._client.join_game(game, key=f"bot-accept-{seat}-{version}")
            self._log(f"{found['game']} {game}: accepts")
        except Unauthenticated:
            raise
        except ApiProblem as problem:
            self._log(f"{game}: cannot accept: {problem}")
            return
        self._open_table(game)

    def _find_misfit(self, name: str) -> str | None:
        if name not in self._wishes.games:
            return "another game"
        if len(self._tables) >= self._wishes.parallel:
            return f"plays {len(self._tables)} games"
        return None

    def _open_table(self, game: str) -> None:
        if game in self._tables or len(self._tables) >= MOST_TABLES:
            return  # the sweep comes back to what does not fit now
        task = asyncio.create_task(self._play(game))
        self._tables[game] = task
        task.add_done_callback(lambda done: self._close_table(game, done))

    def _close_table(self, game: str, done: asyncio.Task[None]) -> None:
        del self._tables[game]
        if not done.cancelled() and (error := done.exception()) and not self._failed.done():
            self._failed.set_exception(error)

    async def _play(self, game: str) -> None:
        mind = Mind(self._bot, self._log)
        player = TablePlayer(
            self._client,
            game,
            self._me,
            mind,
            self._wishes.budget,
            self._log,
            fallback=self._wishes.fallback,
        )
        try:
            await player.play()
            self._log(f"{game}: over")
        except Unauthenticated:
            raise
        except ClientError as error:
            self._log(f"{game}: {error}")
            await asyncio.sleep(AGAIN_SECONDS)
        finally:
            await asyncio.shield(mind.close())


def _holds(seat: Any, me: str) -> bool:
    return bool(seat["player"]) and seat["player"]["id"] == me


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
