"""The hunt for known faults: new seeds are tried until one finds a fault, or its time is over.

Each run has a process of its own, which is forked from one that has loaded the product: so the
patches of one run are not in the next. Times are seconds of a processor, of the children alone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from simulation.known.catalogue import KNOWN, put_back
from simulation.known.known_fault import KnownFault, KnownRun
from simulation.play.profiles import PROFILES
from simulation.play.run import Run


class Hunted(NamedTuple):
    """What the hunt for a fault came to: the run that has found it, None for none."""

    name: str
    run: KnownRun | None
    runs: int
    seconds: float
    finding: str


class TriedRun(NamedTuple):
    """What one run has found first, when (simulated hours), and its seconds of a processor."""

    findings: list[str]
    seconds: float
    hours: float = 0.0


def hunt(fault: KnownFault, runs: Iterable[KnownRun], minutes: float) -> Hunted:
    """Try runs until one finds the fault, or so many minutes of a processor are over.

    A finding counts when the same run finds nothing without the fault; one of another kind than
    expected is another consequence.
    """
    spent, tried = 0.0, 0
    for run in runs:
        left = 60 * minutes - spent
        if left <= 0:
            break
        done = try_run(run, fault.name, left)
        spent, tried = spent + done.seconds, tried + 1
        found = [line for line in done.findings if fault.check in line] or done.findings
        if found and not try_run(run, None).findings:
            return Hunted(fault.name, run, tried, spent, found[0])
    return Hunted(fault.name, None, tried, spent, "")


def try_run(run: KnownRun, known: str | None, most_s: float = 0.0) -> TriedRun:
    """Run a seed in a process of its own, with a known fault put back (None: without one)."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _be_run(run, known, writing, most_s)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status, used = os.wait4(child, 0)
    seconds = used.ru_utime + used.ru_stime
    if not said:
        return TriedRun(
            [f"the run ends with {status} and says nothing"] * (status != _SPENT), seconds
        )
    findings, hours = json.loads(said)
    return TriedRun(findings, seconds, hours)


_SPENT = signal.SIGXCPU
"""What ends a run whose seconds of a processor are over."""


def _be_run(run: KnownRun, known: str | None, writing: int, most_s: float) -> None:
    """Be the process of a run: write what it finds, and end."""
    import resource

    try:
        if most_s:
            limit = 1 + int(most_s)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        if known is not None:
            put_back(known)
        only = None if run.only is None else set(run.only)
        played = Run(run.seed, run.profile, PROFILES[run.profile], run.hours, only).play(True)
        os.write(writing, json.dumps([played.findings, played.hours]).encode())
    except BaseException as error:
        os.write(writing, json.dumps([[f"the run fails: {error!r}"], 0]).encode())
    finally:
        sys.stdout.flush()
        os._exit(0)


def draw_runs(fault: KnownFault, first: str) -> Iterator[KnownRun]:
    """Yield runs without end; those of the same seeds for the same first word."""
    for number in count():
        yield KnownRun(f"{first}-{number}", fault.profile, fault.hours)


def list_stored(fault: KnownFault) -> list[KnownRun]:
    """Return the run that is known to find a fault, none where none is."""
    return [] if fault.stored is None else [fault.stored]


def hunt_all(
    names: Iterable[str],
    choose: Callable[[KnownFault], Iterable[KnownRun]],
    minutes: float,
    say: Callable[[str], None],
) -> list[Hunted]:
    """Hunt known faults one after another, and say how it goes; return what came of each.

    `choose` returns the runs that are tried.
    """
    found: list[Hunted] = []
    for name in names:
        say(f"hunting {name} …")
        found.append(hunt(KNOWN[name], choose(KNOWN[name]), minutes))
        say(_describe(found[-1]))
    return found


def _describe(one: Hunted) -> str:
    if one.run is None:
        return f"  not found: {one.runs} runs, {one.seconds:.0f} s"
    return f"  found by {one.run.seed}: {one.runs} runs, {one.seconds:.0f} s: {one.finding[:120]}"


def write_table(found: Iterable[Hunted]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield "| fault | runs | seconds | found by |"
    yield "|---|---|---|---|"
    for one in found:
        by = "**not found**"
        if one.run is not None:
            by = f"`{one.run.seed} --profile {one.run.profile} --hours {one.run.hours:g}`"
        yield f"| {one.name} | {one.runs} | {one.seconds:.0f} | {by} |"


def summarize(found: Sequence[Hunted]) -> dict[str, Any]:
    """Return the figures of a hunt."""
    return {
        "known": len(found),
        "found": sum(one.run is not None for one in found),
        "missed": [one.name for one in found if one.run is None],
        "seconds": round(sum(one.seconds for one in found)),
        "slowest": round(max((one.seconds for one in found if one.run), default=0)),
    }
