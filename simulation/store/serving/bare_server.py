"""A server without the commands about itself: sessions, scripts, refusals, the end of a turn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from simulation.store.commands.shape import Command, refuse_arity
from simulation.store.serving.own_command import OwnCommand
from simulation.store.serving.waiting import WaitingServer
from simulation.store.values.replies import (
    BLOCKED,
    QUEUED,
    Blocked,
    Down,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
)
from simulation.store.values.session import ModelSession, Tracking

_IN_TRANSACTION: Final = frozenset(
    (b"EXEC", b"DISCARD", b"MULTI", b"WATCH", b"QUIT", b"RESET", b"SUBSCRIBE", b"SSUBSCRIBE")
)
"""What a transaction does not queue; a session that speaks RESP3 queues the last two."""

INVALIDATIONS: Final = b"__redis__:invalidate"


class SlotKeeper(Protocol):
    """A cluster, as a node of it asks."""

    def check_slots(self, node: Any, session: ModelSession, commands: Sequence[Words]) -> None:
        """Raise `StoreRefusal` where another node is to be asked, or no node can be."""
        ...

    def find_common_slot(self, keys: Sequence[bytes]) -> int | None:
        """Return the slot of keys that have passed `check_slots`."""
        ...

    def check_script(self, node: Any, slot: int | None, keys: Sequence[bytes]) -> int | None:
        """Return the slot of a script after keys that it was not given; raises `StoreRefusal`."""
        ...


Listeners: TypeAlias = dict[bytes, dict[ModelSession, None]]
"""The sessions that hear a channel."""


def drop_listener(channels: Listeners, channel: bytes, session: ModelSession) -> None:
    """Let a session hear nothing more of a channel."""
    listeners = channels.get(channel)
    if listeners is not None:
        listeners.pop(session, None)
        if not listeners:
            del channels[channel]


class BareServer(WaitingServer):
    """What `simulation.store.server.ModelServer` is but for its commands."""

    commands: ClassVar[dict[bytes, Command | OwnCommand]] = {}

    def __init__(
        self,
        rng: random.Random,
        *,
        appendfsync: str = "always",
        host: str = "127.0.0.1",
        port: int = 6379,
    ) -> None:
        super().__init__(rng, appendfsync, host, port)
        self.cluster: SlotKeeper | None = None
        self.channels: Listeners = {}
        self.shards: Listeners = {}
        self.trackers: dict[ModelSession, None] = {}
        self.was_emptied = False
        self.is_in_transaction = False
        self._script: tuple[ModelSession, int | None] | None = None
        """The session whose script runs, and the slot of its keys in a cluster."""

    # -- sessions ---------------------------------------------------------------------------------

    def connect(self) -> ModelSession:
        """Return a new connection; raises `Down`."""
        if self.is_down:
            raise Down("the server does not run")
        self.connected += 1
        session = self.sessions[self.connected] = ModelSession(self.connected, self.stirred)
        return session

    def close(self, session: ModelSession) -> None:
        """End a connection."""
        self.unblock(session)
        self.unsubscribe_all(session)
        session.end_transaction()
        self.stop_tracking(session)
        session.is_closed = True
        self.sessions.pop(session.number, None)

    def unsubscribe_all(self, session: ModelSession) -> None:
        """Let a session hear no channel any more."""
        for mine, channels in ((session.channels, self.channels), (session.shards, self.shards)):
            for channel in mine:
                drop_listener(channels, channel, session)
            mine.clear()

    # -- commands ---------------------------------------------------------------------------------

    def execute(self, session: ModelSession, words: Words, now_ms: int) -> StoreReply | Blocked:
        """Return the answer to a command, or `BLOCKED` where it comes later.

        Raises `Down` where the process has ended, maybe by this command, and `Unmodelled`.
        """
        if self.is_down or session.is_closed:
            raise Down("the server does not run, or the connection has ended")
        if session.blocked is not None:
            raise ValueError("a blocked session sends nothing")
        self.begin_turn(now_ms)
        self.executed += 1
        try:
            reply = self._dispatch(session, words)
        except StoreRefusal as refusal:
            reply = refusal.reply()
        self.end_turn(session)
        if session.resp == 3 and reply is not BLOCKED:
            return self.translate(words, reply)
        return reply

    def _dispatch(self, session: ModelSession, words: Words) -> StoreReply | Blocked:
        name = words[0].upper()
        command = self.commands.get(name)
        if command is None:
            raise Unmodelled(f"the command {name.decode(errors='replace')}")
        arity = command.arity
        if len(words) != arity if arity > 0 else len(words) < -arity:
            session.has_failed = session.queue is not None
            raise refuse_arity(words[0])
        if self.is_guarded or self.cluster is not None or session.is_subscriber:
            try:
                self._check(session, name, command, words)
            except StoreRefusal:
                if name == b"EXEC":  # its slot is on another node
                    session.end_transaction()
                session.has_failed = session.queue is not None
                raise
        if session.queue is not None and name not in _IN_TRANSACTION:
            session.queue.append(words)
            return QUEUED
        if isinstance(command, OwnCommand):
            return command.handler(self, session, words)
        reply = self.run_on(self.open_space(session.database), command, words)
        if reply is BLOCKED:
            return self.block(session, name, words)
        return reply

    def run_one(self, session: ModelSession, words: Words) -> StoreReply | Blocked:
        """Return the answer to a command of a transaction."""
        command = self.commands[words[0].upper()]
        try:
            if isinstance(command, OwnCommand):
                return command.handler(self, session, words)
            return self.run_on(self.open_space(session.database), command, words)
        except StoreRefusal as refusal:
            return refusal.reply()

    # -- refusals ---------------------------------------------------------------------------------

    def _check(
        self, session: ModelSession, name: bytes, command: Command | OwnCommand, words: Words
    ) -> None:
        """Raise `StoreRefusal` for what this server, or this session, does not take now."""
        if self.cluster is not None:
            queued = session.queue if name == b"EXEC" else None
            self.cluster.check_slots(self, session, [words] if queued is None else queued)
            session.is_asking = name == b"ASKING"
        if self.is_guarded and (refusal := self.refuse_state(name, command.flags)) is not None:
            raise refusal
        if session.is_subscriber and "p" not in command.flags:
            shown = name.decode().lower()
            raise StoreRefusal(
                f"Can't execute '{shown}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
                "RESET are allowed in this context"
            )

    def find_trouble(self, session: ModelSession, queue: Sequence[Words]) -> StoreRefusal | None:
        """Return why the commands of a transaction are not run now."""
        if not self.is_guarded:
            return None
        of_all = [self.commands[one[0].upper()].flags for one in queue]
        flags = "".join(of_all)
        if not all("l" in one for one in of_all):
            flags = flags.replace("l", "")
        return self.refuse_state(b"EXEC", flags or "l")

    # -- scripts ----------------------------------------------------------------------------------

    @contextmanager
    def hold_for_script(self, session: ModelSession, keys: Sequence[bytes]) -> Iterator[None]:
        """Let the commands of a script be those of a session."""
        slot = None if self.cluster is None else self.cluster.find_common_slot(keys)
        self._script = (session, slot)
        try:
            yield
        finally:
            self._script = None

    def call_from_script(self, words: Words) -> StoreReply:
        """Return the answer to a command of the script that runs; raises `StoreRefusal`."""
        if self._script is None:
            raise RuntimeError("no script runs")
        session, slot = self._script
        name = words[0].upper()
        command = self.commands.get(name)
        if command is None:
            raise Unmodelled(f"the command {name.decode(errors='replace')}")
        arity = command.arity
        if len(words) != arity if arity > 0 else len(words) < -arity:
            raise StoreRefusal("Wrong number of args calling command from script")
        if "s" in command.flags:
            raise StoreRefusal("This Valkey command is not allowed from script")
        if self.cluster is not None and command.keys is not None:
            self._script = session, self.cluster.check_script(self, slot, command.keys(words))
        if self.is_guarded and (refusal := self.refuse_state(name, command.flags)) is not None:
            raise refusal
        if isinstance(command, OwnCommand):
            reply = command.handler(self, session, words)
        else:
            reply = self.run_on(self.open_space(session.database), command, words)
        return None if isinstance(reply, Blocked) else reply

    # -- the end of a turn ------------------------------------------------------------------------

    def end_turn(self, session: ModelSession | None) -> None:
        """Write down what has changed, wake who waits for it, tell who tracks it."""
        self.write_record(session)
        self.serve_waiting()
        if self.trackers:
            self._tell_changes()

    def start_tracking(self, session: ModelSession, tracking: Tracking) -> None:
        """Let another session hear which keys change."""
        session.tracking = tracking
        self.trackers[session] = None
        self.tracks_changes = True
        for space in self.spaces.values():
            if space.changed is None:
                space.changed = {}

    def stop_tracking(self, session: ModelSession) -> None:
        """End what `start_tracking` has begun."""
        session.tracking = None
        self.trackers.pop(session, None)
        if not self.trackers:
            self.tracks_changes = False
            for space in self.spaces.values():
                space.changed = None

    def _tell_changes(self) -> None:
        names: dict[bytes, None] = {}
        for space in self.spaces.values():
            names.update(space.changed or {})
            space.changed = {}
        was_emptied, self.was_emptied = self.was_emptied, False
        if not names and not was_emptied:
            return
        told: StoreReply = None if was_emptied else [*names]
        for session in self.trackers:
            redirect = session.tracking.redirect if session.tracking else 0
            listener = self.sessions.get(redirect)
            if listener is not None and (listener.resp == 3 or INVALIDATIONS in listener.channels):
                listener.hear([b"message", INVALIDATIONS, told])
