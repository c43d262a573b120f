"""One message a turn, and none that is stale: the messages of a run against its streams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bench.faults.notice_receiver import ReceivedNotice
from bench.faults.notice_reckoning import StoredTurn, find_turns
from bench.faults.notice_telling import AwaitedTurn
from simulation.checks.early_flags import read_moment

Json = dict[str, Any]
Windows = Sequence[tuple[float, float]]

STALE_S: Final = 5.0
"""A message is stale when its turn had been taken for so long as it came."""

AROUND_S: Final = 30.0
"""So long before a wait a target that took no message may have cost the one that it waits for."""


def find_wrong_notices(
    game: str,
    events: Sequence[Json],
    seats: frozenset[int],
    notices: Sequence[ReceivedNotice],
    waits: Sequence[AwaitedTurn],
    spoiled: Windows,
    frozen: Windows,
    epoch: float,
) -> Iterator[str]:
    """Yield a line for each turn with two messages, a message too late, or none.

    `spoiled` says when the target took no message, `frozen` when the notifier stood still: what
    it had judged before goes out afterwards. Moments are seconds of the world, which began at
    `epoch`.
    """
    turns = find_turns(game, events, seats)
    taken = {event["version"]: read_moment(event["at"]) - epoch for event in events}
    known = {(turn.began, turn.seat) for turn in turns}
    for turn in turns:
        mine = [one for one in notices if _is_about(one, turn)]
        if len(ids := {one.id for one in mine}) > 1:
            yield f"{game} version {turn.began}: told twice: {', '.join(sorted(ids))}"
        for one in mine:
            late = one.at - taken[turn.ended]
            if late > STALE_S and not _overlaps(frozen, taken[turn.ended] - STALE_S, one.at):
                yield f"{game} version {turn.began}: told {late:.1f} s after the turn was taken"
        for wait in waits:
            if wait.told or not turn.began <= wait.version < turn.ended or mine:
                continue
            if not _overlaps(spoiled, wait.began - AROUND_S, wait.ended):
                yield f"{game} version {turn.began}: not told in {wait.ended - wait.began:.0f} s"
    for one in notices:
        if (one.version, one.seat) not in known and not any(_is_about(one, turn) for turn in turns):
            yield f"{game} version {one.version}: told of a turn that is not in the stream"


def _is_about(one: ReceivedNotice, turn: StoredTurn) -> bool:
    return one.seat == turn.seat and turn.began <= one.version < turn.ended


def _overlaps(windows: Windows, begin: float, end: float) -> bool:
    return any(since < end and until > begin for since, until in windows)
