"""The streams of studies, in the registry: read, fold, append, delete.

The rules are those of a game's stream: versions without gaps, each event names the hash of the one
before, an append is one step. The lists change in the same step, because both lie on one server.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from secrets import token_urlsafe
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.ledger.ledger import Idempotency, VersionConflict
from cartulary.events.ledger.masks import Masks
from cartulary.events.ledger.stored_events import decode_entry
from cartulary.events.ledger.streams import MOST, IdempotencyRecord
from cartulary.events.live.feeds import Feed
from cartulary.events.model.cache import Cache
from cartulary.events.model.chain import hash_stored
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory, Misfit
from cartulary.events.model.types import Entries, Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.studies.listing import list_indexes, summarise
from cartulary.studies import events as types
from cartulary.studies.events import STUDY_KINDS
from cartulary.studies.fold import evolve
from cartulary.studies.state import StudyTree

CAPACITY: Final = 16 * 1024 * 1024
"""Bytes of folded studies that a process caches."""

WEIGHTS: Final = (4_000, 1_500)
"""Bytes of a folded study: of itself, for each node."""

_NAMES: Final = {
    types.STUDY_CREATED: ("author",),
    types.AUTHORS_CHANGED: ("authors",),
    types.AUTHOR_INVITED: ("player",),
}
"""Where events name players."""

_OF_READERS: Final = (
    *(types.VISIBILITY_SET, types.AUTHORS_CHANGED, types.INVITATION_CLOSED),
    *(types.STUDY_HIDDEN, types.STUDY_SHOWN),
)
"""Events after which a reader may be none any more."""

MISSING: Final = "there is no study with this id"


class KnownStudy(NamedTuple):
    """A folded study, with its id, the hash of its last event, and the bytes of all its events."""

    id: str
    study: StudyTree
    head: str
    size: int


class StudyStreams:
    """The streams of all studies. Thread-safe. Every method raises `RedisError`."""

    def __init__(self, registry: Redis, masks: Masks) -> None:
        self._registry, self._masks = registry, masks
        self._origin, self._appends = token_urlsafe(6), count()
        self._append = registry.register_script(read_script("studies", "list.lua", "write.lua"))
        self._relist = registry.register_script(read_script("studies", "list.lua", "relist.lua"))
        self._drop = registry.register_script(read_script("studies", "drop.lua"))
        self._cache: Cache[str, KnownStudy] = Cache(CAPACITY, _weigh)

    # -- reading ----------------------------------------------------------------------------------

    def deliver(self, study_id: str, after: int = 0, limit: int | None = None) -> list[Json]:
        """Return the events above `after`, at most `limit`, with hashes, deleted names masked.

        Raises `UnknownEvent` for what a newer release has written, `BrokenHistory`.
        """
        self._masks.look()
        return [self._show(study_id, *entry) for entry in self._ask(study_id, after, limit)]

    def _show(self, study_id: str, entry_id: bytes, fields: dict[bytes, bytes]) -> Json:
        event = decode_entry(STUDY_KINDS, study_id, entry_id, fields)
        event["hash"] = hash_stored(fields[b"event"])
        shown: Json = {}
        for field in _NAMES.get(event["type"], ()):
            named = event[field] if field == "authors" else [event[field]]
            if any(one["id"] in self._masks.deleted for one in named):
                masked = [self._masks.mask_player(one) for one in named]
                shown = {field: masked if field == "authors" else masked[0], "masked": True}
        return {**event, **shown}

    def follow(self, study_id: str, since: int) -> Feed:
        """Return the stream of a study as a feed; its lines are events as delivered.

        It ends where it changes after a version who may read the study: each reader comes back, and
        is judged again.
        """

        def show(_stream: str, cursor: str, fields: dict[bytes, bytes]) -> bytes:
            self._masks.look()
            event = self._show(study_id, cursor.encode(), fields)
            if event["type"] == types.STUDY_HIDDEN:
                # It ends the streams of all readers, and the reason is for the authors.
                event |= {"reason": "", "masked": True}
            return orjson.dumps(event)

        def ends(fields: dict[bytes, bytes]) -> bool:
            event = orjson.loads(fields[b"event"])
            return event["type"] in _OF_READERS and event["version"] > since

        return Feed((keys.study(study_id),), keys.study_live(study_id), show, is_last=ends)

    def _ask(self, study_id: str, after: int, limit: int | None = None) -> Entries:
        if limit is not None and limit < 1:
            return []
        start = f"({min(max(after, 0), MOST)}-0"
        found: Any = self._registry.xrange(keys.study(study_id), start, "+", limit)
        return list(found)

    def find(self, study_id: str) -> KnownStudy | None:
        """Return a study as it is now, None for an unknown one.

        Raises `UnknownEvent`, `BrokenHistory`.
        """
        known = self._cache.get(study_id)
        if known is not None:
            entries = self._ask(study_id, known.study.version - 1)
            if entries and hash_stored(entries[0][1][b"event"]) == known.head:
                return self._fold(study_id, known, entries[1:])
            self._cache.drop(study_id)  # deleted, or the store has lost what this process remembers
        return self._fold(study_id, None, self._ask(study_id, 0))

    def _fold(self, study_id: str, known: KnownStudy | None, entries: Entries) -> KnownStudy | None:
        if not entries:
            return known
        study = None if known is None else known.study
        for entry in entries:
            study = _follow(study_id, study, decode_entry(STUDY_KINDS, study_id, *entry))
        assert study is not None
        size = sum(len(fields[b"event"]) for _, fields in entries)
        size += 0 if known is None else known.size
        return self._remember(study_id, study, hash_stored(entries[-1][1][b"event"]), size)

    def _remember(self, study_id: str, study: StudyTree, head: str, size: int) -> KnownStudy:
        found = KnownStudy(study_id, study, head, size)
        self._cache.put(
            study_id, found, lambda before, after: after.study.version >= before.study.version
        )
        return found

    def read(self, study_id: str) -> KnownStudy:
        """Return a study as it is now; raises `NotFound`, and what `find` raises."""
        found = self.find(study_id)
        if found is None:
            raise NotFound(MISSING)
        return found

    def read_at(self, study_id: str, version: int) -> StudyTree:
        """Return a study as it was after an event; raises `NotFound`, and what `find` raises."""
        study: StudyTree | None = None
        for entry in self._ask(study_id, 0, version):
            study = _follow(study_id, study, decode_entry(STUDY_KINDS, study_id, *entry))
        if study is None or study.version != version:
            raise NotFound("the study has no such version")
        return study

    def record(self, study_id: str, field: str) -> IdempotencyRecord | None:
        """Return the record of an idempotency field, if there is one."""
        found: Any = self._registry.hget(keys.study_keys(study_id), field)
        return None if found is None else IdempotencyRecord.parse(found)

    def ids(self) -> Iterator[str]:
        """Yield every study once, in no order."""
        prefix = keys.study("")
        seen = self._registry.scan_iter(match=f"{prefix}*", count=1000)
        yield from {key.decode().removeprefix(prefix) for key in seen}

    # -- writing ----------------------------------------------------------------------------------

    def append(self, draft: StudyDraft, use: Idempotency | None) -> IdempotencyRecord | None:
        """Append a draft; returns the record of its key where that was used before.

        Raises `VersionConflict`.
        """
        field, digest = use or ("", "")
        nonce = f"{self._origin}{next(self._appends):x}"
        study = draft.study
        answer: Any = self._append(
            keys=[keys.study(draft.id), keys.study_keys(draft.id), *_name_lists(draft.id, study)],
            args=[
                *(draft.expected, draft.sealed[0].prev, nonce, field, digest, draft.head),
                *(draft.id, *_describe(draft.id, study), keys.study_live(draft.id)),
                *(sealed.text for sealed in draft.sealed),
            ],
        )
        if answer[0] == 0:
            raise VersionConflict(int(answer[1]))
        if answer[0] == 2:
            return IdempotencyRecord.parse(answer[1])
        self._remember(draft.id, study, draft.head, draft.size)
        return None

    def relist(self, known: KnownStudy) -> None:
        """Make what lists say of a study again."""
        names = _name_lists(known.id, known.study)
        described = _describe(known.id, known.study)
        self._relist(keys=names, args=[known.id, known.study.version, *described])

    def drop(self, study_id: str, version: int | None = None) -> bool:
        """Delete a study for good; its streams end at once. May be repeated.

        With a version, only while the study has it. Returns whether the study was deleted.
        """
        names = [keys.study(study_id), keys.study_keys(study_id), keys.study_summary(study_id)]
        judged = "" if version is None else version
        done: Any = self._drop(keys=names, args=[study_id, keys.study_live(study_id), judged])
        if done:
            self._cache.drop(study_id)
        return bool(done)


def _name_lists(study_id: str, study: StudyTree) -> list[str]:
    indexes = [keys.studies(index) for index in list_indexes(study)]
    return [keys.study_summary(study_id), *indexes]


def _describe(study_id: str, study: StudyTree) -> tuple[bytes, int]:
    """Return what lists say of a study, and its place in them."""
    return orjson.dumps(summarise(study_id, study)), milliseconds(study.updated_at)


def _weigh(known: KnownStudy, _before: int) -> int:
    base, node = WEIGHTS
    return base + node * len(known.study.nodes)


def _follow(study_id: str, before: StudyTree | None, event: Json) -> StudyTree:
    """Return the study after a stored event; raises `BrokenHistory`."""
    try:
        return evolve(before, event)
    except Misfit as error:
        raise BrokenHistory(study_id, event["version"], error.problem, str(error)) from error
