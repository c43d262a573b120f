"""The network between logical processes and stores: each request arrives later, and each answer.

Requests of one connection arrive in their order; the seed chooses how long each takes, so the order
between connections is the seed's. `Network.meddle` decides what goes wrong with a request.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from simulation.store.replies import Down, ErrorReply, Unmodelled
from simulation.world.processes import Process, Strand
from simulation.world.world import TOO_LATE, SimulatedWorld

LEAST_DELAY, MORE_DELAY = 30_000, 200_000
"""Nanoseconds that a message takes, and by how many more it may vary."""

Words = list[bytes]


class ServedStore(Protocol):
    """A store, as the network sees it (`simulation.store`)."""

    stirred: dict[Any, None]
    """Sessions that have heard something since the network has looked."""

    def connect(self) -> Any:
        """Return a session."""

    def execute(self, session: Any, words: Sequence[bytes], now_ms: int) -> Any:
        """Return the reply, or what says that the session is blocked."""

    def advance(self, now_ms: int) -> None:
        """Let time pass."""

    def close(self, session: Any) -> None:
        """End a session."""


class Fate(NamedTuple):
    """What happens to a request: delays in ns, and what is lost."""

    delay: int = 0
    """More than usual, before it arrives."""
    answer_delay: int = 0
    crash_before: bool = False
    """The process dies; the request never arrives."""
    crash_after: bool = False
    """The process dies after the store has done it."""
    cut_before: bool = False
    """The connection is cut; the request never arrives."""
    cut_after: bool = False
    """The connection is cut; the store has done it."""


USUAL: Final = Fate()


class Network:
    """The connections to one store, which is served at `host`.

    `is_blocked` says of a reply that it comes later; `store` is None while the store is down.
    """

    def __init__(
        self, world: SimulatedWorld, store: ServedStore, is_blocked: Callable[[Any], bool]
    ) -> None:
        self.world, self.store, self.is_blocked = world, store, is_blocked
        self.is_up = True
        self.cut_off: dict[str, int] = {}
        """Processes that do not reach the store, by their names: until when, in virtual ns."""
        self.slow_until, self.slowness = 0, 0
        self.meddle: Callable[[Process, Words], Fate] = lambda _process, _words: USUAL
        self.heard: list[Callable[[Process, Words, Any], None]] = []
        """Called with each request that the store has done and its reply."""
        self.sent: list[Callable[[Strand, Words], None]] = []
        """Called with each request that is sent, and the strand that sends it."""
        self.after_end: list[Callable[[], None]] = []
        """Called when the store has ended."""
        self.requests = 0
        self.unmodelled: Counter[str] = Counter()
        """What was asked for and the model of the store lacks."""
        self._open: dict[Link, None] = {}
        self._delays = random.Random(f"{world.seed}/network")

    def now_ms(self) -> int:
        """Return the time of the store's own clock, in ms since the epoch."""
        return (self.world.epoch + self.world.now) // 1_000_000

    def draw_delay(self) -> int:
        """Return the ns that a message takes."""
        slow = self.slowness if self.slow_until > self.world.now else 0
        return LEAST_DELAY + slow + self._delays.randrange(MORE_DELAY)

    def is_cut(self, process: Process) -> bool:
        """Return whether a process does not reach the store."""
        return self.cut_off.get(process.name, 0) > self.world.now

    def open(self, within: float) -> Link:
        """Connect the process that runs. Raises `OSError`."""
        strand = self.world.must_run()
        if self.is_cut(strand.process):
            self.world.sleep(within)
            raise TimeoutError("timed out")
        self.world.sleep(self.draw_delay() / 1e9)
        if not self.is_up:
            raise ConnectionRefusedError(111, "Connection refused")
        link = Link(self, strand.process)
        self._open[link] = None
        return link

    def ask_store(self, session: Any, words: Words) -> Any:
        """Let the store do a command; what the model lacks is refused, and named in the report."""
        try:
            return self.store.execute(session, words, self.now_ms())
        except Unmodelled as error:
            self.unmodelled[str(error)] += 1
            return ErrorReply("ERR", f"unknown command: {error}")

    def go_down(self) -> None:
        """Note that the store has ended: no process reaches it until it is started again."""
        self.is_up = False
        self.cut_all()
        for call in self.after_end:
            call()

    def cut_all(self) -> None:
        """End all connections, as a store does that dies."""
        for link in list(self._open):
            link.cut()

    def cut_listeners(self, process: str) -> None:
        """End the connections of a process, by its name, on which publications come."""
        for link in list(self._open):
            if link.process.name == process and (link.session.shards or link.session.channels):
                link.cut()

    def forget(self, link: Link) -> None:
        """Note that a connection has ended."""
        self._open.pop(link, None)

    def look_for_pushed(self) -> None:
        """Send what the store has for its sessions besides the answers to their requests."""
        if not self.store.stirred:  # as after most requests
            return
        self.store.stirred.clear()
        for link in [one for one in self._open if one.has_something()]:
            link.collect()

    def tick(self) -> None:
        """Let the store notice the time: what expires, and who has waited for too long."""
        if not self.is_up:
            return
        try:
            self.store.advance(self.now_ms())
        except Down:  # its disk is full, and something has expired
            self.go_down()
        else:
            self.look_for_pushed()


class Link:
    """A connection: what is on its way in both directions, in order."""

    def __init__(self, network: Network, process: Process) -> None:
        self.network, self.process = network, process
        self.session: Any = network.store.connect()
        self.arrived: deque[Any] = deque()
        """Answers that have arrived and were not read."""
        self.is_cut = self.is_down = False
        """Whether this side has ended it, and whether the other has."""
        self._reader: tuple[Any, int] | None = None
        self._sent_until = self._answered_until = 0
        self._is_waiting = False
        self._later: deque[tuple[Words, Fate]] = deque()
        """Requests behind one that blocks."""
        process.at_end[self.close] = None

    # -- the side of the client -----------------------------------------------------------------

    def send(self, words: Words) -> None:
        """Send a request. Raises `OSError` when it is known that the connection has ended."""
        if self.is_cut:
            raise ConnectionResetError(104, "Connection reset by peer")
        network, world = self.network, self.network.world
        fate = network.meddle(self.process, words)
        if fate.crash_before:
            world.halt(self.process)
            world.give_way()
        for note in network.sent:
            note(world.must_run(), words)
        due = max(self._sent_until, world.now + network.draw_delay() + fate.delay)
        self._sent_until = due
        world.at(due - world.now, lambda: self._arrive(words, fate))

    def receive(self, within: float | None) -> Any:
        """Wait for the next answer. Raises `TimeoutError`, `OSError`."""
        world = self.network.world
        limit = None if within is None else world.now + int(within * 1e9)
        while not self.arrived:
            if self.is_cut:
                raise ConnectionResetError(104, "Connection closed by server.")
            rest = None if limit is None else (limit - world.now) / 1e9
            if rest is not None and rest <= 0:
                raise TimeoutError("timed out")
            strand = world.must_run()
            self._reader = strand, strand.token
            if world.wait("an answer of the store", rest) is TOO_LATE and not self.arrived:
                raise TimeoutError("timed out")
        return self.arrived.popleft()

    def close(self) -> None:
        """End the connection; what is on its way still arrives, and its answer is lost."""
        if not self.is_cut:
            self.is_cut = True
            self.process.at_end.pop(self.close, None)
            world = self.network.world
            rest = max(0, self._sent_until - world.now)
            world.at(rest + 1, self._end_session)

    # -- the side of the store ------------------------------------------------------------------

    def _end_session(self) -> None:
        network = self.network
        if not self.is_down and network.is_cut(self.process):
            # What was sent before arrives when the partition is over, and the end after it.
            rest = network.cut_off[self.process.name] - network.world.now
            network.world.at(rest + 2 * (LEAST_DELAY + MORE_DELAY), self._end_session)
            return
        self.network.forget(self)
        self.network.store.close(self.session)

    def cut(self) -> None:
        """End the connection from outside: the client learns of it when it reads or sends."""
        self.is_cut = self.is_down = True
        self.process.at_end.pop(self.close, None)
        self._end_session()
        self._wake()

    def _arrive(self, words: Words, fate: Fate) -> None:
        network = self.network
        if self not in network._open or not network.is_up:  # noqa: SLF001
            return
        if network.is_cut(self.process):
            # Sent again by the system until the partition is over, or given up by the client.
            rest = network.cut_off[self.process.name] - network.world.now
            network.world.at(rest, lambda: self._arrive(words, fate))  # in their order
            return
        if self._is_waiting:
            self._later.append((words, fate))
            return
        if fate.cut_before:
            self.cut()
            return
        self._execute(words, fate)

    def _execute(self, words: Words, fate: Fate) -> None:
        network, world = self.network, self.network.world
        network.requests += 1
        try:
            network.store.advance(network.now_ms())
            reply = network.ask_store(self.session, words)
        except Down:  # by this command: its disk is full
            network.go_down()
            return
        blocked = network.is_blocked(reply)
        world.trace.note_words(world.now, self.process.name, words, None if blocked else reply)
        for hear in network.heard:
            hear(self.process, words, reply)
        if fate.crash_after:
            world.halt(self.process)
        elif fate.cut_after:
            self.cut()
        elif blocked:
            self._is_waiting = True
        else:
            self._answer(reply, fate.answer_delay)
        network.look_for_pushed()

    def has_something(self) -> bool:
        """Return whether the store has something for this session."""
        return bool(self.session.answers or self.session.pushed)

    def collect(self) -> None:
        """Send what the store has for this session besides the answers to its requests."""
        session = self.session
        while session.pushed:
            self._answer(session.pushed.popleft())
        while session.answers:  # the one that it waits for, and with RESP2 what is published
            self._is_waiting = False
            self._answer(session.answers.popleft())
        if not self._is_waiting:
            while self._later and not self._is_waiting:
                self._execute(*self._later.popleft())

    def _answer(self, reply: Any, delay: int = 0) -> None:
        world = self.network.world
        due = max(self._answered_until, world.now + self.network.draw_delay() + delay)
        self._answered_until = due
        world.at(due - world.now, lambda: self._deliver(reply))

    def _deliver(self, reply: Any) -> None:
        network = self.network
        if self.is_cut:
            return
        if network.is_cut(self.process):
            rest = network.cut_off[self.process.name] - network.world.now
            network.world.at(rest, lambda: self._deliver(reply))
            return
        self.arrived.append(reply)
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None:
            strand, token = self._reader
            self._reader = None
            self.network.world.wake(strand, token, delay=0)
