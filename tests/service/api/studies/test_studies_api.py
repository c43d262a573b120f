"""Studies over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cartulary.engine.transcript import from_json, verify
from cartulary.events.live.looks import LookRound
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.studies.examples import GAMES, make_line, make_start, make_study


def begin(who: Caller, game: str = "carcassonne", **more: Any) -> str:
    answer = who.post("/studies", make_study(game, length=3, **more))
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"].endswith(answer.json["id"])
    return f"/studies/{answer.json['id']}"


def change(who: Caller, path: str, *changes: dict[str, Any], **more: Any) -> Any:
    return who.post(f"{path}/changes", {"changes": list(changes)}, **more)


def share(who: Caller, path: str, visibility: str = "link") -> None:
    found = change(who, path, {"type": "visibility_set", "visibility": visibility})
    assert found.status_code == 201, found.text


def text_of(who: Caller, path: str) -> str:
    """Return the text of the first position of a study."""
    return str(who.get(path).json["document"]["chapters"][0].get("text", ""))


def test_a_study_is_begun_shared_by_link_and_read_without_a_token(
    ada: Caller, bob: Caller, visitor: Caller
) -> None:
    path = begin(ada)
    for stranger in (visitor, bob):
        problem(stranger.get(path), 404, "not_found")
    share(ada, path)
    shown = visitor.get(path).json
    assert (shown["may_write"], shown["visibility"]) == (False, "link")
    assert ada.get(path).json["may_write"]
    assert [one["node"] for one in shown["document"]["chapters"][0]["line"]] == [2, 5, 6]
    assert visitor.get("/studies").json["studies"] == []
    share(ada, path, "public")
    (listed,) = visitor.get("/studies").json["studies"]
    assert (listed["games"], listed["chapters"]) == (["carcassonne"], 1)
    (own,) = ada.get("/studies?author=me").json["studies"]
    assert own["id"] == listed["id"]


def test_a_study_can_be_read_at_each_of_its_versions(ada: Caller) -> None:
    path = begin(ada)
    change(ada, path, {"type": "text_set", "node": 1, "text": "new"})
    assert ada.get(path).json["document"]["chapters"][0]["text"] == "new"
    assert ada.get(f"{path}?version=2").json["document"]["chapters"][0]["text"] != "new"
    problem(ada.get(f"{path}?version=9"), 404, "not_found")
    types = [one["type"] for one in ada.get(f"{path}/events").json["events"]]
    assert types == ["study_created", "chapter_added", "text_set"]


@pytest.mark.parametrize(
    ("what", "pointer"),
    [
        ({"type": "text_set", "node": 1, "text": "<script>alert(1)</script>"}, "/changes/0/text"),
        ({"type": "text_set", "node": 99, "text": ""}, "/changes/0/node"),
        (
            {"type": "line_added", "parent": 1, "moves": [{"move": {"type": "no"}}]},
            "/changes/0/moves/0/move",
        ),
        ({"type": "authors_changed"}, "/changes/0/type"),
        ({"type": "text_set", "node": 1, "text": "", "by": "x"}, "/changes/0/by"),
        (
            {"type": "marks_set", "node": 1, "marks": [{"kind": "good", "at": {"x": 1.5, "y": 0}}]},
            "/changes/0/marks/0/at/x",
        ),
    ],
)
def test_bad_input_is_answered_with_its_place_and_changes_nothing(
    ada: Caller, what: dict[str, Any], pointer: str
) -> None:
    path = begin(ada)
    answer = change(ada, path, what)
    assert pointers(problem(answer, 422, "invalid")) == [pointer]
    assert ada.get(path).json["version"] == 2


def test_a_study_of_too_many_moves_or_of_an_illegal_line_is_refused(ada: Caller) -> None:
    study = make_study(length=1)
    study["chapters"][0]["line"] = [{"move": {}}] * 3001
    answer = ada.post("/studies", study)
    assert pointers(problem(answer, 422, "invalid")) == ["/chapters/0/line"]
    bad = make_study(length=1)
    bad["chapters"][0]["line"][0]["move"] = {"type": "no"}
    answer = ada.post("/studies", bad)
    assert answer.json["errors"][0]["reason"] == "illegal"
    assert ada.get("/studies?author=me").json["studies"] == []


def test_authors_are_added_by_the_owner_and_may_leave(ada: Caller, bob: Caller) -> None:
    path = begin(ada)
    share(ada, path)
    text = {"type": "text_set", "node": 1, "text": "mine"}
    problem(change(bob, path, text), 403, "not_author")
    assert ada.put(f"{path}/authors/{bob.id}").status_code == 201
    assert ada.put(f"{path}/authors/{bob.id}").status_code == 200
    problem(change(bob, path, text), 403, "not_author")
    (asked,) = bob.get("/studies?author=invited").json["studies"]
    assert path.endswith(asked["id"])
    shown = bob.get(path).json
    assert (shown["is_invited"], shown["may_write"], shown["invited"]) == (True, False, [])
    assert [one["name"] for one in ada.get(path).json["invited"]] == ["Bob"]
    assert bob.put(f"{path}/authors/{bob.id}").status_code == 201
    assert not bob.get(path).json["is_invited"]
    assert change(bob, path, text).status_code == 201
    problem(bob.delete(path), 403, "not_author")
    assert bob.delete(f"{path}/authors/{bob.id}").status_code == 201
    problem(change(bob, path, text), 403, "not_author")
    assert ada.delete(path).status_code == 204
    problem(ada.get(path), 404, "not_found")


def read_stream(who: Caller, path: str, begun: Any, count: int, **headers: str) -> list[str]:
    """Return the ids of events that a stream brings; `begun` happens once it is open."""
    answer = who.get(f"{path}/events/stream", headers=headers, buffered=False)
    read = b""
    for piece in answer.iter_encoded():
        begun = begun and begun()
        read += piece
        if read.count(b"data: ") >= count:
            break
    answer.close()
    return [one[4:] for one in read.decode().splitlines() if one.startswith("id: ")]


def test_a_stream_brings_what_others_write_and_goes_on_after_a_version(
    ada: Caller, bob: Caller
) -> None:
    path = begin(ada)
    share(ada, path)
    text = {"type": "text_set", "node": 1, "text": "new"}
    # Bob reads from where the study was shared; the stream goes on with what is written then.
    assert read_stream(bob, path, lambda: change(ada, path, text) and None, 2) == ["3", "4"]
    assert read_stream(bob, path, None, 1, **{"Last-Event-ID": "3"}) == ["4"]
    problem(bob.get(f"{path}/events/stream", headers={"Last-Event-ID": "x"}), 422, "invalid")


def test_a_stream_ends_before_what_is_written_after_a_study_is_private_again(
    ada: Caller, bob: Caller
) -> None:
    path = begin(ada)
    share(ada, path)

    def hide() -> None:
        secret = {"type": "text_set", "node": 1, "text": "a secret"}
        change(ada, path, {"type": "visibility_set", "visibility": "private"}, secret)

    answer = bob.get(f"{path}/events/stream", headers={"Last-Event-ID": "3"}, buffered=False)
    pieces = answer.iter_encoded()
    read = next(pieces)
    hide()
    read += b"".join(pieces)
    answer.close()
    assert b"visibility_set" in read
    assert b"a secret" not in read
    problem(bob.get(f"{path}/events/stream"), 404, "not_found")


def test_the_streams_of_a_study_that_is_deleted_end_at_once(
    ada: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without the looks of the hub only a signal ends the stream.
    monkeypatch.setattr(LookRound, "choose", lambda _self, _names: [])
    path = begin(ada)
    share(ada, path)
    answer = bob.get(f"{path}/events/stream", headers={"Last-Event-ID": "3"}, buffered=False)
    pieces = answer.iter_encoded()
    read = next(pieces)
    change(ada, path, {"type": "text_set", "node": 1, "text": "new"})
    while b"text_set" not in read:
        read += next(pieces)
    assert ada.delete(path).status_code == 204
    for _ in pieces:
        pass
    answer.close()
    problem(bob.get(f"{path}/events/stream"), 404, "not_found")


def test_what_was_taken_out_before_a_study_was_shared_stays_between_its_authors(
    ada: Caller, bob: Caller, visitor: Caller
) -> None:
    path = begin(ada)
    for words in ("a secret", "for all"):
        change(ada, path, {"type": "text_set", "node": 1, "text": words})
    share(ada, path)
    assert "a secret" in ada.get(f"{path}/events").text
    for stranger in (bob, visitor):
        shown = stranger.get(f"{path}/events?after=0").json
        assert [one["type"] for one in shown["events"]] == ["visibility_set"]
        problem(stranger.get(f"{path}?version=3"), 404, "not_found")
        assert "for all" in stranger.get(f"{path}?version=5").text
    assert "a secret" in ada.get(f"{path}?version=3").text


def test_a_change_for_another_version_and_a_key_twice(ada: Caller) -> None:
    path = begin(ada)
    text = {"type": "text_set", "node": 1, "text": "a"}
    stale = change(ada, path, text, headers={"If-Match": '"v1"'})
    problem(stale, 412, "stale_version")
    key = {"Idempotency-Key": "once"}
    first, again = (change(ada, path, text, headers=key) for _ in range(2))
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_a_node_shows_its_position_its_moves_in_words_and_its_picture(
    ada: Caller, game: str
) -> None:
    path = begin(ada, game)
    node = ada.get(f"{path}/nodes/1").json
    assert [one["move"] for one in node["words"]] == node["moves"]
    first = make_line(make_start(game), 1)[0]["move"]
    assert first in node["moves"]
    assert ada.get(f"{path}/nodes/2").json["view"] != node["view"]
    tried = ada.get(f"{path}/nodes/1", query_string={"tried": json.dumps([first])}).json
    assert tried["view"] != node["view"]
    for bad in ('[{"type": "no"}]', "{", "3", "[3]"):
        wrong = ada.get(f"{path}/nodes/1", query_string={"tried": bad})
        assert pointers(problem(wrong, 422, "invalid")) == ["/tried"]
    picture = ada.get(f"{path}/nodes/2/board.svg?parts=board&layout=fit&ratio=1")
    assert picture.text.startswith("<svg")
    words = ada.get(f"{path}/chapters/1/words").json["words"]
    assert words.keys() == {"2", "3", "4", "5", "6"}
    assert words["2"] == node["words"][0]["text"]
    problem(ada.get(f"{path}/nodes/99"), 404, "not_found")
    problem(ada.get(f"{path}/nodes/99/board.svg"), 404, "not_found")


def test_a_chapter_is_a_transcript_which_becomes_a_chapter_again(ada: Caller) -> None:
    path = begin(ada)
    exported = ada.get(f"{path}/chapters/1/transcript")
    transcript = exported.json
    assert verify(from_json(transcript, GAMES), GAMES).valid
    assert len(transcript["variations"]) == 1
    added = {"type": "chapter_added", "title": "Again", "transcript": transcript}
    assert change(ada, path, added).status_code == 201
    first, second = ada.get(path).json["document"]["chapters"]
    assert [one["move"] for one in first["line"]] == [one["move"] for one in second["line"]]
    assert len(second["line"][0]["instead"]) == 1
    assert ada.get(f"{path}/chapters/2/transcript").data == exported.data
    transcript["variations"][0]["moves"][0]["move"] = {"type": "no"}
    refused = problem(change(ada, path, {**added, "transcript": transcript}), 422, "invalid")
    assert pointers(refused) == ["/changes/0/transcript/variations/0/moves/0/move"]
    problem(ada.get(f"{path}/chapters/9/transcript"), 404, "not_found")


def test_a_game_becomes_a_chapter_when_it_is_over_and_not_private(
    ada: Caller, bob: Caller, store: Store
) -> None:
    path = begin(ada)
    for visibility, status in (("public", 201), ("private", 404)):
        seats = [{"kind": "me"}, {"kind": "me"}]
        body = {"game": "carcassonne", "seats": seats, "visibility": visibility}
        game = ada.post("/games", body).json["id"]
        added = {"type": "chapter_added", "title": "My game", "game": game}
        if status == 201:
            problem(change(ada, path, added), 409, "game_running")
        assert ada.post(f"/games/{game}/resignation", {"seat": 1}).status_code == 201
        store.commands.score(game)
        assert change(ada, path, added).status_code == status
        problem(change(bob, path, added), 404, "not_found")
