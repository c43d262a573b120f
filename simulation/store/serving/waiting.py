"""The sessions of a server that wait: for an item, for an entry, for replicas."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from simulation.store.commands.data import DATA
from simulation.store.commands.lists import read_timeout
from simulation.store.commands.shape import Command
from simulation.store.commands.streams import read_wanted, resolve_ids
from simulation.store.serving import resp3
from simulation.store.serving.durability import DurableServer
from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import BLOCKED, Blocked, StoreRefusal, StoreReply, Words
from simulation.store.values.session import BlockedWait, ModelSession


class WaitingServer(DurableServer):
    """A server that runs commands on its databases, now or when a key changes."""

    @abstractmethod
    def end_turn(self, session: ModelSession | None) -> None:
        """Write down what has changed, and tell those who wait for it."""

    def run_data(self, number: int, words: Words) -> StoreReply | Blocked:
        """Run a command on a database; raises `StoreRefusal`."""
        return self.run_on(self.open_space(number), DATA[words[0].upper()], words)

    def run_on(self, space: Keyspace, command: Command, words: Words) -> StoreReply | Blocked:
        """Run a command on a database, and note what it has changed; raises `StoreRefusal`."""
        dirty = space.dirty
        try:
            return command.handler(space, words)
        finally:
            if space.dirty != dirty or space.expired:
                self.note_effects(space, words, dirty)

    @staticmethod
    def translate(words: Words, reply: Any) -> StoreReply:
        """Return an answer as RESP3 has it; that to EXEC is one of translated answers."""
        if words[0].upper() == b"EXEC":
            return reply  # type: ignore[no-any-return]
        return resp3.translate(words, reply)

    def block(self, session: ModelSession, name: bytes, words: Words) -> StoreReply | Blocked:
        """Let a session wait for the keys of its command."""
        space = self.open_space(session.database)
        command = DATA[name]
        found = () if command.keys is None else tuple(dict.fromkeys(command.keys(words)))
        if name == b"BLMOVE":
            found = found[:1]
        if name in (b"XREAD", b"XREADGROUP"):
            wait = read_wanted(words, 1 if name == b"XREAD" else 4).block or 0
        else:
            seconds = read_timeout(words[-1])
            wait = int(-(-seconds * 1000 // 1))
        until = self.now + wait if wait else None
        self.let_wait(session, BlockedWait(resolve_ids(space, words), found, until))
        for key in found:
            space.waiting.setdefault(key, {})[session] = None
        return BLOCKED

    def let_wait(self, session: ModelSession, waiting: BlockedWait) -> None:
        """Let a session send nothing until it has an answer."""
        session.blocked = waiting
        if waiting.until is not None:
            self.timed[session] = None

    def unblock(self, session: ModelSession) -> None:
        """Let a session wait for nothing any more, without an answer."""
        waiting, session.blocked = session.blocked, None
        if waiting is None:
            return
        self.timed.pop(session, None)
        space = self.open_space(session.database)
        for key in waiting.keys:
            sessions = space.waiting[key]
            sessions.pop(session, None)
            if not sessions:
                del space.waiting[key]

    def serve_waiting(self) -> None:
        """Run the commands of blocked sessions again whose keys have changed."""
        for space in [*self.spaces.values()]:
            while space.ready:
                keys = [*space.ready]
                space.ready.clear()
                for key in keys:
                    for session in [*space.waiting.get(key, ())]:
                        self._try_again(space, session)

    def _try_again(self, space: Keyspace, session: ModelSession) -> None:
        waiting = session.blocked
        if waiting is None:
            return
        name = waiting.words[0].upper()
        try:
            reply = self.run_on(space, DATA[name], waiting.words)
        except StoreRefusal as refusal:
            # Only a group can end under its readers; the others wait for a value of their type.
            reply = refusal.reply() if name == b"XREADGROUP" else BLOCKED
        if isinstance(reply, Blocked):
            return
        self.unblock(session)
        self._answer(session, waiting.words, reply)
        self.write_record(session)

    def _answer(self, session: ModelSession, words: Words, reply: StoreReply) -> None:
        session.take_answer(self.translate(words, reply) if session.resp == 3 else reply)

    def advance(self, now_ms: int) -> None:
        """Delete what has expired, and answer the sessions that have waited long enough."""
        if self.is_down:
            return
        self.begin_turn(now_ms)
        for space in self.spaces.values():
            space.now = now_ms
            space.expire_due()
            if space.expired:
                self.note_effects(space, (), space.dirty)
        for _, number in sorted(self._list_due(now_ms)):
            self._give_up(self.sessions[number])
        self.end_turn(None)

    def _list_due(self, now_ms: int) -> Iterator[tuple[int, int]]:
        """Yield the sessions that have waited long enough: until when, and their numbers."""
        for session in self.timed:
            until = session.blocked.until if session.blocked else None
            if until is not None and until <= now_ms:
                yield until, session.number

    def _give_up(self, session: ModelSession) -> None:
        waiting = session.blocked
        self.unblock(session)
        if waiting is not None:
            session.take_answer(None if waiting.words else self.count_replicas(waiting.offset))

    def find_next_due(self) -> int | None:
        """Return the next moment in ms at which `advance` has something to do, None for never."""
        moments = [
            one.blocked.until
            for one in self.timed
            if one.blocked is not None and one.blocked.until is not None
        ]
        firsts = (space.expires.find_first() for space in self.spaces.values())
        moments += [first[0] + 1 for first in firsts if first is not None]
        return min(moments, default=None)

    def acknowledge(self) -> None:
        """Answer the sessions whose writes enough replicas have by now."""
        for session in [*self.sessions.values()]:
            waiting = session.blocked
            if waiting is None or waiting.words:
                continue
            found = self.count_replicas(waiting.offset)
            if found >= waiting.replicas:
                self.unblock(session)
                session.take_answer(found)

    def unblock_all(self) -> None:
        """Answer all blocked sessions: the server has become a replica."""
        text = "force unblock from blocking operation, instance state changed (master -> replica?)"
        for session in [*self.sessions.values()]:
            if session.blocked is not None:
                self.unblock(session)
                session.take_answer(StoreRefusal(text, "UNBLOCKED").reply())
