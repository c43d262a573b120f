"""`cartulary analyse`: judge every decision of a transcript."""

from __future__ import annotations

from pathlib import Path

import click

from cartulary.bots import analysis
from cartulary.cli.games.draw import read_file
from cartulary.cli.games.verify import json_line
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.engine.core import Json
from cartulary.engine.transcript import Transcript, verify
from cartulary.games import GAMES, OFFERS


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
def analyse(file: str, level: str, out: str) -> None:
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
    text = json_line(_analyse(transcript, level)) + "\n"
    try:
        with click.open_file(out, "w", encoding="utf-8") as target:
            target.write(text)
    except OSError as error:
        raise Unusable(f"{out}: cannot write: {error.strerror}") from error


def _analyse(transcript: Transcript, level: str) -> Json:
    """Return the whole analysis; raises `Unusable` for a game without an analysis."""
    decisions: list[Json] = []
    try:
        with progress(f"analysing {transcript.game}") as show:
            for decision in analysis.analyse(transcript, OFFERS, level):
                decisions.append(decision.to_json())
                show(len(decisions), len(transcript.moves))
    except analysis.NoAnalysis as error:
        raise Unusable(str(error)) from error
    return analysis.describe(decisions, OFFERS[transcript.game], transcript.seats, level)
