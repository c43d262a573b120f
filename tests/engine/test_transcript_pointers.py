"""What makes a transcript unreadable is pointed at (JSON pointers, RFC 6901)."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.engine.core import Json
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import from_json
from cartulary.games import GAMES
from tests.support.small_transcript import small, without


@pytest.mark.parametrize(
    ("key", "value", "pointer"),
    [
        ("format", "pgn", "/format"),
        ("format", 1, "/format"),
        ("game", "chess", "/game"),
        ("seats", 9, "/seats"),
        ("options", [], "/options"),
        ("options", {"tiny_city": 3}, "/options/tiny_city"),
        ("options", {"a/b~c": 3}, "/options/a~1b~0c"),
        ("players", ["Ada"], "/players"),
        ("players", ["Ada", 2], "/players/1"),
        ("setup", {"bag": {}}, "/setup"),
        ("draws", ["E", "Y"], "/draws/1"),
        ("draws", ["E", None], "/draws/1"),
        ("draws", ["B", "C", "A", "C"], "/draws/3"),
        ("bag", [], "/bag"),
        ("bag", {"A": 3}, "/bag/A"),
        ("bag", {"?": 1}, "/bag/?"),
        ("bag", {"E": 5}, "/draws/0"),
        ("moves", {}, "/moves"),
        ("moves", [{"seat": 0, "move": {}}, 1], "/moves/1"),
        ("moves", [{"seat": "0", "move": {}}], "/moves/0/seat"),
        ("moves", [{"seat": 0, "move": []}], "/moves/0/move"),
        ("result", [], "/result"),
        ("result", {"winners": [0]}, "/result/scores"),
        ("result", {"scores": [4, 0.5], "winners": [0]}, "/result/scores/1"),
        ("result", {"scores": [4, 0], "winners": 0}, "/result/winners"),
    ],
)
def test_what_makes_a_transcript_unreadable_is_pointed_at(
    key: str, value: Any, pointer: str
) -> None:
    with pytest.raises(TranscriptError) as refused:
        from_json({**small(), key: value}, GAMES)
    assert refused.value.pointer == pointer


@pytest.mark.parametrize("key", ["format", "game", "seats", "setup", "draws", "moves"])
def test_the_pointer_to_what_is_missing_leads_to_where_it_would_be(key: str) -> None:
    with pytest.raises(TranscriptError) as refused:
        from_json(without(key), GAMES)
    assert refused.value.pointer == f"/{key}"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"draws": ["A"]}, "/draws"),
        ({"bag": {"A": 1}}, "/bag"),
        ({"setup": {}}, "/setup/turn_order"),
        ({"setup": {"turn_order": [0, 1], "neutrals": []}}, "/setup/neutrals"),
        ({"setup": {"turn_order": [0, 0]}}, "/setup/turn_order"),
        ({"setup": {"first": 1}}, "/setup/first"),
    ],
)
def test_wrong_chance_of_the_start_is_pointed_at(change: Json, pointer: str) -> None:
    value = {**small(), "game": "caylus", "options": {}, "draws": [], "moves": [], **change}
    with pytest.raises(TranscriptError) as refused:
        from_json(value, GAMES)
    assert refused.value.pointer == pointer


@pytest.mark.parametrize("value", [None, [], "x"])
def test_a_file_that_is_no_object_is_wrong_as_a_whole(value: Any) -> None:
    with pytest.raises(TranscriptError) as refused:
        from_json(value, GAMES)
    assert refused.value.pointer == ""
