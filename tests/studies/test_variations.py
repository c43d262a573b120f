"""A chapter as a transcript and back: variations and texts come in as they went out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import Json
from cartulary.engine.transcript import from_json, verify
from cartulary.studies.faults import FaultyStudy
from cartulary.studies.importing import make_chapter
from cartulary.studies.limits import BRANCHES, NESTING, NODES
from cartulary.studies.lines import play_start
from cartulary.studies.writing import write_document, write_transcript
from tests.studies.examples import GAMES, make_line, make_start, make_study
from tests.studies.streams import Stream, make_stream
from tests.support.night import short_or_long


def export(content: Json) -> Json:
    """Return the transcript of a study of one chapter."""
    stream = Stream()
    stream.ask(type="chapter_added", content=content)
    return write_transcript(stream.now, 1, GAMES)


def bring_in(transcript: Json) -> Stream:
    stream = Stream()
    stream.ask(type="chapter_added", transcript=transcript, title="Back")
    return stream


def grow(rng: Random, state: Any, depth: int, length: int) -> list[Json]:
    """Return a random line from a state, with branches, texts, and perhaps no draw at its end."""
    line: list[Json] = []
    for left in range(length, 0, -1):
        if state.over or state.chance is not None:
            break
        legal = state.legal_moves()
        chosen = rng.sample(legal, min(len(legal), rng.choice((1, 1, 1, 2, 3)) if depth > 0 else 1))
        steps = [_step(rng, state.copy(), move, last=left == 1) for move in chosen]
        (node, state), *others = steps
        branches = [[one, *grow(rng, after, depth - 1, rng.randint(0, 3))] for one, after in others]
        line.append({**node, "instead": branches} if branches else node)
    return line


def _step(rng: Random, state: Any, move: Json, last: bool) -> tuple[Json, Any]:
    node: Json = {"move": move}
    state.play(state.find(move))
    while state.chance is not None and not (last and rng.random() < 0.3):
        outcomes = zip(state.chance.outcomes, state.chance.weights, strict=True)
        drawn = rng.choice([outcome for outcome, weight in outcomes if weight])
        node.setdefault("draws", []).append(drawn)
        state.resolve(drawn)
    if rng.random() < 0.4:
        node["text"] = rng.choice(("Here.", "A **road**\n\n- one\n- two", "Größer, 5 < 6"))
    if rng.random() < 0.3:
        node["marks"] = [{"kind": "good", "at": {"seat": rng.randint(0, 1)}}]
    if rng.random() < 0.3 and state.chance is None and not state.over:
        right = [[rng.choice(state.legal_moves())]]
        node["question"] = {"ask": "Where?", "right": right, "hints": ["Look."]}
    return node, state


def make_random_chapter(game: str, seed: int) -> Json:
    rng = Random(seed)
    start = make_start(game)
    before = make_line(start, rng.randint(0, 5), choose=rng.randint(0, 9))
    begun = play_start(start, GAMES, ())
    for node in before:
        start["moves"].append({"seat": begun.seat, "move": node["move"]})
        begun.play(begun.find(node["move"]))
        for drawn in node.get("draws", ()):
            begun.resolve(drawn)
            start["draws"].append(drawn)
            start["bag"][drawn] -= 1
    line = grow(rng, begun, rng.randint(0, 3), rng.randint(0, 8))
    question = {"ask": "What now?", "right": [[rng.choice(begun.legal_moves())]]}
    marks = [{"kind": "look", "from": {"seat": 0}, "to": {"seat": 1}}]
    notes = rng.choice(({}, {"text": "Begin."}, {"marks": marks, "question": question}))
    return {"title": "Any", "start": start, **notes, "line": line}


@settings(max_examples=short_or_long(40, 1500), deadline=None)
@given(st.sampled_from(["carcassonne", "caylus"]), st.integers(0, 2**32))
def test_an_export_that_is_brought_in_is_exported_with_the_same_bytes(game: str, seed: int) -> None:
    exported = export(make_random_chapter(game, seed))
    assert verify(from_json(exported, GAMES), GAMES).valid
    again = write_transcript(bring_in(exported).now, 1, GAMES)
    assert canonical_json(again) == canonical_json(exported)


def test_draws_that_a_start_names_and_does_not_use_are_exported_as_what_is_left() -> None:
    chapter = make_study(length=4)["chapters"][0]
    last = max(chapter["start"]["bag"])
    chapter["start"]["bag"][last] -= 1
    chapter["start"]["draws"].append(last)
    exported = export(chapter)
    assert verify(from_json(exported, GAMES), GAMES).valid
    assert canonical_json(write_transcript(bring_in(exported).now, 1, GAMES)) == canonical_json(
        exported
    )


# -- what is refused ------------------------------------------------------------------------------


def make_transcript(game: str = "carcassonne") -> Json:
    """Return the transcript of a chapter of four moves with one variation of two."""
    return write_transcript(make_stream(game, length=4).now, 1, GAMES)


def refuse(transcript: Json) -> tuple[str, str]:
    """Return the word and the place, within the transcript, of the first fault."""
    stream = Stream()
    with pytest.raises(FaultyStudy) as refused:
        stream.ask(type="chapter_added", transcript=transcript, title="Back")
    assert not stream.now.chapters
    fault = refused.value.fault
    return fault.code, fault.pointer.removeprefix("/changes/0/transcript")


def test_an_illegal_move_of_a_variation_is_named_with_its_place_in_the_transcript() -> None:
    transcript = make_transcript()
    transcript["variations"][0]["moves"][1]["move"] = {"type": "no"}
    assert refuse(transcript) == ("illegal", "/variations/0/moves/1/move")


def test_a_move_of_a_variation_is_that_of_the_seat_that_decides() -> None:
    transcript = make_transcript()
    transcript["variations"][0]["moves"][0]["seat"] ^= 1
    assert refuse(transcript) == ("illegal", "/variations/0/moves/0/seat")


def test_a_draw_of_a_variation_that_is_not_possible_or_missing_is_named() -> None:
    transcript = make_transcript()
    moves = transcript["variations"][0]["moves"]
    moves[0]["draws"] = ["ZZ"]
    assert refuse(transcript) == ("draw", "/variations/0/moves/0/draws/0")
    first = make_transcript("caylus")
    first["variations"][0]["moves"][0]["draws"] = ["A"]
    assert refuse(first) == ("draw", "/variations/0/moves/0/draws/0")


def test_a_variation_that_repeats_the_move_of_its_line_is_refused() -> None:
    transcript = make_transcript()
    (variation,) = transcript["variations"]
    transcript["variations"].append(variation)
    assert refuse(transcript) == ("twice", "/variations/1/moves/0")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"line": 1}, "/variations/0/line"),
        ({"line": -1}, "/variations/0/line"),
        ({"line": True}, "/variations/0/line"),
        ({"before": 4}, "/variations/0/before"),
        ({"moves": []}, "/variations/0/moves"),
        ({"moves": [{}]}, "/variations/0/moves/0"),
        ({"moves": [{"seat": 0, "move": {}, "more": []}]}, "/variations/0/moves/0"),
        ({"moves": [{"seat": 0, "move": {}, "marks": 1}]}, "/variations/0/moves/0/marks"),
        ({"more": 1}, "/variations/0"),
    ],
)
def test_a_variation_of_another_form_is_named_with_its_place(change: Json, place: str) -> None:
    transcript = make_transcript()
    transcript["variations"][0] |= change
    assert refuse(transcript) == ("form", place)


def test_script_in_a_text_of_a_transcript_is_refused() -> None:
    transcript = make_transcript()
    transcript["comments"] = [{"after": 2, "text": "<script>alert(1)</script>"}]
    assert refuse(transcript) == ("text", "/comments/0/text")
    transcript = make_transcript()
    transcript["variations"][0]["moves"][0]["text"] = "<b>"
    assert refuse(transcript) == ("text", "/variations/0/moves/0/text")


@pytest.mark.parametrize(
    ("key", "entry", "fault"),
    [
        ("marks", {"after": 0, "marks": [{"kind": "no", "at": {"x": 0, "y": 0}}]}, "marks/0/kind"),
        ("marks", {"after": 0}, ""),
        ("questions", {"after": 0, "question": {"ask": "?"}}, "question"),
        ("questions", {"after": 9, "question": {"ask": "?", "right": [[{}]]}}, "after"),
    ],
)
def test_marks_and_questions_of_another_form_are_named_with_their_place(
    key: str, entry: Json, fault: str
) -> None:
    transcript = {**make_transcript(), key: [entry]}
    assert refuse(transcript) == ("form", f"/{key}/0/{fault}".rstrip("/"))


def test_an_answer_that_the_rules_do_not_allow_is_named_with_its_place() -> None:
    question = {"ask": "Where?", "right": [[{"type": "no"}]]}
    for after in (0, 2):
        transcript = {**make_transcript(), "questions": [{"after": after, "question": question}]}
        assert refuse(transcript) == ("illegal", "/questions/0/question/right/0/0")
    transcript = make_transcript()
    transcript["variations"][0]["moves"][0]["question"] = question
    assert refuse(transcript)[1] == "/variations/0/moves/0/question/right/0/0"


def test_marks_and_questions_of_a_position_come_once() -> None:
    found = [{"after": 1, "marks": []}, {"after": 1, "marks": []}]
    assert refuse({**make_transcript(), "marks": found}) == ("twice", "/marks/1/after")


def test_comments_belong_to_moves_of_the_main_line_and_to_one_each() -> None:
    transcript = make_transcript()
    transcript["comments"] = [{"after": 5, "text": "late"}]
    assert refuse(transcript) == ("form", "/comments/0/after")
    transcript["comments"] = [{"after": 1, "text": "a"}, {"after": 1, "text": "b"}]
    assert refuse(transcript) == ("twice", "/comments/1/after")


def test_what_stands_next_to_the_first_move_of_a_variation_stands_next_to_the_main_line() -> None:
    transcript = make_transcript()
    third = make_line(make_start(), 1, choose=2)[0]
    transcript["variations"].append({"line": 1, "before": 0, "moves": [{"seat": 0, **third}]})
    content = write_document(bring_in(transcript).now)["chapters"][0]
    assert [branch[0]["move"] for branch in content["line"][0]["instead"]][1] == third["move"]


def test_too_many_moves_are_refused_before_the_engine_plays(monkeypatch: Any) -> None:
    def play(*_: Any) -> None:
        raise AssertionError("the engine has played")

    monkeypatch.setattr("cartulary.studies.importing.Playback", play)
    transcript = make_transcript()
    (variation,) = transcript["variations"]
    many = {**transcript, "variations": [variation] * (NODES // 2)}
    assert refuse(many)[0] == "too_much"
    long = {**transcript, "variations": [{**variation, "moves": variation["moves"] * 999}]}
    assert refuse(long) == ("too_much", "/variations/0/moves")
    wide = {**transcript, "variations": [variation] * BRANCHES}
    assert refuse(wide) == ("too_much", f"/variations/{BRANCHES - 1}")
    deep = [{**variation, "line": line, "before": min(line, 1)} for line in range(NESTING + 1)]
    refused = refuse({**transcript, "variations": deep})
    assert refused == ("too_much", f"/variations/{NESTING}/line")


def test_the_lines_of_a_transcript_are_a_chapter_of_a_right_form() -> None:
    chapter = make_chapter(make_transcript(), "Back", GAMES, ())
    assert [len(branch) for branch in chapter["line"][0]["instead"]] == [2]
