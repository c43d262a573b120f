"""The reckoning of notices: each turn of a person led to one message, while it was true. Pure.

A message that comes again with its id is a repetition, which a receiver knows. A second message
about the same turn with another id is doubled. A message is stale when the turn had been taken for
more than `STALE_S` when it came.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from bench.faults.journal import Fallback, Json, OpenedGame
from bench.faults.notice_receiver import ReceivedNotice
from bench.faults.notice_telling import AwaitedTurn

STALE_S: Final = 5.0

ON_ITS_WAY_S: Final = 2.0
"""For so long a message may be on its way when the store is killed."""


class StoredTurn(NamedTuple):
    """A turn of a person: it began with the event `began`, and the move `ended` was its last."""

    game: str
    began: int
    ended: int
    seat: int


class FaultWindow(NamedTuple):
    """When a fault was there; moments of `time.monotonic`."""

    kind: str
    began: float
    lifted: float


@dataclass
class NoticeReckoning:
    """What was found: `doubled`, `stale` and `lost` must be empty.

    `excused` counts turns without a message that a fault explains, by the kind of the fault.
    `foreign` are messages about turns that are not in the stream; `fallen` counts those that a
    fall-back of the store has taken.
    """

    turns: int = 0
    told: int = 0
    messages: int = 0
    repeated: int = 0
    fallen: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    doubled: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    longest_wait: float = 0.0

    def problems(self) -> Iterator[str]:
        """Yield a line for every message that was wrong or did not come."""
        for name in ("doubled", "stale", "lost", "foreign"):
            yield from (f"notices, {name}: {line}" for line in getattr(self, name))

    def describe(self) -> Json:
        """Return the result as nested objects."""
        return {
            "turns": self.turns,
            "told": self.told,
            "messages": self.messages,
            "repeated": self.repeated,
            "fallen": self.fallen,
            "doubled": len(self.doubled),
            "stale": len(self.stale),
            "lost": len(self.lost),
            "foreign": len(self.foreign),
            "excused": dict(sorted(self.excused.items())),
            "longest_wait_s": self.longest_wait,
        }


def find_turns(game: str, events: Sequence[Json], seats: frozenset[int]) -> list[StoredTurn]:
    """Return the turns of the seats in a game of which nothing but moves was made after its start.

    A turn is an unbroken run of moves of a seat. It begins with the event before.
    """
    steps = [event for event in events if event["type"] in ("game_started", "move_made")]
    pairs = groupby(pairwise(steps), key=lambda pair: pair[1]["seat"])
    runs = ((seat, list(run)) for seat, run in pairs)
    return [
        StoredTurn(game, run[0][0]["version"], run[-1][1]["version"], seat)
        for seat, run in runs
        if seat in seats
    ]


def reckon_notices(
    games: Mapping[str, OpenedGame],
    read_events: Callable[[str], Sequence[Json]],
    notices: Sequence[ReceivedNotice],
    waits: Sequence[AwaitedTurn],
    faults: Sequence[FaultWindow],
    fallbacks: Sequence[Fallback] = (),
) -> NoticeReckoning:
    """Compare the turns of all games with the messages; `faults` are those that may cost some.

    `fallbacks` say what the store has lost: a message about it was true when it was sent.
    """
    found = NoticeReckoning(messages=len(notices))
    found.repeated = len(notices) - len({notice.id for notice in notices})
    found.longest_wait = max((wait.ended - wait.began for wait in waits), default=0.0)
    by_game = defaultdict(list)
    for notice in notices:
        by_game[notice.game].append(notice)
    waited = {(wait.game, wait.version): wait for wait in waits}
    for opened in games.values():
        turns = find_turns(opened.game, read_events(opened.game), opened.seats)
        mine = by_game.pop(opened.game, [])
        kept = _drop_fallen(turns, mine, fallbacks)
        found.fallen += len(mine) - len(kept)
        _reckon_game(opened, turns, kept, waited, faults, found)
    for game, left in by_game.items():
        found.foreign.append(f"{len(left)} about the game {game}")
    return found


def _drop_fallen(
    turns: Sequence[StoredTurn],
    notices: Sequence[ReceivedNotice],
    fallbacks: Sequence[Fallback],
) -> list[ReceivedNotice]:
    """Return the messages but for those about turns that a fall-back has taken.

    After a fall-back the same version may be the turn of another seat.
    """
    begins = {(turn.began, turn.seat) for turn in turns}
    return [
        one
        for one in notices
        if (one.version, one.seat) in begins
        or not any(lost.copied <= one.at <= lost.killed + ON_ITS_WAY_S for lost in fallbacks)
    ]


def _reckon_game(
    opened: OpenedGame,
    turns: Sequence[StoredTurn],
    notices: Sequence[ReceivedNotice],
    waited: Mapping[tuple[str, int], AwaitedTurn],
    faults: Sequence[FaultWindow],
    found: NoticeReckoning,
) -> None:
    taken = {event.version: event.came for event in opened.events}
    left = list(notices)
    for turn in turns:
        mine = [one for one in left if turn.began <= one.version < turn.ended]
        left = [one for one in left if one not in mine]
        found.turns += 1
        found.told += bool(mine)
        if not mine:
            _reckon_untold(turn, waited.get((turn.game, turn.began)), faults, found)
        ids = {one.id for one in mine}
        where = f"{turn.game} version {turn.began}"
        if len(ids) > 1:
            found.doubled.append(f"{where}: {', '.join(sorted(ids))}")
        ended = taken.get(turn.ended)
        for one in mine:
            if ended is not None and one.at > ended + STALE_S:
                found.stale.append(f"{where}: {one.at - ended:.1f} s after the turn was taken")
    found.foreign += [f"{one.game} version {one.version}" for one in left]


def _reckon_untold(
    turn: StoredTurn,
    wait: AwaitedTurn | None,
    faults: Sequence[FaultWindow],
    found: NoticeReckoning,
) -> None:
    where = f"{turn.game} version {turn.began}"
    if wait is None:
        found.lost.append(f"{where}, and no player waited for it")
        return
    for fault in faults:
        if fault.began < wait.ended and fault.lifted > wait.began:
            found.excused[fault.kind] += 1
            return
    found.lost.append(f"{where}, waited for {wait.ended - wait.began:.1f} s")
