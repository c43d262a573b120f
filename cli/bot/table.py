"""A bot at one table of a service."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from cartulary.bots import Budget
from cartulary.cli.bot.client import BotClient
from cartulary.cli.bot.mind import Mind
from cartulary.client import (
    ClientError,
    Conflict,
    EventLine,
    IllegalMove,
    Invalid,
    NotFound,
)
from cartulary.client.core.api_types import Game, MoveList
from cartulary.engine.core import State
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import InvalidTranscript, Playback, Transcript, from_json
from cartulary.games import GAMES
from cartulary.outside.faults import ILLEGAL, BotFault
from cartulary.outside.seats import BotChoice, Log

SHARE: Final = 0.2
"""This share of the time that is left goes into one thought at most."""

SHORTEST: Final = 0.02
"""Seconds of a thought when the clock is nearly down."""

AGAIN_SECONDS: Final = 0.5
"""When the game changed while the bot looked, it looks again after so long."""

SHOWN: Final = 20
"""Legal moves that the log names after a refusal."""


class Misunderstood(Exception):
    """The rules of this program and of the service differ: the position cannot be played back."""


class TablePlayer:
    """Plays one game to its end.

    A move is made for the version that was read, with a key made of that version: whatever is
    repeated, before or after a restart, the service stores one move for it at most. A position at
    which the bot has failed is left alone, unless `fallback` asks for a move by lot.
    """

    def __init__(
        self,
        client: BotClient,
        game: str,
        me: str,
        mind: Mind,
        budget: Budget,
        log: Log,
        *,
        fallback: bool,
    ) -> None:
        self._client, self._id, self._me, self._mind = client, game, me, mind
        self._budget, self._log, self._fallback = budget, log, fallback
        self._look = asyncio.Event()
        self._over = self._timed = False
        self._seats: list[int] = []
        self._name = game
        self._passed = -1
        """The version at which the bot has failed."""

    async def play(self) -> None:
        """Play until the game is over, or is not to be seen any more. Raises `ClientError`."""
        try:
            game = await self._client.read_game(self._id)
        except NotFound:
            return
        self._name = f"{game['game']} {self._id}"
        self._timed = game["pace"] is not None
        await self._sit_down(game)
        reader = asyncio.create_task(self._follow(game["version"]))
        reader.add_done_callback(lambda _: self._look.set())
        try:
            self._look.set()
            while not self._over and not reader.done():
                await self._look.wait()
                self._look.clear()
                await self._look_at_table()
            if reader.done():
                reader.result()
        finally:
            reader.cancel()
            with suppress(asyncio.CancelledError, ClientError):
                await reader

    async def _follow(self, version: int) -> None:
        async for line in self._client.follow_game(self._id, after=version):
            if isinstance(line, EventLine) and line.event["type"] != "move_made":
                self._seats = []  # players may have come and gone
            self._look.set()
        self._over = True

    async def _sit_down(self, game: Game) -> None:
        """Note which seats are the bot's, say that it is ready, return to a seat that it left."""
        self._seats = _find_seats(game, self._me)
        for seat in self._seats:
            found = game["seats"][seat]
            try:
                if game["status"] == "open" and found["ready"] is False:
                    await self._client.say_ready(self._id, seat, game["version"])
                if game["status"] == "running" and found["state"] == "away":
                    await self._client.return_to(self._id, seat, game["version"])
                    self._log(f"{self._name} seat {seat}: returns to its seat")
            except (Conflict, Invalid) as problem:
                self._log(f"{self._name} seat {seat}: {problem}")

    async def _look_at_table(self) -> None:
        """Make a move when it is the bot's turn."""
        try:
            found = await self._client.list_moves(self._id)
            decision = found["decision"]
            if decision is None or found["version"] == self._passed:
                return
            if not self._seats:
                self._seats = _find_seats(await self._client.read_game(self._id), self._me)
            if decision["seat"] in self._seats:
                await self._decide(found, decision["seat"])
        except Conflict as problem:
            # Before the start there are no moves; otherwise the next event says what has changed.
            if problem.code != "game_not_running":
                self._log(f"{self._name}: {problem}")
        except NotFound:
            self._over = True

    async def _decide(self, found: MoveList, seat: int) -> None:
        began, version = monotonic(), found["version"]
        try:
            position = await self._read_position(found)
            if position is None:
                asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._look.set)
                return
            answer = await self._think(*position)
        except (BotFault, Misunderstood) as error:
            legal = found["moves"] if isinstance(error, BotFault) and error.kind == ILLEGAL else ()
            await self._fail(found, seat, str(error), legal)
            return
        if not answer.moves:
            await self._client.resign(self._id, seat, key=f"bot-resign-{version}")
            self._log(f"{self._name} v{version} seat {seat}: resigns")
            return
        state = position[0]
        ms = 1000 * (monotonic() - began)
        await self._send(found, seat, state.move_json(answer.moves[0]), f"{ms:.0f} ms", answer)

    async def _read_position(self, found: MoveList) -> tuple[State[Any], Transcript] | None:
        """Return the position of a list of moves; None when the game changed meanwhile."""
        try:
            transcript = from_json(await self._client.read_transcript(self._id), GAMES)
            playback = Playback(transcript, GAMES)
            while not playback.done:
                playback.step()
        except (TranscriptError, InvalidTranscript) as error:
            raise Misunderstood(f"the game cannot be played back: {error}") from error
        if playback.state.legal_moves() == found["moves"]:
            return playback.state, transcript
        if (await self._client.list_moves(self._id))["version"] == found["version"]:
            raise Misunderstood("the service has other legal moves than this program")
        return None

    async def _think(self, state: State[Any], transcript: Transcript) -> BotChoice:
        left = await self._client.read_seconds(self._id) if self._timed else None
        budget = fit_budget(self._budget, left)
        return await self._mind.think(state, transcript, random.Random(), budget)

    async def _send(
        self, found: MoveList, seat: int, move: Mapping[str, Any], how: str, answer: BotChoice
    ) -> None:
        version = found["version"]
        try:
            written = await self._client.make_move(
                self._id, move, version=version, key=f"bot-{version}"
            )
        except IllegalMove as problem:
            await self._fail(found, seat, f"{write(move)}: {problem}", problem.legal_moves)
        except Conflict as problem:
            # The game changed without this move: another process with this token, the answer
            # of a request before a restart, a stand-in. The next look says what is asked now.
            self._log(f"{self._name} v{version} seat {seat}: not stored: {problem.code}")
            self._look.set()
        else:
            said = f" {answer.said}" if answer.said else ""
            self._log(f"{self._name} v{written['version']} seat {seat}: {write(move)} {how}{said}")

    async def _fail(
        self, found: MoveList, seat: int, why: str, legal: Sequence[Mapping[str, Any]]
    ) -> None:
        """Say what went wrong, and leave the position alone or answer by lot."""
        version = self._passed = found["version"]
        self._log(f"{self._name} v{version} seat {seat}: {why}")
        if legal:
            more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
            self._log(f"  legal are {', '.join(map(write, legal[:SHOWN]))}{more}")
        if not self._fallback:
            self._log(f"{self._name} v{version} seat {seat}: waits; --fallback moves by lot")
            return
        move = random.choice(found["moves"])
        try:
            await self._client.make_move(
                self._id, move, version=version, key=f"bot-{version}-fallback"
            )
        except (Conflict, IllegalMove) as problem:
            self._log(f"{self._name} v{version} seat {seat}: not stored: {problem.code}")
        else:
            self._log(f"{self._name} v{version} seat {seat}: {write(move)} by lot")


def fit_budget(wished: Budget, left: float | None) -> Budget:
    """Return a budget that fits into the seconds that are left; None: no clock runs."""
    if left is None:
        return wished
    seconds = max(SHORTEST, left * SHARE)
    if wished.seconds is not None:
        seconds = min(seconds, wished.seconds)
    return Budget(wished.iterations, seconds)


def write(move: Mapping[str, Any]) -> str:
    """Return a move in a line of the log: its type first, then its members as JSON."""
    rest = {name: value for name, value in move.items() if name != "type"}
    return (
        f"{move.get('type')} {json.dumps(rest, ensure_ascii=False)}" if rest else f"{move['type']}"
    )


def _find_seats(game: Game, me: str) -> list[int]:
    return [seat["seat"] for seat in game["seats"] if seat["player"] and seat["player"]["id"] == me]
