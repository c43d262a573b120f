"""The appends of a run, as the lines of its story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from simulation.world.network import Words
from simulation.world.processes import Process
from simulation.world.world import SimulatedWorld

_OUTCOMES: Final = {1: "stored", 2: "its key was used before", 3: "other standing answers"}


def note_appends(world: SimulatedWorld) -> Callable[[Process, Words, Any], None]:
    """Return what notes each append that a store was asked for (`events/ledger/append.lua`)."""

    def hear(process: Process, words: Words, reply: Any) -> None:
        if len(words) < 12 or words[0] != b"EVALSHA" or not words[3].endswith(b"}:events"):
            return
        values = words[3 + int(words[2]) :]
        if len(values) < 10 or not isinstance(reply, list):
            return
        first = int(values[0]) + 1
        outcome = _OUTCOMES.get(reply[0], f"refused, the stream is at {reply[1]}")
        line = f"appends {first} ({values[6].decode()}) to {values[5].decode()}: {outcome}"
        world.trace.note(world.now, process.name, line)

    return hear
