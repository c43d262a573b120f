"""One connection to a server: what the server knows of it, and what it has not read yet."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import StoreReply, Words


class BlockedWait(NamedTuple):
    """What a blocked session waits for.

    `words` are run again when one of `keys` changes; a session that waits for replicas has no
    words, and wants `replicas` of them to have `offset`. `until` is in ms, None for ever.
    """

    words: Words
    keys: tuple[bytes, ...]
    until: int | None
    replicas: int = 0
    offset: int = 0


class Tracking(NamedTuple):
    """Which session gets the names of changed keys."""

    redirect: int


class ModelSession:
    """A connection. Read `answers` before the answer to a command that is sent later.

    `answers` gets the answers of blocked commands, and what is published while the session speaks
    RESP2; with RESP3 publications go to `pushed`.
    """

    __slots__ = (
        "_stirred",
        "answers",
        "blocked",
        "channels",
        "database",
        "has_failed",
        "is_asking",
        "is_closed",
        "is_dirty",
        "is_reader",
        "name",
        "number",
        "offset",
        "pushed",
        "queue",
        "resp",
        "shards",
        "tracking",
        "watched",
    )

    def __init__(self, number: int, stirred: dict[ModelSession, None]) -> None:
        """Be a connection; `stirred` takes the sessions of the server that have heard something."""
        self.number, self._stirred = number, stirred
        self.resp = 2
        self.database = 0
        self.name = b""
        self.answers: deque[StoreReply] = deque()
        self.pushed: deque[StoreReply] = deque()
        self.queue: list[Words] | None = None
        """The commands of a transaction, None outside of one."""
        self.has_failed = False
        """A command of the transaction was refused when it was queued."""
        self.is_dirty = False
        """A watched key has changed."""
        self.watched: list[tuple[Keyspace, bytes]] = []
        self.channels: dict[bytes, None] = {}
        self.shards: dict[bytes, None] = {}
        self.blocked: BlockedWait | None = None
        self.tracking: Tracking | None = None
        self.is_asking = False
        self.is_reader = False
        """It may read from a replica of a cluster (READONLY)."""
        self.is_closed = False
        self.offset = 0
        """What the server had written after the last write of this session."""

    @property
    def is_subscriber(self) -> bool:
        """Whether it may only send the commands of publications (RESP2)."""
        return self.resp == 2 and bool(self.channels or self.shards)

    def hear(self, message: StoreReply) -> None:
        """Take a publication, or a confirmation that is not the first of its command."""
        (self.answers if self.resp == 2 else self.pushed).append(message)
        self._stirred[self] = None

    def take_answer(self, reply: StoreReply) -> None:
        """Take the answer to the command that it waits for."""
        self.answers.append(reply)
        self._stirred[self] = None

    def unwatch(self) -> None:
        """Watch no key any more."""
        for space, key in self.watched:
            sessions = space.watchers[key]
            sessions.remove(self)
            if not sessions:
                del space.watchers[key]
        self.watched = []
        self.is_dirty = False

    def end_transaction(self) -> None:
        """Leave a transaction, with or without having run it."""
        self.queue = None
        self.has_failed = False
        self.unwatch()
