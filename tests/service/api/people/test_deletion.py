"""The deletion of an account over HTTP: no answer shows the name any more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.ledger.masks import NAME
from cartulary.events.store import Store
from tests.service.support.caller import Caller


@pytest.fixture
def zoe(register: Callable[[str], Caller]) -> Caller:
    return register("Zoë of the Deletions")


@pytest.fixture
def game(ada: Caller, bob: Caller, zoe: Caller) -> str:
    """The id of a public game of Ada, Bob and Zoë, in which everybody has answered."""
    game_id: str = ada.open("me", "open", "open", visibility="public")["id"]
    for guest in (bob, zoe):
        assert guest.post(f"/games/{game_id}/seats", {}).status_code == 201
    for caller in (ada, bob, zoe) * 2:
        seat = _seat(ada, game_id, caller)
        while ada.get(f"/games/{game_id}").json["decision"]["seat"] == seat:
            assert caller.move(game_id).status_code == 201
    return game_id


def _seat(ada: Caller, game_id: str, caller: Caller) -> int:
    seats = ada.get(f"/games/{game_id}").json["seats"]
    found: int = next(seat["seat"] for seat in seats if seat["player"]["id"] == caller.id)
    return found


def delete(caller: Caller, name: str = "Zoë of the Deletions") -> Any:
    return caller.post("/players/me/deletion", {"confirm": name})


PATHS = (
    "",
    "/events",
    "/events?limit=3",
    "/story",
    "/transcript",
    "/board.svg",
    "/board.svg?version=8",
    "/position.txt",
    "/position.txt?version=8",
    "/proposals",
    "/states/5",
    "/messages",
    "/verification",
)


@pytest.mark.slow
def test_no_answer_shows_the_name(ada: Caller, zoe: Caller, game: str) -> None:
    zoe.post(f"/games/{game}/messages", {"room": "players", "phrase": "hello"})
    shown = [ada.get(f"/games/{game}{path}").text for path in PATHS]
    assert sum("Deletions" in text for text in shown) >= 7
    assert delete(zoe).status_code == 204
    for path in PATHS:
        answer = ada.get(f"/games/{game}{path}")
        assert answer.status_code == 200, path
        assert "Deletions" not in answer.text, path
    for path in ("/games", "/games?player=me"):
        assert "Deletions" not in ada.get(path).text
        assert NAME in ada.get(path).text
    assert ada.get(f"/players/{zoe.id}").status_code == 404


def test_the_token_is_unknown(zoe: Caller, game: str) -> None:
    assert delete(zoe).status_code == 204
    for answer in (zoe.get("/players/me"), delete(zoe)):
        assert (answer.status_code, answer.json["code"]) == (401, "token_unknown")


def test_another_name_deletes_nothing(zoe: Caller, game: str) -> None:
    answer = delete(zoe, "Zoë")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["errors"][0]["pointer"] == "/confirm"
    assert zoe.get("/players/me").status_code == 200


def test_a_token_that_only_plays_deletes_nothing(zoe: Caller) -> None:
    made = zoe.post("/players/me/tokens", {"label": "phone", "scopes": ["play"]}).json
    answer = delete(Caller(zoe.client, made["token"]))
    assert (answer.status_code, answer.json["code"]) == (403, "scope_missing")


@pytest.mark.slow
def test_the_events_say_masked_and_the_chain_holds(ada: Caller, zoe: Caller, game: str) -> None:
    before = ada.get(f"/games/{game}/events").json["events"]
    delete(zoe)
    after = ada.get(f"/games/{game}/events").json["events"]
    assert [event["hash"] for event in after[: len(before)]] == [one["hash"] for one in before]
    masked = [event["type"] for event in after if event.get("masked")]
    assert masked == ["seat_taken", "seat_forfeited"]
    said = ada.get(f"/games/{game}/verification").json
    assert (said["valid"], said["masked"]) == (True, 2)


@pytest.mark.slow
def test_streams_send_masked_events(ada: Caller, zoe: Caller, game: str) -> None:
    delete(zoe)
    sent = ada.get(f"/games/{game}/events?limit=4", headers={"Accept": "application/json"}).json
    assert sent["events"][2]["player"] == {"id": zoe.id, "name": NAME}


class TestTags:
    @pytest.mark.slow
    def test_a_deletion_changes_the_tag_and_not_the_version(
        self, ada: Caller, bob: Caller, zoe: Caller, store: Store, game: str
    ) -> None:
        over = f"/games/{game}"
        for caller in (ada, bob):
            caller.post(f"{over}/resignation", {})
        store.commands.score(game)
        before = ada.get(over).headers["ETag"]
        version = ada.get(over).json["version"]
        assert before == f'"v{version}"'
        assert delete(zoe).status_code == 204
        for path in ("", "/transcript", "/moves"):
            answer = ada.get(over + path, headers={"If-None-Match": before})
            assert (answer.status_code, answer.headers["ETag"]) == (200, f'"v{version}.1"')
            tag = {"If-None-Match": answer.headers["ETag"]}
            assert ada.get(over + path, headers=tag).status_code == 304
        for path in ("/board.svg", "/position.txt", "/moves?words=1"):
            assert ada.get(f"{over}{path}").headers["ETag"].startswith(f'W/"v{version}.1-')

    def test_if_match_looks_at_the_version_only(
        self, ada: Caller, bob: Caller, zoe: Caller, game: str
    ) -> None:
        delete(zoe)
        shown = ada.get(f"/games/{game}")
        version = shown.json["version"]
        assert shown.headers["ETag"] == f'"v{version}.1"'
        for n, tag in enumerate((f'"v{version}.1"', f'"v{version}"', f'"v{version}.7"')):
            answer = ada.post(
                f"/games/{game}/proposals",
                {"kind": "end"} if not n else {"kind": "nonsense"},
                headers={"If-Match": tag},
            )
            assert answer.status_code in (201, 422), answer.text
        answer = ada.post(
            f"/games/{game}/proposals", {"kind": "abort"}, headers={"If-Match": '"v1.1"'}
        )
        assert answer.status_code == 412

    @pytest.mark.slow
    def test_a_move_answers_with_the_tag_and_without_the_name(
        self, ada: Caller, bob: Caller, zoe: Caller, game: str
    ) -> None:
        delete(zoe)
        decision = ada.get(f"/games/{game}").json["decision"]
        asked = ada if decision["seat"] == _seat(ada, game, ada) else bob
        for board in ("", "?board=tall"):
            move = ada.get(f"/games/{game}/moves").json["moves"][-1]
            answer = asked.post(f"/games/{game}/moves{board}", {"move": move})
            assert answer.status_code == 201, answer.text
            assert answer.headers["ETag"] == f'"v{answer.json["version"]}.1"'
            assert "Deletions" not in answer.text


class TestCaching:
    @pytest.mark.slow
    def test_what_shows_names_is_cached_for_a_day(self, ada: Caller, game: str) -> None:
        day, forever = "max-age=86400", "immutable"
        for path, expected in (
            ("/events?limit=3", day),
            ("/events?after=6&limit=2", forever),
            ("/board.svg?version=6", day),
            ("/position.txt?version=6", day),
            ("/states/6", forever),
        ):
            found = ada.get(f"/games/{game}{path}").headers["Cache-Control"]
            assert expected in found, path
            assert (forever in found) == (expected == forever), path


@pytest.mark.slow
def test_a_rematch_leaves_the_seat_open(
    ada: Caller, bob: Caller, zoe: Caller, store: Store, game: str
) -> None:
    for caller in (bob, zoe):
        caller.post(f"/games/{game}/resignation", {})
    store.commands.score(game)
    delete(zoe)
    made = ada.post(f"/games/{game}/rematch", {"seats": "same"})
    assert made.status_code == 201
    assert [seat["state"] for seat in made.json["seats"]] == ["seated", "offered", "open"]
    assert "Deletions" not in json.dumps(made.json)


def test_inboxes_show_no_deleted_name(ada: Caller, zoe: Caller, store: Store, game: str) -> None:
    store.list_updater.follow(store.projector.table(game))
    items = ada.get("/players/me/inbox").text
    assert "Deletions" in items
    assert delete(zoe).status_code == 204
    store.list_updater.follow(store.projector.table(game))
    after = ada.get("/players/me/inbox")
    assert "Deletions" not in after.text
    assert len(after.json["items"]) > items.count('"type"') - 1
    assert all(NAME in item["data"]["title"] for item in after.json["items"])
    assert "Deletions" not in str(store.turns.take_snapshot(ada.id))
