"""Lessons of the house as studies: listed, read by everybody, copied, written by no player."""

from __future__ import annotations

from cartulary.studies.house import list_lessons
from tests.service.api.studies.test_studies_api import begin, change, share, text_of
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem

FIRST = "/studies/house-carcassonne-01-first-follower"
GERMAN = {"Accept-Language": "de"}


def list_house(who: Caller, query: str = "", **headers: str) -> list[dict[str, object]]:
    answer = who.get(f"/studies?author=house{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    studies: list[dict[str, object]] = answer.json["studies"]
    return studies


def test_all_lessons_are_listed_by_game_in_their_order_and_in_a_language(visitor: Caller) -> None:
    listed = list_house(visitor, "&limit=100")
    names = [one.name for game in ("carcassonne", "caylus") for one in list_lessons(game)]
    assert [str(one["id"]).split("-", 2)[2] for one in listed] == names
    (german,) = list_house(visitor, "&limit=1", **GERMAN)
    assert (german["language"], german["title"] != listed[0]["title"]) == ("de", True)
    page = visitor.get("/studies?author=house&limit=5&cursor=5").json
    assert [one["id"] for one in page["studies"]] == [one["id"] for one in listed[5:10]]
    assert page["next_cursor"] == 10
    assert visitor.get("/studies").json["studies"] == []


def test_a_lesson_is_read_as_any_study_in_the_language_of_the_reader(visitor: Caller) -> None:
    english, german = (visitor.get(FIRST, headers=one) for one in ({}, GERMAN))
    assert (english.headers["Content-Language"], german.headers["Content-Language"]) == ("en", "de")
    assert english.headers["ETag"] != german.headers["ETag"]
    assert "Accept-Language" in german.headers["Vary"]
    known = {**GERMAN, "If-None-Match": german.headers["ETag"]}
    assert visitor.get(FIRST, headers=known).status_code == 304
    shown = german.json
    assert (shown["authors"], shown["may_write"], shown["visibility"]) == ([], False, "public")
    assert "question" in german.text
    for place in ("/nodes/1", "/nodes/1/board.svg", "/chapters/1/words", "/chapters/1/transcript"):
        assert visitor.get(f"{FIRST}{place}", headers=GERMAN).status_code == 200, place


def test_a_lesson_that_lacks_a_language_is_in_english(visitor: Caller) -> None:
    last = str(list_house(visitor, "&limit=100")[-1]["id"])
    shown = visitor.get(f"/studies/{last}", headers={"Accept-Language": "fr"})
    assert (shown.headers["Content-Language"], shown.json["document"]["language"]) == ("en", "en")


def test_nobody_writes_a_lesson_and_it_has_no_events(ada: Caller, bob: Caller) -> None:
    text = {"type": "text_set", "node": 1, "text": "mine"}
    problem(change(ada, FIRST, text), 403, "not_author")
    problem(ada.delete(FIRST), 403, "not_author")
    problem(ada.put(f"{FIRST}/authors/{bob.id}"), 403, "not_author")
    problem(ada.delete(f"{FIRST}/authors/{ada.id}"), 403, "not_author")
    problem(ada.get(f"{FIRST}/events"), 404, "not_found")
    problem(ada.get(f"{FIRST}/events/stream"), 404, "not_found")
    problem(ada.get(f"{FIRST}?version=99"), 404, "not_found")
    problem(ada.post("/reports", {"study": FIRST[9:], "reason": "spam"}), 404, "not_found")
    problem(ada.get("/studies/house-carcassonne-99-no-lesson"), 404, "not_found")


def test_a_lesson_is_copied_and_the_copy_is_written(ada: Caller) -> None:
    body = {"copy_of": FIRST.rpartition("/")[2]}
    made = ada.post("/studies", body, headers=GERMAN)
    assert made.status_code == 201, made.text
    path = f"/studies/{made.json['id']}"
    assert made.json["document"] == ada.get(FIRST, headers=GERMAN).json["document"]
    assert made.json["visibility"] == "private"
    assert change(ada, path, {"type": "text_set", "node": 1, "text": "mine"}).status_code == 201
    assert text_of(ada, path) == "mine"


def test_a_study_that_one_may_read_is_copied_without_its_history(ada: Caller, bob: Caller) -> None:
    path = begin(ada)
    study_id = path.rpartition("/")[2]
    problem(bob.post("/studies", {"copy_of": study_id}), 404, "not_found")
    share(ada, path)
    key = {"Idempotency-Key": "once"}
    made = bob.post("/studies", {"copy_of": study_id, "title": "Bob's"}, headers=key)
    assert made.json["document"]["title"] == "Bob's"
    assert made.json["version"] == 2
    assert [one["name"] for one in made.json["authors"]] == ["Bob"]
    assert ada.delete(path).status_code == 204
    # What the key led to is answered again, though the source is gone.
    again = bob.post("/studies", {"copy_of": study_id, "title": "Bob's"}, headers=key)
    assert (again.status_code, again.json["id"]) == (201, made.json["id"])


def test_a_study_is_begun_with_a_file_or_as_a_copy(ada: Caller) -> None:
    file = {"format": "cartulary-study/1", "title": "T", "language": "en"}
    refused = problem(ada.post("/studies", {"title": "T"}), 422, "invalid")
    assert set(pointers(refused)) == {"/format", "/language"}
    refused = problem(ada.post("/studies", {**file, "copy_of": "x"}), 422, "invalid")
    assert set(pointers(refused)) == {"/format", "/language"}
    problem(ada.post("/studies", {"copy_of": "nothing"}), 404, "not_found")
