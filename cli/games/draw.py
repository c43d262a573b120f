"""`cartulary draw`: draw a position of a transcript."""

from __future__ import annotations

import click

from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import InvalidTranscript, Playback, Transcript, read
from cartulary.games import GAMES
from cartulary.match import NoPicture, draw_state


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--move", "moves", type=click.IntRange(0), help="Number of moves; default: all.")
@click.option("--out", default="-", metavar="FILE", help="File for the SVG; default: stdout.")
@click.option(
    "--layout", type=click.Choice(["tall", "wide", "share"]), default="wide", show_default=True
)
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto")
def draw(file: str, moves: int | None, out: str, layout: str, theme: str) -> None:
    """Draw the table of a transcript as SVG, at its end or after some of its moves.

    Exit 0 when the picture is written, 1 when one of these moves is illegal or missing, 2 when
    FILE is not a transcript or the game has no picture. FILE may be `-` for stdin.
    """
    transcript = read_file(file)
    known = len(transcript.moves)
    if moves is not None and moves > known:
        raise Failed(f"{file}: it has {known} moves, not {moves}")
    playback = _play(file, transcript, known if moves is None else moves)
    picture = _picture(playback, layout, theme)
    try:
        with click.open_file(out, "w", encoding="utf-8") as target:
            target.write(picture)
    except OSError as error:
        raise Unusable(f"{out}: cannot write: {error.strerror}") from error


def read_file(file: str) -> Transcript:
    """Return the transcript in a file; raises `Unusable`."""
    try:
        with click.open_file(file, "rb") as source:
            return read(source.read(), GAMES)
    except OSError as error:
        raise Unusable(f"{file}: cannot read: {error.strerror}") from error
    except TranscriptError as error:
        raise Unusable(f"{file}: {error}") from error


def _play(file: str, transcript: Transcript, moves: int) -> Playback:
    playback = Playback(transcript, GAMES)
    try:
        for _ in range(moves):
            playback.step()
    except InvalidTranscript as error:
        raise Failed(f"{file}: move {error.broken.index}: {error.broken.reason}") from error
    return playback


def _picture(playback: Playback, layout: str, theme: str) -> str:
    """Return the picture of the position; raises `Unusable` for a game without a picture.

    This draws the state of the playback, not of a `Match`: a match makes a pending draw at random,
    so the picture would show a tile that the transcript does not contain.
    """
    transcript, moves = playback.transcript, playback.index
    last = transcript.moves[moves - 1] if moves else None
    game = GAMES[transcript.game]
    try:
        return draw_state(
            game, playback.state, transcript.players, last, layout=layout, theme=theme
        )
    except NoPicture as error:
        raise Unusable(str(error)) from error
