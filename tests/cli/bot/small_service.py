"""A service with one table of Carcassonne: seat 0 is the bot's, seat 1 moves by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

from cartulary.bots import Budget
from cartulary.cli.bot.client import PATIENT, BotClient
from cartulary.engine.errors import IllegalMove
from cartulary.match import new_game
from cartulary.outside.bots import LoadedBot
from cartulary.outside.functions import Function, FunctionSeat

Json = dict[str, Any]
ME, OTHER = {"id": "me", "name": "Bot"}, {"id": "other", "name": "Ada"}
MOVES = 6
"""The number of moves of the bot with which the game ends."""


class Lines(httpx.AsyncByteStream):
    """A stream of lines that come as they are appended."""

    def __init__(self, lines: list[Json], after: int, is_over: Callable[[], bool]) -> None:
        self._lines, self._at, self._is_over = lines, after, is_over

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            while self._at < len(self._lines):
                self._at += 1
                yield json.dumps(self._lines[self._at - 1]).encode() + b"\n"
            if self._is_over():
                return
            await asyncio.sleep(0.005)


class SmallService:
    """Answers as the service does; `hold` may answer a move instead.

    `moves` are the stored moves of the bot with their keys, `tries` all that it has sent. Seat 0
    changes once for each key, as in the service.
    """

    def __init__(self) -> None:
        self.match = new_game("carcassonne", 2, seed=1)
        self.inbox: list[Json] = []
        self.events: list[Json] = []
        self.calls: list[str] = []
        self.tries: list[tuple[str, Json]] = []
        self.stored: dict[str, Json] = {}
        self.slept: list[float] = []
        self.log: list[str] = []
        self.hold: Callable[[Json], httpx.Response | None] = lambda _: None
        self.seat: Json = {"player": ME, "state": "seated", "ready": None}
        self.seat_keys: set[str] = set()
        self.status = "running"
        self.resigned = False
        self.seconds: float | None = None
        self._append("game_started")
        self._let_other_move()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.events[-1]["type"] == "game_scored")

    def open(self) -> BotClient:
        """Return a client of this service that sleeps without waiting."""
        return BotClient(
            "http://service",
            "t",
            policy=PATIENT,
            sleep=self._sleep,
            transport=httpx.MockTransport(self._answer),
        )

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def end(self) -> None:
        """End the game."""
        self._append("game_scored")

    def _append(self, kind: str) -> None:
        version = len(self.events) + 1
        self.events.append(
            {"version": version, "type": kind, "prev": str(version - 1), "hash": str(version)}
        )

    def _let_other_move(self) -> None:
        while self.match.seat == 1:
            self.match.play_bot("random")
            self._append("move_made")

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v1")
        self.calls.append(f"{request.method} {path}")
        after = int(request.headers.get("Last-Event-ID", "0"))
        if path == "/players/me/inbox/stream":
            return httpx.Response(200, stream=Lines(self.inbox, 0, lambda: False))
        if path == "/games/g/events/stream":
            return httpx.Response(200, stream=Lines(self.events, after, lambda: self.is_over))
        if path == "/games/g/moves" and request.method == "POST":
            return self.store_move(request.headers["Idempotency-Key"], json.loads(request.content))
        if path.startswith("/games/g/seats"):
            self._change_seat(f"{request.method} {path}", request.headers["Idempotency-Key"])
        if path == "/players/me/bot":
            return refuse(404, "not_found")
        if path == "/games/g/resignation":
            self.resigned = True
            self.end()
        return httpx.Response(200, json=self._read(path))

    def _change_seat(self, call: str, key: str) -> None:
        if key in self.seat_keys:
            return
        self.seat_keys.add(key)
        changes: dict[str, Json] = {
            "POST /games/g/seats": {"player": ME, "state": "seated", "offer": None},
            "DELETE /games/g/seats/0": {"player": None, "state": "open", "offer": None},
            "PUT /games/g/seats/0/ready": {"ready": True},
            "POST /games/g/seats/0/return": {"state": "seated"},
        }
        self.seat |= changes.get(call, {})
        self._append("seat_changed")

    def _read(self, path: str) -> Any:
        version = len(self.events)
        game: Json = {"id": "g", "game": "carcassonne", "status": self.status, "version": version}
        game["pace"] = self.seconds and {"mode": "live"}
        clock = {
            "now": "2026-01-01T00:00:00Z",
            "deadline_at": self.seconds and f"2026-01-01T00:00:{self.seconds:09.6f}Z",
        }
        answers: Json = {
            "/players/me": ME,
            "/games": {"games": [], "next_cursor": None},
            "/games/g": {**game, "seats": [{"seat": 0, **self.seat}, {"seat": 1, "player": OTHER}]},
            "/games/g/moves": self.list_moves(version),
            "/games/g/transcript": self.match.transcript().to_json(),
            "/games/g/clock": clock,
        }
        return answers.get(path, {})

    def list_moves(self, version: int) -> Json:
        """Return the answer to `GET …/moves`."""
        decision = self.match.decision
        found = decision and not self.is_over and decision.to_json()
        moves = self.match.legal_moves() if found else []
        return {"version": version, "decision": found or None, "moves": moves}

    def store_move(self, key: str, body: Json) -> httpx.Response:
        """Answer `POST …/moves`."""
        self.tries.append((key, body))
        if (held := self.hold(body)) is not None:
            return held
        if key not in self.stored:
            if body["expected_version"] != len(self.events):
                return refuse(409, "stale_version", current_version=len(self.events))
            try:
                self.match.play(body["move"])
            except IllegalMove as error:
                return refuse(422, "illegal_move", legal_moves=error.legal_moves)
            self._append("move_made")
            self.stored[key] = {"version": len(self.events)}
            self._let_other_move()
            if len(self.stored) == MOVES:
                self.end()
        return httpx.Response(201, json=self.stored[key])


def refuse(status: int, code: str, retry_after: int | None = None, **more: Any) -> httpx.Response:
    """Return a refusal."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    body = {"code": code, "detail": code, "status": status, **more}
    return httpx.Response(status, json=body, headers=headers)


def make_bot(function: Function) -> LoadedBot:
    """Return a bot that is a function."""
    return LoadedBot(
        "bot", Budget(1), "", lambda _log, _greet: FunctionSeat("bot", function), False
    )
