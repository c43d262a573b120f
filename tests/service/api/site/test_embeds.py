"""The board of a table in other pages: the page in the frame, and how others learn of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask

from cartulary.service.api.site import oembed
from tests.service.support.caller import Caller, played_out
from tests.service.support.scene import problem

HOST = "https://games.example"


@pytest.fixture
def game(ada: Caller) -> str:
    game = str(ada.open()["id"])
    for _ in range(3):
        ada.move(game)
    return game


def ask(caller: Caller, url: str, **more: Any) -> Any:
    return caller.client.get("/oembed", base_url=HOST, query_string={"url": url, **more})


class TestEmbed:
    def test_any_page_may_frame_it_and_only_it(self, visitor: Caller, game: str) -> None:
        answer = visitor.client.get(f"/embed/games/{game}")
        assert answer.status_code == 200
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        for other in ("/", f"/games/{game}", "/docs", "/oembed"):
            policy = visitor.client.get(other).headers["Content-Security-Policy"]
            assert "frame-ancestors 'none'" in policy

    def test_it_runs_in_a_sandbox_without_forms_and_without_code_in_the_page(
        self, visitor: Caller, game: str
    ) -> None:
        answer = visitor.client.get(f"/embed/games/{game}")
        policy = answer.headers["Content-Security-Policy"]
        assert "sandbox allow-scripts " in policy
        assert not re.search("allow-(same-origin|forms|top-navigation)|unsafe", policy)
        assert "<form" not in answer.text
        assert re.findall("<script[^>]*>", answer.text) == ['<script src="/embed/embed.js">']

    def test_it_steps_through_the_moves_and_begins_where_it_is_asked_to(
        self, ada: Caller, visitor: Caller, game: str
    ) -> None:
        page = visitor.client.get(f"/embed/games/{game}?version=4").text
        moves = [
            event["version"]
            for event in ada.get(f"/games/{game}/events").json["events"]
            if event["type"] == "move_made"
        ]
        found = re.search('data-versions="([0-9,]+)"', page)
        assert found
        assert [*map(int, found[1].split(","))][1:] == moves
        assert ada.post(f"/games/{game}/proposals", {"kind": "takeback"}).status_code == 201
        taken_back = ada.version(game)
        later = visitor.client.get(f"/embed/games/{game}").text
        assert f',{taken_back}"' in later
        ada.move(game)
        later = visitor.client.get(f"/embed/games/{game}").text
        assert f",{taken_back},{taken_back + 1}" in later, "the board changes with a takeback too"
        assert 'data-version="4"' in page
        picture = re.search('<img src="([^"]+)"', page)
        assert picture
        assert visitor.client.get(unescape(picture[1])).mimetype == "image/svg+xml"

    def test_a_running_game_is_followed_unless_a_moment_or_no_life_is_wished(
        self, ada: Caller, visitor: Caller, game: str
    ) -> None:
        def follows(address: str) -> bool:
            return "data-events=" in visitor.client.get(f"/embed/games/{address}").text

        assert follows(game)
        assert not follows(f"{game}?version=4")
        assert not follows(f"{game}?live=0")
        assert follows(f"{game}?version=4&live=1")
        assert not follows(played_out(ada))

    @pytest.mark.parametrize("lang", ["en", "ru"])
    def test_what_is_not_to_be_seen_is_said_in_words(
        self, ada: Caller, visitor: Caller, game: str, lang: str
    ) -> None:
        private = ada.open(visibility="private")["id"]
        waiting = ada.open("me", "open")["id"]
        bad = [f"{game}?version={version}" for version in ("999", "0", "-1", "x", "1e3")]
        said = set()
        for address in (private, waiting, "01J", "x-y", *bad):
            # Even for those who see the game: a page in a frame knows no caller.
            answer = ada.client.get(
                f"/embed/games/{address}",
                headers={"Accept-Language": lang, "Authorization": f"Bearer {ada.token}"},
            )
            assert answer.status_code == 404
            assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
            said.add(answer.text)
        assert len(said) == 1
        assert f'<html lang="{lang}">' in said.pop()

    def test_names_are_escaped(self, app: Flask, register: Callable[[str], Caller]) -> None:
        game = register("<b>\"&'").open()["id"]
        assert "<b>" not in app.test_client().get(f"/embed/games/{game}").text


class TestOembed:
    def test_the_page_of_a_table_names_how_to_embed_it(self, visitor: Caller, game: str) -> None:
        page = visitor.client.get(f"/games/{game}").text
        found = re.search(
            '<link rel="alternate" type="application/json\\+oembed" href="([^"]+)"', page
        )
        assert found
        answer = visitor.client.get(unescape(found[1]))
        assert answer.status_code == 200
        assert json.loads(answer.data)["type"] == "rich"

    def test_a_link_to_a_table_is_a_frame_as_large_as_there_is_room(
        self, visitor: Caller, game: str
    ) -> None:
        url = f"{HOST}/games/{game}?v=3"
        answer = ask(visitor, url, maxwidth=500, unknown=1).json
        assert {key: answer[key] for key in ("type", "version", "width", "height")} == {
            "type": "rich",
            "version": "1.0",
            "width": 500,
            "height": oembed.HEIGHT,
        }
        assert answer["title"] == "Carcassonne: Ada, Ada"
        assert f'src="{HOST}/embed/games/{game}"' in answer["html"]
        assert "allow-same-origin" not in answer["html"]
        assert answer["thumbnail_url"].startswith(f"{HOST}/api/v1/games/{game}/board.png?width=500")
        assert ask(visitor, f"{HOST}/embed/games/{game}").json["type"] == "rich"

    def test_a_link_to_a_picture_is_a_picture(self, visitor: Caller, game: str) -> None:
        answer = ask(visitor, f"{HOST}/api/v1/games/{game}/board.png?width=9", maxwidth=400).json
        assert (answer["type"], answer["width"], answer["height"]) == ("photo", 400, 210)
        wish = parse_qs(urlsplit(answer["url"]).query)
        assert wish == {"width": ["400"], "layout": ["share"]}

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("room", "size"),
        [
            ({}, (1200, 630)),
            ({"maxwidth": 400, "maxheight": 100}, None),
            ({"maxheight": 315}, (600, 315)),
            ({"maxwidth": 199}, None),
            ({"maxwidth": 200}, (200, 105)),
        ],
    )
    def test_a_thumbnail_fits_into_the_room_or_is_missing(
        self, visitor: Caller, game: str, room: dict[str, int], size: tuple[int, int] | None
    ) -> None:
        answer = ask(visitor, f"{HOST}/games/{game}", **room).json
        found = answer.get("thumbnail_width"), answer.get("thumbnail_height")
        assert found == (size or (None, None))

    @pytest.mark.parametrize("room", [{"maxwidth": 1}, {"maxwidth": 150}, {"maxheight": 90}])
    def test_a_picture_is_shown_no_larger_than_the_room(
        self, visitor: Caller, game: str, room: dict[str, int]
    ) -> None:
        answer = ask(visitor, f"{HOST}/api/v1/games/{game}/board.png", **room).json
        assert answer["width"] <= room.get("maxwidth", 200)
        assert 1 <= answer["height"] <= room.get("maxheight", 200)
        assert "width=200&" in answer["url"]

    def test_other_links_are_not_found(self, ada: Caller, visitor: Caller, game: str) -> None:
        private = ada.open(visibility="private")["id"]
        for url in (
            *("", "x", f"ftp://a/games/{game}", f"{HOST}/lobby", "http://[", f"{HOST}/games/01J"),
            *(f"{HOST}/games/{private}", f"{HOST}/games/{game}/x", "a" * 5000),
            *(f"https://evil.example/games/{game}", f"//evil.example/games/{game}"),
            *(f"https://games.example@evil.example/games/{game}", f"{HOST}:8443/games/{game}"),
            *(f"https://ada@games.example/games/{game}", f"{HOST}:port/games/{game}"),
            *(f"{HOST}/there/games/{game}", f"{HOST}//games/{game}", f"javascript:/games/{game}"),
            *(f"https://evil.example/api/v1/games/{game}/board.png", f"https://:443/games/{game}"),
            f"https://{'a' * 64}.example/games/{game}",
        ):
            problem(ask(visitor, url), 404, "not_found")
        problem(ask(visitor, f"{HOST}/games/{game}", maxwidth="x"), 422, "invalid")

    @pytest.mark.parametrize("form", ["xml", "JSON", ""])
    def test_another_format_is_not_implemented(self, visitor: Caller, game: str, form: str) -> None:
        problem(ask(visitor, f"{HOST}/games/{game}", format=form), 501, "no_such_format")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("host", "site"),
        [
            ("HTTPS://GAMES.Example", HOST),
            (f"{HOST}:443", HOST),
            ("http://games.example", "http://games.example"),
            ("", HOST),
        ],
    )
    def test_a_link_may_spell_the_host_in_several_ways(
        self, visitor: Caller, game: str, host: str, site: str
    ) -> None:
        answer = ask(visitor, f"{host}/games/{game}", maxwidth=10**9).json
        assert f'src="{site}/embed/games/{game}"' in answer["html"]

    def test_a_host_of_other_letters_has_two_spellings(self, visitor: Caller, game: str) -> None:
        for host in ("https://xn--spiele-gua.example", "https://spieleä.example"):
            answer = visitor.client.get(
                "/oembed",
                base_url="https://xn--spiele-gua.example",
                query_string={"url": f"{host}/games/{game}"},
            )
            assert "https://xn--spiele-gua.example/embed" in json.loads(answer.data)["html"]

    def test_with_a_public_address_only_its_links_are_known(
        self, game: str, make_app: Callable[..., Flask]
    ) -> None:
        there = make_app(public_url=f"{HOST}/table").test_client()
        page = unescape(there.get(f"/games/{game}").text)
        assert f"{HOST}/table/oembed?url={quote(f'{HOST}/table/games/{game}', safe='')}" in page
        found = there.get("/oembed", query_string={"url": f"{HOST}/table/games/{game}"})
        assert f"{HOST}/table/embed/games/{game}" in json.loads(found.data)["html"]
        for url in (f"{HOST}/games/{game}", f"https://evil.example/table/games/{game}"):
            # The host of the request is chosen by the client, and does not count then.
            for host in (None, HOST, "https://evil.example"):
                answer = there.get("/oembed", base_url=host, query_string={"url": url})
                assert answer.status_code == 404
