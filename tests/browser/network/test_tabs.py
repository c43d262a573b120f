"""Many tabs of one browser: all of them live, whichever tab is closed or hidden."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.support.chromium import DESKTOP, window
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLOTS = 3
HIDE = """state => {
  Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => state});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
WITHOUT_LOCKS = "Object.defineProperty(navigator, 'locks', {get: () => undefined});"


class Tab:
    """A tab with a table, and the streams of games that it has open."""

    def __init__(self, context: BrowserContext, game_id: str) -> None:
        self.page: Page = context.new_page()
        self.game_id = game_id
        self.streams = 0
        self.page.on("request", lambda request: self._count(request.url, 1))
        self.page.on("requestfailed", lambda request: self._count(request.url, -1))
        self.page.goto(f"/games/{game_id}")

    def _count(self, url: str, by: int) -> None:
        if "/events/stream" in url:
            self.streams += by

    def shows(self, version: int) -> None:
        expect(self.page.locator(f".table[data-version='{version}']")).to_be_visible()

    def hide(self, state: str = "hidden") -> None:
        self.page.evaluate(HIDE, state)


@contextmanager
def tables(served: Served, browser: Browser, number: int) -> Iterator[tuple[Person, list[Tab]]]:
    """Open so many running games of another player, each in a tab of one browser."""
    person = Person(served)
    seats = [{"kind": "me"}, {"kind": "me"}]
    body = {"game": "carcassonne", "seats": seats}
    games = [person.create_from(body) for _ in range(number)]
    with window(browser, served.url, DESKTOP) as opened:
        yield person, [Tab(opened.context, game_id) for game_id in games]


def move_everywhere(person: Person, tabs: list[Tab]) -> None:
    """Make a move at each table, and see that each tab shows it."""
    for tab in tabs:
        after = person.play_all(tab.game_id, turns=1)
        tab.shows(after["version"])


def await_streams(tabs: list[Tab], number: int) -> None:
    """Wait until the tabs have so many streams open in all."""
    for _ in range(100):
        if sum(tab.streams for tab in tabs) == number:
            return
        tabs[0].page.wait_for_timeout(50)
    raise AssertionError([tab.streams for tab in tabs])


def test_eight_tables_of_one_browser_are_all_live_and_a_closed_tab_leaves_its_stream(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 8) as (person, tabs):
        move_everywhere(person, tabs)
        await_streams(tabs, SLOTS)
        for tab in [tab for tab in tabs if tab.streams]:
            tab.page.close()
            tabs.remove(tab)
        move_everywhere(person, tabs)
        await_streams(tabs, SLOTS)
        # The tab that a person goes to has a stream, whichever tab had it before.
        (without, *_) = [tab for tab in tabs if not tab.streams]
        with without.page.expect_request(lambda request: "/events/stream" in request.url):
            without.page.evaluate("dispatchEvent(new Event('focus'))")
        move_everywhere(person, tabs)
        await_streams(tabs, SLOTS)


def test_a_hidden_tab_lets_its_stream_go_and_has_missed_nothing_when_it_is_back(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 1) as (person, (tab,)):
        move_everywhere(person, [tab])
        shown = tab.page.locator(".table").get_attribute("data-version")
        with tab.page.expect_event("requestfailed", lambda request: "stream" in request.url):
            tab.hide()
        after = person.play_all(tab.game_id, turns=3)
        with tab.page.expect_request(lambda request: "/events/stream" in request.url) as again:
            tab.hide("visible")
        assert f"after={shown}" in again.value.url
        tab.shows(after["version"])


def test_without_web_locks_a_tab_follows_its_game_as_well(served: Served, browser: Browser) -> None:
    person = Person(served)
    game_id = person.create_from({"game": "carcassonne", "seats": [{"kind": "me"}] * 2})
    with window(browser, served.url, DESKTOP) as opened:
        opened.context.add_init_script(WITHOUT_LOCKS)
        tab = Tab(opened.context, game_id)
        move_everywhere(person, [tab])
        await_streams([tab], 1)


def test_a_tab_without_a_stream_goes_on_asking_after_a_busy_answer(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, SLOTS + 1) as (person, tabs):
        move_everywhere(person, tabs)
        await_streams(tabs, SLOTS)
        (without,) = [tab for tab in tabs if not tab.streams]
        busy = {"status": 429, "code": "too_many_requests", "title": "Too many requests"}
        refused: list[int] = []

        def refuse(route: Route) -> None:
            refused.append(429)
            route.fulfill(status=429, content_type="application/problem+json", json=busy)

        without.page.route("**/events?*", refuse, times=1)
        for _ in range(100):
            if refused:
                break
            without.page.wait_for_timeout(50)
        assert refused
        move_everywhere(person, [without])
