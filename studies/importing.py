"""A transcript as a chapter: its moves become the main line, its variations stand next to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json
from cartulary.engine.errors import EngineError
from cartulary.engine.transcript import FORMAT, InvalidTranscript, Playback, Transcript, from_json
from cartulary.studies.faults import FaultyStudy, Path, must
from cartulary.studies.form import check_keys, check_list
from cartulary.studies.limits import LINE
from cartulary.studies.lines import Games, check_answers
from cartulary.studies.marks import check_marks
from cartulary.studies.questions import check_question
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

    `variations`, `comments`, `marks` and `questions` are those of `write_transcript`. What is too
    much is refused before the engine plays. Raises `FaultyStudy` at the first move that is not
    legal, in an answer of a question too.
    """
    transcript = _read(value, games, path)
    count, extra = len(transcript.moves), transcript.extra
    many = f"a line has {LINE} moves at most, not {count}"
    must(count <= LINE, "too_much", (*path, "moves"), many)
    notes = _read_notes(extra, count, path)
    variations = Variations(extra.get("variations", []), count, (*path, "variations"))
    try:
        playback = Playback(transcript, games)
        bag = games[transcript.game].bag(playback.state)
        questions = _find_questions(extra, path)
        _check_question(playback, questions)
        line = [_play(playback, variations, questions) for _ in transcript.moves]
    except InvalidTranscript as error:
        at: Path = () if error.broken.index is None else ("moves", error.broken.index)
        raise FaultyStudy("start", (*path, *at), error.broken.reason) from None
    except EngineError as error:
        raise FaultyStudy("start", path, str(error)) from None
    chapter = {"title": title, "start": _begin(transcript, playback, bag), "line": line}
    for after, found in notes.items():
        (line[after - 1] if after else chapter).update(found)
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


_Questions = Mapping[int, tuple[Json, Path]]
"""Questions of the main line with their places, by how many moves come before them."""


def _find_questions(extra: Json, path: Path) -> _Questions:
    return {
        one["after"]: (one["question"], (*path, "questions", index, "question"))
        for index, one in enumerate(extra.get("questions", []))
    }


def _check_question(playback: Playback, questions: _Questions) -> None:
    if playback.index in questions:
        question, place = questions[playback.index]
        check_answers(playback.state, question, place)


def _play(playback: Playback, variations: Variations, questions: _Questions) -> Json:
    index = playback.index
    node: Json = {"move": playback.entry.move}
    before = playback.state.copy() if variations.leave_before(index) else None
    if drawn := playback.step().chance:
        node["draws"] = drawn
    if before is not None:
        variations.add_to(node, before, index)
    _check_question(playback, questions)
    return node


def _read_notes(extra: Json, count: int, path: Path) -> dict[int, Json]:
    """Return texts, marks and questions by how many moves of the main line come before them."""
    notes: dict[int, Json] = {}
    for key, (name, check) in _OF_LINE.items():
        for index, one in enumerate(check_list(extra.get(key, []), count + 1, (*path, key))):
            place = (*path, key, index)
            check_keys(one, frozenset(("after", name)), frozenset(), place)
            after = one["after"]
            known = type(after) is int and 0 <= after <= count
            must(known, "form", (*place, "after"), f"the line has no {quote(after)} moves")
            found = notes.setdefault(after, {})
            must(name not in found, "twice", (*place, "after"), f"the position has a {name}")
            found[name] = check(one[name], (*place, name))
    return notes


_OF_LINE: Final[Mapping[str, tuple[str, Callable[[Any, Path], Any]]]] = {
    "comments": ("text", check_text),
    "marks": ("marks", check_marks),
    "questions": ("question", check_question),
}
"""The keys of a transcript about its main line, what an entry has besides `after`, and its form."""
