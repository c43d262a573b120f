"""The command `script/simulate-faults`."""

from __future__ import annotations

import argparse
import json
import resource
import shlex
from collections.abc import Sequence
from functools import partial

from simulation.faults.schedule import mask
from simulation.known.catalogue import KNOWN, put_back
from simulation.known.hunting import draw_runs, hunt_all, list_stored, summarize, write_table
from simulation.play.profiles import PROFILES
from simulation.play.report import RunReport
from simulation.play.run import Run
from simulation.story.shrinking import attempt_with, cut_off, shrink
from simulation.story.telling import tell


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="script/simulate-faults")
    parser.add_argument("seed")
    parser.add_argument("--hours", type=float, default=0.5, help="simulated hours with faults")
    parser.add_argument("--profile", choices=sorted(PROFILES), default="crashes")
    parser.add_argument("--only", help="numbers of faults: the others do not happen")
    parser.add_argument("--shrink", type=int, metavar="RUNS", help="look for a smaller run")
    parser.add_argument(
        "--with",
        dest="known",
        choices=sorted(KNOWN),
        metavar="NAME",
        help="with a past fault of the product put back",
    )
    parser.add_argument("--first", action="store_true", help="end at the first finding")
    parser.add_argument("--json", action="store_true", help="one line of figures, no story")
    parser.add_argument("--trace", action="store_true", help="tell the story of a clean run too")
    parser.add_argument(
        "--known",
        dest="known_faults",
        nargs="*",
        choices=sorted(KNOWN),
        metavar="NAME",
        help="look for past faults of the product, all by default, with new seeds",
    )
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="of a processor, for each past fault"
    )
    parser.add_argument(
        "--stored", action="store_true", help="only the runs that are known to find them"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a seed and print what was found; returns 1 with findings."""
    asked = read_arguments(arguments)
    return _run(asked) if asked.known_faults is None else _hunt(asked)


def _run(asked: argparse.Namespace) -> int:
    only = None
    if asked.only is not None:
        only = {int(number) for number in asked.only.split(",") if number}
    if asked.known is not None:
        put_back(asked.known)
    report = Run(asked.seed, asked.profile, PROFILES[asked.profile], asked.hours, only).play(
        asked.first
    )
    report.command = write_command(asked, asked.hours, asked.only)
    if asked.json:
        figures = {**report.to_json(), "processor_s": _read_processor()}
        print(json.dumps(figures, sort_keys=True))
    else:
        for line in tell(report, whole=asked.trace):
            print(line)
    if asked.shrink and report.findings:
        _shrink(asked, report, only)
    return 1 if report.findings else 0


def _read_processor() -> float:
    """Return the seconds of a processor that this run has taken, its start included."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return round(used.ru_utime + used.ru_stime, 2)


def _shrink(asked: argparse.Namespace, report: RunReport, only: set[int] | None) -> None:
    schedule = mask(report.schedule, only)
    numbers, hours = cut_off(schedule, asked.hours, report)
    attempt = attempt_with(asked.seed, asked.profile, asked.known)
    smaller = shrink(attempt, numbers, hours, report.findings[0], asked.shrink)
    left = ",".join(map(str, smaller.faults))
    print(
        f"after {smaller.attempts} runs: {len(smaller.faults)} of {len(schedule)} faults, "
        f"{smaller.hours * 3600:.0f} s"
    )
    print(write_command(asked, smaller.hours, left))


def write_command(asked: argparse.Namespace, hours: float, only: str | None) -> str:
    """Return the command that makes a run again."""
    words = [asked.seed, "--profile", asked.profile, "--hours", f"{hours:g}"]
    words += [] if only is None else ["--only", only]
    words += [] if asked.known is None else ["--with", asked.known]
    words += ["--first"] * asked.first
    return f"script/simulate-faults {shlex.join(words)}"


def _hunt(asked: argparse.Namespace) -> int:
    """Look for known faults; returns 1 when fewer than nine of ten are found."""
    names = asked.known_faults or list(KNOWN)
    choose = list_stored if asked.stored else partial(draw_runs, first=asked.seed)
    found = hunt_all(names, choose, asked.minutes, lambda line: print(line, flush=True))
    print()
    for line in write_table(found):
        print(line)
    print(json.dumps(summarize(found), sort_keys=True))
    return int(sum(one.run is not None for one in found) < 0.9 * len(found))
