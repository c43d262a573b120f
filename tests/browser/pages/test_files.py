"""The files of the client: the page names the styles, the manifest names what is there."""

from __future__ import annotations

import gzip
import json
import re
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser.support.chromium import PHONE, keeping_window, window
from tests.browser.support.hearing import await_heard
from tests.support.night import short_or_long
from tests.support.real_serve import Person, Served

MOST_BYTES = {
    "app.js": 93_000,
    "later.js": 68_000,
    "tournaments.js": 16_000,
    "puzzles.js": 8_000,
    "studies.js": 15_000,
    "app.css": 14_500,
    "early.js": 1_500,
}
"""Of the built files, with gzip."""
FIRST, SECOND = (16, 150_000), (7, 25_000)
"""Requests that go over the line, and bytes that come, until a table is shown."""
WEB = Path(__file__).parents[3] / "web"


def test_every_stylesheet_is_named_in_the_page() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'href="/css/([^"]+)"', page)
    # The style of the board belongs into the shadow root of the picture, not into the page; that of
    # tournaments and of studies comes with their code.
    assert {*named, "board.css", "tournaments.css", "studies.css"} == {
        path.name for path in WEB.glob("css/*.css")
    }
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
    for file in (WEB / "built").glob("*.*.*"):
        name, _, kind = file.name.split(".")
        assert len(gzip.compress(file.read_bytes())) < MOST_BYTES[f"{name}.{kind}"], file.name


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
        kept = answer.get("fromDiskCache") or answer.get("fromServiceWorker")
        if not kept and not answer["url"].startswith("data:"):
            line.requests.append(answer["url"])

    session = page.context.new_cdp_session(page)
    session.on("Network.responseReceived", note)
    session.on("Network.loadingFinished", lambda e: line.sizes.append(e["encodedDataLength"]))
    session.send("Network.enable")
    return line


@pytest.fixture(scope="module")
def service(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service as it is in production: the one of all tests, unless the built files are stale."""
    if "/built/" in requests.get(served.url, timeout=60).text:
        yield served
        return
    with Served(tmp_path_factory.mktemp("built") / "data", client="built") as started:
        yield started


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("game", short_or_long(["caylus"], ["carcassonne", "caylus"]))
def test_a_table_needs_few_requests_and_still_fewer_the_second_time(
    service: Served, browser: Browser, game: str
) -> None:
    person = Person(service)
    game_id = person.create_from({"game": game, "seats": [{"kind": "me"}] * 3})
    person.play_all(game_id, turns=6)
    with keeping_window(browser, service.url, PHONE) as opened:
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
            for part in ("script[src]", "link[rel=stylesheet]"):
                expect(page.locator(part)).to_have_count(1)
            pages = [url for url in line.requests if url.endswith(f"{service.url}/games/{game_id}")]
            assert len(pages) == (1 if budget is FIRST else 0), line
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            page.close()


@pytest.mark.browser
@pytest.mark.slow
def test_the_first_visit_of_a_table_asks_for_all_that_its_board_needs_at_once(
    service: Served, browser: Browser
) -> None:
    """What is asked after the code is there would cost another trip."""
    person = Person(service)
    game_id = person.create_from({"game": "caylus", "seats": [{"kind": "me"}] * 3})
    with keeping_window(browser, service.url, PHONE) as opened:
        held: list[Route] = []
        opened.page.route("**/built/*.js", lambda route: held.append(route))
        asked: list[str] = []
        opened.page.on("request", lambda request: asked.append(request.url))
        opened.page.goto(f"/games/{game_id}", wait_until="commit")
        opened.page.wait_for_function(
            "() => performance.getEntriesByType('resource')"
            ".some(({ name }) => name.includes('board.svg'))"
        )
        before = len(asked)
        held[0].continue_()
        expect(opened.page.locator(".picture svg").first).to_be_visible()
        needed = r"/locales/|/games/[^/]+$|/catalogue/|/board\.svg"
        assert len([url for url in asked[:before] if re.search(needed, url)]) == 5
        late = [url for url in asked[before:] if re.search(needed, url)]
        assert not late


@pytest.mark.browser
@pytest.mark.slow
def test_a_service_worker_keeps_the_page_and_not_what_the_page_shows(
    service: Served, browser: Browser
) -> None:
    with keeping_window(browser, service.url, PHONE) as opened:
        opened.page.goto("/")
        opened.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        kept = opened.page.evaluate(
            """async () => {
              const names = await caches.keys();
              const opened = await Promise.all(names.map((name) => caches.open(name)));
              const all = await Promise.all(opened.map((cache) => cache.keys()));
              return all.flat().map(({ url }) => new URL(url).pathname);
            }"""
        )
        assert kept == ["/settings"]
        opened.may_fail_to_load = True
        opened.page.goto("/games/01ARZ3NDEKTSV4RRFFQ69G5FAV")
        expect(opened.page.locator(".sorry")).to_be_visible()


def keep(held: list[Route], route: Route) -> None:
    held.append(route)


def keep_address(asked: list[str], request: Request) -> None:
    asked.append(request.url)


def find_later(asked: list[str]) -> list[str]:
    """Return the addresses of the later code."""
    return [url for url in asked if re.search(LATER, url)]


LATER = r"/built/later\.[0-9A-Z]{8}\.js$"


@pytest.mark.browser
@pytest.mark.slow
def test_a_page_that_needs_the_later_code_asks_for_it_at_once_and_others_do_not(
    service: Served, browser: Browser
) -> None:
    with window(browser, service.url, PHONE) as opened:
        for path, shown in (("/", ".home .offer"), ("/settings", ".settings")):
            held: list[Route] = []
            opened.page.route("**/built/app.*.js", partial(keep, held))
            asked: list[str] = []
            opened.page.on("request", partial(keep_address, asked))
            with opened.page.expect_request("**/built/app.*.js"):
                opened.page.goto(path, wait_until="commit")
            if path == "/":
                opened.page.wait_for_timeout(300)
            else:
                await_heard(opened.page, partial(find_later, asked))
            assert bool(find_later(asked)) == (path != "/"), path
            held[0].continue_()
            opened.page.unroute("**/built/app.*.js")
            expect(opened.page.locator(shown).first).to_be_visible()


@pytest.mark.browser
@pytest.mark.slow
def test_a_part_that_does_not_come_says_so_and_comes_with_the_page_of_today(
    service: Served, browser: Browser
) -> None:
    with window(browser, service.url, PHONE) as opened:
        opened.may_fail_to_load = True
        opened.page.route(re.compile(LATER), lambda route: route.fulfill(status=404))
        opened.page.goto("/")
        opened.page.get_by_role("link", name="How to play").first.click()
        expect(opened.page.locator(".sorry")).to_contain_text("Perhaps there is a new version")
        opened.page.unroute(re.compile(LATER))
        opened.page.locator(".sorry .confirm").click()
        expect(opened.page.locator(".learn")).to_be_visible()
