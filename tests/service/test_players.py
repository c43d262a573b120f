"""Players, the catalogue, and the lobby."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.service.caller import Caller


def test_a_token_is_shown_once_and_stored_as_a_hash_only(anybody: Caller, store: Store) -> None:
    made = anybody.post("/players", {"name": "Ada"})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    token = made.json["token"]
    shown = anybody.get(made.headers["Location"].removeprefix("/api/v1")).json
    assert shown == {key: made.json[key] for key in ("id", "name", "created_at")}
    stored = b"".join(store.redis.dump(key) + key for key in store.redis.scan_iter())
    assert token.encode() not in stored


def test_who_am_i(ada: Caller) -> None:
    assert ada.get("/players/me").json == ada.get(f"/players/{ada.id}").json


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_of_a_token_is_told_without_regard_to_case(ada: Caller, scheme: str) -> None:
    answer = ada.get("/players/me", headers={"Authorization": f"{scheme} {ada.token}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "name",
    ["Ada", "Łukasz Żółć", "玩家", "🎲", "👩\u200d👧", "O'Neil <b>", "a\u00a0b", "x" * 64],
)
def test_names_of_all_kinds(anybody: Caller, name: str) -> None:
    assert anybody.post("/players", {"name": name}).json["name"] == name


def test_spaces_around_a_name_are_left_out(anybody: Caller) -> None:
    assert anybody.post("/players", {"name": "  Ada "}).json["name"] == "Ada"


def test_the_catalogue_names_every_game_with_its_bots(anybody: Caller) -> None:
    answer = anybody.get("/catalogue")
    offers = {offer["name"]: offer for offer in answer.json["games"]}
    assert offers.keys() == OFFERS.keys()
    for name, offer in offers.items():
        assert {bot["name"] for bot in offer["bots"]} == set(OFFERS[name].bots)
        assert all(bot["text"] for bot in offer["bots"])
        assert offer["seats"] == {"from": 2, "to": 5}
        assert all(option["default"] == option["values"][0] for option in offer["options"])
    again = anybody.get("/catalogue", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def ids(page: Any) -> list[str]:
    return [game["id"] for game in page.json["games"]]


def test_the_lobby_pages_through_all_public_games_newest_first(ada: Caller) -> None:
    opened = [ada.open("me", "open")["id"] for _ in range(5)]
    ada.open(visibility="private")
    found, cursor = [], ""
    while cursor is not None:
        page = ada.get("/games?limit=2" + (f"&cursor={cursor}" if cursor else ""))
        found += ids(page)
        cursor = page.json["next_cursor"]
    assert found == opened[::-1]


def test_the_lobby_by_status_and_game(ada: Caller) -> None:
    waiting, playing = ada.open("me", "open")["id"], ada.open()["id"]
    assert ids(ada.get("/games?status=open")) == [waiting]
    assert ids(ada.get("/games?status=running&game=carcassonne")) == [playing]
    assert ids(ada.get("/games?status=over")) == []
    for unknown in ("chess", "any", "ANY", "*"):
        assert ids(ada.get(f"/games?game={unknown}")) == []
        assert ids(ada.get(f"/games?player=me&game={unknown}")) == []


def test_games_of_ones_own(ada: Caller, bob: Caller) -> None:
    own, joined = ada.open(visibility="private")["id"], bob.open("me", "open")["id"]
    bob.open()
    ada.post(f"/games/{joined}/seats", {})
    answer = ada.get("/games?player=me")
    assert ids(answer) == [joined, own]
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_a_game_in_a_list_is_the_game_without_its_view(ada: Caller) -> None:
    game = ada.open()
    del game["view"]
    assert ada.get("/games").json["games"] == [game]


def test_requests_of_one_player_do_not_count_for_another(
    make_app: Callable[..., Any], store: Store
) -> None:
    app = make_app(rates={"writes": "1/minute"})
    for name in ("Ada", "Bob"):
        caller = Caller(app.test_client())
        caller.token = caller.post("/players", {"name": name}).json["token"]
        caller.open()
