"""Many tabs of one browser: all of them live by one stream, whichever tab is closed or hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from tests.browser.support.account import ME, Account
from tests.browser.support.chromium import DESKTOP, keeping_window
from tests.browser.support.hearing import await_heard
from tests.support.night import short_or_long
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HIDE = """state => {
  Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => state});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
CHECK_MS = 20_000
"""How often a page asks whether the stream has left an event out (`game_stream.js`)."""
LINGER_MS = 5000
"""So long a hidden tab goes on following its game."""
SAY = """id => new BroadcastChannel(`cartulary.inbox.${id}`).postMessage(
  { state: { turns: [], unread: 7, invitations: 0 } }
)"""
"""What a tab that leads tells the others of the inbox."""
WITHOUT_LOCKS = "Object.defineProperty(navigator, 'locks', {get: () => undefined});"


class Tab:
    """A tab with a table, and the streams that it has opened."""

    def __init__(self, context: BrowserContext, game_id: str) -> None:
        self.page: Page = context.new_page()
        self.game_id = game_id
        self.asked: list[Request] = []
        self.open: list[Request] = []
        self.page.on("request", self._note)
        self.page.on("requestfailed", self._forget)
        self.page.on("requestfinished", self._forget)
        self.page.goto(f"/games/{game_id}")
        expect(self.page.locator(".table[data-version]")).to_be_visible()

    def _note(self, request: Request) -> None:
        if "/streams?" in request.url:
            self.asked.append(request)
            self.open.append(request)

    def _forget(self, request: Request) -> None:
        if request in self.open:
            self.open.remove(request)

    def shows(self, version: int) -> None:
        expect(self.page.locator(f".table[data-version='{version}']")).to_be_visible()

    def hide(self, state: str = "hidden") -> None:
        self.page.evaluate(HIDE, state)


def read_query(request: Request) -> dict[str, list[str]]:
    """Return the games of a stream and their versions, and the other words of its address."""
    found = parse_qs(urlsplit(request.url).query)
    return {name: values[0].split(",") for name, values in found.items()}


@contextmanager
def tables(
    served: Served, browser: Browser, number: int, with_clock: bool = False
) -> Iterator[tuple[Person, list[Tab]]]:
    """Open so many running games of another player, each in a tab of one browser.

    The clock of a browser `with_clock` can be put forward.
    """
    person = Person(served)
    seats = [{"kind": "me"}, {"kind": "me"}]
    body = {"game": "carcassonne", "seats": seats}
    games = [person.create_from(body) for _ in range(number)]
    with keeping_window(browser, served.url, DESKTOP) as opened:
        if with_clock:
            opened.context.clock.install()
        yield person, [Tab(opened.context, game_id) for game_id in games]


def move_everywhere(person: Person, tabs: list[Tab]) -> None:
    """Make a move at each table, and see that each tab shows it."""
    for tab in tabs:
        after = person.play_all(tab.game_id, turns=1)
        tab.shows(after["version"])


def await_one_stream(tabs: list[Tab], games: list[str]) -> Tab:
    """Wait until one tab has the only stream, and it has these games; return the tab."""

    def has_one() -> bool:
        streams = [request for tab in tabs for request in tab.open]
        return len(streams) == 1 and sorted(read_query(streams[0])["games"]) == sorted(games)

    await_heard(tabs[0].page, has_one)
    return next(tab for tab in tabs if tab.open)


def games_of(tabs: list[Tab]) -> list[str]:
    return [tab.game_id for tab in tabs]


def test_many_tables_of_one_browser_are_live_by_one_stream_and_another_tab_takes_it_over(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, short_or_long(4, 8)) as (person, tabs):
        move_everywhere(person, tabs)
        for _ in range(2):
            leading = await_one_stream(tabs, games_of(tabs))
            leading.page.close()
            tabs.remove(leading)
            after = person.play_all(tabs[0].game_id, turns=1)
            tabs[0].shows(after["version"])
        move_everywhere(person, tabs)
        # A tab that follows is closed: the stream goes on without its game.
        leading = await_one_stream(tabs, games_of(tabs))
        closed = next(tab for tab in tabs if tab is not leading)
        closed.page.close()
        tabs.remove(closed)
        assert await_one_stream(tabs, games_of(tabs)) is leading
        move_everywhere(person, tabs)


def test_a_tab_loses_no_event_and_gets_none_twice_however_often_the_list_changes(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 2) as (person, (first, second)):
        story = (
            "[...document.querySelectorAll('.story [data-version]')].map(e => e.dataset.version)"
        )
        for _ in range(3):
            person.play_all(first.game_id, turns=1)
            with second.page.expect_navigation():
                second.page.reload(wait_until="commit")
            after = person.play_all(first.game_id, turns=1)
            first.shows(after["version"])
        second.page.wait_for_selector(".table[data-version]")
        after = person.play_all(second.game_id, turns=1)
        second.shows(after["version"])
        shown = first.page.evaluate(story)
        assert len(shown) == len(set(shown)) > 3


def test_a_new_leader_goes_on_after_the_versions_that_the_tabs_have(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 3) as (person, tabs):
        move_everywhere(person, tabs)
        leading = await_one_stream(tabs, games_of(tabs))
        tabs.remove(leading)
        shown = {
            tab.game_id: tab.page.locator(".table").get_attribute("data-version") for tab in tabs
        }
        leading.page.close()
        taking = await_one_stream(tabs, games_of(tabs))
        (request,) = taking.open
        asked = read_query(request)
        assert dict(zip(asked["games"], asked["after"], strict=True)) == shown
        assert asked["present"] == asked["games"]
        move_everywhere(person, tabs)


def test_a_hidden_tab_leaves_the_stream_and_has_missed_nothing_when_it_is_back(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 2, with_clock=True) as (person, tabs):
        move_everywhere(person, tabs)
        hidden, seen = tabs
        shown = hidden.page.locator(".table").get_attribute("data-version")
        hidden.hide()
        hidden.page.clock.fast_forward(LINGER_MS)
        leading = await_one_stream(tabs, [seen.game_id])
        after = person.play_all(hidden.game_id, turns=3)
        move_everywhere(person, [seen])
        hidden.hide("visible")
        hidden.shows(after["version"])
        (request,) = await_one_stream(tabs, games_of(tabs)).open
        asked = read_query(request)
        assert dict(zip(asked["games"], asked["after"], strict=True))[hidden.game_id] == shown
        assert leading in tabs


def test_without_web_locks_a_tab_follows_its_game_and_the_inbox_as_well(
    served: Served, browser: Browser
) -> None:
    person, host, reader = Person(served), Account(served, "Host"), Account(served, "Ada")
    games = [
        person.create_from({"game": "carcassonne", "seats": [{"kind": "me"}] * 2}) for _ in range(2)
    ]
    invited = {"kind": "invite", "player": reader.id}
    host.open(ME, invited)
    with keeping_window(browser, served.url, DESKTOP) as opened:
        opened.context.add_init_script(WITHOUT_LOCKS)
        known = json.dumps(reader.known)
        opened.context.add_init_script(f"localStorage['cartulary.player'] ??= {known}")
        tabs = [Tab(opened.context, game_id) for game_id in games]
        move_everywhere(person, tabs)
        for tab in tabs:
            await_one_stream([tab], [tab.game_id])
        # Each tab takes the items of its own stream, and none from another tab.
        counts = [tab.page.locator(".bell .count") for tab in tabs]
        for count in counts:
            expect(count).to_have_text("1")
        tabs[0].page.evaluate(SAY, reader.id)
        host.open(ME, invited)
        for count in counts:
            expect(count).to_have_text("2")
        tabs[0].page.locator(".bell summary").click()
        for count in counts:  # all are read; the invitation that a tab began with waits
            expect(count).to_have_text("1")


def test_a_stream_that_is_refused_for_now_is_asked_for_again(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 2) as (person, tabs):
        leading = await_one_stream(tabs, games_of(tabs))
        busy = {"status": 503, "code": "too_many_streams", "title": "Too many streams"}
        refused: list[int] = []

        def refuse(route: Route) -> None:
            refused.append(503)
            route.fulfill(status=503, content_type="application/problem+json", json=busy)

        others = [tab for tab in tabs if tab is not leading]
        for tab in others:
            tab.page.route("**/streams?*", refuse, times=1)
        # A tab that takes the lead may read its game before it asks for the stream.
        with others[0].page.expect_response(lambda response: response.status == 503):
            leading.page.close()
        await_one_stream(others, games_of(others))
        move_everywhere(person, others)
        assert refused == [503]


def test_a_tab_takes_the_lead_from_a_tab_that_does_not_bring_what_there_is(
    served: Served, browser: Browser
) -> None:
    with tables(served, browser, 2, with_clock=True) as (person, tabs):
        leading = await_one_stream(tabs, games_of(tabs))
        (other,) = [tab for tab in tabs if tab is not leading]
        # As if the page did not run: what it passes on reaches no tab.
        leading.page.evaluate("BroadcastChannel.prototype.postMessage = () => {}")
        after = person.play_all(other.game_id, turns=1)
        other.page.clock.fast_forward(CHECK_MS)
        other.shows(after["version"])
        assert await_one_stream([other], games_of([other])) is other
