"""A time-out races a move: each position is answered once, and no flag falls too early.

The player who is asked has until the deadline of the position; while no web process works, no time
passes for the player. The command of the timer reads the game, and where the time is over lets the
flag fall; the command of the move reads the game as well. What comes first is stored; the other is
judged again on the new position, and finds nothing to do or no turn. A timer may come early, late
or twice, and two dispatchers may judge the same game.

Time is counted in ticks, the outages as well: they stop the clock of the player.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

MOVE, FLAG = "move", "flag"
IDLE, READ = "idle", "read"


class TimedPosition(NamedTuple):
    """A position of the game: its number, since when its player is asked, until when."""

    number: int
    since: int
    deadline: int


class JudgeState(NamedTuple):
    """A process with a command: the position that it has read."""

    does: str = IDLE
    read: TimedPosition | None = None


class Racing(NamedTuple):
    """The game, the time, who judges. `stopped`: ticks of the position that do not count."""

    position: TimedPosition
    now: int
    stopped: int
    has_web: bool
    is_noted: bool
    """Whether the outage that lasts, or was the last, is noted: a web process does so."""
    judges: tuple[JudgeState, ...]
    answers: tuple[str, ...]
    is_early: bool = False
    """Whether a flag has fallen before the time of its player was over."""
    outages: int = 1


class Race:
    """The actions. `judges` says for which command each process works; `without` leaves out."""

    def __init__(
        self,
        judges: dict[str, str],
        length: int,
        times: int,
        positions: int,
        without: Collection[str],
    ) -> None:
        self._names, self._kinds = list(judges), judges
        self._length, self._times, self._positions = length, times, positions
        self._without = frozenset(without)

    def read(self, now: Racing) -> Ways[Racing]:
        """Read the game for a command. A timer waits until the game is due by its events alone."""
        for at, name, judge in self._list(now):
            due = now.now >= now.position.deadline or self._kinds[name] == MOVE
            if due and judge.read != now.position and not self._is_over(now):
                yield (name, now.position.number), _put(now, at, JudgeState(READ, now.position))

    def move(self, now: Racing) -> Ways[Racing]:
        """Store a move, which was judged on the position that is still that of the game."""
        for at, name, judge in self._list(now, READ):
            if self._kinds[name] == MOVE and now.has_web and self._follows(now, judge):
                yield (name, now.position.number), self._answer(now, at, MOVE)

    def drop_flag(self, now: Racing) -> Ways[Racing]:
        """Let a flag fall whose time is over, while web processes work."""
        for at, name, judge in self._list(now, READ):
            if self._kinds[name] != FLAG or not self._follows(now, judge):
                continue
            if self._is_due(now, judge):
                yield (name, now.position.number), self._answer(now, at, FLAG)

    def wait(self, now: Racing) -> Ways[Racing]:
        """Do nothing, because the time is not over, or no web process works."""
        for at, name, judge in self._list(now, READ):
            if self._kinds[name] == FLAG and not self._is_due(now, judge):
                yield (name,), _put(now, at, JudgeState())

    def _is_due(self, now: Racing, judge: JudgeState) -> bool:
        """Return whether the flag of the position that was read falls now, as far as is known."""
        assert judge.read is not None
        known = now.stopped if now.is_noted else 0
        is_over = now.now >= judge.read.deadline + known
        return is_over and (now.has_web or "fresh" in self._without)

    def _follows(self, now: Racing, judge: JudgeState) -> bool:
        """Return whether the append follows the last event: else the command is judged again."""
        return judge.read == now.position or "fence" in self._without

    def _answer(self, now: Racing, at: int, kind: str) -> Racing:
        place = now.position
        early = kind == FLAG and now.now < place.deadline + now.stopped
        following = TimedPosition(place.number + 1, now.now, now.now + self._length)
        return _put(now, at, JudgeState())._replace(
            position=following,
            stopped=0,
            answers=(*now.answers, kind),
            is_early=now.is_early or early,
        )

    def tick(self, now: Racing) -> Ways[Racing]:
        """Time passes; while no web process works it is no time of a player."""
        if now.now < self._times:
            yield (), now._replace(now=now.now + 1, stopped=now.stopped + (not now.has_web))

    def stop(self, now: Racing) -> Ways[Racing]:
        """Stop all web processes."""
        if now.has_web and now.outages:
            yield (), now._replace(has_web=False, is_noted=False, outages=now.outages - 1)

    def come_back(self, now: Racing) -> Ways[Racing]:
        """Start a web process; its first heartbeat notes the outage in the same step."""
        if not now.has_web:
            yield (), now._replace(has_web=True, is_noted="note" not in self._without)

    def _is_over(self, now: Racing) -> bool:
        return len(now.answers) >= self._positions

    def _list(self, now: Racing, *does: str) -> Iterator[tuple[int, str, JudgeState]]:
        for at, (name, judge) in enumerate(zip(self._names, now.judges, strict=True)):
            if (not does or judge.does in does) and not self._is_over(now):
                yield at, name, judge


def _put(now: Racing, at: int, judge: JudgeState) -> Racing:
    return now._replace(judges=put(now.judges, at, judge))


def build(
    judges: dict[str, str] | None = None,
    length: int = 2,
    times: int = 7,
    positions: int = 2,
    without: Collection[str] = (),
) -> Model[Racing]:
    """Return the model: a player has `length` ticks for each position, and time ends at `times`."""
    judges = judges or {"web-1": MOVE, "web-2": MOVE, "timer-1": FLAG, "timer-2": FLAG}
    acts = Race(judges, length, times, positions, without)
    first = TimedPosition(1, 0, length)
    initial = Racing(first, 0, 0, True, True, tuple(JudgeState() for _ in judges), ())
    expiry, weak = "events.commands.game.expiry: Expiry", Fairness.WEAK
    heartbeat = "events.time.outages: Outages"
    return Model(
        "a time-out races a move",
        f"{len(judges)} processes, {positions} positions of {length} ticks, {times} ticks,"
        " an outage",
        initial,
        (
            Action("read", acts.read, "events.ledger.projector: Projector.current", weak, True),
            Action("move", acts.move, "events.commands.commands: Commands.move"),
            Action(
                "flag", acts.drop_flag, "events.commands.game.timeouts: Timeouts.drop_flag", weak
            ),
            Action("wait", acts.wait, f"{expiry}._find_later", hidden=True),
            Action("tick", acts.tick, "the clock", weak),
            Action("stop", acts.stop, "no web process works"),
            Action("come back", acts.come_back, f"{heartbeat}.beat", weak),
        ),
        {
            "no flag falls before its time": lambda now: not now.is_early,
            "each position is answered once": lambda now: (
                len(now.answers) == now.position.number - 1
            ),
        },
        (
            Promise(
                "a position whose time is over is answered",
                lambda now: (
                    len(now.answers) < positions
                    and now.position.deadline + now.stopped < now.now
                    and times > now.position.deadline + now.stopped
                ),
                lambda now: len(now.answers) > 0,
            ),
        ),
    )
