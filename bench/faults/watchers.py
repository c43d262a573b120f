"""Clients that follow games live: what a stream has shown must be what is stored.

A watcher does what the contract asks of a client: it connects again with the id of its last event,
goes back at a `reset`, and begins again from 0 when the next event does not follow its last one.
After the last event of a game no event comes whose `prev` would tell. So a watcher also begins
again when a fall-back of the store may have taken the end that the watcher has seen.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

import orjson

from bench.faults.journal import Journal, Json, digest

SILENT_S = 20.0
"""Seconds of silence after which a watcher connects again: a comment comes every 15 s."""

PAUSE_S = 0.1
"""Seconds before a watcher connects again."""

LATE_S = 5.0
"""Seconds that an event may be on its way to a watcher when the store is killed."""

FINISH_WITHIN_S = 60.0
"""Seconds that the last games may take when all clients have finished."""


class StreamMessage(NamedTuple):
    """A message of a stream: its name (`message` when it has none) and its data."""

    name: str
    data: Json


class Watched:
    """What the stream of a game has shown so far.

    `ended` is when the stream was complete, `came` when its last event came.
    """

    def __init__(self) -> None:
        self.events: list[Json] = []
        self.ended: float | None = None
        self.came = 0.0
        self.again = 0

    def take(self, message: StreamMessage) -> bool:
        """Take a message; returns False when the watcher has to begin again from 0."""
        if message.name == "reset":
            del self.events[message.data["version"] :]
            return True
        event = message.data
        follows = not self.events or event["prev"] == self.events[-1]["hash"]
        if not follows or event["version"] != len(self.events) + 1:
            self.begin_again()
            return False
        self.events.append(event)
        self.came = time.monotonic()
        return True

    def begin_again(self) -> None:
        """Forget all events."""
        self.events.clear()
        self.again += 1

    def digests(self) -> list[str]:
        """Return the fingerprints of all events."""
        return [digest(event) for event in self.events]


class Watchers:
    """Threads that each follow one game after the other, from its first event to its last."""

    def __init__(self, port: int, journal: Journal, count: int) -> None:
        self._port, self._journal = port, journal
        self.watched: dict[str, Watched] = {}
        self._lock = threading.Lock()
        self._deadline: float | None = None
        self._threads = [threading.Thread(target=self._watch, daemon=True) for _ in range(count)]

    def start(self) -> None:
        """Begin to watch."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let each watcher see its game to the end; all games are over by now."""
        self._deadline = time.monotonic() + FINISH_WITHIN_S
        for thread in self._threads:
            thread.join()

    def _watch(self) -> None:
        while self._deadline is None:
            game = self._choose()
            if game is None:
                time.sleep(PAUSE_S)
            else:
                self.follow(game, self.watched[game])

    def _choose(self) -> str | None:
        """Return the newest game, None when a watcher has it already."""
        with self._lock:
            game = next(reversed(list(self._journal.games)), None)
            if game is None or game in self.watched:
                return None
            self.watched[game] = Watched()
            return game

    def follow(self, game: str, watched: Watched) -> None:
        """Follow a game until its stream has ended for good."""
        while not self._is_late():
            with suppress(OSError, http.client.HTTPException, orjson.JSONDecodeError):
                if self._follow_once(game, watched):
                    if not self._is_stale(watched):
                        watched.ended = time.monotonic()
                        return
                    watched.begin_again()
            time.sleep(PAUSE_S)

    def _is_stale(self, watched: Watched) -> bool:
        """Return whether a fall-back of the store may have taken the last event that was seen."""
        came = watched.came
        return bool(watched.events) and self._journal.may_be_lost(came - LATE_S, came)

    def _is_late(self) -> bool:
        """Return whether the time for the last games is over."""
        return self._deadline is not None and time.monotonic() > self._deadline

    def _follow_once(self, game: str, watched: Watched) -> bool:
        """Read a stream while it lasts; returns whether there is nothing more to come."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SILENT_S)
        try:
            path = f"/api/v1/games/{game}/events/stream?after={len(watched.events)}"
            connection.request("GET", path, headers={"Accept": "text/event-stream"})
            answer = connection.getresponse()
            if answer.status == 200:
                for message in read_messages(iter_until(answer, self._is_late)):
                    if not watched.take(message):
                        break
            return answer.status in (204, 404)
        finally:
            connection.close()


def iter_until(lines: Iterable[bytes], over: Callable[[], bool]) -> Iterator[bytes]:
    """Yield the lines of a stream until `over`: comments come for ever to a game without an end."""
    for line in lines:
        yield line
        if over():
            return


def read_messages(answer: Iterable[bytes]) -> Iterator[StreamMessage]:
    """Yield the messages of a stream of server-sent events."""
    name, data = "message", b""
    for line in answer:
        field, _, value = line.rstrip(b"\n").partition(b": ")
        if field == b"event":
            name = value.decode()
        elif field == b"data":
            data += value
        elif not line.strip() and data:
            yield StreamMessage(name, orjson.loads(data))
            name, data = "message", b""
