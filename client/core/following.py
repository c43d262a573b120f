"""Where a reader of a stream is, and what a connection that ends means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, Generic, TypeVar

from cartulary.client.core.api_types import Item
from cartulary.client.core.lines import (
    BrokenStream,
    EventLine,
    LineSplitter,
    ResetLine,
    StreamLine,
    read_game_line,
    read_item,
)
from cartulary.client.core.requests import Outcome, Request, make_error
from cartulary.client.core.retries import RetryPolicy

T = TypeVar("T")

GAME_STREAM: Final = "/games/{game}/events/stream"
INBOX_STREAM: Final = "/players/me/inbox/stream"
"""Where the streams are."""

NDJSON: Final = "application/x-ndjson"

LAST: Final = frozenset({"game_scored", "game_aborted"})
"""The events after which a game has no other event."""

SILENT_AFTER: Final = 35.0
"""Seconds: the service shows a sign of life every 15 s, so two of them are missing."""


class Follower(ABC, Generic[T]):
    """The place of a reader in a stream. It lives longer than a connection.

    `is_over` says that the stream has no more lines.
    """

    path: str

    def __init__(self, policy: RetryPolicy, random: Random) -> None:
        self.is_over = False
        self._policy, self._random = policy, random
        self._failures = 0
        self._splitter = LineSplitter()

    def make_request(self) -> Request:
        """Return the request that goes on after the last line."""
        self._splitter = LineSplitter()
        cursor = self.find_cursor()
        headers = {"Accept": NDJSON} | ({"Last-Event-ID": cursor} if cursor else {})
        return Request("GET", self.path, self.find_query(), headers)

    def take(self, data: bytes) -> Iterator[T]:
        """Yield what is new in the bytes; raises `BrokenStream`: connect again then."""
        for line in self._splitter.split(data):
            if (found := self.take_line(line)) is not None:
                self._failures = 0
                yield found

    def refuse(self, request: Request, outcome: Outcome) -> float:
        """Return the seconds to wait after a connection that was refused.

        Raises `ApiProblem` for a refusal that stands, `ConnectionLost` when patience ends.
        """
        pause = self._policy.find_pause(request, outcome, self._failures, self._random)
        self._failures += 1
        if pause is None:
            raise make_error(request, outcome)
        return pause

    def end_connection(self) -> float:
        """Return the seconds to wait after a connection that was open and has ended."""
        pause = self._policy.back_off(self._failures, self._random)
        self._failures += 1
        return pause

    @abstractmethod
    def find_cursor(self) -> str:
        """Return the cursor of the last line, '' at the beginning."""

    def find_query(self) -> Mapping[str, str]:
        """Return the query of the request."""
        return {}

    @abstractmethod
    def take_line(self, line: bytes) -> T | None:
        """Return what a line brings, None for a line that says nothing new."""


class EventChain:
    """Where a reader is in the events of one game: which lines are new to it."""

    def __init__(self, version: int) -> None:
        self.version = version
        self._hash: str | None = None

    def take(self, found: StreamLine) -> StreamLine | None:
        """Return a line that is new, None for an event that the reader has got before.

        Raises `BrokenStream` when a version is missing between two events.
        """
        if isinstance(found, EventLine):
            return self._take_event(found)
        if isinstance(found, ResetLine):
            self._begin_after(found.version)
        return found

    def _take_event(self, found: EventLine) -> StreamLine | None:
        if found.version <= self.version:
            return None
        if found.version > self.version + 1:
            raise BrokenStream(f"version {found.version} follows {self.version}")
        before = found.event.get("prev")
        if self._hash is not None and before is not None and before != self._hash:
            # The store has lost events and has others by now: nothing that is known holds.
            self._begin_after(0)
            return ResetLine(0)
        self.version, self._hash = found.version, found.event.get("hash")
        return found

    def _begin_after(self, version: int) -> None:
        self.version, self._hash = version, None


class GameFollower(Follower[StreamLine]):
    """A reader of the events of a game."""

    def __init__(
        self, game: str, after: int, include: str, policy: RetryPolicy, random: Random
    ) -> None:
        super().__init__(policy, random)
        self.path = GAME_STREAM.format(game=game)
        self._chain = EventChain(after)
        self._include = include

    def find_cursor(self) -> str:
        """Return the version of the last event."""
        return str(self._chain.version) if self._chain.version else ""

    def find_query(self) -> Mapping[str, str]:
        """Return which named lines are wanted."""
        return {"include": self._include} if self._include else {}

    def take_line(self, line: bytes) -> StreamLine | None:
        """Return what is new; a version that is missing between two events is a broken stream."""
        found = read_game_line(line)
        new = None if found is None else self._chain.take(found)
        self.is_over |= isinstance(new, EventLine) and new.event["type"] in LAST
        return new


class InboxFollower(Follower[Item]):
    """A reader of the player's inbox; `cursor` is the id of the last item."""

    path = INBOX_STREAM

    def __init__(self, after: str, policy: RetryPolicy, random: Random) -> None:
        super().__init__(policy, random)
        self.cursor = after

    def find_cursor(self) -> str:
        """Return the id of the last item."""
        return self.cursor

    def take_line(self, line: bytes) -> Item | None:
        """Return an item; None for the item that came last."""
        found = read_item(line)
        if found is None:
            return None
        name = found.get("id")
        if name and name == self.cursor:
            return None
        if isinstance(name, str) and found["type"] != "snapshot":
            self.cursor = name
        return found
