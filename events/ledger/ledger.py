"""Reading and appending: the streams themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from redis import Redis

from cartulary.engine.canonical import canonical_json
from cartulary.events.archive.reading import NO_ARCHIVE, ArchiveReader
from cartulary.events.ledger.standing import ANY_ANSWERS
from cartulary.events.ledger.streams import IdempotencyRecord, Streams
from cartulary.events.model.chain import Sealed
from cartulary.events.model.errors import Invalid, LedgerError
from cartulary.events.model.failures import InvariantBroken
from cartulary.events.server import keys
from cartulary.events.server.connection import Unconfirmed, run_confirmed
from cartulary.events.server.scripts import read_script
from cartulary.events.server.servers import choose_append_keys, draw_id
from cartulary.events.tracing import spans

APPENDED, REPLAYED, OTHER_ANSWERS = 1, 2, 3

SideKeys = Mapping[Callable[[str], str], bytes | None]
"""What an append stores next to the stream: by the function that names its key; None deletes it."""

NOTHING: Final[SideKeys] = MappingProxyType({})

Append = tuple[Any, ...]
"""The words of the command for an append; `read_answer` reads what comes back.

The command may be sent more than once: the nonce in it lets the store do it once.
"""


class VersionConflict(LedgerError):
    """Another process has appended first; `current_version` is where the stream is now."""

    def __init__(self, current_version: int) -> None:
        super().__init__(f"the stream is at version {current_version}")
        self.current_version = current_version


class StandingChanged(VersionConflict):
    """The standing answers have changed since the append was judged; the version is right."""


class Idempotency(NamedTuple):
    """The idempotency of a request: the field in the hash of the game, the digest."""

    field: str
    digest: str

    @classmethod
    def of(cls, scope: str, key: str | None, command: str, body: Any) -> Self | None:
        """Return that of a request, None without a key; the digest covers command and body."""
        if key is None:
            return None
        try:
            text = canonical_json([command, body])
        except RecursionError as error:
            raise Invalid([("", "nested too deeply")]) from error
        return cls(f"{scope}:{_digest(key)}", _digest(text))


class Ledger(Streams):
    """The streams of all games. Thread-safe."""

    def __init__(
        self,
        redis: Redis,
        registry: Redis | None = None,
        archive: ArchiveReader = NO_ARCHIVE,
        replicas_within_ms: int = 0,
        name_append: Callable[[str], tuple[str, ...]] | None = None,
    ) -> None:
        """Read and write the streams; the first arguments are those of `Streams`.

        With `replicas_within_ms` an append counts when a replica has confirmed it within that time.
        `name_append` names the keys of an append: by default those of a game.
        """
        super().__init__(redis, registry, archive)
        self.replicas_within_ms = replicas_within_ms
        self._name_append = name_append or choose_append_keys(redis)
        self._process, self._origin, self._appends = 0, "", count()
        script = read_script("ledger", "append.lua")
        self._append = redis.register_script(script)
        self.script = str(self._append.sha)
        """The hash by which the store knows the script of an append."""

    def reserved(self, key: str) -> str | None:
        """Return the game id that is reserved under a creation key, or None."""
        game_id: Any = self._find_server(key).get(key)
        return None if game_id is None else game_id.decode()

    # -- writing --------------------------------------------------------------------------------

    def append(
        self,
        game_id: str,
        expected_version: int,
        events: Sequence[Sealed],
        idempotency: Idempotency | None = None,
        side_keys: SideKeys = NOTHING,
        standing: str = ANY_ANSWERS.revision,
    ) -> IdempotencyRecord | None:
        """Append events to a stream that is at `expected_version` (0: a new game), all or none.

        The last event must have the hash that the first of the new events names, and the standing
        answers the revision `standing`. `side_keys` are stored in the same step. Returns None when
        the events are stored; the record of the idempotency key when that was used before (nothing
        is stored then). Raises `VersionConflict`, `StandingChanged`, `Unconfirmed`.
        """
        with spans.span("append", "client", game=game_id, type=events[-1].type):
            return self.send(
                self.prepare(game_id, expected_version, events, idempotency, side_keys, standing)
            )

    def prepare(
        self,
        game_id: str,
        expected_version: int,
        events: Sequence[Sealed],
        idempotency: Idempotency | None = None,
        side_keys: SideKeys = NOTHING,
        standing: str = ANY_ANSWERS.revision,
    ) -> Append:
        """Return the append that `append` sends."""
        field, digest = idempotency or ("", "")
        type_, _, text, last_hash = events[-1]
        names = self._name_append(game_id)
        # Nearly every append is a single event, with nothing next to the stream.
        texts = [text] if len(events) == 1 else [event.text for event in events]
        if side_keys:
            names = (*names, *[name(game_id) for name in side_keys])
            texts += [value or b"" for value in side_keys.values()]
        return (
            *("EVALSHA", self.script, len(names), *names),
            *(expected_version, events[0].prev, self._nonce(), field, digest),
            *(game_id, type_, last_hash, len(events), standing, *texts),
            *((trace,) if spans.on and (trace := spans.carry()) else ()),
        )

    def send(self, append: Append) -> IdempotencyRecord | None:
        """Send an append, also one that was sent before and whose answer was lost.

        Returns and raises what `append` does.
        """
        _, _, count, *words = append
        answer = self._append(keys=words[:count], args=words[count:])
        if self.replicas_within_ms:
            # Once more: the script finds the append, writes a word of it again, and a replica that
            # confirms that word has the append.
            answer = run_confirmed(self.redis, self.replicas_within_ms, *append)
        return read_answer(answer, append)

    def note(self, game_id: str, use: Idempotency) -> None:
        """Note that a key was used for a request that appends nothing to this game; `pin` first."""
        self.redis.hsetnx(keys.idempotency(game_id), use.field, f"0 0 {use.digest}")

    def confirm(self, game_id: str, field: str) -> None:
        """Make sure that a replica has the record of an idempotency field, and so its events.

        Does nothing unless replicas count. Raises `Unconfirmed`.
        """
        if not self.replicas_within_ms:
            return
        key = keys.idempotency(game_id)
        if not run_confirmed(self.redis, self.replicas_within_ms, "EVAL", _CONFIRM, 1, key, field):
            raise Unconfirmed

    def draw_id(self) -> str:
        """Return the id of a new game, which has a slot with an outbox.

        Raises `RedisError` when a cluster has no such slot now.
        """
        return draw_id(self.redis)

    def _nonce(self) -> str:
        """Return what no other append has, in this process or another, forked ones included."""
        if self._process != os.getpid():
            self._process, self._origin = os.getpid(), token_urlsafe(6)
        return f"{self._origin}{next(self._appends):x}"

    def reserve(self, key: str, game_id: str) -> str:
        """Reserve a game id under a creation key; returns the one that was there first."""
        first: Any = self._find_server(key).set(key, game_id, nx=True, get=True)
        return game_id if first is None else first.decode()

    def _find_server(self, key: str) -> Redis:
        """Return where a key is that reserves an id: of a game (a rematch), or of a player."""
        return self.redis if keys.is_of_game(key) else self.registry


_CONFIRM: Final = """
local record = redis.call('HGET', KEYS[1], ARGV[1])
if not record then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], record)
return 1
"""
"""Writes a record again, so that there is something that a replica can confirm."""


def read_answer(answer: Any, append: Append) -> IdempotencyRecord | None:
    """Read the answer to an append: None when its events are stored, else the record of its key.

    Raises `VersionConflict`, `StandingChanged`; `InvariantBroken` where the events are stored at
    other versions than those that they name.
    """
    code, found = answer
    if code == APPENDED:
        words = 3 + append[2]
        if found != append[words] + append[words + 8]:
            detail = f"what follows version {append[words]} ends at version {found} of the stream"
            raise InvariantBroken(append[words + 5], found, "appended", detail, is_stored=True)
        return None
    if code == REPLAYED:
        return IdempotencyRecord.parse(found)
    if code == OTHER_ANSWERS:
        raise StandingChanged(int(found))
    raise VersionConflict(int(found))


def _digest(text: str) -> str:
    """Return 32 hex digits for any string, one of a stranger that is no Unicode text included."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
