"""Where a reader of many games and of the inbox is: `GET /streams`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from cartulary.client.core.api_types import Item
from cartulary.client.core.following import EventChain, Follower
from cartulary.client.core.lines import (
    BrokenStream,
    ResetLine,
    StreamLine,
    read_line,
    read_stream_line,
)
from cartulary.client.core.problems import read_code
from cartulary.client.core.requests import Lost, Outcome, Request
from cartulary.client.core.retries import RetryPolicy

UNAVAILABLE: Final = "unavailable"
"""The reason of `ClosedLine` for a game that the service cannot read for the moment."""

ASK_AGAIN: Final = 10.0
"""Seconds after which a stream is opened again for games that were unavailable."""


class GameLine(NamedTuple):
    """What happens in one of the games."""

    game: str
    line: StreamLine


class ClosedLine(NamedTuple):
    """Nothing more comes of a game.

    It is `over`, `not_found` (missing, or not for this player), `hidden` from the player by now, or
    `unavailable`: then the client goes on asking for it, and it may come back. Later releases may
    have other reasons.
    """

    game: str
    reason: str


class ItemLine(NamedTuple):
    """An item of the player's inbox; the first may be a `snapshot`."""

    item: Item


ManyLine = GameLine | ClosedLine | ItemLine


class ManyWish(NamedTuple):
    """What a stream is to bring; `games` are versions by the ids of the games.

    `inbox_after` is None without the inbox, the id of the last known item, or '' for none.
    """

    games: Mapping[str, int]
    inbox_after: str | None
    include: str
    present: tuple[str, ...]


class ManyFollower(Follower[ManyLine]):
    """A reader of many games: each event once and in order, for each of the games.

    `cursor` is that of the service. It is given up where it may be ahead of the reader: then the
    stream goes on after the version of each game, which the reader knows itself.
    """

    path = "/streams"

    def __init__(
        self,
        wish: ManyWish,
        policy: RetryPolicy,
        random: Random,
        now: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(policy, random)
        self.cursor = ""
        self._wish, self._now = wish, now
        self._chains = {game: EventChain(after) for game, after in wish.games.items()}
        self._item = wish.inbox_after or ""
        self._closed: dict[str, str] = {}
        self._ask_at: float | None = None

    def find_cursor(self) -> str:
        """Return the cursor of the last line."""
        return self.cursor

    def find_query(self) -> Mapping[str, str]:
        """Return the list of games, and where each begins unless the cursor says so."""
        wish = self._wish
        query = {"games": ",".join(self._chains), "include": wish.include}
        query["present"] = ",".join(wish.present)
        if wish.inbox_after is not None:
            query["inbox"] = "true"
        if not self.cursor:
            query["after"] = ",".join(str(chain.version) for chain in self._chains.values())
            query["inbox_after"] = self._item
        return {name: value for name, value in query.items() if value}

    def make_request(self) -> Request:
        """Return the request that goes on after the last line."""
        self._ask_at = None
        return super().make_request()

    def take(self, data: bytes) -> Iterator[ManyLine]:
        """Yield what is new; raises `BrokenStream` also when it is time to ask for a game again."""
        yield from super().take(data)
        if self._ask_at is not None and self._now() >= self._ask_at and not self.is_over:
            raise BrokenStream("a game was unavailable")

    def refuse(self, request: Request, outcome: Outcome) -> float:
        """Return the pause after a refusal; a cursor that is refused is given up, once."""
        if not self.cursor or isinstance(outcome, Lost) or read_code(outcome.body) != "bad_cursor":
            return super().refuse(request, outcome)
        self.cursor = ""
        return self.end_connection()

    def take_line(self, line: bytes) -> ManyLine | None:
        """Return what is new; a version that is missing between two events is a broken stream."""
        found = read_line(line)
        cursor = found.pop("cursor", None)
        said = self._read(found)
        # A line that says nothing new may repeat an old line, and its cursor is old as well.
        if said is not None and isinstance(cursor, str):
            self.cursor = cursor
        if isinstance(said, GameLine) and isinstance(said.line, ResetLine):
            self.cursor = ""
        return said

    def _read(self, found: dict[str, object]) -> ManyLine | None:
        game = found.pop("game", None)
        if game is None:
            return self._take_item(found.get("inbox"))
        if not isinstance(game, str) or game not in self._chains:
            return None
        if isinstance(reason := found.get("closed"), str):
            return self._close(game, reason)
        return self._take_of_game(game, found)

    def _take_of_game(self, game: str, found: dict[str, object]) -> GameLine | None:
        self._closed.pop(game, None)
        event = found.get("event")
        line = read_stream_line(event if isinstance(event, dict) else found)
        if line is None:
            return None
        try:
            new = self._chains[game].take(line)
        except BrokenStream:
            self.cursor = ""
            raise
        return None if new is None else GameLine(game, new)

    def _close(self, game: str, reason: str) -> ClosedLine | None:
        if reason == UNAVAILABLE and self._ask_at is None:
            self._ask_at = self._now() + ASK_AGAIN
        is_known = self._closed.get(game) == reason
        self._closed[game] = reason
        final = [one for one in self._closed.values() if one != UNAVAILABLE]
        self.is_over = self._wish.inbox_after is None and len(final) == len(self._chains)
        return None if is_known else ClosedLine(game, reason)

    def _take_item(self, item: object) -> ItemLine | None:
        if not isinstance(item, dict) or not isinstance(item.get("type"), str):
            return None
        name = item.get("id")
        if name and name == self._item:
            return None
        if isinstance(name, str) and item["type"] != "snapshot":
            self._item = name
        return ItemLine(item)  # type: ignore[arg-type]
