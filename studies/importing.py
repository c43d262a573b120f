"""A transcript as a chapter: its moves become the main line."""

from __future__ import annotations

from typing import Any

from cartulary.engine.core import Json
from cartulary.engine.errors import EngineError
from cartulary.engine.transcript import FORMAT, InvalidTranscript, Playback, Transcript, from_json
from cartulary.studies.faults import FaultyStudy, Path
from cartulary.studies.lines import Games


def read_start(value: Any, games: Games, path: Path) -> Json:
    """Return a start without what a study does not keep: names, results, unknown keys.

    Raises `FaultyStudy`.
    """
    transcript = _read(value, games, path)
    bag = {} if transcript.bag is None else {"bag": transcript.bag}
    moves = [{"seat": seat, "move": move} for seat, move in transcript.moves]
    return {**_write_head(transcript), "draws": transcript.draws, **bag, "moves": moves}


def make_chapter(value: Any, title: str, games: Games, path: Path) -> Json:
    """Return a chapter that begins where a transcript begins, with its moves as the line.

    Raises `FaultyStudy` at the first move that is not legal.
    """
    transcript = _read(value, games, path)
    try:
        playback = Playback(transcript, games)
        bag = games[transcript.game].bag(playback.state)
        line = [_play(playback) for _ in transcript.moves]
    except InvalidTranscript as error:
        at: Path = () if error.broken.index is None else ("moves", error.broken.index)
        raise FaultyStudy("start", (*path, *at), error.broken.reason) from None
    except EngineError as error:
        raise FaultyStudy("start", path, str(error)) from None
    start = {**_write_head(transcript), "draws": playback.start.chance, "moves": []}
    return {"title": title, "start": start if bag is None else {**start, "bag": bag}, "line": line}


def _read(value: Any, games: Games, path: Path) -> Transcript:
    try:
        return from_json(value, games)
    except EngineError as error:
        raise FaultyStudy("start", path, str(error)) from None


def _write_head(transcript: Transcript) -> Json:
    return {
        "format": FORMAT,
        "game": transcript.game,
        "options": transcript.options,
        "seats": transcript.seats,
        "setup": transcript.setup,
    }


def _play(playback: Playback) -> Json:
    node: Json = {"move": playback.entry.move}
    drawn = playback.step().chance
    return {**node, "draws": drawn} if drawn else node
