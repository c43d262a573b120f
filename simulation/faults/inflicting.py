"""How faults happen: to a process, to its requests, to the store, to the way to people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from bench.faults.journal import Journal
from cartulary.events.server import keys
from simulation.faults.schedule import PlannedFault
from simulation.store.server import ModelServer
from simulation.world.network import USUAL, Fate, Network, Words
from simulation.world.processes import Process
from simulation.world.world import SECOND, SimulatedWorld

NOT_DONE: Final = {
    "crash_before": Fate(crash_before=True),
    "crash_after": Fate(crash_after=True),
    "cut_before": Fate(cut_before=True),
    "cut_after": Fate(cut_after=True),
}
"""What happens to the request that is hit."""


class Inflictor:
    """Inflicts the faults of a schedule on a world; `inflicted` counts them by kind."""

    def __init__(self, world: SimulatedWorld, network: Network, journal: Journal) -> None:
        self.world, self.network, self.journal = world, network, journal
        self.inflicted: Counter[str] = Counter()
        self.after_fall_back: list[Callable[[], None]] = []
        self.on_load: list[Callable[[], None]] = []
        """What is called when the store begins to load its file."""
        self._loads_for = 0
        """How long the store loads its file when it starts the next time."""
        self._armed: dict[str, list[list[Any]]] = {}
        """Faults that hit a coming request of a process: how many pass before, and the fate."""
        self._appends_to_lose: dict[str, PlannedFault] = {}
        """Faults that wait for an append of a process, which a replica is to lack."""
        self._about_to_fall: dict[str, list[Any]] = {}
        """By process: how many of its requests pass, and then what ends the store."""
        self._sleep_to_come: PlannedFault | None = None
        """A fault that waits for any append, which a replica is to lack."""
        self._unlisted: tuple[bytes, Callable[[], None], PlannedFault] | None = None
        """The summary that follows from that append, and what lets the replica take over."""
        self._answers_to_lose = 0
        self._away_for = SECOND
        """How long the store stays away when it ends."""
        network.meddle = self._choose_fate
        network.after_end.append(self._start_later)
        self._kinds: dict[str, Callable[[PlannedFault], None]] = {
            **dict.fromkeys(NOT_DONE, self._arm),
            "late": self._arm_late,
            "lost_answer": self._lose_answer,
            "pause": self._pause,
            "partition": self._partition,
            "clock_jump": self._jump,
            "drift": self._drift,
            "restart": self._restart,
            "load": self._load,
            "scripts_lost": self._lose_scripts,
            "full": self._fill,
            "slow": self._slow_down,
            "fall_back": self._fall_back,
            "fall_back_between": self._arm_fall_back,
            "fall_back_asleep": self._arm_sleep,
        }

    def learn(self, kinds: Mapping[str, Callable[[PlannedFault], None]]) -> None:
        """Take more kinds of faults, each with what inflicts it."""
        self._kinds |= kinds

    def plan(self, schedule: Sequence[PlannedFault]) -> None:
        """Let the faults of a schedule happen when they are due."""
        for fault in schedule:
            self.world.at(fault.at - self.world.now, self._make(fault))

    def _make(self, fault: PlannedFault) -> Callable[[], None]:
        def happen() -> None:
            self.inflicted[fault.kind] += 1
            self.tell(fault.describe())
            self._kinds[fault.kind](fault)

        return happen

    def tell(self, line: str) -> None:
        """Note a line for the story."""
        self.world.trace.note(self.world.now, "world", line)

    # -- requests ---------------------------------------------------------------------------------

    def _choose_fate(self, process: Process, words: Words) -> Fate:
        self._fall_between(process.name, words)
        self._fall_asleep(process, words)
        armed = self._armed.get(process.name)
        if not armed:
            return USUAL
        first = armed[0]
        if first[0] > 0:
            first[0] -= 1
            return USUAL
        armed.pop(0)
        fate: Fate = first[1]
        self.tell(f"it hits {words[0].decode()} of {process.name}")
        return fate

    def _arm(self, fault: PlannedFault) -> None:
        self._armed.setdefault(fault.target, []).append([fault.skips, NOT_DONE[fault.kind]])

    def _arm_late(self, fault: PlannedFault) -> None:
        delay = int(fault.size**2 * 15 * SECOND)
        fate = Fate(delay=delay) if fault.skips % 2 else Fate(answer_delay=delay)
        self._armed.setdefault(fault.target, []).append([fault.skips, fate])

    def loses_answer(self) -> bool:
        """Return whether the next answer to a person is lost."""
        if not self._answers_to_lose:
            return False
        self._answers_to_lose -= 1
        return True

    def _lose_answer(self, _fault: PlannedFault) -> None:
        self._answers_to_lose += 1

    # -- processes --------------------------------------------------------------------------------

    def _pause(self, fault: PlannedFault) -> None:
        process = self.world.processes.get(fault.target)
        if process is not None:
            process.paused_until = self.world.now + int((1 + 59 * fault.size**2) * SECOND)

    def _partition(self, fault: PlannedFault) -> None:
        until = self.world.now + int((1 + 29 * fault.size) * SECOND)
        self.network.cut_off[fault.target] = until

    def _jump(self, fault: PlannedFault) -> None:
        process = self.world.processes.get(fault.target)
        if process is not None:
            process.ahead += int((fault.size - 0.5) ** 3 * 8 * 120 * SECOND)

    def _drift(self, fault: PlannedFault) -> None:
        process = self.world.processes.get(fault.target)
        if process is not None:
            process.drift = int((fault.size - 0.5) * 400)

    # -- the store --------------------------------------------------------------------------------

    @property
    def _store(self) -> ModelServer:
        found: Any = self.network.store
        return found  # type: ignore[no-any-return]

    def _stop_store(self, fault: PlannedFault) -> bool:
        """End the store as by a kill; returns False when it is down already."""
        if not self.network.is_up:
            return False
        self._away_for = int((0.2 + 4 * fault.size) * SECOND)
        self.network.go_down()
        self._store.crash(self.network.now_ms())
        return True

    def _start_later(self) -> None:
        self.world.at(self._away_for, self._start_store)

    def _start_store(self) -> None:
        if self._store.is_disk_full:  # it would end again
            self.world.at(SECOND, self._start_store)
            return
        if self._store.is_down:
            self._store.restart(self.network.now_ms())
        self.network.is_up = True
        self.tell("the store is back")
        if self._loads_for:
            self._begin_to_load(self._loads_for)

    def _restart(self, fault: PlannedFault) -> None:
        self._stop_store(fault)

    def _load(self, fault: PlannedFault) -> None:
        """Let the store start again, with much to load."""
        if self._stop_store(fault):
            self._loads_for = int((1 + 89 * fault.size) * SECOND)

    def _begin_to_load(self, takes: int) -> None:
        store, self._loads_for = self._store, 0
        store.is_loading = True
        self.tell(f"the store loads its file for {takes / SECOND:.0f} s")

        def end() -> None:
            store.is_loading = False
            self.tell("the store has loaded its file")

        self.world.at(takes, end)
        for call in self.on_load:
            call()

    def _lose_scripts(self, _fault: PlannedFault) -> None:
        if self.network.is_up:
            self._store.scripts.forget()

    def _fill(self, fault: PlannedFault) -> None:
        store = self._store
        name = "is_disk_full" if fault.skips % 2 else "is_out_of_memory"
        setattr(store, name, True)
        self.world.at(int((1 + 19 * fault.size) * SECOND), lambda: setattr(store, name, False))

    def _slow_down(self, fault: PlannedFault) -> None:
        self.network.slow_until = self.world.now + int((1 + 29 * fault.size) * SECOND)
        self.network.slowness = int(fault.size**3 * SECOND)

    def _fall_back(self, fault: PlannedFault) -> None:
        """Let a replica stop following, and take over some time later."""
        if not self.network.is_up or self._store.is_loading:
            return
        replica = self._store.fork_replica()
        copied = self.world.now
        self.world.at(
            int(fault.size**2 * 10 * SECOND), lambda: self._take_over(replica, copied, fault)
        )

    def _arm_fall_back(self, fault: PlannedFault) -> None:
        """Let a replica that lacks the next append of a process take over while it goes on."""
        self._appends_to_lose[fault.target] = fault

    def _fall_between(self, name: str, words: Words) -> None:
        """Take note of a request: of an append that is to be lost, and of what comes after it."""
        fault = self._appends_to_lose.get(name)
        if fault is not None and _runs_on(words, b"}:events"):
            del self._appends_to_lose[name]
            if self.network.is_up and not self._store.is_loading:
                lost = partial(self._take_over, self._store.fork_replica(), self.world.now, fault)
                self._about_to_fall[name] = [fault.skips % 3, lost]
        elif name in self._about_to_fall:
            waiting = self._about_to_fall[name]
            if waiting[0] > 0:
                waiting[0] -= 1
                return
            del self._about_to_fall[name]
            self.tell(f"it hits {words[0].decode()} of {name}")
            self.world.at(0, waiting[1])

    def _arm_sleep(self, fault: PlannedFault) -> None:
        """Let a dispatcher stand still that has read an append, while the store loses it."""
        self._sleep_to_come, self._unlisted = fault, None

    def _fall_asleep(self, process: Process, words: Words) -> None:
        """Take note of a request: of an append that is to be lost, and of what lists it."""
        if self._sleep_to_come is not None and _runs_on(words, b"}:events"):
            fault, self._sleep_to_come = self._sleep_to_come, None
            if self.network.is_up and not self._store.is_loading:
                game = words[3].removesuffix(b"}:events").removeprefix(b"{").decode()
                replica, now = self._store.fork_replica(), self.world.now
                lost = partial(self._take_over, replica, now, fault)
                self._unlisted = keys.summary(game).encode(), lost, fault
        elif self._unlisted is not None and process.name.startswith("dispatcher"):
            summary, let_fall, fault = self._unlisted
            if _runs_on(words, summary):
                self._unlisted = None
                process.paused_until = self.world.now + int((1 + 11 * fault.size) * SECOND)
                self.tell(f"{process.name} stands still before it lists what the store is to lose")
                self.world.at(0, let_fall)

    def _take_over(self, replica: ModelServer, copied: int, fault: PlannedFault) -> None:
        if not self._stop_store(fault):
            return
        # A replica that is there takes over soon, however far it is behind.
        self._away_for = int((0.2 + 0.35 * fault.skips) * SECOND)
        replica.promote()
        self.network.store = replica
        self.journal.note_fallback(copied / SECOND, self.world.now / SECOND)
        self.tell(f"a replica takes over, with what was stored until {copied / SECOND:.3f}")
        for call in self.after_fall_back:
            call()


def _runs_on(words: Words, end: bytes) -> bool:
    """Return whether a request runs a script whose first key has this end."""
    return words[0] == b"EVALSHA" and b"".join(words[3:4]).endswith(end)
