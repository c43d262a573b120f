"""Looking for players: from nothing to a rated game against another person; the lobby lives."""

from __future__ import annotations

import re
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.page_checks import check_words, cut_texts, violations
from tests.support.night import at_night
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

ON_ITS_SIDE = Size(844, 390)
TARGETS = """place => [...document.querySelectorAll(place)]
  .map((one) => one.getBoundingClientRect())
  .filter(({ width, height }) => width && (width < 44 || height < 44)).length"""


OPEN_LIVE_TABLE = """async () => {
  const kept = Object.values(localStorage).find((text) => text.includes('"token"'));
  const { token } = JSON.parse(kept);
  const seats = [{ kind: "me" }, { kind: "open" }], pace = { mode: "live", delay: 30, bank: 600 };
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ game: "carcassonne", seats, pace });
  const answer = await fetch("/api/v1/games", { method: "POST", headers, body });
  if (answer.status !== 201) throw new Error(await answer.text());
  dispatchEvent(new Event("online"));
}"""
"""Opens a table as another tab would; then the client asks what has become of the search."""


class Person:
    """Touches a page, and counts it; types nothing."""

    def __init__(self, page: Page) -> None:
        self.page, self.touches = page, 0

    def touch(self, place: str) -> None:
        self.page.locator(place).first.tap()
        self.touches += 1

    def check(self) -> None:
        """The page as it stands is for every person."""
        assert violations(self.page) == []
        assert cut_texts(self.page) == []
        assert self.page.evaluate(TARGETS, "dialog button, dialog select, .seek-bar button") == 0
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        check_words(self.page)

    def look_for_a_rated_game(self) -> None:
        """Without an account: four touches; the codes that make one stay on the page."""
        self.page.goto("/")
        self.touch("[data-key=people-carcassonne]")
        self.touch("label[for=seek-rated]")
        self.touch("[data-key=become-account]")
        expect(self.page.locator(".codes li")).to_have_count(10)
        self.check()
        self.touch("[data-key=seek-go]")


def show_game(served: Served, page: Page) -> Any:
    """Return the game whose table a page shows."""
    expect(page.locator(".table[data-status=running]")).to_be_visible()
    game = page.url.rpartition("/")[2]
    return requests.get(f"{served.url}/api/v1/games/{game}", timeout=60).json()


def test_from_nothing_to_a_rated_game_against_another_person_with_four_touches(
    served: Served, browser: Browser
) -> None:
    with (
        window(browser, served.url) as first,
        window(browser, served.url, ON_ITS_SIDE, touch=True, scheme="dark") as second,
    ):
        ada, bob = Person(first.page), Person(second.page)
        ada.look_for_a_rated_game()
        bar = ada.page.locator(".seek-bar")
        expect(bar).to_contain_text("Looking for players: Carcassonne")
        expect(bar).to_contain_text("Looking now: 1")
        ada.check()
        # The search goes on at other pages of the site, and after the page was loaded again.
        ada.page.get_by_role("link", name="All tables").tap()
        expect(ada.page.locator(".shelf-live [data-key^=stop-]")).to_be_visible()
        ada.page.reload()
        expect(bar).to_be_visible()
        bob.look_for_a_rated_game()
        assert (ada.touches, bob.touches) == (4, 4)
        games = [show_game(served, one.page) for one in (ada, bob)]
        assert games[0]["id"] == games[1]["id"]
        assert (games[0]["rated"], games[0]["ladder"]) == (True, "people")
        assert {seat["bot"] for seat in games[0]["seats"]} == {None}
        for one in (ada, bob):
            expect(one.page.locator(".seek-bar")).to_have_count(0)
        # What was chosen is chosen the next time: two touches.
        ada.page.goto("/")
        ada.touches = 0
        ada.touch("[data-key=people-carcassonne]")
        expect(ada.page.locator("#seek-rated")).to_be_checked()
        expect(ada.page.locator(".account-needed")).to_be_empty()
        ada.touch("[data-key=seek-go]")
        expect(bar).to_be_visible()
        assert ada.touches == 2
        ada.touch("[data-key=seek-stop]")
        expect(bar).to_have_count(0)
        look_for_certain_players(served, ada)
        # Who sits down at a live table looks for no other one.
        ada.page.evaluate(OPEN_LIVE_TABLE)
        expect(bar).to_have_count(0)
        expect(ada.page.locator("body")).to_contain_text("You sit at a live table now")


def look_for_certain_players(served: Served, ada: Person) -> None:
    """Ask for the ratings and the reliability of the others, which are folded away."""
    ada.touch("[data-key=people-carcassonne]")
    ada.touch("[data-key=seek-more]")
    ada.page.locator("#seek-lowest").fill("1200")
    ada.page.locator("#seek-reliability").select_option("80")
    ada.check()
    ada.touch("[data-key=seek-go]")
    expect(ada.page.locator(".seek-bar")).to_be_visible()
    (seek,) = requests.get(f"{served.url}/api/v1/seeks", timeout=60).json()["seeks"]
    assert (seek["rating_range"], seek["min_reliability"]) == ([1200, 10_000], 80)


@at_night(
    "tests/events/company/test_lobby.py::test_a_reader_with_a_snapshot_and_later_changes_has_the_lobby"
)
def test_the_lobby_changes_by_itself_and_moves_nothing_under_the_finger(
    served: Served, browser: Browser
) -> None:
    ada, bob = Account(served, "Ada"), Account(served, "Bob")
    ada.ask("POST", "/players/me/recovery_codes", {})
    pace = {"mode": "correspondence", "delay": 86400, "bank": 86400}
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto("/lobby?show=open&game=caylus&seats=2&pace=correspondence")
        expect(page.locator(".counts")).to_contain_text("Open:")
        first = ada.open(ME, OPEN, game="caylus", pace=pace, rated=True)
        cards = page.locator(".shelf-live li")
        expect(cards).to_have_count(1)
        expect(cards.first).to_contain_text("Rated")
        box = measure(cards.first)
        second = bob.open(ME, OPEN, game="caylus", pace=pace)
        expect(cards).to_have_count(2)
        assert measure(cards.first) == box
        for at, game in enumerate((first, second)):
            expect(page.locator(".shelf-live a").nth(at)).to_have_attribute("data-key", game)
        box = measure(cards.nth(1))
        ada.ask("POST", f"/games/{first}/abort", {})
        expect(cards.first).to_have_class(re.compile("gone"))
        expect(cards.first).to_contain_text("no longer free")
        assert measure(cards.nth(1)) == box
        assert violations(page) == []
        # Rested: what is gone goes.
        expect(cards).to_have_count(1)
        # What was chosen is chosen at the next visit.
        page.locator("#filter-rated").select_option("true")
        expect(cards).to_have_count(0)
        page.goto("/lobby")
        expect(page.locator("#filter-rated")).to_have_value("true")
        expect(page.locator("#filter-game")).to_have_value("caylus")


@at_night("tests/ratings/test_fold.py::test_a_preview_says_what_each_rank_would_change")
def test_a_rated_table_says_what_is_at_stake_before_a_person_sits_down(
    served: Served, browser: Browser
) -> None:
    host = Account(served, "Host")
    host.ask("POST", "/players/me/recovery_codes", {})
    pace = {"mode": "live", "delay": 30, "bank": 600}
    game = host.open(ME, OPEN, pace=pace, rated=True, start="host")
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.page.goto("/new?game=carcassonne")
        person.touch("label[for=rated]")
        # Bots do not play in rated games, and a clock runs: each is one touch away.
        expect(person.page.locator(".rated-choice .trouble")).to_have_count(3)
        start = person.page.locator("button[type=submit]")
        expect(start).to_be_disabled()
        person.touch("[data-key=rated-fix-0]")
        person.touch("[data-key=rated-fix-0]")
        expect(start).to_be_enabled()
        person.touch("[data-key=become-account]")
        expect(person.page.locator(".codes li")).to_have_count(10)
        person.check()
        person.page.goto(f"/games/{game}")
        stakes = person.page.locator(".ends li")
        expect(stakes).to_have_count(2)
        expect(stakes.nth(0)).to_have_text(re.compile(r"^If you win\+\d+$"))
        expect(stakes.nth(1)).to_have_text(re.compile(r"^If you lose[-−]\d+$"))
        assert violations(person.page) == []
        person.touch("[data-act=join]")
        expect(person.page.locator("[data-act=ready]")).to_be_visible()
