"""Pictures of tables, and their story in words."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ElementTree
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import brotli
import pytest

from cartulary import locales
from cartulary.service.api.site import built_client
from tests.service.conftest import Caller

FOREVER = "public, max-age=31536000, immutable"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def game(ada: Caller) -> dict[str, Any]:
    game = ada.open()
    for _ in range(6):
        ada.move(game["id"])
    return game


class TestBoard:
    def test_every_place_of_a_legal_move_is_in_the_picture(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        while ada.legal(game["id"])[0]["type"] != "place_tile":
            ada.move(game["id"])
        answer = ada.get(f"/games/{game['id']}/board.svg")
        assert answer.mimetype == "image/svg+xml"
        root = ElementTree.fromstring(answer.data)
        assert root.tag == f"{SVG}svg"
        cells = {(e.get("data-x"), e.get("data-y")) for e in root.iter() if e.get("data-x")}
        wanted = {(str(move["x"]), str(move["y"])) for move in ada.legal(game["id"])}
        assert wanted <= cells

    def test_a_picture_of_a_version_may_be_kept_for_a_day_and_one_of_now_may_not(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        past = ada.get(f"/games/{game['id']}/board.svg?version=3")
        now = ada.get(f"/games/{game['id']}/board.svg")
        assert past.headers["Cache-Control"].endswith("max-age=86400")
        assert now.headers["Cache-Control"] == "no-cache"
        ada.move(game["id"])
        assert ada.get(f"/games/{game['id']}/board.svg?version=3").data == past.data

    @pytest.mark.slow
    def test_a_picture_that_the_client_has_is_not_sent_again(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        path = f"/games/{game['id']}/board.svg?layout=wide"
        tag = ada.get(path).headers["ETag"]
        assert ada.get(path, headers={"If-None-Match": tag}).status_code == 304
        other = ada.get(f"/games/{game['id']}/board.svg", headers={"If-None-Match": tag})
        assert other.status_code == 200

    def test_it_is_compressed_for_a_client_that_accepts_gzip(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        path = f"/games/{game['id']}/board.svg"
        plain, packed = ada.get(path), ada.get(path, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data

    def test_it_speaks_the_language_of_the_reader(self, ada: Caller, game: dict[str, Any]) -> None:
        path = f"/games/{game['id']}/board.svg"
        pictures = {
            lang: ada.get(path, headers={"Accept-Language": lang}).data
            for lang in locales.LANGUAGES
        }
        assert len(set(pictures.values())) == len(locales.LANGUAGES)

    def test_a_finished_game_shows_its_winner(self, ada: Caller, imported: str) -> None:
        assert b"Won" in ada.get(f"/games/{imported}/board.svg").data

    def test_it_can_be_read_as_text(self, ada: Caller, game: dict[str, Any]) -> None:
        path = f"/games/{game['id']}/board.svg"
        assert ada.get(path, headers={"Accept": "text/plain"}).mimetype == "text/plain"
        charset = {"Accept": "text/plain; charset=utf-8"}
        assert ada.get(path, headers=charset).mimetype == "text/plain"

    def test_there_is_no_picture_before_the_start(self, ada: Caller) -> None:
        game = ada.open("me", "open")
        answer = ada.get(f"/games/{game['id']}/board.svg")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")

    def test_a_private_game_of_others_has_none(self, ada: Caller, bob: Caller) -> None:
        game = ada.open(visibility="private")
        assert ada.get(f"/games/{game['id']}/board.svg").status_code == 200
        assert bob.get(f"/games/{game['id']}/board.svg").status_code == 404

    @pytest.mark.parametrize(
        "query",
        [
            *("layout=round", "theme=blue", "seat=5", "version=0", "version=x", "zoom=2"),
            *("parts=none", "ratio=0.1", "ratio=6", "ratio=nan", "ratio=1e99", "ratio=1_0"),
            *("colours=0123", "colours=01233", "colours=01235", "colours=", "colours=0,1,2,3,4"),
        ],
    )
    @pytest.mark.slow
    def test_a_bad_wish_is_refused(self, ada: Caller, game: dict[str, Any], query: str) -> None:
        answer = ada.get(f"/games/{game['id']}/board.svg?{query}")
        assert (answer.status_code, answer.json["code"]) == (422, "invalid")
        pointers = [error["pointer"] for error in answer.json["errors"]]
        assert pointers == ["/" + query.split("=")[0]]

    def test_each_wish_has_a_picture_and_a_tag_of_its_own(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        path = f"/games/{game['id']}/board.svg?layout=fit"
        wishes = ("", "&ratio=0.3", "&parts=board", "&parts=board&ratio=0.3", "&colours=21034")
        answers = [ada.get(path + wish) for wish in wishes]
        assert len({answer.headers["ETag"] for answer in answers}) == len(wishes)
        assert len({answer.data for answer in answers}) == len(wishes)

    def test_ratios_are_rounded_to_twentieths(self, ada: Caller, game: dict[str, Any]) -> None:
        path = f"/games/{game['id']}/board.svg?layout=fit&parts=board&ratio="
        assert ada.get(path + "1.62").headers["ETag"] == ada.get(path + "1.6").headers["ETag"]
        assert ada.get(path + "1.62").data == ada.get(path + "1.6").data

    def test_a_version_that_the_game_does_not_have_is_not_found(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        assert ada.get(f"/games/{game['id']}/board.svg?version=999").status_code == 404


class TestStory:
    def test_it_tells_every_move_of_the_game(self, ada: Caller, game: dict[str, Any]) -> None:
        story = ada.get(f"/games/{game['id']}/story").json
        moves = [event["version"] for event in _events(ada, game["id"], "move_made")]
        told_of_ada = {line["version"] for line in story["lines"] if "Ada" in line["text"]}
        assert told_of_ada >= set(moves)
        assert story["next_after"] == ada.version(game["id"])

    def test_it_can_be_read_in_parts(self, ada: Caller, game: dict[str, Any]) -> None:
        path = f"/games/{game['id']}/story"
        whole = ada.get(path).json["lines"]
        first = ada.get(f"{path}?limit=3").json
        rest = ada.get(f"{path}?after={first['next_after']}").json
        assert first["lines"] + rest["lines"] == whole

    def test_it_is_in_the_language_of_the_reader(self, ada: Caller, game: dict[str, Any]) -> None:
        told = {
            lang: ada.get(f"/games/{game['id']}/story", headers={"Accept-Language": lang})
            for lang in locales.LANGUAGES
        }
        assert all(answer.json["language"] == lang for lang, answer in told.items())
        assert all(answer.headers["Content-Language"] == lang for lang, answer in told.items())
        assert len({answer.text for answer in told.values()}) == len(locales.LANGUAGES)

    def test_the_end_names_the_winner(self, ada: Caller, imported: str) -> None:
        assert ada.get(f"/games/{imported}/story").json["lines"][-1]["text"]


def test_the_catalogue_speaks_the_language_of_the_reader(ada: Caller) -> None:
    def texts(lang: str) -> list[str]:
        games = ada.get("/catalogue", headers={"Accept-Language": lang}).json["games"]
        return [option["text"] for game in games for option in game["options"]]

    assert len({tuple(texts(lang)) for lang in locales.LANGUAGES}) == len(locales.LANGUAGES)
    assert texts("it, cs;q=0.5") == texts("en")
    assert texts("it, nl;q=0.5") == texts("nl")


class TestClientFiles:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "path", ["/", "/new", "/lobby", "/settings", "/games/01J", "/tournaments/01J"]
    )
    def test_every_address_of_the_client_is_its_page(self, ada: Caller, path: str) -> None:
        answer = ada.client.get(path)
        assert answer.mimetype == "text/html"
        assert answer.text == ada.client.get("/").text
        assert answer.headers["Cache-Control"] == "no-cache"

    @pytest.mark.slow
    def test_every_file_that_the_page_names_is_kept_for_ever(self, ada: Caller) -> None:
        page = ada.client.get("/")
        names = re.findall(r'(?:src|href)="(/(?:assets|built)/[^"]+)"', page.text)
        assert {Path(name).suffix for name in names} >= {".js", ".css", ".svg"}
        for name in names:
            answer = ada.client.get(name)
            assert answer.status_code == 200, name
            assert answer.headers["Cache-Control"] == FOREVER
        scripts = [name for name in names if name.endswith(".js")]
        assert len(scripts) == 5
        for script in scripts:
            packed = ada.client.get(script, headers={"Accept-Encoding": "gzip"})
            assert packed.headers["Content-Encoding"] == "gzip"

    def test_a_page_names_one_file_of_code_and_one_of_style(self, ada: Caller) -> None:
        page = ada.client.get("/").text
        assert re.findall(r'<script type="module" src="([^"]+)"', page) == [
            f"/built/{built_client.read_built().script}"
        ]
        assert re.findall(r'rel="stylesheet" href="([^"]+)"', page) == [
            f"/built/{built_client.read_built().style}"
        ]

    @pytest.mark.slow
    def test_the_policy_of_a_page_allows_the_code_that_stands_in_it_and_no_other(
        self, ada: Caller
    ) -> None:
        for path in ("/", f"/games/{ada.open('me', 'me')['id']}"):
            page = ada.client.get(path)
            (code,) = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
            digest = b64encode(sha256(code.encode()).digest()).decode()
            policy = page.headers["Content-Security-Policy"].split("; ")
            assert f"script-src 'self' 'sha256-{digest}'" in policy
            assert "<style" not in page.text
            # A browser runs no such code while it waits for a style that stands before the code.
            assert page.text.index("<script>") < page.text.index('rel="stylesheet"')

    def test_the_page_of_a_public_table_names_the_pieces_of_its_game_and_its_picture(
        self, ada: Caller
    ) -> None:
        waiting = ada.client.get(f"/games/{ada.open('me', 'open')['id']}").text
        assert 'name="board"' not in waiting
        game = ada.open("me", "me")["id"]
        page = ada.client.get(f"/games/{game}").text
        assert f'<meta name="board" content="/games/{game}/board.svg">' in page
        found = re.search(r'<meta name="pieces" content="([^"]+)">.*<script>', page, re.DOTALL)
        assert found
        pieces = ada.get(unescape(found[1])).json
        assert (pieces["game"], pieces["options"]) == ("carcassonne", {"tiny_city": 4})

    def test_the_service_worker_is_asked_for_each_time_and_asks_the_service_alone(
        self, ada: Caller
    ) -> None:
        answer = ada.client.get("/worker.js")
        assert answer.mimetype == "text/javascript"
        assert answer.headers["Cache-Control"] == "no-cache"
        policy = answer.headers["Content-Security-Policy"]
        assert policy == "default-src 'none'; connect-src 'self'"

    @pytest.mark.slow
    def test_the_words_are_kept_for_ever_at_the_address_that_the_page_names(
        self, ada: Caller
    ) -> None:
        digest = re.search(r'<html data-words="([0-9a-f]{16})"', ada.client.get("/").text)
        assert digest
        address = f"/locales/pl.{digest[1]}.json"
        assert ada.client.get(address).headers["Cache-Control"] == FOREVER
        assert ada.client.get(address).json == ada.client.get("/locales/pl.json").json
        earlier = ada.client.get("/locales/pl.0123456789abcdef.json")
        assert earlier.status_code == 200
        assert earlier.headers["Cache-Control"] == "no-cache"

    @pytest.mark.slow
    @pytest.mark.parametrize("ending", ["js", "css"])
    def test_a_page_of_another_release_gets_the_code_of_today(
        self, ada: Caller, ending: str
    ) -> None:
        today = (
            built_client.read_built().script if ending == "js" else built_client.read_built().style
        )
        answer = ada.client.get(f"/built/app.AAAAAAAA.{ending}")
        assert answer.data == ada.client.get(f"/built/{today}").data
        assert answer.headers["Cache-Control"] == "no-cache"

    @pytest.mark.slow
    def test_the_later_code_of_another_release_is_missing(self, ada: Caller) -> None:
        """It would not fit the code that asks for it, which says what to do."""
        built = built_client.read_built()
        for today in (built.later, built.tournaments):
            assert ada.client.get(f"/built/{today}").headers["Cache-Control"] == FOREVER
            another = f"/built/{today.split('.')[0]}.AAAAAAAA.js"
            assert ada.client.get(another).status_code == 404

    @pytest.mark.parametrize(
        ("accepted", "coding"),
        [
            ("gzip, deflate, br, zstd", "br"),
            ("gzip", "gzip"),
            ("br;q=0.4, gzip;q=0.8", "gzip"),
            ("*", "br"),
            ("br;q=0, *;q=0.1", "gzip"),
            ("identity, br;q=0.9", None),
            ("identity;q=0.5, br;q=0.9", "br"),
            ("identity;q=0, gzip;q=0.1", "gzip"),
            ("br;q=0, gzip;q=0", None),
            ("zstd", None),
            ("", None),
        ],
    )
    def test_a_file_comes_in_the_coding_that_the_client_likes_best(
        self, ada: Caller, accepted: str, coding: str | None
    ) -> None:
        plain = ada.client.get("/js/main.js")
        packed = ada.client.get("/js/main.js", headers={"Accept-Encoding": accepted})
        assert packed.headers.get("Content-Encoding") == coding
        unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[coding]
        assert unpack(packed.data) == plain.data
        for answer in (plain, packed):
            assert "Accept-Encoding" in answer.headers["Vary"]

    def test_a_file_is_packed_once(self, ada: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
        first = ada.client.get("/css/base.css", headers={"Accept-Encoding": "br"})
        monkeypatch.delattr("brotli.compress")
        monkeypatch.delattr("gzip.compress")
        assert ada.client.get("/css/base.css", headers={"Accept-Encoding": "br"}).data == first.data

    def test_a_page_of_another_release_gets_its_files_and_keeps_none(self, ada: Caller) -> None:
        answer = ada.client.get("/assets/0123456789abcdef/js/main.js")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-cache"

    def test_no_script_or_style_may_come_from_elsewhere_or_from_the_page_itself(
        self, ada: Caller
    ) -> None:
        policy = ada.client.get("/").headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("/js/main.js", "text/javascript"),
            ("/css/base.css", "text/css"),
            ("/locales/pl.json", "application/json"),
            ("/manifest.webmanifest", "application/manifest+json"),
            ("/icons/icon.svg", "image/svg+xml"),
        ],
    )
    def test_a_file_is_sent_once_and_then_confirmed(
        self, ada: Caller, path: str, kind: str
    ) -> None:
        answer = ada.client.get(path)
        assert answer.mimetype == kind
        again = ada.client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304

    @pytest.mark.parametrize(
        "path",
        [
            "/js/../index.html",
            "/js/%2e%2e/index.html",
            "/locales/__init__.py",
            "/js/none.js",
            "/built/built.json",
            "/built/app.js",
            "/locales/it.json",
            "/css/",
        ],
    )
    def test_nothing_else_is_sent(self, ada: Caller, path: str) -> None:
        assert ada.client.get(path).status_code == 404


@pytest.fixture
def imported(ada: Caller) -> str:
    """A finished game."""
    transcript = {
        "format": "cartulary/1",
        "game": "carcassonne",
        "seats": 2,
        "setup": {},
        "draws": ["E"],
        "moves": [
            {"seat": 0, "move": {"type": "place_tile", "x": 0, "y": -1, "rotation": 180}},
            {"seat": 0, "move": {"type": "place_follower", "segment": "c0"}},
        ],
    }
    game_id: str = ada.post("/games/import", transcript).json["id"]
    return game_id


def _events(ada: Caller, game_id: str, kind: str) -> list[dict[str, Any]]:
    events = ada.get(f"/games/{game_id}/events?limit=1000").json["events"]
    return [event for event in events if event["type"] == kind]
