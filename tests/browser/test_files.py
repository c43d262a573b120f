"""The files of the client: the page names the styles, the manifest names what is there."""

from __future__ import annotations

import gzip
import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import PHONE, window
from tests.e2e.served import Person, Served

MOST_BYTES = {".js": 110_000, ".css": 16_000}
"""Of the built files, with gzip."""
FIRST, SECOND = (16, 150_000), (8, 30_000)
"""Requests that go over the line, and bytes that come, until a table is shown."""
WEB = Path(__file__).parent.parent.parent / "web"


def test_every_stylesheet_is_named_in_the_page() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'href="/css/([^"]+)"', page)
    # The style of the board belongs into the shadow root of the picture, not into the page.
    assert {*named, "board.css"} == {path.name for path in WEB.glob("css/*.css")}
    assert re.findall(r'src="([^"]+)"', page) == ["/js/main.js"]


def test_modules_import_only_modules_that_are_there() -> None:
    for module in WEB.rglob("*.js"):
        for target in re.findall(r'(?:from |import |import\()"([^"]+)"', module.read_text("utf-8")):
            assert target.startswith("."), module
            assert (module.parent / target).resolve().is_file(), f"{module}: {target}"


def test_nothing_in_the_page_needs_a_looser_policy() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*src=)|https?://", page)


def test_the_manifest_names_icons_of_the_sizes_that_it_says() -> None:
    manifest = json.loads((WEB / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert {"name", "start_url", "display", "icons"} <= manifest.keys()
    for icon in manifest["icons"]:
        body = (WEB / icon["src"].lstrip("/")).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", body[16:24])
            assert icon["sizes"] == f"{width}x{height}"


# -- what goes over the line ----------------------------------------------------------------------


def test_the_built_files_are_small() -> None:
    for file in (WEB / "built").glob("app.*"):
        assert len(gzip.compress(file.read_bytes())) < MOST_BYTES[file.suffix], file.name


class Line(NamedTuple):
    """What a page has asked over the line, without what its browser had already."""

    requests: list[str]
    sizes: list[int]

    def within(self, budget: tuple[int, int]) -> bool:
        return len(self.requests) <= budget[0] and sum(self.sizes) <= budget[1]


def count(page: Page) -> Line:
    line = Line([], [])

    def note(event: dict[str, Any]) -> None:
        answer = event["response"]
        if not answer.get("fromDiskCache") and not answer["url"].startswith("data:"):
            line.requests.append(answer["url"])

    session = page.context.new_cdp_session(page)
    session.on("Network.responseReceived", note)
    session.on("Network.loadingFinished", lambda e: line.sizes.append(e["encodedDataLength"]))
    session.send("Network.enable")
    return line


@pytest.fixture(scope="module")
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service as it is in production."""
    with Served(tmp_path_factory.mktemp("built") / "data", client="built") as started:
        yield started


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
def test_a_table_needs_few_requests_and_still_fewer_the_second_time(
    service: Served, browser: Browser, game: str
) -> None:
    person = Person(service)
    game_id = person.create_from({"game": game, "seats": [{"kind": "me"}] * 3})
    person.play_all(game_id, turns=6)
    with window(browser, service.url, PHONE) as opened:
        for budget in (FIRST, SECOND):
            page = opened.context.new_page()
            line = count(page)
            page.goto(f"/games/{game_id}")
            expect(page.locator(".picture svg").first).to_be_visible()
            expect(page.locator(".story .lines li").first).to_be_attached()
            assert line.within(budget), line
            assert sum(line.sizes) > (10_000 if budget is FIRST else 0), line
            files = [url for url in line.requests if "/built/" in url or "/locales/" in url]
            assert len(files) == (3 if budget is FIRST else 0), files
            assert page.locator("script[src]").count() == 1
            assert page.locator("link[rel=stylesheet]").count() == 1
            page.close()
