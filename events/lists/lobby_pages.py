"""Lists of games: pages of summaries, newest game first, from the store and from the archive.

Ids of games sort by age, so both places have the same order, and one cursor, the id of the last
game of a page, leads on in both. A game that is in both places is listed once, as it is in the
store. The index of the store is read before the archive and again after it: a game that is brought
back in between is found by the second look, a game that is archived by the first.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.ledger.masks import Masks
from cartulary.events.lists.indexes import ANY
from cartulary.events.model.status import Status
from cartulary.events.model.types import Json
from cartulary.events.server import keys

UNTIMED: Final = "none"
"""The pace of untimed games."""

CHOSEN_AT_ONCE, CHOSEN_LOOKS = 200, 5
"""Games that are read at once for a list that has no index, and how often for one page."""

RATED: Final = ("true", "false")
"""What a list may be asked for: games that count for the ratings of their players, or others."""

_STATUS_OF: Final = {"open": Status.OPEN, "vacant": Status.RUNNING}
"""The status of the games with a seat of a kind that a player may take."""


class Page(NamedTuple):
    """A page of summaries (`Table.summary`), newest game first; `next_cursor` None at the end."""

    games: list[Json]
    next_cursor: str | None


class BadCursor(ValueError):
    """A cursor that this service has not given out."""


class Wanted(NamedTuple):
    """What a list is asked for; None: all of them. `seat` is `open` or `vacant`."""

    status: str | None = None
    game: str | None = None
    seat: str | None = None
    pace: str | None = None
    rated: str | None = None

    @property
    def has_index(self) -> bool:
        """Whether an index lists just these games: untimed and rated games have no index."""
        return self.pace != UNTIMED and self.rated is None

    def takes(self, game: Json) -> bool:
        """Return whether a summary from the index is one of these games."""
        is_timed = game["pace"] is not None
        return not (self.pace == UNTIMED and is_timed) and is_rated(game, self.rated)

    @property
    def is_empty(self) -> bool:
        """Whether no game can be meant."""
        if self.game == ANY:  # in the indexes that means all of them, but no game is called so
            return True
        return self.seat is not None and self.status not in (None, _STATUS_OF[self.seat])

    @property
    def is_of_store(self) -> bool:
        """Whether no archived game can be meant: these are all over."""
        return self.seat is not None or (
            self.status is not None and self.status not in (Status.OVER, Status.ABORTED)
        )

    def name_index(self, owner: str) -> str:
        """Return the key of the index that lists these games, of any pace for untimed games."""
        condition = self.status or ANY if self.seat is None else f"seat_{self.seat}"
        pace = "" if self.pace == UNTIMED else self.pace or ""
        return keys.index(owner, condition, self.game or ANY, pace)


class Lists:
    """The lists of games of a store and its archive. Thread-safe."""

    def __init__(self, redis: Redis, masks: Masks, archive: ArchiveReader) -> None:
        self._redis, self._masks, self._archive = redis, masks, archive

    def page(self, owner: str, wanted: Wanted, limit: int, cursor: str | None) -> Page:
        """Return a page of the games of an owner (`public`, `player:<id>`). Raises `BadCursor`."""
        before = None if cursor is None else read_cursor(cursor)
        if wanted.is_empty:
            return Page([], None)
        if not wanted.has_index:
            return self._page_chosen(owner, wanted, before, limit)
        # One more than asked for says whether there is a next page.
        ids, archived = self._find_ids(owner, wanted, before, limit + 1)
        more = len(ids) > limit
        return Page(
            self.summaries(ids[:limit], archived), write_cursor(ids[limit - 1]) if more else None
        )

    def _find_ids(
        self, owner: str, wanted: Wanted, before: str | None, limit: int
    ) -> tuple[list[str], dict[str, bytes]]:
        """Return the next ids of a list, and the summaries that the archive has of them."""
        index = wanted.name_index(owner)
        stored = self._read_index(index, before, limit)
        if wanted.is_of_store or not self._archive.is_set:
            return stored, {}
        archived = dict(
            self._archive.page(
                owner,
                status=wanted.status,
                game=wanted.game,
                pace=wanted.pace,
                before=before,
                limit=limit,
            )
        )
        # Once more, also where the archive has nothing: its only game may have just left it.
        stored += self._read_index(index, before, limit)
        return sorted({*stored, *archived}, reverse=True)[:limit], archived

    def _read_index(self, index: str, before: str | None, limit: int) -> list[str]:
        newest = "+" if before is None else f"({before}"
        found: Any = self._redis.zrevrangebylex(index, newest, "-", 0, limit)
        return [one.decode() for one in found]

    def _page_chosen(self, owner: str, wanted: Wanted, before: str | None, limit: int) -> Page:
        """Return those games of an index that are wanted.

        The page may be short, and still have a cursor, when many others lie between.
        """
        chosen: list[Json] = []
        ids: list[str] = []
        for _ in range(CHOSEN_LOOKS):
            ids, archived = self._find_ids(owner, wanted, before, CHOSEN_AT_ONCE)
            games = self.summaries(ids, archived)
            chosen += [game for game in games if wanted.takes(game)]
            if len(chosen) > limit:
                return Page(chosen[:limit], write_cursor(chosen[limit - 1]["id"]))
            if len(ids) < CHOSEN_AT_ONCE:
                return Page(chosen, None)
            before = ids[-1]
        return Page(chosen, write_cursor(ids[-1]))

    def summaries(self, ids: Sequence[str], archived: dict[str, bytes] | None = None) -> list[Json]:
        """Return the summaries of games, in one round trip; a game without a summary is left out.

        `archived` are the summaries of archived games that are known already.
        """
        found = {game_id: one for game_id, one in self._read(ids).items() if one is not None}
        missing = [game_id for game_id in ids if game_id not in found]
        if missing and self._archive.is_set:
            known = archived or {}
            found |= {game_id: known[game_id] for game_id in missing if known.get(game_id)}
            missing = [game_id for game_id in missing if game_id not in found]
            found |= self._archive.summaries(missing)
        # A rebuild may have removed a summary since: that game is left out.
        self._masks.look()
        shown = (orjson.loads(found[game_id]) for game_id in ids if game_id in found)
        return [self._masks.mask_summary(summary) for summary in shown]

    def _read(self, ids: Sequence[str]) -> dict[str, Any]:
        pipe = self._redis.pipeline(transaction=False)
        for game_id in ids:
            pipe.hget(keys.summary(game_id), "json")
        return dict(zip(ids, pipe.execute(), strict=True))


def is_rated(game: Json, rated: str | None) -> bool:
    """Return whether a summary is as one of `RATED` says, None: any.

    The archive has summaries from before there were rated games.
    """
    return rated is None or game.get("rated", False) == (rated == "true")


def write_cursor(game_id: str) -> str:
    """Return the cursor after a game."""
    return urlsafe_b64encode(game_id.encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> str:
    """Return the id of the game that a cursor names. Raises `BadCursor`."""
    try:
        game_id = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except ValueError as error:
        raise BadCursor("this is no cursor") from error
    if not game_id.isalnum() or write_cursor(game_id) != cursor:
        raise BadCursor("this is no cursor")
    return game_id
