"""Authors write a study by changes; each accepted change is an event that folds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.engine.core import Json
from cartulary.engine.transcript import from_json, verify
from cartulary.events.model.failures import Misfit
from cartulary.studies import bounds, check
from cartulary.studies import events as types
from cartulary.studies.editing import CHANGES, play_position
from cartulary.studies.faults import FaultyStudy
from cartulary.studies.fold import fold
from cartulary.studies.limits import NESTING, NODES
from cartulary.studies.writing import write_document, write_transcript
from tests.studies.examples import GAMES, make_line, make_start, make_study
from tests.studies.streams import Stream, make_stream
from tests.support.night import short_or_long


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_what_a_study_writes_is_the_file_that_came_in(game: str) -> None:
    stream, file = make_stream(game), make_study(game)
    written = write_document(stream.now)
    assert check(written, GAMES) == []
    again = Stream()
    again.ask(type="chapter_added", content=written["chapters"][0])
    assert write_document(again.now) == written
    assert [one["move"] for one in written["chapters"][0]["line"]] == [
        one["move"] for one in file["chapters"][0]["line"]
    ]


def test_a_chapter_begins_at_the_start_of_a_transcript_with_its_moves_as_the_line() -> None:
    moves = make_study(length=6)["chapters"][0]
    stream = Stream()
    stream.ask(type="chapter_added", content={**moves, "line": moves["line"]})
    transcript = write_transcript(stream.now, 1, GAMES)
    other = Stream()
    other.ask(type="chapter_added", transcript=transcript, title="From a game")
    first, second = (write_document(one.now)["chapters"][0]["line"] for one in (stream, other))
    assert [one["move"] for one in second] == [one["move"] for one in first]
    assert [one.get("draws") for one in second] == [one.get("draws") for one in first]


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_a_chapter_as_a_transcript_is_valid_and_has_the_other_lines_as_variations(
    game: str,
) -> None:
    stream = make_stream(game)
    transcript = write_transcript(stream.now, 1, GAMES)
    assert verify(from_json(transcript, GAMES), GAMES).valid
    (variation,) = transcript["variations"]
    assert (variation["line"], variation["before"], len(variation["moves"])) == (0, 0, 2)
    assert transcript["comments"] == [{"after": 0, "text": "Look **here**."}]


def test_a_start_keeps_no_name_and_no_unknown_key() -> None:
    content = make_study()["chapters"][0]
    content["start"] |= {"players": ["Ada", "Bob"], "comment": 1.5}
    stream = Stream()
    stream.ask(type="chapter_added", content=content)
    assert not {"players", "comment"} & set(stream.now.chapters[1].start)


def test_an_added_line_is_played_from_its_node() -> None:
    stream = make_stream(length=2)
    state = play_position(stream.now, 1, GAMES)
    move = state.legal_moves()[2]
    stream.ask(type="line_added", parent=1, moves=[{"move": move}])
    with pytest.raises(FaultyStudy) as refused:
        stream.ask(type="line_added", parent=1, moves=[{"move": {"type": "no"}}])
    assert refused.value.fault.code == "illegal"
    assert refused.value.fault.pointer == "/changes/0/moves/0/move"
    with pytest.raises(FaultyStudy) as twice:
        stream.ask(type="line_added", parent=1, moves=[{"move": move}])
    assert twice.value.fault.code == "twice"


def test_a_removed_move_takes_with_it_what_follows_and_a_promoted_one_comes_first() -> None:
    stream = make_stream(length=4)
    root = stream.now.nodes[1]
    main, other = root.children
    stream.ask(type="node_promoted", node=other)
    assert stream.now.nodes[1].children == (other, main)
    stream.ask(type="node_removed", node=main)
    assert list(stream.now.nodes[1].children) == [other]
    assert {node.number for node in stream.now.walk(1)} == set(stream.now.nodes)


def test_a_number_is_never_given_again() -> None:
    stream = make_stream(length=3)
    used = stream.now.used[1]
    stream.ask(type="chapter_removed", chapter=1)
    stream.ask(type="chapter_added", content=make_study(length=3)["chapters"][0])
    assert min(stream.now.nodes) == used + 1
    assert [*stream.now.chapters] == [2]


def test_a_study_with_too_many_moves_is_refused_and_keeps_what_it_has() -> None:
    stream = make_stream(length=2)
    before = stream.now
    nodes = {number: before.nodes[1]._replace(number=number) for number in range(NODES + 9)}
    with pytest.raises(FaultyStudy, match=str(NODES)):
        bounds.check_bounds(before._replace(nodes=nodes))
    assert stream.now == before


def test_promotion_does_not_nest_branches_deeper_than_a_file_may() -> None:
    stream = Stream()
    stream.ask(type="chapter_added", content={**make_study()["chapters"][0], "line": []})
    parent = 1
    for _ in range(NESTING):
        state = play_position(stream.now, parent, GAMES)
        for move in state.legal_moves()[:2]:
            stream.ask(type="line_added", parent=parent, moves=[_step(state, move)])
        parent = stream.now.nodes[parent].children[1]
    stream.ask(type="node_promoted", node=parent)
    deepest = stream.now.nodes[stream.now.nodes[parent].parent].children[1]
    state = play_position(stream.now, deepest, GAMES)
    first, second, third = (_step(state, move) for move in state.legal_moves()[:3])
    stream.ask(type="line_added", parent=deepest, moves=[first])
    with pytest.raises(FaultyStudy, match="branches within branches"):
        stream.ask(type="line_added", parent=deepest, moves=[second])
    stream.ask(type="node_promoted", node=deepest)
    stream.ask(type="line_added", parent=deepest, moves=[third])


def _step(state: Any, move: Json) -> Json:
    after = state.copy()
    after.play(after.find(move))
    draws = []
    while after.chance is not None:
        outcomes = zip(after.chance.outcomes, after.chance.weights, strict=True)
        draws.append(next(outcome for outcome, weight in outcomes if weight))
        after.resolve(draws[-1])
    return {"move": move, "draws": draws}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"type": "authors_changed", "authors": []},
        {"type": []},
        {"type": "text_set", "node": 99, "text": ""},
        {"type": "text_set", "node": True, "text": ""},
        {"type": "text_set", "node": 1},
        {"type": "text_set", "node": 1, "text": "", "by": "bob"},
        {"type": "text_set", "node": 1, "text": "<script>"},
        {"type": "node_removed", "node": 1},
        {"type": "chapter_renamed", "chapter": 7, "title": "x"},
        {"type": "chapter_renamed", "chapter": 1, "title": "\n"},
        {"type": "chapter_added", "content": {}},
        {"type": "chapter_added", "transcript": {}, "title": "x"},
        {"type": "line_added", "parent": 1, "moves": []},
        {"type": "line_added", "parent": 1, "moves": [{"move": {}, "text": "x"}]},
        {"type": "question_set", "node": 1, "question": {"ask": "?", "right": [[{"type": "no"}]]}},
        {"type": "visibility_set", "visibility": "all"},
        {"type": "study_described", "title": "x", "language": "english"},
    ],
)
def test_what_an_author_may_not_ask_is_refused_with_its_place(change: Json) -> None:
    stream = make_stream(length=2)
    before = stream.now
    with pytest.raises(FaultyStudy) as refused:
        stream.ask(**change)
    assert refused.value.fault.pointer.startswith("/changes/0")
    assert stream.now == before


def test_an_event_that_cannot_come_is_a_misfit() -> None:
    stream = make_stream(length=2)
    with pytest.raises(Misfit):
        stream.add(types.TEXT_SET, node=99, text="", by="ada")
    with pytest.raises(Misfit):
        stream.add(types.NODE_REMOVED, node=1, by="ada")
    with pytest.raises(Misfit):
        fold(stream.events[1:])
    with pytest.raises(Misfit):
        fold([*stream.events, {**stream.events[-1], "version": 9}])


@settings(max_examples=short_or_long(25, 400), deadline=None)
@given(st.data())
def test_the_fold_of_any_accepted_changes_never_fails(data: st.DataObject) -> None:
    stream = make_stream(length=3)
    lines = [make_line(make_start(), 1, choose)[0] for choose in range(4)]
    numbers = st.integers(0, 12)
    for _ in range(data.draw(st.integers(1, 8))):
        change = {
            "type": data.draw(st.sampled_from(CHANGES)),
            "node": data.draw(numbers),
            "parent": data.draw(numbers),
            "chapter": data.draw(st.integers(0, 3)),
            "text": data.draw(st.text(max_size=8)),
            "title": "T",
            "language": "de",
            "visibility": "link",
            "marks": [],
            "question": None,
            "moves": [data.draw(st.sampled_from(lines))],
            "content": make_study(length=1)["chapters"][0],
        }
        wanted = _WANTED[change["type"]]
        try:
            stream.ask(**{name: value for name, value in change.items() if name in wanted})
        except FaultyStudy:
            continue
    assert fold(stream.events) == stream.now
    assert check(write_document(stream.now), GAMES) == []


_WANTED = {
    "study_described": {"type", "title", "language"},
    "visibility_set": {"type", "visibility"},
    "chapter_added": {"type", "content"},
    "chapter_renamed": {"type", "chapter", "title"},
    "chapter_removed": {"type", "chapter"},
    "line_added": {"type", "parent", "moves"},
    "text_set": {"type", "node", "text"},
    "marks_set": {"type", "node", "marks"},
    "question_set": {"type", "node", "question"},
    "node_removed": {"type", "node"},
    "node_promoted": {"type", "node"},
}
