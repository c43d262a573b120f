"""`cartulary verify`: check that every move of a transcript is legal, and its result."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from typing import Any

import click

from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import Json
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import InvalidTranscript, Playback, Report, Transcript, read
from cartulary.engine.transcript import verify as verify_transcript
from cartulary.games import GAMES


class Verdict(IntEnum):
    """The outcome for a file; its number is the exit code, and the highest number counts."""

    VALID = 0
    INVALID = 1
    UNREADABLE = 2


@click.command()
@click.argument("files", nargs=-1, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per file.")
@click.option("--trace", is_flag=True, help="Every decision of one FILE as JSON Lines.")
@click.option("--fair", is_flag=True, help="Chain and draws: FILE holds events, or is a URL.")
@click.option("--tournament", help="With --fair: the events of a tournament, or its URL.")
def verify(
    files: Sequence[str], as_json: bool, trace: bool, fair: bool, tournament: str | None
) -> None:
    """Verify transcripts, or with --fair the events of games.

    Every move must be legal for its seat, and the result must follow from the rules. Exit 0 when
    all files are valid, 1 when a file is invalid, 2 when a file is not a transcript. FILE may be
    `-` for stdin.

    With --fair FILE holds the events of a game as GET …/events gives them (NDJSON or a page), or is
    the URL of a game. Each event must follow the event before, and each draw must follow from the
    secret, which the last event reveals.

    --tournament names the events of a tournament, or its URL. The games of a duplicate round have
    one secret, which the tournament reveals when it closes the round. Without a FILE the games of
    all closed rounds are read from that URL.
    """
    if tournament is not None and not fair:
        raise click.UsageError("--tournament goes with --fair")
    if not files and tournament is None:
        raise click.UsageError("Missing argument 'FILE…'.")
    if fair:
        if trace:
            raise click.UsageError("--fair and --trace do not go together")
        if tournament is not None:
            sys.exit(_verify_tournament(tournament, files, as_json))
        sys.exit(max(_verify_fair(name, as_json) for name in files))
    if trace:
        if len(files) > 1 or as_json:
            raise click.UsageError("--trace takes one FILE and prints JSON Lines anyway")
        _trace(files[0])
        return
    # On a terminal the lines show the progress, and a bar would disturb them.
    with progress("verifying", hidden=sys.stdout.isatty()) as show:
        verdicts = []
        for number, name in enumerate(files, 1):
            verdicts.append(_verify(name, as_json))
            show(number, len(files))
    sys.exit(max(verdicts))


def _verify_fair(name: str, as_json: bool) -> Verdict:
    """Print one line about the events of a game."""
    with _needing_the_server():
        from cartulary.cli.games.verify_fair import describe, verify_fair
    return _report(name, verify_fair, describe, as_json)


@contextmanager
def _needing_the_server() -> Iterator[None]:
    """Import what `--fair` needs, or say how it is installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        needed = "pip install 'cartulary-games[server]'"
        raise Unusable(f"--fair needs {error.name}, which is not installed: {needed}") from error


def _verify_tournament(source: str, files: Sequence[str], as_json: bool) -> Verdict:
    """Print one line about a tournament, and one about each of its games."""
    with _needing_the_server():
        from cartulary.cli.games import verify_rounds as rounds
        from cartulary.cli.games.verify_fair import describe
    try:
        read = rounds.read_tournament(source)
        games = list(files) or list(read.list_games())
    except Unusable as error:
        return _refuse(source, error, as_json)
    shown = {"file": in_json(source), **read.report}
    click.echo(json_line(shown) if as_json else rounds.describe_tournament(read))
    own = Verdict.VALID if read.report["valid"] else Verdict.INVALID
    verify_game = partial(rounds.verify_of_tournament, read)
    return max([own, *(_report(one, verify_game, describe, as_json) for one in games)])


def _report(
    name: str,
    verify_game: Callable[[str], Json],
    describe: Callable[[str, Json], str],
    as_json: bool,
) -> Verdict:
    """Print one line about the events of a game: what `verify_game` returns."""
    try:
        report = verify_game(name)
    except Unusable as error:
        return _refuse(name, error, as_json)
    holds = report["valid"] and (report["fair"] or {}).get("state") not in ("failed", "lost")
    shown = {"file": in_json(name), **report}
    click.echo(json_line(shown) if as_json else describe(name, report))
    return Verdict.VALID if holds else Verdict.INVALID


def _refuse(name: str, error: Unusable, as_json: bool) -> Verdict:
    """Print one line about a file whose events cannot be read."""
    if as_json:
        problem: Json = {"version": 0, "problem": "unreadable", "detail": error.message}
        click.echo(json_line({"file": in_json(name), "valid": False, "problems": [problem]}))
    else:
        click.echo(error.message, err=True)
    return Verdict.UNREADABLE


def _read(name: str) -> Transcript:
    """Return the transcript in a file; raises `TranscriptError` for anything else."""
    try:
        with click.open_file(name, "rb") as file:
            return read(file.read(), GAMES)
    except OSError as error:
        raise TranscriptError(f"the file cannot be read: {error.strerror}") from error


def _verify(name: str, as_json: bool) -> Verdict:
    """Print one line about a file."""
    try:
        report = verify_transcript(_read(name), GAMES)
    except TranscriptError as error:
        if as_json:
            click.echo(json_line(_unreadable(in_json(name), str(error))))
        else:
            click.echo(f"{name}: {error}", err=True)
        return Verdict.UNREADABLE
    shown = (
        json_line({"file": in_json(name), **report.to_json()})
        if as_json
        else sentence(name, report)
    )
    click.echo(shown)
    return Verdict.VALID if report.valid else Verdict.INVALID


def _unreadable(name: str, reason: str) -> Json:
    error: Json = {"index": None, "seat": None, "reason": reason, "legal_moves": []}
    nothing = {"scores": None, "winners": None, "breakdown": None}
    return {"file": name, "valid": False, "moves": 0, **nothing, "error": error}


def sentence(name: str, report: Report) -> str:
    """Return one line for people about a readable file."""
    scores = ":".join(map(str, report.scores))
    error = report.error
    if error is None:
        end = "unfinished" if report.winners is None else f"won by {_seats(report.winners)}"
        return f"{name}: valid, {report.moves} moves, {scores}, {end}"
    if error.index is None:
        return f"{name}: invalid: {error.reason}"
    legal = ", ".join(map(canonical_json, error.legal_moves)) or "nothing"
    return (
        f"{name}: invalid: move {error.index} of seat {error.seat}: {error.reason}; legal: {legal}"
    )


def _seats(winners: Sequence[int]) -> str:
    return ("seat " if len(winners) == 1 else "seats ") + " and ".join(map(str, winners))


def in_json(name: str) -> str:
    """Return the name of a file as Unicode text, with other bytes in hexadecimal."""
    return os.fsencode(name).decode(errors="backslashreplace")


def json_line(value: Any) -> str:
    """Return a value as JSON on one line, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# -- the trace ----------------------------------------------------------------------------------


def _trace(name: str) -> None:
    """Print every decision of a file; raises `Unusable`, or `Failed` at an illegal move."""
    try:
        playback = Playback(_read(name), GAMES)
    except TranscriptError as error:
        raise Unusable(f"{name}: {error}") from error
    try:
        while not playback.done:
            playback.check()
            click.echo(json_line(_line(playback, playback.entry.move)))
            playback.step()
        click.echo(json_line(_end(playback)))
        playback.finish()
    except InvalidTranscript as error:
        where = "" if error.broken.index is None else f"move {error.broken.index}: "
        raise Failed(f"{name}: {where}{error.broken.reason}") from error


def _line(playback: Playback, move: Json | None) -> Json:
    """Return the pending decision as a line of the trace; without a move the record ends here."""
    state = playback.state
    decision = state.decision
    return {
        "index": playback.index,
        "seat": decision.seat if decision else None,
        "kind": decision.kind if decision else None,
        "legal": state.legal_moves() if decision else [],
        "move": move,
        "view": state.view(),
    }


def _end(playback: Playback) -> Json:
    """Return the last line: the result, or the pending decision of an unfinished game."""
    result = playback.count()
    if result is None:
        return _line(playback, None)
    return {"view": playback.state.view(), **result.to_json()}
