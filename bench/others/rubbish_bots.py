"""What a person waits next to a hundred bots of others that do everything wrong.

A person plays against a bot of the house, alone and next to the crowd, in turn. The crowd sits at
tables of its own and sends, each bot every `pause` seconds, moves that are not legal, moves out of
turn, bodies that are no moves, and nothing at all, with the streams of all inboxes open. The
`ratio` is that of the 95th percentiles, from the person's move until the bot has answered.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import statistics
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from typing import Any

import httpx

from bench.service._crowded import CrowdPlayer, run_house
from bench.service._served import UNLIMITED, post

ROUNDS = 3
BOTS_OF_AN_OWNER = 5


def main(seconds: float = 30.0, bots: int = 100, pause: float = 1.0) -> dict[str, Any]:
    with run_house({**UNLIMITED, "CARTULARY_QUOTA_INVITATIONS": "0"}) as port:
        return _measure(port, seconds, bots, pause)


def _measure(port: int, seconds: float, bots: int, pause: float) -> dict[str, Any]:
    person = CrowdPlayer(port)
    person.answer_for(2.0)  # warms caches up
    tokens = make_bots(port, bots)
    alone: list[float] = []
    crowded: list[float] = []
    answers: Counter[int] = Counter()
    for _ in range(ROUNDS):
        alone += person.answer_for(seconds / ROUNDS / 2)
        with _crowd(port, tokens, pause) as found:
            crowded += person.answer_for(seconds / ROUNDS / 2)
        answers += found
    p95_alone, p95_crowded = (statistics.quantiles(found, n=20)[18] for found in (alone, crowded))
    return {
        "bot_answers": len(alone) + len(crowded),
        "rubbish": {str(status): number for status, number in sorted(answers.items())},
        "alone": {"p50_ms": statistics.median(alone) * 1000, "p95_ms": p95_alone * 1000},
        "beside": {"p50_ms": statistics.median(crowded) * 1000, "p95_ms": p95_crowded * 1000},
        "slowest_beside_ms": max(crowded) * 1000,
        "ratio": p95_crowded / p95_alone,
    }


def make_bots(port: int, bots: int) -> list[tuple[str, str]]:
    """Return the ids and tokens of new bots."""
    made = []
    owner = ""
    for number in range(bots):
        if number % BOTS_OF_AN_OWNER == 0:
            owner = post(port, "/players", {"name": f"Owner {number}"})["token"]
        bot = post(port, "/players/me/bots", {"name": f"Rubbish {number}"}, owner)
        made.append((bot["id"], bot["token"]))
    return made


@contextmanager
def _crowd(port: int, bots: list[tuple[str, str]], pause: float) -> Iterator[Counter[int]]:
    """Run the crowd in a process of its own; yields when all its bots sit at tables.

    At the end the counter has the statuses that the bots got.
    """
    context = multiprocessing.get_context("spawn")
    there, over, found = context.Event(), context.Event(), context.Queue()
    crowd = context.Process(target=_run_crowd, args=(port, bots, pause, there, over, found))
    crowd.start()
    counted: Counter[int] = Counter()
    try:
        while not there.wait(1.0):
            if not crowd.is_alive():
                raise RuntimeError("the crowd has failed")
        yield counted
    finally:
        over.set()
        if there.is_set():
            counted.update(found.get(timeout=60))
        crowd.join()


def _run_crowd(
    port: int,
    bots: list[tuple[str, str]],
    pause: float,
    there: Event,
    over: Event,
    found: Queue[dict[int, int]],
) -> None:
    found.put(dict(asyncio.run(RubbishCrowd(port, pause, over).play(bots, there))))


class RubbishCrowd:
    """Bots that do everything wrong."""

    def __init__(self, port: int, pause: float, over: Event) -> None:
        self._url, self._pause, self._over = f"http://127.0.0.1:{port}/api/v1", pause, over
        self._answers: Counter[int] = Counter()

    async def play(self, bots: list[tuple[str, str]], there: Event) -> Counter[int]:
        """Send rubbish until it is over; return the statuses that came."""
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=self._url, limits=limits, timeout=60) as http:
            listening = [asyncio.create_task(self._listen(http, token)) for _, token in bots]
            await asyncio.sleep(1.0)  # the service lists a bot when its stream is open
            games = await self._sit_down(http, bots)
            there.set()
            parts = [
                asyncio.create_task(self._misbehave(http, game, token, number))
                for number, (game, (_, token)) in enumerate(zip(games, bots, strict=True))
            ]
            await asyncio.gather(*parts)
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)
        return self._answers

    async def _sit_down(self, http: httpx.AsyncClient, bots: list[tuple[str, str]]) -> list[str]:
        """Return a running game for each bot: two bots at a table, and a person who waits."""
        answer = await http.post("/players", json={"name": "Host"})
        host = _authorize(answer.json()["token"])
        games: list[str] = []
        for pair in (bots[at : at + 2] for at in range(0, len(bots), 2)):
            seats = [{"kind": "invite", "player": bot} for bot, _ in pair]
            body = {"game": "carcassonne", "seats": [*seats, {"kind": "me"}]}
            opened = await http.post("/games", json=body, headers=host)
            opened.raise_for_status()
            game = opened.json()["id"]
            for _, token in pair:
                taken = await http.post(f"/games/{game}/seats", json={}, headers=_authorize(token))
                taken.raise_for_status()
            games += [game] * len(pair)
        return games

    async def _listen(self, http: httpx.AsyncClient, token: str) -> None:
        headers = {**_authorize(token), "Accept": "application/x-ndjson"}
        async with http.stream(
            "GET", "/players/me/inbox/stream", headers=headers, timeout=None
        ) as stream:
            async for _ in stream.aiter_bytes():
                pass

    async def _misbehave(self, http: httpx.AsyncClient, game: str, token: str, number: int) -> None:
        rng = random.Random(number)
        await asyncio.sleep(self._pause * rng.random())  # not all of them at the same moment
        while not self._over.is_set():
            body = RUBBISH[number % len(RUBBISH)]
            if body is not None:
                answer = await http.post(
                    f"/games/{game}/moves", content=body, headers=_authorize(token) | JSON
                )
                self._answers[answer.status_code] += 1
            await asyncio.sleep(self._pause)


JSON = {"Content-Type": "application/json"}
RUBBISH = (
    b'{"move": {"type": "castle"}}',
    b'{"move": {"type": "place_tile", "x": 99, "y": 99, "rotation": 0}}',
    b'{"move": ' + b"[" * 20 + b"]" * 20 + b"}",
    b"no JSON at all",
    None,
)
"""What the bots send, each its own; None: it never answers."""


def _authorize(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
