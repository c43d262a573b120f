"""`cartulary analyse`: judge every decision of a transcript."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import click

from cartulary.bots import analysis
from cartulary.cli.games.draw import read_file
from cartulary.cli.games.verify import json_line
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.engine.core import Json
from cartulary.engine.transcript import Transcript, verify
from cartulary.games import GAMES, OFFERS
from cartulary.league.pool import run_each

PARTS: Final = 4
"""The number of parts of a game for each process: where decisions are hard, the parts take longer.
A part knows nothing of what the part before has played out."""


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--level", type=click.Choice(analysis.LEVELS), default="hard", show_default=True)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, allow_dash=True),
    default="-",
    metavar="FILE",
    help="File for the JSON; default: stdout.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes; the JSON is the same.",
)
def analyse(file: str, level: str, out: str, jobs: int) -> None:
    """Judge every decision of a transcript.

    Writes JSON as GET …/analysis gives it: for each decision the value, the best move, the loss and
    a mark, and a summary for each seat. The same file and level always give the same JSON. Exit 0
    when the JSON is written, 1 when the transcript is not valid, 2 when FILE is not a transcript or
    its game has no analysis. FILE may be `-` for stdin.
    """
    if not Path(out).parent.is_dir():  # said before the work and not after it
        raise Unusable(f"{out}: cannot write: {Path(out).parent} is not a directory")
    transcript = read_file(file)
    report = verify(transcript, GAMES)
    if report.error is not None:
        where = "" if report.error.index is None else f"move {report.error.index}: "
        raise Failed(f"{file}: {where}{report.error.reason}")
    text = json_line(_analyse(transcript, level, jobs)) + "\n"
    try:
        with click.open_file(out, "w", encoding="utf-8") as target:
            target.write(text)
    except OSError as error:
        raise Unusable(f"{out}: cannot write: {error.strerror}") from error


def _analyse(transcript: Transcript, level: str, jobs: int) -> Json:
    """Return the whole analysis; raises `Unusable` for a game without an analysis."""
    found = dict[int, list[Json]]()
    moves, done = len(transcript.moves), 0
    try:
        with progress(f"analysing {transcript.game}") as show:
            for start, decisions in _judge(transcript, level, jobs):
                found[start] = decisions
                done += len(decisions)
                show(done, moves)
    except analysis.NoAnalysis as error:
        raise Unusable(str(error)) from error
    all_decisions = [decision for _, part in sorted(found.items()) for decision in part]
    return analysis.describe(all_decisions, OFFERS[transcript.game], transcript.seats, level)


def _judge(transcript: Transcript, level: str, jobs: int) -> Iterator[tuple[int, list[Json]]]:
    """Yield decisions with the index of the first; one process remembers what it has played out."""
    if jobs > 1:
        yield from run_each(_analyse_part, _divide(transcript, level, jobs), jobs)
        return
    for at, decision in enumerate(analysis.analyse(transcript, OFFERS, level)):
        yield at, [decision.to_json()]


class AnalysisPart(NamedTuple):
    """The moves of a transcript from `start` to before `end`, to be judged."""

    transcript: Transcript
    level: str
    start: int
    end: int


def _divide(transcript: Transcript, level: str, jobs: int) -> Iterator[AnalysisPart]:
    """Yield the parts of an analysis."""
    moves = len(transcript.moves)
    size = max(1, -(-moves // (PARTS * jobs)))
    for start in range(0, moves, size):
        yield AnalysisPart(transcript, level, start, min(moves, start + size))


def _analyse_part(part: AnalysisPart) -> tuple[int, list[Json]]:
    """Return the first move of a part, and its decisions."""
    found = analysis.analyse(part.transcript, OFFERS, part.level, start=part.start)
    return part.start, [one.to_json() for one in islice(found, part.end - part.start)]
