"""Players are found by the beginning of their names."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable

import pytest
from flask import Flask

from cartulary.events.people.name_folding import fold_name
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import problem


def find(caller: Caller, name: str) -> list[str]:
    found = caller.get("/players", query_string={"name": name})
    assert found.status_code == 200, found.text
    return [one["name"] for one in found.json["players"]]


def test_exact_names_come_first_whatever_case_and_marks(app: Flask, visitor: Caller) -> None:
    for name in ("Lukasz Nowak", "Łukasz", "LUKASZ", "Luke"):
        register_player(app, name)
    assert find(visitor, "łukasz") == ["Łukasz", "LUKASZ", "Lukasz Nowak"]
    assert find(visitor, "luk") == ["Łukasz", "LUKASZ", "Lukasz Nowak", "Luke"]
    assert find(visitor, "lukass") == []


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Éva  Żak", "eva zak"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Đuro", "duro"),
        ("𝐀𝐝𝐚 ℌ", "ada h"),
        ("İnci", "inci"),
        ("\u0301\u0308\u0330", ""),
    ],
)
def test_names_are_folded(name: str, folded: str) -> None:
    assert fold_name(name) == folded


def test_twenty_a_page(app: Flask, visitor: Caller) -> None:
    names = [f"Robot {number:02}" for number in range(25)]
    for name in names:
        register_player(app, name)
    first = visitor.get("/players?name=robot").json
    second = visitor.get(f"/players?name=robot&cursor={first['next_cursor']}").json
    assert [one["name"] for one in first["players"] + second["players"]] == names
    assert (len(first["players"]), second["next_cursor"]) == (20, None)


@pytest.mark.parametrize(
    "query", ["", "name=ab", "name=%CC%81%CC%88%CC%B0", "name=%20%20a%20", "name=" + "x" * 200]
)
def test_a_name_that_is_too_short_or_too_long_is_refused(visitor: Caller, query: str) -> None:
    problem(visitor.get(f"/players?{query}"), 422, "invalid")


@pytest.mark.parametrize("cursor", ["x", "żż", "QUJD"])
def test_a_cursor_of_no_search_is_refused(visitor: Caller, cursor: str) -> None:
    answer = visitor.get("/players", query_string={"name": "ada", "cursor": cursor})
    problem(answer, 400, "bad_cursor")


def test_a_cursor_leads_to_no_name_that_begins_otherwise(app: Flask, visitor: Caller) -> None:
    for name in ("Mia", "Zoe", "Zoe Two"):
        register_player(app, name)
    for entry in (b"\0", b"mia\0x", b"zo\0"):
        forged = urlsafe_b64encode(entry).decode()
        answer = visitor.get("/players", query_string={"name": "zoe", "cursor": forged})
        problem(answer, 400, "bad_cursor")


@pytest.mark.parametrize("name", ["A*b?c[d]e", "(+.*\\", "[[[[", "Ωμέγα", "日本語の名前"])
def test_letters_of_patterns_and_other_scripts_are_letters(
    app: Flask, visitor: Caller, name: str
) -> None:
    register_player(app, "Ada Lovelace")
    register_player(app, name)
    assert find(visitor, name[:3]) == [name]


def test_no_name_is_left_in_the_index_when_its_player_has_it_no_more(
    app: Flask, store: Store
) -> None:
    gone, other = register_player(app, "Zoe"), register_player(app, "Zora")
    bot = other.post("/players/me/bots", {"name": "Zobot"}).json
    assert len(store.registry.zrangebylex(keys.names(), b"[zo", b"[zo\xff")) == 3
    assert gone.post("/players/me/deletion", {"confirm": "Zoe"}).status_code == 204
    assert other.patch("/players/me", {"name": "Mia"}).status_code == 200
    assert other.delete(f"/players/me/bots/{bot['id']}").status_code == 204
    assert store.registry.zrangebylex(keys.names(), b"[zo", b"[zo\xff") == []


@pytest.mark.slow
def test_deleted_merged_and_closed_players_are_not_found_nor_are_old_names(
    app: Flask, visitor: Caller, store: Store
) -> None:
    gone, guest, home = (register_player(app, f"Zoe {n}") for n in ("gone", "guest", "home"))
    bot = home.post("/players/me/bots", {"name": "Zoe bot"}).json
    assert find(visitor, "zoe") == ["Zoe bot", "Zoe gone", "Zoe guest", "Zoe home"]
    assert gone.post("/players/me/deletion", {"confirm": "Zoe gone"}).status_code == 204
    assert home.post("/players/me/recovery_codes").status_code == 201
    assert home.post("/players/me/merge", {"token": guest.token}).status_code == 200
    assert home.delete(f"/players/me/bots/{bot['id']}").status_code == 204
    assert home.patch("/players/me", {"name": "Mia"}).status_code == 200
    assert find(visitor, "zoe") == []
    assert find(visitor, "mia") == ["Mia"]
    assert not store.registry.zrangebylex(keys.names(), b"[zoe", b"[zoe\xff")


def test_players_from_before_the_index_are_found(ada: Caller, store: Store) -> None:
    store.registry.delete(keys.names(), keys.names_complete())
    assert find(ada, "ada") == ["Ada"]


def test_searches_are_limited(make_app: Callable[..., Flask]) -> None:
    visitor = Caller(make_app(rates={"searches": "2/minute"}).test_client())
    assert [visitor.get("/players?name=ada").status_code for _ in range(2)] == [200, 200]
    problem(visitor.get("/players?name=ada"), 429, "rate_limited")
