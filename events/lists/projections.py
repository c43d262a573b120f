"""The lobby, a player's games, and the games that wait for something: made from the events."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

import orjson
from redis import Redis

from cartulary.events.archive.reading import NO_ARCHIVE, ArchiveReader
from cartulary.events.ledger.masks import Masks
from cartulary.events.lists.finished import Finished
from cartulary.events.lists.inbox import MOST, load_script
from cartulary.events.lists.inbox_items import Addressed
from cartulary.events.lists.indexes import ANY, find_turn, list_indexes
from cartulary.events.lists.lobby_pages import Lists, Page, Wanted
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.failures import InvariantBroken
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.time.due import WORK, DueTime, due
from cartulary.events.model.time.timing import deadline
from cartulary.events.model.types import Json
from cartulary.events.server import keys

_OF_WORKERS = (None, *(kind.encode() for kind in WORK))
"""What the store says that a game waits for; None: an earlier release has written the summary."""

_KEPT = (
    keys.IMPORTS_PREFIX.encode(),
    keys.INVITATIONS_PREFIX.encode(),
    # What players want to be notified of outside, and what they will be notified of.
    keys.notice_wishes().encode(),
    keys.intents().encode(),
    keys.intended().encode(),
    # Without it, a dispatcher would tell the inboxes the whole history of each game again.
    keys.notified().encode(),
)

FORM = 7
"""The form of the summaries. Raise it when summaries get a field: the dispatcher then makes the
summaries and snapshots of all games again, some at a time."""

SEALED = ":sealed"
"""Follows the hash that names the event of a summary, while the game is sealed: when its round is
closed, the summary is made again at the same version."""

REFUSED, UNCHANGED, WRITTEN = -1, 0, 1
"""What the script of a summary has done with it."""

LOOK_AT = 500
"""Keys that one look for summaries of lost versions scans."""

PAGE, LOOKED_AT = 1000, 50_000
"""Entries of the due set that are read at once, and how many at most for one look."""


class Late(NamedTuple):
    """A game that waits for too long, and the version of its summary (0: it has no summary)."""

    game: str
    version: int


class Look(NamedTuple):
    """A look at some summaries: the `cursor` of the next look, 0 at the end.

    `lost` are the games of which the store has lost the version of the summary, `aged` the games
    whose summary has an earlier form.
    """

    cursor: int
    lost: list[str]
    aged: list[str]


class InboxUpdate(NamedTuple):
    """Items for the inboxes, added if these know `before` of the game; they know `after` then.

    Both are texts of `items.Told`; `before` is empty when the inboxes know nothing. `silent` items
    come from a rebuild: players were notified of them outside before, as far as they wanted to be.
    """

    before: str
    after: str
    items: Sequence[Addressed] = ()
    silent: bool = False

    def words(self, ended_at: int | str) -> list[Any]:
        """Return the arguments of the script; `ended_at` is in ms, '' while a game is not over."""
        parts = [
            part
            for player, item in self.items
            for part in (player, item.id, item.text(), "" if self.silent else item.at_ms)
        ]
        return [self.before, self.after, MOST, ended_at, *parts]


SILENCE = InboxUpdate("", "")
"""Tells the inboxes nothing."""


class Projected(NamedTuple):
    """What became of a table: whether the summary has changed, and what the inboxes know now."""

    changed: bool
    told: str


def _must_go_on(table: Table, done: int, before: bytes) -> None:
    """Raise `InvariantBroken` where a summary goes back, or stands for another event.

    `before` is what the summary was, as the script returns it. A summary goes on from an earlier
    version, or from the same event; only where the store has lost its event it is replaced.
    """
    version, _, head = before.decode().partition(" ")
    known = int(version)
    is_same = known == table.version and head.removesuffix(SEALED) in ("", table.head)
    if done != REFUSED and known >= table.version and not is_same:
        detail = f"the summary was of version {known}, event {head[:8]}, not {table.head[:8]}"
        raise InvariantBroken(table.id, table.version, "summary", detail, is_stored=True)


def encode_summary(table: Table) -> bytes:
    """Return the summary of a table as JSON; that of a sealed game says that it is private."""
    # Sorted: a table from the store has its keys in another order than a new one.
    shown = {**table.summary(), "visibility": table.visibility}
    return orjson.dumps(shown, option=orjson.OPT_SORT_KEYS)


class Projections:
    """Summaries of games and their indexes. Thread-safe.

    `since` returns the moment (ms since the epoch) before which no age counts
    (`events.time.rules_since`). `games` is where the streams are; by default the same server.
    `find_deadline` returns when a turn ends (ms since the epoch), outages and vacations included.
    """

    def __init__(
        self,
        redis: Redis,
        since: Callable[[], int] = int,
        masks: Masks | None = None,
        games: Redis | None = None,
        archive: ArchiveReader = NO_ARCHIVE,
        find_deadline: Callable[[Table], int | None] = deadline,
    ) -> None:
        self._redis, self._since, self.archive = redis, since, archive
        self._games = redis if games is None else games
        self._lists = Lists(redis, Masks(redis) if masks is None else masks, archive)
        self.finished = Finished(redis)
        self._find_deadline = find_deadline
        self._project = redis.register_script(load_script("project.lua"))

    def apply(self, table: Table, later: DueTime | None = None) -> bool:
        """Bring the summary, the indexes and the due entry of a game to the version of `table`.

        Returns False when they are at this version already or further: applying is idempotent, and
        any order of versions ends at the newest. At the same version the due entry is written
        again, which repairs an entry that is lost or stale. A summary of an event that the store
        has lost is replaced, and a table of such an event changes nothing where the summary is of
        the event that is stored. `later` is for a game that has to be judged again later than its
        events alone say.
        """
        return self.project(table, later=later).changed

    def project(
        self, table: Table, update: InboxUpdate = SILENCE, later: DueTime | None = None
    ) -> Projected:
        """Do what `apply` does, and tell the inboxes in the same step."""
        done, before, told = self._run(table, b"", update, later)
        if done == REFUSED and self._is_lost(table, int(before.split(b" ")[0])):
            lost = before
            done, before, told = self._run(table, lost, update, later)
            if done != REFUSED and before == lost:
                return Projected(done == WRITTEN, told.decode())
        _must_go_on(table, done, before)
        return Projected(done == WRITTEN, told.decode())

    def read_told(self, game_id: str) -> str:
        """Return what the inboxes know of a game, '' for nothing."""
        found: Any = self._redis.hget(keys.notified(), game_id)
        return "" if found is None else found.decode()

    def _run(
        self, table: Table, lost: bytes, update: InboxUpdate, later: DueTime | None
    ) -> tuple[int, bytes, bytes]:
        waits_for = due(table, self._since()) if later is None else later
        waits: tuple[Any, Any] = ("", "") if waits_for is None else (waits_for.at, waits_for.kind)
        summary = encode_summary(table)
        indexes = " ".join(list_indexes(table))
        ended_at = milliseconds(table.updated_at) if table.status.finished else ""
        found: Any = self._project(
            keys=[keys.summary(table.id), keys.due(), keys.notified(), keys.finished()],
            args=[
                *(table.version, table.id, summary, indexes),
                *(waits[0], table.head + SEALED * table.sealed, lost, FORM, waits[1]),
                *(find_turn(table, self._find_deadline), *update.words(ended_at)),
            ],
        )
        done, before, told = found
        return done, before, told

    def read_version(self, game_id: str) -> int:
        """Return the version of the summary of a game, 0 without one."""
        found: Any = self._redis.hget(keys.summary(game_id), "version")
        return int(found or 0)

    def _is_lost(self, table: Table, version: int) -> bool:
        """Return whether the store has lost the event of a summary that a table contradicts.

        A summary is written after its event, so the stream once had the version of the summary. Of
        two events at one version the stream has one at most; its end says which.
        """
        pipe = self._games.pipeline(transaction=True)
        pipe.xlen(keys.events(table.id))
        pipe.hget(keys.idempotency(table.id), "head")
        length, head = pipe.execute()
        if version > table.version:
            return version > int(length)
        # A stream from before the chain has no head until its next event.
        return int(length) == version and (head is None or head.decode() == table.head)

    def look(self, cursor: int) -> Look:
        """Look at some summaries for those that have to be made again.

        Begin with the cursor 0 and go on with the cursor that comes back, until it is 0 again.
        """
        step: Any = self._redis.scan(cursor, match=keys.SUMMARIES_PATTERN, count=LOOK_AT)
        after, found = step
        ids = [keys.game_of_summary(key.decode()) for key in found]
        summaries = self._redis.pipeline(transaction=False)
        lengths = self._games.pipeline(transaction=False)
        for game_id in ids:
            summaries.hmget(keys.summary(game_id), "version", "form")
            lengths.xlen(keys.events(game_id))
        # In this order: events that come in between leave the summary behind the stream.
        looked = list(zip(ids, summaries.execute(), lengths.execute(), strict=True))
        lost = [one for one, (known, _), length in looked if int(known or 0) > length]
        aged = [one for one, (known, form), _ in looked if known and int(form or 1) < FORM]
        return Look(int(after), lost, [one for one in aged if one not in lost])

    def remove(self, game_id: str) -> None:
        """Remove summary, indexes and due entry of a game that the store does not have."""
        found: Any = self._redis.hmget(keys.summary(game_id), "indexes", "turn")
        indexes, turn = found
        pipe = self._redis.pipeline(transaction=True)
        for index in (indexes or b"").decode().split():
            pipe.zrem(index, game_id)
        if turn:
            pipe.zrem(turn.split()[0].decode(), game_id)
        pipe.hdel(keys.notified(), game_id)
        pipe.zrem(keys.due(), game_id)
        pipe.zrem(keys.finished(), game_id)
        pipe.delete(keys.summary(game_id))
        pipe.execute()

    def expect(self, game_id: str, version: int, now: int) -> None:
        """Note that a game is about to be back in the store; the inboxes know all of it.

        It counts as if it had ended at `now` (ms since the epoch).
        """
        self.finished.note_told(game_id, version)
        self.finished.put_off(game_id, now)

    def restore(self, table: Table, now: int) -> None:
        """List a game again that is back in the store; `now` is in ms since the epoch."""
        self.expect(table.id, table.version, now)
        self.apply(table)

    def lobby(self, *, limit: int = 20, cursor: str | None = None, **wanted: str | None) -> Page:
        """Return public games; `wanted` are the fields of `Wanted`. Raises `BadCursor`."""
        return self._lists.page("public", Wanted(**wanted), limit, cursor)

    def games_of(
        self, player_id: str, *, limit: int = 20, cursor: str | None = None, **wanted: str | None
    ) -> Page:
        """Return the games that a player created, holds a seat in, or is invited to.

        Private games included, and games in which another player has the player's seat now.
        `wanted` are the fields of `Wanted`. Raises `BadCursor`.
        """
        return self._lists.page(f"player:{player_id}", Wanted(**wanted), limit, cursor)

    def summary(self, game_id: str) -> Json | None:
        """Return the summary of one game, or None."""
        stored: Any = self._redis.hget(keys.summary(game_id), "json")
        if stored is None:
            stored = self.archive.summaries([game_id]).get(game_id)
        return None if stored is None else dict(orjson.loads(stored))

    def summaries(self, ids: Sequence[str]) -> list[Json]:
        """Return the summaries of games, in one round trip; a game without one is left out."""
        return self._lists.summaries(ids)

    def late(
        self,
        before: int,
        limit: int = 100,
        without: Container[str] = frozenset(),
        work_before: int | None = None,
    ) -> list[Late]:
        """Return games that wait for something since `before` (ms since the epoch) or longer.

        The longest waiting first, at most `limit`, and no game of `without`. Games that wait for a
        worker must wait since `work_before` or longer: a worker may have them in hand.
        """
        found = self._read_due(before, limit, without)
        pipe = self._redis.pipeline(transaction=False)
        for game_id, _ in found:
            pipe.hmget(keys.summary(game_id), "version", "waits")
        return [
            Late(game_id, int(version or 0))
            for (game_id, at), (version, kind) in zip(found, pipe.execute(), strict=True)
            if work_before is None or at <= work_before or kind not in _OF_WORKERS
        ]

    def _read_due(
        self, before: int, limit: int, without: Container[str]
    ) -> list[tuple[str, float]]:
        chosen: list[tuple[str, float]] = []
        for start in range(0, LOOKED_AT, PAGE):
            found: Any = self._redis.zrangebyscore(
                keys.due(), "-inf", before, start, PAGE, withscores=True
            )
            chosen += [(game, at) for one, at in found if (game := one.decode()) not in without]
            if len(found) < PAGE or len(chosen) >= limit:
                break
        return chosen[:limit]

    def due_games(self, before: int) -> list[str]:
        """Return the games that wait for something since `before` (ms since the epoch) or longer.

        All of them by their ids, the longest waiting first.
        """
        found: Any = self._redis.zrangebyscore(keys.due(), "-inf", before)
        return [game_id.decode() for game_id in found]

    def look_again(self, game_id: str, at: int) -> None:
        """Note that a game may wait for something since `at` (ms since the epoch).

        For a game that this process cannot read: its entry makes others, or a later version of
        this process, judge the game. Changes nothing when the game has an earlier entry.
        """
        self._redis.zadd(keys.due(), {game_id: at}, lt=True)

    def place_turn(self, table: Table) -> None:
        """Bring a game to its place among the turns of a player, whose deadline has moved.

        The due entry stays as it is: the game is judged when every process knows the new deadline.
        """
        turn = find_turn(table, self._find_deadline)
        if turn:
            key, score = turn.split()
            self._redis.zadd(key, {table.id: int(score)}, xx=True)

    def look_at_all(self, player_id: str, at: int) -> None:
        """Note that the running games of a player are to be judged at a moment (ms), or earlier."""
        running: Any = self._redis.zrange(
            keys.index(f"player:{player_id}", Status.RUNNING, ANY), 0, -1
        )
        if running:
            self._redis.zadd(keys.due(), dict.fromkeys(running, at), lt=True)

    def adopt_waiting(self) -> None:
        """Merge the set that an earlier version kept under another name into the due set.

        Does nothing when that set is missing. The merged set may contain a game that no longer
        waits, because it continued in the meantime: `apply` repairs its entry on the next read.
        """
        pipe = self._redis.pipeline(transaction=True)
        pipe.zunionstore(keys.due(), [keys.due(), keys.waiting()], aggregate="MAX")
        pipe.delete(keys.waiting())
        pipe.execute()

    def clear(self) -> None:
        """Delete everything that `rebuild` makes again."""
        for key in self._redis.scan_iter(match=f"{keys.PROJECTIONS}*", count=1000):
            if not key.startswith(_KEPT):
                self._redis.unlink(key)
