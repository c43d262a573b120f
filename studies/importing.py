"""A transcript as a chapter: its moves become the main line, its variations stand next to them."""

from __future__ import annotations

from typing import Any

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json
from cartulary.engine.errors import EngineError
from cartulary.engine.transcript import FORMAT, InvalidTranscript, Playback, Transcript, from_json
from cartulary.studies.faults import FaultyStudy, Path, must
from cartulary.studies.form import check_keys, check_list
from cartulary.studies.limits import LINE
from cartulary.studies.lines import Games
from cartulary.studies.texts import check_text
from cartulary.studies.variations import Variations


def read_start(value: Any, games: Games, path: Path) -> Json:
    """Return a start without what a study does not keep: names, results, unknown keys.

    Raises `FaultyStudy`.
    """
    transcript = _read(value, games, path)
    bag = {} if transcript.bag is None else {"bag": transcript.bag}
    moves = [{"seat": seat, "move": move} for seat, move in transcript.moves]
    return {**_write_head(transcript), "draws": transcript.draws, **bag, "moves": moves}


def make_chapter(value: Any, title: str, games: Games, path: Path) -> Json:
    """Return a chapter that begins where a transcript begins, with its moves as the main line.

    `variations` and `comments` are those of `write_transcript`. What is too much is refused before
    the engine plays. Raises `FaultyStudy` at the first move that is not legal.
    """
    transcript = _read(value, games, path)
    count, extra = len(transcript.moves), transcript.extra
    many = f"a line has {LINE} moves at most, not {count}"
    must(count <= LINE, "too_much", (*path, "moves"), many)
    texts = _read_comments(extra.get("comments", []), count, (*path, "comments"))
    variations = Variations(extra.get("variations", []), count, (*path, "variations"))
    try:
        playback = Playback(transcript, games)
        bag = games[transcript.game].bag(playback.state)
        line = [_play(playback, variations) for _ in transcript.moves]
    except InvalidTranscript as error:
        at: Path = () if error.broken.index is None else ("moves", error.broken.index)
        raise FaultyStudy("start", (*path, *at), error.broken.reason) from None
    except EngineError as error:
        raise FaultyStudy("start", path, str(error)) from None
    chapter = {"title": title, "start": _begin(transcript, playback, bag), "line": line}
    for after, text in texts.items():
        (line[after - 1] if after else chapter)["text"] = text
    return chapter


def _begin(transcript: Transcript, playback: Playback, bag: Json | None) -> Json:
    start = {**_write_head(transcript), "draws": playback.start.chance, "moves": []}
    return start if bag is None else {**start, "bag": bag}


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


def _play(playback: Playback, variations: Variations) -> Json:
    index = playback.index
    node: Json = {"move": playback.entry.move}
    before = playback.state.copy() if variations.leave_before(index) else None
    if drawn := playback.step().chance:
        node["draws"] = drawn
    if before is not None:
        variations.add_to(node, before, index)
    return node


def _read_comments(value: Any, count: int, path: Path) -> dict[int, str]:
    """Return texts by how many moves of the main line come before them."""
    texts: dict[int, str] = {}
    for index, one in enumerate(check_list(value, count + 1, path)):
        place = (*path, index)
        check_keys(one, frozenset(("after", "text")), frozenset(), place)
        after = one["after"]
        known = type(after) is int and 0 <= after <= count
        must(known, "form", (*place, "after"), f"the line has no {quote(after)} moves")
        must(after not in texts, "twice", (*place, "after"), "the position has a text")
        texts[after] = check_text(one["text"], (*place, "text"))
    return texts
