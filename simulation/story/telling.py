"""A run in lines: what it was, what was found, and what led there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from simulation.play.report import RunReport
from simulation.world.trace import FINDING, TracedLine
from simulation.world.world import SECOND

BEFORE, AFTER = 40, 12
"""The numbers of lines that come before and after the place that a finding names."""

_GAME: Final = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b")
_VERSION: Final = re.compile(r"\bversion\W{1,3}(\d+)\b")
"""In the words of the judge, and in the problems of the audit."""

SHOWN: Final = 12
"""The most findings that are listed: one fault may spoil a hundred lists."""


def tell(report: RunReport, whole: bool = False) -> Iterator[str]:
    """Yield the lines of a report, with the story of a run that found something."""
    yield f"seed {report.seed}, profile {report.profile}: {report.hours} simulated hours"
    yield (
        f"{report.games} games, {report.moves} moves, {report.events} events, "
        f"{report.calls} calls, {report.retries} repeated, {report.taken} taken by fall-backs"
    )
    yield f"{report.steps} steps, {report.requests} requests to the store"
    faults = ", ".join(f"{count} {kind}" for kind, count in report.faults.items())
    yield f"faults: {faults or 'none'}; {report.restarts} restarts of processes"
    if report.unmodelled:
        yield f"not in the model of the store: {report.unmodelled}"
    yield f"digest {report.digest}"
    yield f"again: {report.command}"
    yield f"{len(report.findings)} findings"
    for finding in report.findings[:SHOWN]:
        yield f"  {finding}"
    if len(report.findings) > SHOWN:
        yield f"  and {len(report.findings) - SHOWN} more"
    if whole:
        yield from write_lines(report.lines)
    elif report.findings:
        yield from write_lines(choose_lines(report.lines, report.findings[0]))


def choose_lines(lines: Sequence[TracedLine], finding: str) -> list[TracedLine]:
    """Return what led to a finding: of its game alone when it names one, around its version."""
    game, version = _GAME.search(finding), _VERSION.search(finding)
    found = next((n for n, line in enumerate(lines) if line.what == FINDING + finding), len(lines))
    told = [line for line in lines[: found + 1] if _concerns(line, game)]
    place = len(told)
    if version is not None:
        named = re.compile(rf"\b{version[1]}\b.*{game[0] if game else ''}")
        place = next((n for n, line in enumerate(told) if named.search(line.what)), place)
    return told[max(0, place - BEFORE) : place + AFTER]


def _concerns(line: TracedLine, game: re.Match[str] | None) -> bool:
    if game is None or line.who == "world" or line.what.startswith(("starts again", "ends")):
        return True
    return game[0] in line.what or game[0] in line.who


def write_lines(lines: Sequence[TracedLine]) -> Iterator[str]:
    """Yield lines of a story, in which a game has a number; the numbers come first."""
    games: dict[str, str] = {}
    for line in lines:
        for found in _GAME.findall(f"{line.who} {line.what}"):
            games.setdefault(found, f"G{len(games) + 1}")
    yield from (f"{name} is {game}" for game, name in games.items())
    for line in lines:
        told = f"{line.who} {line.what}"
        yield f"t={line.at / SECOND:.3f} {_GAME.sub(lambda found: games[found[0]], told)}"
