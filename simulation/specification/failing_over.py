"""A master that fails over: what was acknowledged is on the replica that takes over.

A process sends its append, then the same append once more with `WAIT`. The script finds the append
and writes a word of it again: `WAIT` knows only what its own connection has written, so without
that word it would confirm nothing. The replica gets what the master has written in order, and
later. One machine dies at a time: a master dies only while its replica works.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

IDLE, ASKED, SENT, WAITING, CONFIRMED, UNKNOWN = (
    *("idle", "asked", "sent", "waiting", "confirmed", "unknown"),
)
UNDER_WAY = (ASKED, SENT, WAITING, CONFIRMED)
APPENDED, CONFLICT = "appended", "conflict"


class Write(NamedTuple):
    """A word in the log of a server: an event, or something of it `again`."""

    actor: str
    number: int
    again: bool = False

    def __repr__(self) -> str:
        return f"{self.actor}{self.number}{'+' * self.again}"


Log = tuple[Write, ...]


class Writer(NamedTuple):
    """A process that appends its event `number`; `base` is the number of events that it knows."""

    does: str = IDLE
    number: int = 0
    base: int = 0
    awaited: int = 0
    """How long the log of the master was after the last write of the connection that waits."""


class FailingOver(NamedTuple):
    """The logs of master and replica (None: it is away), the writers, what was acknowledged."""

    master: Log
    replica: Log | None
    writers: tuple[Writer, ...]
    acknowledged: frozenset[Write]
    deaths: int
    early: int
    """How many waits may still end before the replica has confirmed."""


class Replication:
    """The actions. `without` leaves defences out."""

    def __init__(self, names: list[str], events: int, without: Collection[str] = ()) -> None:
        self._names, self._events, self._without = names, events, frozenset(without)

    def ask(self, now: FailingOver) -> Ways[FailingOver]:
        """Take a request, also again: read the game, and the record of its key."""
        for at, name, one in self._list(now, IDLE, UNKNOWN):
            if one.does == UNKNOWN or one.number < self._events:
                number, events = one.number + (one.does == IDLE), _list_events(now.master)
                does = SENT if Write(name, number) in events else ASKED
                yield (name, number), _put(now, at, Writer(does, number, len(events)))

    def append(self, now: FailingOver) -> Ways[FailingOver]:
        """Send the append: the script stores the event, or finds it by its key, or refuses."""
        for at, name, one in self._list(now, ASKED):
            log, outcome = self._run_script(now.master, name, one)
            does = {APPENDED: SENT, CONFLICT: UNKNOWN}[outcome]
            yield (name, one.number, outcome), _put(now, at, one._replace(does=does), master=log)

    def confirm(self, now: FailingOver) -> Ways[FailingOver]:
        """Send it once more, on the connection that waits then."""
        for at, name, one in self._list(now, SENT):
            log, outcome = self._run_script(now.master, name, one)
            awaited = len(log) if log != now.master else 0
            changed = one._replace(does=WAITING, awaited=awaited)
            if outcome == CONFLICT:
                changed = one._replace(does=UNKNOWN)
            yield (name, one.number, outcome), _put(now, at, changed, master=log)

    def _run_script(self, master: Log, name: str, one: Writer) -> tuple[Log, str]:
        """Find the event by its nonce or by the record of its key, or append it."""
        event, events = Write(name, one.number), _list_events(master)
        if event in events:
            again = event._replace(again=True)
            return (master if "rewrite" in self._without else (*master, again)), APPENDED
        if len(events) != one.base:
            return master, CONFLICT
        return (*master, event), APPENDED

    def wait(self, now: FailingOver) -> Ways[FailingOver]:
        """Hear `WAIT`: 1 once the replica has what the connection has written, 0 in vain."""
        for at, name, one in self._list(now, WAITING):
            has = now.replica is not None and now.replica == now.master[: len(now.replica)]
            if one.awaited == 0 or (has and len(now.replica or ()) >= one.awaited):
                yield (name, 1), _put(now, at, one._replace(does=CONFIRMED))
            does = CONFIRMED if "wait" in self._without else UNKNOWN
            if now.early and now.replica != now.master:
                ended = _put(now, at, one._replace(does=does))
                yield (name, 0), ended._replace(early=now.early - 1)

    def fail(self, now: FailingOver) -> Ways[FailingOver]:
        """Fail before the wait: the server is gone, or a new one lacks the script."""
        for at, name, one in self._list(now, SENT):
            yield (name,), _put(now, at, one._replace(does=UNKNOWN))

    def answer(self, now: FailingOver) -> Ways[FailingOver]:
        """Answer that the event is stored."""
        for at, name, one in self._list(now, CONFIRMED):
            done = now.acknowledged | {Write(name, one.number)}
            idle = Writer(IDLE, one.number)
            yield (name, one.number), _put(now, at, idle, acknowledged=done)

    def replicate(self, now: FailingOver) -> Ways[FailingOver]:
        """Give the replica the next word, or a new one all of them."""
        if now.replica is None:
            yield (), now._replace(replica=now.master)
        elif len(now.replica) < len(now.master):
            yield (), now._replace(replica=now.master[: len(now.replica) + 1])

    def fail_over(self, now: FailingOver) -> Ways[FailingOver]:
        """Let the master die and the replica take over: what it lacks is gone; waits are cut."""
        if now.deaths and now.replica is not None:
            cut = tuple(
                one._replace(does=UNKNOWN) if one.does == WAITING else one for one in now.writers
            )
            yield (
                (),
                now._replace(master=now.replica, replica=None, writers=cut, deaths=now.deaths - 1),
            )

    def lose_replica(self, now: FailingOver) -> Ways[FailingOver]:
        """Let the replica die."""
        if now.deaths and now.replica is not None:
            yield (), now._replace(replica=None, deaths=now.deaths - 1)

    def _list(self, now: FailingOver, *does: str) -> Iterator[tuple[int, str, Writer]]:
        for at, (name, one) in enumerate(zip(self._names, now.writers, strict=True)):
            if one.does in does:
                yield at, name, one


def _put(now: FailingOver, at: int, one: Writer, **changed: Any) -> FailingOver:
    return now._replace(writers=put(now.writers, at, one), **changed)


def _list_events(log: Log) -> list[Write]:
    return [write for write in log if not write.again]


def build(
    names: tuple[str, ...] = ("a", "b"),
    events: int = 1,
    deaths: int = 2,
    early: int = 1,
    without: Collection[str] = (),
) -> Model[FailingOver]:
    """Return the model for some processes, which append so many events each."""
    acts = Replication(list(names), events, without)
    initial = FailingOver((), (), tuple(Writer() for _ in names), frozenset(), deaths, early)
    ledger, weak = "events.ledger.ledger", Fairness.WEAK
    return Model(
        "fail-over with WAIT",
        f"{len(names)} processes, {events} event each, {deaths} deaths of a server,"
        f" {early} waits in vain",
        initial,
        (
            Action("ask", acts.ask, "events.commands.commands: Commands.move", weak),
            Action("append", acts.append, f"{ledger}: Ledger.send", weak),
            Action("confirm", acts.confirm, "events.server.connection: run_confirmed", weak),
            Action("wait", acts.wait, "events.server.connection: run_confirmed", weak),
            Action("answer", acts.answer, "events.ledger.writer: EventWriter._conclude", weak),
            Action("fail", acts.fail, f"{ledger}: Ledger.send", hidden=True),
            Action("replicate", acts.replicate, "the replica", Fairness.STRONG, hidden=True),
            Action("fail over", acts.fail_over, "the cluster"),
            Action("lose replica", acts.lose_replica, "the cluster"),
        ),
        {
            "what was acknowledged is on the master": lambda now: (
                now.acknowledged <= set(now.master)
            ),
            "an event is stored once": lambda now: (
                len(set(found := _list_events(now.master))) == len(found)
            ),
        },
        tuple(
            Promise(
                f"the request of {name} comes to an answer",
                lambda now, at=at: now.writers[at].does in UNDER_WAY,  # type: ignore[misc]
                lambda now, at=at: now.writers[at].does not in UNDER_WAY,  # type: ignore[misc]
            )
            for at, name in enumerate(names)
        ),
    )
