"""The command `script/simulate-faults`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from simulation.faults.schedule import mask
from simulation.play.profiles import PROFILES
from simulation.play.run import Run
from simulation.story.shrinking import attempt_with, shrink
from simulation.story.telling import tell


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="script/simulate-faults")
    parser.add_argument("seed")
    parser.add_argument("--hours", type=float, default=0.5, help="simulated hours with faults")
    parser.add_argument("--profile", choices=sorted(PROFILES), default="crashes")
    parser.add_argument("--only", help="numbers of faults: the others do not happen")
    parser.add_argument("--shrink", type=int, metavar="RUNS", help="look for a smaller run")
    parser.add_argument("--json", action="store_true", help="one line of figures, no story")
    parser.add_argument("--trace", action="store_true", help="tell the story of a clean run too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a seed and print what was found; returns 1 with findings."""
    asked = read_arguments(arguments)
    only = None
    if asked.only is not None:
        only = {int(number) for number in asked.only.split(",") if number}
    profile = PROFILES[asked.profile]
    report = Run(asked.seed, asked.profile, profile, asked.hours, only).play()
    if asked.json:
        print(json.dumps(report.to_json(), sort_keys=True))
    else:
        for line in tell(report, whole=asked.trace):
            print(line)
    if asked.shrink and report.findings:
        numbers = [fault.number for fault in mask(report.schedule, only)]
        attempt = attempt_with(asked.seed, asked.profile)
        smaller = shrink(attempt, numbers, asked.hours, report.findings[0], asked.shrink)
        left = ",".join(map(str, smaller.faults))
        print(f"after {smaller.attempts} runs: {len(smaller.faults)} of {len(numbers)} faults")
        print(
            f"script/simulate-faults {asked.seed} --profile {asked.profile} "
            f"--hours {smaller.hours:g} --only '{left}'"
        )
    return 1 if report.findings else 0
