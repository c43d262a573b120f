"""What a run was and what it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simulation.faults.schedule import PlannedFault
from simulation.world.trace import TracedLine


@dataclass
class RunReport:
    """What a run was and what it found; the same seed leads to the same report, byte for byte."""

    seed: str
    profile: str
    hours: float
    moves: int = 0
    events: int = 0
    games: int = 0
    calls: int = 0
    retries: int = 0
    steps: int = 0
    requests: int = 0
    restarts: int = 0
    taken: int = 0
    flags: int = 0
    rated: int = 0
    told: int = 0
    archived: int = 0
    looks: int = 0
    watched: int = 0
    """How many games were followed live."""
    sampled: int = 0
    """How often a game was compared with its rebuild during the run."""
    unsettled: int = 0
    """How often a game was left out, because its outbox was not worked off."""
    tournaments: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    unmodelled: dict[str, int] = field(default_factory=dict)
    digest: str = ""
    findings: list[str] = field(default_factory=list)
    schedule: list[PlannedFault] = field(default_factory=list)
    lines: list[TracedLine] = field(default_factory=list)
    command: str = ""
    """What makes the same run again."""

    def to_json(self) -> dict[str, Any]:
        """Return the report without its story."""
        shown = dict(vars(self))
        del shown["lines"], shown["schedule"]
        return shown
