"""What of a server outlives its process: the append-only file, copies of it, replicas."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Self

from simulation.store.commands.data import DATA
from simulation.store.scripts.engine import ScriptEngine
from simulation.store.values import snapshot
from simulation.store.values.journal import ChangeFile, ChangeRecord
from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import Down, StoreRefusal, StoreReply, Words
from simulation.store.values.session import ModelSession

REWRITTEN_AFTER: Final = 20_000
"""Records after which the file begins with a copy of the state, when twice the keys are fewer."""

MISCONF: Final = "Errors writing to the AOF file: No space left on device"


class DurableServer(ABC):
    """The state of a server, what of it is on the disk, and who follows it.

    With `always`, what a command has changed is on the disk when the next command begins: a crash
    before the answer to the last command may lose it, a crash after the answer may not.
    """

    def __init__(self, rng: random.Random, appendfsync: str, host: str, port: int) -> None:
        if appendfsync not in ("always", "everysec", "no"):
            raise ValueError(f"no policy of AOF: {appendfsync}")
        self.rng, self.host, self.port = rng, host, port
        self.spaces: dict[int, Keyspace] = {}
        self.sessions: dict[int, ModelSession] = {}
        self.stirred: dict[ModelSession, None] = {}
        """Sessions that have heard something since the network has looked."""
        self.timed: dict[ModelSession, None] = {}
        """Sessions that wait for so long at most."""
        self.scripts = ScriptEngine(self.call_from_script)
        self.journal = ChangeFile()
        self.settings = {
            b"appendonly": b"yes",
            b"appendfsync": appendfsync.encode(),
            b"appenddirname": b"appendonlydir",
            b"appendfilename": b"appendonly.aof",
            b"maxmemory": b"0",
            b"maxmemory-policy": b"noeviction",
            b"save": b"",
            b"databases": b"16",
            b"cluster-require-full-coverage": b"yes",
        }
        self.now = self.started_at = self._synced_at = 0
        self.connected = self.executed = 0
        self.runs = 1
        self.run_id, self.node_id = self._draw_id(), self._draw_id()
        self.master: DurableServer | None = None
        self.replicas: list[DurableServer] = []
        self.applied = 0
        """The place in the journal of the master that this replica has reached, and has said so."""
        self._effects: list[tuple[int, Words]] = []
        self._base = snapshot.take({}, 0)
        self.is_down = False
        self.tracks_changes = False
        """Whether sessions ask which keys change."""
        self.is_guarded = False
        """Whether a command of this turn may be refused because of the state of the server."""
        self.disk_failed = False
        """A write to the file has failed, and no later one has succeeded."""
        self._state = {"loading": False, "memory": False, "disk": False, "replicas": False}
        self._replicas_needed = 0

    def _draw_id(self) -> str:
        return f"{self.rng.getrandbits(160):040x}"

    # -- troubles that the simulator sets ---------------------------------------------------------

    @property
    def is_loading(self) -> bool:
        """Whether the server reads its file, and refuses most commands."""
        return self._state["loading"]

    @is_loading.setter
    def is_loading(self, value: bool) -> None:
        self._state["loading"] = value

    @property
    def is_out_of_memory(self) -> bool:
        """Whether more memory is used than `maxmemory`."""
        return self._state["memory"]

    @is_out_of_memory.setter
    def is_out_of_memory(self, value: bool) -> None:
        self._state["memory"] = value

    @property
    def is_disk_full(self) -> bool:
        """Whether nothing can be written. With `always` the next change ends the process."""
        return self._state["disk"]

    @is_disk_full.setter
    def is_disk_full(self, value: bool) -> None:
        self._state["disk"] = value

    @property
    def replicas_needed(self) -> int:
        """How many replicas must be there for a write (`min-replicas-to-write`)."""
        return self._replicas_needed

    @replicas_needed.setter
    def replicas_needed(self, value: int) -> None:
        self._replicas_needed = value
        self._state["replicas"] = value > 0

    def refuse_state(self, name: bytes, flags: str) -> StoreRefusal | None:
        """Return why a command is not taken in this state of the server."""
        is_write = "w" in flags
        if self.is_out_of_memory and "m" in flags:
            return StoreRefusal("command not allowed when used memory > 'maxmemory'.", "OOM")
        if self.disk_failed and self.master is None and (is_write or name == b"PING"):
            return StoreRefusal(MISCONF, "MISCONF")
        if is_write and self.master is None and len(self.replicas) < self.replicas_needed:
            return StoreRefusal("Not enough good replicas to write.", "NOREPLICAS")
        if is_write and self.master is not None:
            return StoreRefusal("You can't write against a read only replica.", "READONLY")
        if self.is_loading and "l" not in flags:
            return StoreRefusal("Valkey is loading the dataset in memory", "LOADING")
        return None

    # -- a turn -----------------------------------------------------------------------------------

    def open_space(self, number: int) -> Keyspace:
        """Return a database, at the time of the turn."""
        space = self.spaces.get(number)
        if space is None:
            space = self.spaces[number] = Keyspace(number, self.rng)
            self._prepare(space)
        space.now = self.now
        return space

    def _prepare(self, space: Keyspace) -> None:
        """Let a new database behave as this server does."""
        space.keeps_expired = self.master is not None
        space.changed = {} if self.tracks_changes else None

    def begin_turn(self, now_ms: int) -> None:
        """Note the time, and bring to the disk what the policy says."""
        self.now = now_ms
        self.is_guarded = self.master is not None or self.disk_failed or any(self._state.values())
        policy = self.settings[b"appendfsync"]
        if policy == b"always":
            self.journal.synced = self.journal.end
        elif policy == b"everysec" and abs(now_ms - self._synced_at) >= 1000:
            self._flush()
            self._synced_at = now_ms

    def _flush(self) -> None:
        if self.is_disk_full:
            self.journal.synced = self.journal.written
            return
        self.disk_failed = False
        self.journal.sync()

    def note_effects(self, space: Keyspace, words: Words, dirty: int) -> None:
        """Keep what a command has changed until the end of the turn."""
        self._effects += [(space.number, one) for one in space.take_effects(words, dirty)]

    def write_record(self, session: ModelSession | None) -> None:
        """Write what has changed to the file, as one record; raises `Down` on a full disk."""
        if not self._effects:
            return
        if self.is_disk_full and self.settings[b"appendfsync"] == b"always":
            # The server ends when it cannot keep what it would promise.
            self._effects = []
            self.crash(self.now)
            raise Down("the disk is full, and the server keeps each change before it answers")
        self.journal.add(ChangeRecord(self.now, tuple(self._effects)), not self.is_disk_full)
        self._effects = []
        if session is not None:
            session.offset = self.journal.end
        if self.is_disk_full:
            self.disk_failed = True
        elif len(self.journal.records) >= REWRITTEN_AFTER and not self.replicas:
            self._rewrite()

    def keep_as_base(self) -> None:
        """Let the file begin with the state of now, which came to be without commands."""
        self.journal.sync()
        self._base = snapshot.take(self.spaces, self.journal.end)
        self.journal.forget_before(self.journal.end)
        for replica in self.replicas:
            replica.applied = -1

    def _rewrite(self) -> None:
        """Let the file begin with a copy of the state, when that costs less than was written."""
        keys = sum(len(space.data) for space in self.spaces.values())
        if self.journal.unsynced <= 1 and len(self.journal.records) >= 2 * keys:
            self.journal.sync()
            self._base = snapshot.take(self.spaces, self.journal.end)
            self.journal.forget_before(self.journal.end)

    # -- a process that ends and begins -----------------------------------------------------------

    def stop(self) -> None:
        """End as after SIGTERM: everything is on the disk."""
        if not self.is_disk_full:
            self.journal.sync()
        self.crash(self.now)

    def crash(self, now_ms: int, lose: int = 0) -> None:
        """End as after `kill -9`: connections and memory are lost, and the last `lose` records.

        Only what is not on the disk can be lost (`journal.unsynced`); what a full disk has left in
        the process is lost in any case. A record that was written in part is lost as a whole: the
        server cuts it off when it starts.
        """
        self.now = now_ms
        self.journal.lose(max(lose, self.journal.end - self.journal.written))
        self._drop_connections()
        self.is_down = True
        self.spaces = {}

    def lose_machine(self, now_ms: int) -> None:
        """End as without power: all that is not on the disk is lost."""
        self.crash(now_ms, self.journal.unsynced)

    def _drop_connections(self) -> None:
        for session in [*self.sessions.values()]:
            self.close(session)

    def restart(self, now_ms: int) -> None:
        """Start again with what is in the file; scripts and connections are gone."""
        if not self.is_down:
            raise ValueError("the server runs")
        self.scripts.restart()
        self.is_down = self.disk_failed = False
        self.started_at = self._synced_at = now_ms
        self.runs += 1
        self.run_id = self._draw_id()
        self._load(self._base, self.journal.records)
        for replica in self.replicas:
            replica.applied = -1  # another run: replicas copy it as a whole
        self.now = now_ms
        self.journal.sync()

    def _load(self, base: snapshot.StateCopy, records: Sequence[ChangeRecord]) -> None:
        self.spaces = snapshot.fill(base, self.rng)
        for space in self.spaces.values():
            self._prepare(space)
        for record in records:
            self._apply(record)

    def _apply(self, record: ChangeRecord) -> None:
        """Make a change again that was written down."""
        before = self.now
        self.now = record.now
        for number, words in record.effects:
            space = self.open_space(number)
            # What had expired by then was deleted by the server that has run the command.
            hides, space.keeps_expired = space.keeps_expired, False
            DATA[words[0].upper()].handler(space, words)
            space.keeps_expired, space.effect, space.expired = hides, None, []
        self.now = before

    # -- copies, and falling back to one ----------------------------------------------------------

    def copy_state(self) -> snapshot.StateCopy:
        """Return a copy of all databases, as a backup of the files would have it."""
        return snapshot.take(self.spaces, self.journal.end)

    def fall_back(self, copy: snapshot.StateCopy, now_ms: int) -> None:
        """Start with a copy from earlier in place of the file: later changes are lost."""
        if not self.is_down:
            raise ValueError("the server runs")
        self.journal = ChangeFile(self.journal.end + 1)
        self._base = copy
        self.restart(now_ms)

    # -- replicas ---------------------------------------------------------------------------------

    def fork_replica(self, **settings: Any) -> Self:
        """Return a new server that has all that this one has, and follows it."""
        policy = self.settings[b"appendfsync"].decode()
        replica = type(self)(self.rng, **{"appendfsync": policy, **settings})
        replica.follow(self)
        return replica

    def follow(self, master: DurableServer) -> None:
        """Become a replica: what is here is replaced by what the master has."""
        if self.master is not None and self in self.master.replicas:
            self.master.replicas.remove(self)
        self.master = master
        master.replicas.append(self)
        self._copy_master(master)

    def _copy_master(self, master: DurableServer) -> None:
        self.unblock_all()
        for space in self.spaces.values():
            for key in space.data:
                space.touch(key)  # sessions that watch a key learn of it
        copy = snapshot.take(master.spaces, master.journal.end)
        self._base = copy
        self.journal = ChangeFile(copy.place)
        self.applied = copy.place
        self._load(copy, ())

    @property
    def lag(self) -> int:
        """How many records of its master a replica does not have."""
        return 0 if self.master is None else self.master.journal.end - self.applied

    def replicate(self, count: int | None = None) -> int:
        """Take the next records of the master, all by default; return how many were taken.

        A replica whose master has fallen back, or has rewritten its file, gets a whole copy.
        """
        master = self.master
        if master is None or master.is_down or self.is_down:
            return 0
        if not master.journal.begin <= self.applied <= master.journal.end:
            self._copy_master(master)
            master.acknowledge()
            return 1
        records = master.journal.list_after(self.applied)[:count]
        for record in records:
            self._apply(record)
            self.journal.add(record)
        self.applied += len(records)
        self.journal.sync()
        self.serve_waiting()
        master.acknowledge()
        return len(records)

    def promote(self) -> None:
        """Become a master with what was replicated; the others may `follow` it."""
        if self.master is None:
            raise ValueError("the server is a master")
        if self in self.master.replicas:
            self.master.replicas.remove(self)
        self.master = None
        for space in self.spaces.values():
            space.keeps_expired = False

    def count_replicas(self, place: int) -> int:
        """Return how many replicas have said that they have all records up to a place."""
        return sum(not one.is_down and one.applied >= place for one in self.replicas)

    def describe_replication(self) -> dict[str, object]:
        """Return the lines of INFO replication."""
        lines: dict[str, object] = {
            "role": "slave" if self.master else "master",
            "connected_slaves": len(self.replicas),
            "master_repl_offset": self.journal.end,
        }
        if self.master is not None:
            lines["master_host"], lines["master_port"] = self.master.host, self.master.port
            lines["master_link_status"] = "down" if self.master.is_down else "up"
            lines["slave_repl_offset"] = self.applied
        return lines

    # -- what a whole server has ------------------------------------------------------------------

    @abstractmethod
    def call_from_script(self, words: Words) -> StoreReply:
        """Return the answer to a command of the script that runs."""

    @abstractmethod
    def close(self, session: ModelSession) -> None:
        """End a connection."""

    @abstractmethod
    def acknowledge(self) -> None:
        """Answer the sessions whose writes enough replicas have by now."""

    @abstractmethod
    def unblock_all(self) -> None:
        """Answer all blocked sessions with a refusal."""

    @abstractmethod
    def serve_waiting(self) -> None:
        """Answer the blocked sessions whose keys have changed."""
