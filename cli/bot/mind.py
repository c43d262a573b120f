"""Thinks of one game, in a thread of its own: the event loop goes on, and so do the other games."""

from __future__ import annotations

import asyncio
import queue
import random
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from cartulary.bots import Budget
from cartulary.engine.core import State
from cartulary.engine.transcript import Transcript
from cartulary.outside.bots import LoadedBot
from cartulary.outside.faults import LATE, BotFault
from cartulary.outside.seats import BotChoice, BotSeat, Log

GRACE_SECONDS: Final = 2.0
"""How much longer than its budget a function may think. An engine has bounds of its own."""

CLOSE_SECONDS: Final = 10.0
"""So long the end of an engine is waited for."""


class _Thought(NamedTuple):
    """A question to the thread, and where its answer goes."""

    ask: Callable[[BotSeat], BotChoice]
    answer: asyncio.Future[BotChoice]


class Mind:
    """A bot at one table. The thread lives until `close`: Linux ends an engine with its thread."""

    def __init__(self, bot: LoadedBot, log: Log) -> None:
        self._bot, self._log = bot, log
        self._loop = asyncio.get_running_loop()
        self._thoughts: queue.SimpleQueue[_Thought | None] = queue.SimpleQueue()
        self._busy: asyncio.Future[BotChoice] | None = None
        self._closed = asyncio.Event()
        threading.Thread(target=self._run, name=bot.name, daemon=True).start()

    async def think(
        self, state: State[object], transcript: Transcript, rng: random.Random, budget: Budget
    ) -> BotChoice:
        """Return what the bot does; raises `BotFault`."""
        if self._busy is not None and not self._busy.done():
            raise BotFault(LATE, self._bot.name, "still thinks of an earlier position")
        self._busy = answer = self._loop.create_future()
        self._thoughts.put(
            _Thought(lambda seat: seat.think(state, lambda: transcript, rng, budget), answer)
        )
        seconds = self._find_patience(budget)
        try:
            return await asyncio.wait_for(asyncio.shield(answer), seconds)
        except TimeoutError:
            raise BotFault(LATE, self._bot.name, f"has not returned within {seconds:g} s") from None

    async def close(self) -> None:
        """End the thread, and the engine with it; a function that never returns is left behind."""
        self._thoughts.put(None)
        try:
            await asyncio.wait_for(self._closed.wait(), CLOSE_SECONDS)
        except TimeoutError:
            self._log(f"{self._bot.name}: does not end, and is left behind")

    def _find_patience(self, budget: Budget) -> float | None:
        if self._bot.is_bounded or budget.seconds is None:
            return None
        return budget.seconds + GRACE_SECONDS

    def _run(self) -> None:
        try:
            with self._bot.open(self._log) as seat:
                while (thought := self._thoughts.get()) is not None:
                    self._answer(thought, seat)
        finally:
            self._call(self._closed.set)

    def _answer(self, thought: _Thought, seat: BotSeat) -> None:
        try:
            found = thought.ask(seat)
        except Exception as error:  # it belongs to the game that asked
            self._call(_fail, thought.answer, error)
        else:
            self._call(_answer, thought.answer, found)

    def _call(self, function: Callable[..., object], *arguments: object) -> None:
        # A loop that is closed waits for no answer.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)


def _answer(future: asyncio.Future[BotChoice], found: BotChoice) -> None:
    if not future.done():
        future.set_result(found)


def _fail(future: asyncio.Future[BotChoice], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # a thought whose game is over has no reader, and that is no error
