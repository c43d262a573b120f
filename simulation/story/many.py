"""Many new seeds over all profiles: `python -m simulation.story.many --hours 500`.

Each run is a process of its own. The last line is JSON: hours, hours of a processor, moves, faults,
what that comes to in a night, the same for each profile, and each finding with the command that
shows it again. The figures so far come after each run on the other stream: who ends it early has
them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from threading import Lock
from typing import Any, Final

from simulation.play.profiles import PROFILES
from simulation.story.shrinking import SCRIPT

COUNTED: Final = (
    *("games", "moves", "events", "restarts", "taken", "told", "archived", "rated"),
    "tournaments",
)
"""Figures of a run that are added up."""


MIX: Final[dict[str, int]] = {**dict.fromkeys(PROFILES, 1), "slow": 8}
"""How many seeds of each profile are in a round; the reasons are in `docs/simulation.md`."""

NIGHT_HOURS: Final = 16.0
"""Hours of a processor in a night: eight hours on two cores."""


def arrange(turns: Mapping[str, int]) -> list[str]:
    """Return the profiles of a round; those with several turns have them apart from each other."""
    places = [
        ((turn + (number + 0.5) / len(turns)) / count, number, name)
        for number, (name, count) in enumerate(turns.items())
        for turn in range(count)
    ]
    return [name for _, _, name in sorted(places)]


class ManyRuns:
    """Runs seeds until the simulated hours are enough, or the hours of a processor are over."""

    def __init__(
        self,
        hours: float,
        each: float,
        profiles: Sequence[str],
        first: int,
        processor_hours: float = math.inf,
    ) -> None:
        self.hours, self.each, self.processor_hours = hours, each, processor_hours
        self._profiles, self._seeds = cycle(profiles), count(first)
        self._lock = Lock()
        self.totals: Counter[str] = Counter()
        self.simulated = 0.0
        self._by_profile: dict[str, Counter[str]] = {}
        self.findings: list[str] = []

    def work(self) -> None:
        """Run one seed after another."""
        while True:
            with self._lock:
                if self.simulated >= self.hours or _read_processor() >= self.processor_hours:
                    return
                seed, profile = str(next(self._seeds)), next(self._profiles)
            words = [seed, f"--profile={profile}", f"--hours={self.each:g}"]
            ran = subprocess.run(
                [sys.executable, "-W", "ignore", str(SCRIPT), *words, "--json"],
                capture_output=True,
                text=True,
                check=False,
            )
            with self._lock:
                self._add(profile, " ".join(words), ran)
                print(json.dumps(self.to_json()), file=sys.stderr, flush=True)

    def _add(self, profile: str, words: str, ran: subprocess.CompletedProcess[str]) -> None:
        command = f"script/simulate-faults {words}"
        self.totals["runs"] += 1
        if ran.returncode not in (0, 1) or not ran.stdout.strip():
            self.findings.append(f"{command}: {ran.stderr.strip().splitlines()[-1:]}")
            self.simulated += self.each  # so that a defect of each run ends
            return
        found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
        self.simulated += found["hours"]
        for name in COUNTED:
            self.totals[name] += found[name]
        self.totals["faults"] += sum(found["faults"].values())
        mine = self._by_profile.setdefault(profile, Counter())
        for name in ("hours", "moves", "processor_s"):
            mine[name] += found[name]
        self.findings += [f"{command}: {line}" for line in found["findings"]]

    def to_json(self) -> dict[str, Any]:
        """Return what was run, and what was found."""
        processor = _read_processor()
        nights = NIGHT_HOURS / processor if processor else 0.0
        return {
            **self.totals,
            "hours": round(self.simulated, 2),
            "processor_hours": round(processor, 3),
            "night": {
                "hours": round(nights * self.simulated),
                "moves": round(nights * self.totals["moves"]),
            },
            "by_profile": {
                profile: {name: round(figure, 2) for name, figure in figures.items()}
                for profile, figures in self._by_profile.items()
            },
            "findings": self.findings,
        }


def _read_processor() -> float:
    """Return the hours of a processor that the runs have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) / 3600


def main(arguments: Sequence[str] | None = None) -> int:
    """Run many seeds; returns 1 with findings."""
    parser = argparse.ArgumentParser(prog="python -m simulation.story.many")
    parser.add_argument("--hours", type=float, default=10.0, help="simulated hours in all")
    parser.add_argument("--each", type=float, default=0.5, help="hours with faults of each seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--first", type=int, help="the first seed; the others follow")
    parser.add_argument("--profiles", nargs="+", choices=sorted(PROFILES), default=arrange(MIX))
    parser.add_argument("--processor-hours", type=float, default=math.inf, help="ends it as well")
    asked = parser.parse_args(arguments)
    first = int.from_bytes(os.urandom(4)) if asked.first is None else asked.first
    runs = ManyRuns(asked.hours, asked.each, asked.profiles, first, asked.processor_hours)
    with ThreadPoolExecutor(asked.processes) as pool:
        for done in [pool.submit(runs.work) for _ in range(asked.processes)]:
            done.result()
    print(json.dumps(runs.to_json()))
    return 1 if runs.findings else 0


if __name__ == "__main__":
    sys.exit(main())
