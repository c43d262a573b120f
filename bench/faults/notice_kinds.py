"""The faults of notices: the notifier dies or hangs, and so does what it sends to."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from bench.faults.kinds import (
    FaultKind,
    FaultTargets,
    Skipped,
    find_named,
    kill_named,
    stop_process,
)
from bench.faults.notice_receiver import Conduct, NoticeReceiver

AWAY_S: Final = (0.2, 3.0)
"""How long a target is away: less than the pause before the second attempt (5 s)."""


def kill_notifier_twice(scene: FaultTargets) -> None:
    """Kill the notifier, and the one that takes its place while it starts."""
    scene.kill(scene.service.pids("notifier"))
    time.sleep(scene.rng.uniform(0.3, 1.0))
    scene.kill(scene.service.pids("notifier"))


def kill_target(scene: FaultTargets) -> None:
    """Let the target refuse connections for a while; what is under way is reset."""
    receiver = find_receiver(scene)
    receiver.die()
    try:
        time.sleep(scene.rng.uniform(*AWAY_S))
    finally:
        receiver.revive()


def spoil_target(conduct: Conduct, scene: FaultTargets) -> None:
    """Let the target not take messages for a while."""
    receiver = find_receiver(scene)
    receiver.conduct = conduct
    try:
        time.sleep(scene.rng.uniform(*AWAY_S))
    finally:
        receiver.conduct = "takes"


def find_receiver(scene: FaultTargets) -> NoticeReceiver:
    """Return the target of all messages; raises `Skipped`."""
    if scene.receiver is None:
        raise Skipped("nothing is sent in this run")
    return scene.receiver


NOTICE_KINDS: dict[str, FaultKind] = {
    "notifier killed": FaultKind(partial(kill_named, "notifier"), 150),
    "notifier killed twice": FaultKind(kill_notifier_twice, 40),
    "notifier stopped": FaultKind(partial(stop_process, partial(find_named, "notifier")), 60),
    "target killed": FaultKind(kill_target, 80),
    "target hangs": FaultKind(partial(spoil_target, "hangs"), 60),
    "target fails": FaultKind(partial(spoil_target, "fails"), 60),
}

NAMED: Final = frozenset(
    {
        *("target killed", "target hangs", "target fails", "clock jumped"),
        *("store fell back", "store killed on a slow disk"),
    }
)
"""Kinds that may cost the message about a turn of that time: the second attempt may meet the next
fault, and the third comes after five minutes; a notice of an event with the time of a clock that
was ahead is due when that time has come; what was about to be sent falls back with the store."""
