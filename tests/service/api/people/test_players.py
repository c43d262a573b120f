"""Players, the catalogue, and the lobby."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.service.support.caller import Caller


def test_a_token_is_shown_once_and_stored_as_a_hash_only(visitor: Caller, store: Store) -> None:
    made = visitor.post("/players", {"name": "Ada"})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    token = made.json["token"]
    shown = visitor.get(made.headers["Location"].removeprefix("/api/v1")).json
    assert (shown.pop("ratings"), shown.pop("hosting")) == ([], [])
    assert shown.pop("reliability")["games"] == 0
    known = {key: made.json[key] for key in ("id", "name", "kind", "created_at")}
    assert shown == {**known, "online": False}
    stored = b"".join(store.redis.dump(key) + key for key in store.redis.scan_iter())
    assert token.encode() not in stored


def test_a_new_player_who_opens_a_game_has_the_commitment_to_its_draws_already(
    visitor: Caller,
) -> None:
    made = visitor.post("/players", {"name": "Ada", "commit": True}).json
    ada = Caller(visitor.client, made["token"])
    wish = {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}
    opened = ada.post("/games", {**wish, "commitment": made["commitment"]["id"]}).json
    created = ada.get(f"/games/{opened['id']}/events?limit=1").json["events"][0]
    assert created["fair"]["commitment"] == made["commitment"]["commitment"]
    assert "commitment" not in visitor.post("/players", {"name": "Ada"}).json


def test_who_am_i(ada: Caller) -> None:
    shown = ada.get("/players/me").json
    assert shown.pop("preferences") == {
        "takebacks": "ask",
        "colour": "usual",
        "visibility": "public",
        "open_data": "no",
    }
    assert shown.pop("claimed_at") is None
    assert shown.pop("asks_open_data") is False
    profile = ada.get(f"/players/{ada.id}").json
    assert profile.items() >= {**shown, "ratings": [], "online": True}.items()
    assert profile.keys() - shown.keys() == {"ratings", "online", "reliability", "hosting"}


@pytest.mark.slow
@pytest.mark.parametrize("value", ["always", "misclick", "never", "ask"])
def test_a_player_chooses_what_happens_when_somebody_asks_for_a_takeback(
    ada: Caller, value: str
) -> None:
    answer = ada.patch("/players/me", {"preferences": {"takebacks": value}})
    assert (answer.status_code, answer.json["preferences"]["takebacks"]) == (200, value)
    assert ada.get("/players/me").json == answer.json
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_a_player_keeps_the_colour_of_the_own_pieces_with_the_account(ada: Caller) -> None:
    answer = ada.patch("/players/me", {"preferences": {"colour": "yellow"}})
    assert answer.json["preferences"] == {
        "takebacks": "ask",
        "colour": "yellow",
        "visibility": "public",
        "open_data": "no",
    }
    ada.patch("/players/me", {"preferences": {"takebacks": "never"}})
    kept = {"takebacks": "never", "colour": "yellow", "visibility": "public"}
    assert ada.get("/players/me").json["preferences"] == {**kept, "open_data": "no"}


def test_preferences_are_shown_to_their_player_only(ada: Caller, bob: Caller) -> None:
    ada.patch("/players/me", {"preferences": {"takebacks": "never"}})
    assert "preferences" not in bob.get(f"/players/{ada.id}").json


def test_a_new_name_is_that_of_new_events_and_old_events_keep_theirs(ada: Caller) -> None:
    before = ada.open()["id"]
    answer = ada.patch("/players/me", {"name": " Ada L. "})
    assert (answer.status_code, answer.json["name"]) == (200, "Ada L.")
    assert ada.get(f"/players/{ada.id}").json["name"] == "Ada L."
    after = ada.open()["id"]
    names = [
        ada.get(f"/games/{game}").json["seats"][0]["player"]["name"] for game in (before, after)
    ]
    assert names == ["Ada", "Ada L."]


def test_what_is_not_asked_for_stays_as_it_was(ada: Caller) -> None:
    ada.patch("/players/me", {"preferences": {"takebacks": "always"}})
    bodies: list[dict[str, Any]] = [{}, {"preferences": {}}, {"name": "Ada L."}]
    # Null means that the field is missing: generated clients send every field.
    bodies += [{"name": None, "preferences": None}, {"preferences": {"takebacks": None}}]
    for body in bodies:
        answer = ada.patch("/players/me", body)
        assert (answer.status_code, answer.json["preferences"]["takebacks"]) == (200, "always")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"preferences": {"takebacks": "sometimes"}}, "/preferences/takebacks"),
        ({"preferences": {"colour": "red"}}, "/preferences/colour"),
        ({"preferences": {"rematch": "ask"}}, "/preferences/rematch"),
        ({"email": "ada@example.org"}, "/email"),
    ],
)
def test_a_change_that_cannot_be_meant_changes_nothing(
    ada: Caller, body: dict[str, Any], pointer: str
) -> None:
    before = ada.get("/players/me").json
    answer = ada.patch("/players/me", body)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["errors"][0]["pointer"] == pointer
    assert ada.get("/players/me").json == before


def test_changing_a_player_needs_a_token(visitor: Caller) -> None:
    answer = visitor.patch("/players/me", {"name": "Eve"})
    assert (answer.status_code, answer.json["code"]) == (401, "token_missing")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_of_a_token_is_read_without_regard_to_case(ada: Caller, scheme: str) -> None:
    answer = ada.get("/players/me", headers={"Authorization": f"{scheme} {ada.token}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "name",
    ["Ada", "Łukasz Żółć", "玩家", "Гость 42", "O'Neil <b>", "x" * 64],
)
def test_names_of_all_kinds(visitor: Caller, name: str) -> None:
    assert visitor.post("/players", {"name": name}).json["name"] == name


def test_spaces_around_a_name_are_left_out(visitor: Caller) -> None:
    assert visitor.post("/players", {"name": "  Ada "}).json["name"] == "Ada"


def test_the_catalogue_names_every_game_with_its_bots(visitor: Caller) -> None:
    answer = visitor.get("/catalogue")
    offers = {offer["name"]: offer for offer in answer.json["games"]}
    assert offers.keys() == OFFERS.keys()
    for name, offer in offers.items():
        assert {bot["name"] for bot in offer["bots"]} == set(OFFERS[name].bots)
        assert all(bot["text"] for bot in offer["bots"])
        rules = OFFERS[name].rules
        assert offer["seats"] == {"from": rules.seats_from, "to": rules.seats_to}
        assert all(option["default"] == option["values"][0] for option in offer["options"])
    again = visitor.get("/catalogue", headers={"If-None-Match": answer.headers["ETag"]})
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
