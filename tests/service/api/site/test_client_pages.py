"""The page of the client: what a messenger shows of a link, and addresses that do not exist."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from typing import Any

import pytest
from fakeredis import FakeRedis
from flask import Flask

from cartulary.events.store import Store
from cartulary.service.api.site import client, link_previews
from cartulary.service.app import create_app
from cartulary.service.http.qr_codes import draw_qr_code
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import Caller, played_out, register_player
from tests.support.games import ALL_OFFERS

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


class Tags(HTMLParser):
    """The `og:` tags of a page, in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag of the kind."""
        given = dict(attrs)
        name = given.get("property") or ""
        if tag == "meta" and name.startswith("og:"):
            self.found.append((name[3:], given.get("content") or ""))


def tags_of(
    caller: Caller, game_id: str, folder: str = "games", **headers: str
) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    page = caller.client.get(f"/{folder}/{game_id}", headers=headers).text
    for name, content in Tags(page).found:
        tags.setdefault(name, []).append(content)
    return tags


class TestPreviews:
    def test_a_running_table_has_its_game_players_status_and_picture(
        self, ada: Caller, visitor: Caller
    ) -> None:
        game = ada.open("me", "me")["id"]
        tags = tags_of(visitor, game)
        assert tags["title"] == ["Carcassonne"]
        assert tags["description"] == ["Ada, Ada · The game is on"]
        assert tags["url"] == [f"/games/{game}"]
        (picture,) = tags["image"]
        assert "/board.png?width=1200" in picture
        (spoken,), others = tags["locale"], tags["locale:alternate"]
        assert (len(others), spoken in others) == (len(set(others)), False)
        page = visitor.client.get(f"/games/{game}").text
        assert not re.search(r">[^<\s][^<]*<meta", page)  # between tags there is no text
        assert '<meta name="twitter:card" content="summary_large_image">' in page
        assert f'<meta name="twitter:image" content="{escape(picture)}">' in page

    @pytest.mark.slow
    def test_the_picture_of_a_preview_is_a_png_in_the_size_that_its_tags_say(
        self, ada: Caller, visitor: Caller
    ) -> None:
        tags = tags_of(visitor, ada.open("me", "me")["id"])
        drawn = visitor.client.get(tags["image"][0])
        assert drawn.mimetype == tags["image:type"][0] == "image/png"
        size = [drawn.data[at : at + 4] for at in (16, 20)]
        assert drawn.data.startswith(b"\x89PNG\r\n")
        assert [str(int.from_bytes(part)) for part in size] == ["1200", "630"]
        assert [*tags["image:width"], *tags["image:height"]] == ["1200", "630"]

    def test_without_the_libraries_for_pixels_the_picture_is_the_svg_and_then_the_icon(
        self, ada: Caller, visitor: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(link_previews, "is_installed", lambda: False)
        tags = tags_of(visitor, ada.open("me", "me")["id"])
        picture, icon = tags["image"]
        assert tags["image:type"] == ["image/svg+xml", "image/png"]
        assert 'data-layout="share"' in visitor.client.get(picture).text
        assert visitor.client.get(icon).mimetype == "image/png"

    def test_a_table_that_waits_has_no_picture_yet(self, ada: Caller, visitor: Caller) -> None:
        tags = tags_of(visitor, ada.open("me", "open")["id"])
        assert tags["description"] == ["Ada, open seat · Waiting for players"]
        assert [image.rpartition(".")[2] for image in tags["image"]] == ["png"]

    def test_a_table_that_is_over_names_the_winner(self, ada: Caller) -> None:
        (description,) = tags_of(ada, played_out(ada))["description"]
        assert description == "Ada, Bob · Won by Ada"

    def test_the_link_alone_is_enough_for_an_unlisted_table_but_not_for_a_private_table(
        self, ada: Caller, visitor: Caller
    ) -> None:
        unlisted = ada.open("me", "open", visibility="unlisted")["id"]
        private = ada.open("me", "me", visibility="private")["id"]
        assert tags_of(visitor, unlisted)["title"] == ["Carcassonne"]
        assert tags_of(visitor, private) == tags_of(ada, private) == {}
        assert "Ada" not in ada.client.get(f"/games/{private}").text

    @pytest.mark.slow
    def test_the_name_of_a_deleted_player_is_not_in_the_tags(
        self, ada: Caller, bob: Caller, visitor: Caller
    ) -> None:
        address = f"/games/{ada.open('me', 'open')['id']}"
        bob.post(f"{address}/seats", {})
        tag = visitor.client.get(address).headers["ETag"]
        assert bob.post("/players/me/deletion", {"confirm": "Bob"}).status_code == 204
        page = visitor.client.get(address, headers={"If-None-Match": tag})
        assert page.status_code == 200
        assert "Bob" not in page.text

    def test_an_unknown_table_has_no_tags(self, visitor: Caller) -> None:
        assert tags_of(visitor, "01J") == {}
        assert Tags(visitor.client.get("/").text).found == []

    def test_a_game_that_no_language_names_has_its_own_name_and_no_picture(self) -> None:
        """A game that is playable and not yet translated: its table opens by its address."""
        store = Store(FakeRedis(), ALL_OFFERS, rng=random.Random(1))
        app = create_app(WebSettings(log_requests=False), store, ALL_OFFERS)
        ada = register_player(app, "Ada")
        body = {"game": "beans", "seats": [{"kind": "me"}] * 2}
        tags = tags_of(ada, ada.post("/games", body).json["id"])
        assert tags["title"] == ["beans"]
        assert [image.rpartition(".")[2] for image in tags["image"]] == ["png"]

    def test_names_are_escaped(self, app: Flask, register: Callable[[str], Caller]) -> None:
        evil = register("<b>\"&'")
        page = app.test_client().get(f"/games/{evil.open('me', 'open')['id']}").text
        assert "<b>" not in page
        (description,) = [text for name, text in Tags(page).found if name == "description"]
        assert description.startswith("<b>\"&', open seat")

    def test_the_tags_speak_the_language_of_the_reader(self, ada: Caller, visitor: Caller) -> None:
        game = ada.open("me", "open")["id"]
        tags = tags_of(visitor, game, **{"Accept-Language": "ru"})
        assert tags["title"] == ["Каркассон"]
        page = visitor.client.get(f"/games/{game}", headers={"Accept-Language": "ru"})
        assert "Accept-Language" in page.headers["Vary"]

    def test_links_are_absolute_with_a_public_address(
        self, ada: Caller, make_app: Callable[..., Flask]
    ) -> None:
        game = ada.open("me", "me")["id"]
        there = make_app(public_url="https://games.example/table").test_client()
        page = there.get(f"/games/{game}", headers={"Host": "evil.example"}).text
        tags = Tags(page).found
        links = [text for name, text in tags if name in ("url", "image")]
        assert len(links) == 2
        assert all(link.startswith("https://games.example/table/") for link in links)

    def test_a_page_with_tags_is_confirmed_until_the_tags_change(
        self, ada: Caller, bob: Caller
    ) -> None:
        address = f"/games/{ada.open('me', 'open')['id']}"
        tag = ada.client.get(address).headers["ETag"]
        assert ada.client.get(address, headers={"If-None-Match": tag}).status_code == 304
        bob.post(f"{address}/seats", {})
        assert ada.client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_tournament_is_named_to_messengers_but_not_a_private_one(
    ada: Caller, visitor: Caller
) -> None:
    wish = {
        "name": "Thursday <b>",
        "game": "carcassonne",
        "table": [2],
        "format": "swiss",
        "pace": {"mode": "live", "delay": 30, "bank": 600},
        "start": {"by_host": True},
    }
    public = ada.post("/tournaments", wish).json["id"]
    private = ada.post("/tournaments", {**wish, "visibility": "private"}).json["id"]
    tags = tags_of(visitor, public, "tournaments")
    assert tags["title"] == ["Thursday <b>"]
    assert tags["description"] == ["Carcassonne · Open for entry"]
    assert tags["url"] == [f"/tournaments/{public}"]
    assert tags_of(ada, private, "tournaments") == tags_of(ada, "new", "tournaments") == {}


class TestUnknownAddresses:
    @pytest.mark.parametrize("path", ["/whatever", "/games", "/new/", "/docs/none", "/js/none.js"])
    def test_a_browser_gets_a_page_that_leads_home(self, visitor: Caller, path: str) -> None:
        answer = visitor.client.get(path, headers=BROWSER)
        assert answer.status_code == 404
        assert answer.mimetype == "text/html"
        assert "ETag" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]

    def test_the_page_is_sent_whatever_page_the_browser_has(self, visitor: Caller) -> None:
        known = visitor.client.get("/").headers["ETag"]
        for tag in (known, "*"):
            answer = visitor.client.get("/whatever", headers={**BROWSER, "If-None-Match": tag})
            assert answer.status_code == 404
            assert "</html>" in answer.text

    @pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html;q=0", ""])
    def test_a_program_gets_a_problem(self, visitor: Caller, accept: str) -> None:
        answer: Any = visitor.client.get("/whatever", headers={"Accept": accept})
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    @pytest.mark.parametrize("path", ["/api/v1/whatever", "/api/v1/games/01J", "/api/v2/games"])
    def test_the_api_answers_a_browser_with_a_problem(self, visitor: Caller, path: str) -> None:
        answer = visitor.client.get(path, headers=BROWSER)
        assert answer.status_code == 404
        assert answer.mimetype == "application/problem+json"

    def test_only_reading_gets_the_page(self, visitor: Caller) -> None:
        answer = visitor.client.post("/whatever", headers=BROWSER)
        assert answer.mimetype == "application/problem+json"


def test_the_link_of_a_table_is_drawn_for_the_origin_that_the_browser_knows(
    visitor: Caller,
) -> None:
    origin = "http://192.168.1.7:8000"
    answer = visitor.client.get("/games/abc/qr.svg", query_string={"origin": origin})
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.text == draw_qr_code(f"{origin}/games/abc")
    assert answer.text != draw_qr_code(f"{origin}/games/abd")
    poster = visitor.client.get("/tournaments/abc/qr.svg", query_string={"origin": origin})
    assert poster.text == draw_qr_code(f"{origin}/tournaments/abc")


@pytest.mark.parametrize(
    ("game", "origin"),
    [("abc", ""), ("abc", "https://a/b"), ("a.c", "https://a"), ("a" * 65, "https://a")],
)
def test_nothing_but_the_link_of_a_table_is_drawn(visitor: Caller, game: str, origin: str) -> None:
    answer = visitor.client.get(f"/games/{game}/qr.svg", query_string={"origin": origin})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("wanted", "stale", "takes", "told"),
    [
        *(("built", True, True, 1), ("built", False, True, 0)),
        *(("current", True, False, 0), ("current", False, True, 0), ("modules", True, False, 0)),
    ],
)
def test_stale_built_files_are_logged_where_they_are_sent(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wanted: str,
    stale: bool,
    takes: bool,
    told: int,
) -> None:
    monkeypatch.setattr(client, "is_stale", lambda: stale)
    assert client._takes_built(wanted) is takes  # noqa: SLF001
    assert len(caplog.records) == told
