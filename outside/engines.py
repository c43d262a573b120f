"""A bot that is a program of its own and speaks the line protocol."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from cartulary.bots import Budget
from cartulary.engine.core import Json, State
from cartulary.engine.errors import IllegalMove
from cartulary.engine.transcript import Transcript
from cartulary.outside import protocol
from cartulary.outside.faults import DIED, ILLEGAL, NOT_STARTED, BotFault
from cartulary.outside.process import EngineProcess
from cartulary.outside.seats import BotChoice, BotSeat, Log, Record

START_SECONDS: Final = 20.0
"""So long an engine may take to say its name, and to prepare for a game."""

GRACE_SECONDS: Final = 1.0
"""How much later than its budget says an engine may answer."""

WITHOUT_TIME: Final = 60.0
"""So long an engine may think whose budget bounds the iterations alone."""

RESTARTS: Final = 3
"""So often an engine is started again at one table."""


class EngineSeat(BotSeat):
    """An engine at a table: a process that lives until the table closes or the engine fails.

    An engine that dies is started again and asked again. After another fault it is started again
    for the next thought. Together that happens `RESTARTS` times.
    """

    def __init__(self, name: str, words: Sequence[str], log: Log, *, greet: bool = True) -> None:
        """`greet`: log what the engine calls itself when it has started."""
        self._name, self._words, self._log, self._greets = name, tuple(words), log, greet
        self._process: EngineProcess | None = None
        self._starts = 0

    def think(
        self, state: State[Any], record: Record, rng: random.Random, budget: Budget
    ) -> BotChoice:
        """Return what the engine answers; raises `BotFault`."""
        game = record()
        legal, seconds = state.legal_moves(), find_patience(budget)
        request = protocol.ask_think(game.to_json(), state.seat, legal, budget)
        while True:
            try:
                return self._read(self._ask(game, request, seconds), state)
            except BotFault as fault:
                if fault.kind != DIED or self._starts > RESTARTS:
                    raise
                self._log(f"{fault}; it is started again ({self._starts} of {RESTARTS})")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _ask(self, game: Transcript, request: Json, seconds: float) -> Json:
        try:
            return self._find_process(game).ask(request, seconds)
        except BotFault:
            self._process = None  # a process that has failed is ended
            raise

    def _find_process(self, game: Transcript) -> EngineProcess:
        """Return the process, a new one when there is no process; raises `BotFault`."""
        if self._process is None:
            if self._starts > RESTARTS:
                why = f"has failed {self._starts} times at this table and is not started again"
                raise BotFault(NOT_STARTED, self._name, why)
            self._starts += 1
            self._process = EngineProcess(self._name, self._words, self._log)
            self._greet(self._process, game)
        return self._process

    def _greet(self, process: EngineProcess, game: Transcript) -> None:
        answer = process.ask(protocol.ask_hello(), START_SECONDS)
        try:
            called = protocol.read_name(answer)
        except protocol.BadAnswer as error:
            process.kill()
            raise BotFault(error.kind, self._name, str(error)) from error
        if self._greets:
            self._log(f"{self._name}: {called} runs (pid {process.pid})")
        process.ask(protocol.ask_new_game(game.game, game.options, game.seats), START_SECONDS)

    def _read(self, answer: Json, state: State[Any]) -> BotChoice:
        """Return an answer in the words of the engine room; raises `BotFault`."""
        try:
            move = protocol.read_move(answer)
            moves = () if move is None else (state.find(move),)
        except IllegalMove as error:
            raise BotFault(ILLEGAL, self._name, error.reason) from error
        except protocol.BadAnswer as error:
            self.close()
            raise BotFault(error.kind, self._name, str(error)) from error
        return BotChoice(moves, move is None, protocol.read_info(answer))


def find_patience(budget: Budget) -> float:
    """Return the seconds after which an engine is late."""
    return WITHOUT_TIME if budget.seconds is None else budget.seconds + GRACE_SECONDS
