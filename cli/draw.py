"""`cartulary draw`: the picture of a moment of a transcript."""

from __future__ import annotations

import click

from cartulary.cli.errors import Failed, Unusable
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import InvalidTranscript, Playback, Transcript, read
from cartulary.games import GAMES, OFFERS
from cartulary.pictures import Picture
from cartulary.pictures import draw as draw_picture


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--move", "moves", type=click.IntRange(0), help="After so many moves; else the end.")
@click.option("--out", default="-", metavar="FILE", help="Where the SVG goes; else stdout.")
@click.option("--layout", type=click.Choice(["tall", "wide"]), default="wide", show_default=True)
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto")
def draw(file: str, moves: int | None, out: str, layout: str, theme: str) -> None:
    """Draw the table of a transcript as SVG, at its end or after some of its moves.

    Exit 0 when the picture is written, 1 when a move before it is illegal or there are fewer
    moves, 2 when FILE is no transcript. FILE may be `-` for stdin.
    """
    transcript = _read(file)
    known = len(transcript.moves)
    if moves is not None and moves > known:
        raise Failed(f"{file}: it has {known} moves, not {moves}")
    picture_of = _picture_of(transcript.game)
    playback = _played(file, transcript, known if moves is None else moves)
    picture = _picture(picture_of, playback, layout, theme)
    try:
        with click.open_file(out, "w", encoding="utf-8") as target:
            target.write(picture)
    except OSError as error:
        raise Unusable(f"{out}: it cannot be written: {error.strerror}") from error


def _read(file: str) -> Transcript:
    try:
        with click.open_file(file, "rb") as source:
            return read(source.read(), GAMES)
    except OSError as error:
        raise Unusable(f"{file}: it cannot be read: {error.strerror}") from error
    except TranscriptError as error:
        raise Unusable(f"{file}: {error}") from error


def _played(file: str, transcript: Transcript, moves: int) -> Playback:
    playback = Playback(transcript, GAMES)
    try:
        for _ in range(moves):
            playback.step()
    except InvalidTranscript as error:
        raise Failed(f"{file}: move {error.broken.index}: {error.broken.reason}") from error
    return playback


def _picture_of(game: str) -> Picture:
    """Return what draws the game; raises `Unusable` for a game without a picture."""
    picture = OFFERS[game].picture
    if picture is None:
        raise Unusable(f"{game} has no picture")
    return picture


def _picture(picture: Picture, playback: Playback, layout: str, theme: str) -> str:
    state, transcript = playback.state, playback.transcript
    decision = state.decision
    last = transcript.moves[playback.index - 1] if playback.index else None
    return draw_picture(
        picture,
        state.view(),
        decision=decision.to_json() if decision else None,
        players=transcript.players,
        status="over" if state.over else "running",
        result=state.final().to_json() if state.over else None,
        last_move={"seat": last.seat, "move": last.move} if last else None,
        layout=layout,
        theme=theme,
    )
