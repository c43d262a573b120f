"""Tournaments: a host announces one by touch, friends enter, standings follow, tables compared."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.hearing import await_heard
from tests.browser.support.page_checks import check_page, speak
from tests.browser.support.person import Person, visit
from tests.support.night import at_night
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

LANDSCAPE = Size(844, 390)
NAMES = ("Ada", "Bert", "Cleo", "Dora")
ENTROPY = "abcdefghijklmnopqrstu"
"""What an entrant adds to the draws of a duplicate, but for the last character."""

LOOK_AFTER_CLOSING = """async () => {
  const { OwnTable } = await import("/js/tournaments/own_table.js");
  const own = new OwnTable(() => {});
  own.close();
  const found = await own.find({ game: "01HZZZZZZZZZZZZZZZZZZZZZZZ" });
  return [found, own.timer];
}"""
"""A game that was not made yet when the page was left: what was found, and the timer of a look."""

TARGETS = "main :is(a, button, summary, select, input:not([type=range]), label.check)"


class Evening:
    """A tournament that a host has announced, and its entrants over HTTP."""

    def __init__(self, tournament: str, people: Sequence[Account]) -> None:
        self.id = tournament
        self.people = people

    def ask(self) -> Any:
        return self.people[0].ask("GET", f"/tournaments/{self.id}")

    def tables(self) -> list[Any]:
        """The tables of the first round, once their games are there."""

        until(lambda: self.ask()["round"])
        round_ = self.people[0].ask("GET", f"/tournaments/{self.id}/rounds/1")
        tables: list[Any] = round_["tables"]
        for table in tables:
            until(partial(self.seated(table)[0].finds, f"/games/{table['game']}"))
        return tables

    def seated(self, table: Any) -> list[Account]:
        listed = self.people[0].ask("GET", f"/tournaments/{self.id}/entrants")["entrants"]
        ids = {one["entrant"]: one["player"]["id"] for one in listed}
        by_id = {one.id: one for one in self.people}
        return [by_id[ids[number]] for number in table["seats"]]

    def begin(self, table: Any) -> None:
        """Let all seats of a table say that they are ready."""
        for seat, one in enumerate(self.seated(table)):
            one.ask("PUT", f"/games/{table['game']}/seats/{seat}/ready", {"ready": True})

    def play(self, table: Any, choices: Iterator[int]) -> None:
        """Make moves by their places in the list of legal ones, until `choices` ends."""
        seated, game_id = self.seated(table), table["game"]
        for choice in choices:
            game = seated[0].ask("GET", f"/games/{game_id}")
            own = seated[game["decision"]["seat"]]
            moves = own.ask("GET", f"/games/{game_id}/moves")["moves"]
            body = {"move": moves[choice % len(moves)], "expected_version": game["version"]}
            own.ask("POST", f"/games/{game_id}/moves", body)

    def resign(self, table: Any, seat: int) -> None:
        """Let a seat leave its game."""
        own = self.seated(table)[seat]
        own.ask("POST", f"/games/{table['game']}/resignation", {"seat": seat})


def announce(page: Page, format_: str) -> str:
    """From home to a new tournament, by touch; return its id."""
    page.goto("/")
    page.locator("[data-key=tournaments]").tap()
    page.locator("[data-key=new-tournament]").tap()
    expect(page.locator(".new-tournament")).to_be_visible()
    page.locator("#tour-format").select_option(format_)
    if format_ == "duplicate":
        page.locator("#tour-rounds").select_option("1")
    check_page(page, TARGETS)
    page.locator("[data-key=announce]").tap()
    expect(page.locator(".tournament[data-status=open] .qr")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def enter_others(people: Sequence[Account], tournament: str) -> None:
    for number, one in enumerate(people[1:]):
        body = {"entropy": f"{ENTROPY}{number}"}
        one.ask("POST", f"/tournaments/{tournament}/entry", body)


def start(page: Page) -> None:
    page.locator("[data-key=start]").tap()
    page.locator("dialog .confirm").tap()
    expect(page.locator("[data-key=to-table]")).to_be_visible()


def test_a_host_announces_a_duplicate_by_touch_and_all_see_standings_and_tables_compared(
    served: Served, browser: Browser
) -> None:
    people = [Account(served, name) for name in NAMES]
    with window(browser, served.url) as opened:
        page = opened.page
        opened.may_fail_to_load = True  # the games of a round are made after it is paired
        people[0].enter(page)
        evening = Evening(announce(page, "duplicate"), people)
        # The host has entered already; the others come while the page is open.
        expect(page.locator(".tour-people li")).to_have_count(1)
        expect(page.locator(".tour-in")).to_have_text("You are in.")
        expect(page.locator(".tour-acts")).to_contain_text("Still missing: 3 players")
        enter_others(people, evening.id)
        expect(page.locator(".tour-people li")).to_have_count(4)
        check_page(page, TARGETS)
        leave_while_it_is_read(page, evening.id)
        start(page)

        # Of a duplicate one sees one's own table alone, until the round is over.
        cards = page.locator(".tour-tables > li")
        expect(cards).to_have_count(2)
        expect(page.locator(".tour-tables a")).to_have_count(1)
        expect(page.locator(".tour-tables")).to_contain_text("hidden until the round is over")
        check_page(page, TARGETS)
        tables = evening.tables()
        page.locator("[data-key=to-table]").tap()
        expect(page.locator(".table .home-link")).to_have_attribute(
            "href", f"/tournaments/{evening.id}"
        )
        page.locator(".table .home-link").tap()
        expect(page.locator(".tournament")).to_be_visible()

        for table in tables:
            evening.begin(table)
        evening.play(tables[0], iter([0, 0, 0, 0]))
        # A tile may fit in one way only; then it is the follower that differs.
        evening.play(tables[1], iter([0, 0, 1, 1]))
        for table in tables:
            evening.resign(table, 1)
        expect(page.locator(".tournament[data-status=over]")).to_be_visible()
        expect(page.locator(".tour-acts")).to_contain_text("Won by")
        expect(page.locator(".tour-standings tbody tr")).to_have_count(4)
        expect(page.locator(".tour-standings .own")).to_contain_text("Ada")
        expect(page.locator(".tour-tables .thumb img:not(.sign)")).to_have_count(2)

        # What happened stands in the inbox, and leads here.
        page.locator(".bell summary").tap()
        news = page.locator(f".bell-list a[href='/tournaments/{evening.id}']")
        expect(news.first).to_contain_text("Carcassonne")
        page.keyboard.press("Escape")

        page.locator("[data-key=compare]").tap()
        check_comparison(page)
        page.emulate_media(color_scheme="dark")
        check_page(page, TARGETS)
        page.goto(f"/tournaments/{evening.id}")
        speak(page, "de")
        expect(page.locator(".tour-standings")).to_contain_text("Tabelle")
        check_page(page, TARGETS)


def leave_while_it_is_read(page: Page, tournament: str) -> None:
    """Leave the page and come back; the page that was left follows the tournament no more."""
    address = f"**/api/v1/tournaments/{tournament}"
    held: list[Route] = []
    asked: list[str] = []
    page.route(address, lambda route: held.append(route))
    page.evaluate("document.dispatchEvent(new Event('player'))")
    await_heard(page, lambda: held)
    page.locator(".brand").tap()
    expect(page.locator(".home")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_request_finished(lambda request: request.url.endswith("/entrants")):
        held[0].continue_()
    page.unroute(address)
    page.evaluate("fetch('/livez').then((answer) => answer.text())")  # later than what follows
    assert not any("/events/stream" in url for url in asked)
    assert page.evaluate(LOOK_AFTER_CLOSING) == [None, 0]
    visit(page, f"/tournaments/{tournament}")


def check_comparison(page: Page) -> None:
    """It begins where the tables parted: at the second turn, by what was made of the tile."""
    where = page.locator(".tour-where")
    expect(where).to_contain_text("Turn 2 of 2The tables part here")
    expect(page.locator(".compared .thumb img")).to_have_count(2)
    told = page.locator(".tour-told").all_inner_texts()
    assert told[0] != told[1]
    assert all("lays a tile" in text for text in told)
    page.locator("[data-key=back]").tap()
    expect(where).to_have_text("Turn 1 of 2")
    told = [text.split(": ", 1)[1] for text in page.locator(".tour-told").all_inner_texts()]
    assert told[0].split(". ")[0] == told[1].split(". ")[0]
    page.locator("[data-key=parting]").tap()
    expect(where).to_contain_text("Turn 2 of 2")
    expect(page.locator(".tour-compared tbody th[scope=row]")).to_have_count(4)
    check_page(page, TARGETS)


@at_night(
    "tests/browser/people/test_tournaments.py::"
    "test_a_host_announces_a_duplicate_by_touch_and_all_see_standings_and_tables_compared"
)
@pytest.mark.timeout(1500)
def test_four_browsers_play_a_duplicate_to_the_end_and_compare_the_tables(
    served: Served, browser: Browser
) -> None:
    people = [Account(served, name) for name in NAMES]
    with ExitStack() as windows:
        pages = [windows.enter_context(window(browser, served.url)).page for _ in people]
        for one, page in zip(people, pages, strict=True):
            one.enter(page)
        tournament = announce(pages[0], "duplicate")
        for page in pages[1:]:
            page.goto(f"/tournaments/{tournament}")
            page.locator("[data-key=enter]").tap()
            expect(page.locator("[data-key=leave]")).to_be_visible()
        start(pages[0])
        named = zip(pages, NAMES, strict=True)
        players = [Person(page, name, seed) for seed, (page, name) in enumerate(named)]
        for page in pages:
            page.locator("[data-key=to-table]").tap()
            page.locator("[data-key=ready]").tap()
        playing = [*players]
        rng = random.Random(1)
        while playing:
            for player in rng.sample(playing, len(playing)):
                if player.page.locator(".table[data-status=over]").count():
                    playing.remove(player)
                elif player.page.locator(".panel:not([inert]):not(.sending) .question").count():
                    player.move()
        for page in pages:
            page.goto(f"/tournaments/{tournament}")
            expect(page.locator(".tournament[data-status=over]")).to_be_visible()
            page.locator("[data-key=compare]").tap()
            expect(page.locator(".compared .thumb img")).to_have_count(2)
            expect(page.locator(".tour-where")).to_contain_text("of 71")
            expect(page.locator(".tour-compared tbody th[scope=row]")).to_have_count(4)


@at_night(
    "tests/browser/people/test_tournaments.py::"
    "test_a_host_announces_a_duplicate_by_touch_and_all_see_standings_and_tables_compared"
)
@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, Size(1280, 800)], ids=str)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_page_of_tournaments_fits_every_screen_in_every_language(
    served: Served, browser: Browser, size: Size, scheme: Any
) -> None:
    # The bar at the top cuts the host's own name, and may.
    names = [NAMES[0], *(f"{name} of the long and winding name" for name in NAMES[1:])]
    people = [Account(served, name) for name in names]
    with window(browser, served.url, size, scheme=scheme, touch=True) as opened:
        page = opened.page
        people[0].enter(page)
        tournament = announce(page, "swiss")
        enter_others(people, tournament)
        for lang in ("en", "de", "es", "fr", "hr", "nl", "pl", "ru"):
            for path in ("/tournaments", "/tournaments/new", f"/tournaments/{tournament}"):
                page.goto(path)
                speak(page, lang)
                expect(page.locator("main h1")).to_be_visible()
                open_all(page)
                check_page(page, TARGETS)


def open_all(page: Page) -> None:
    """Show what a page has folded away: all options of a new tournament, terms and the check."""
    for folded in page.locator("main details:not(.bell) > summary").all():
        folded.tap()
    if page.locator("#tour-who").count():
        page.locator("#tour-who").select_option("rating")
        check_page(page, TARGETS)
        page.locator("#tour-who").select_option("invited")
    if page.locator("[data-key=verify]").count():
        page.locator("[data-key=verify]").tap()
        expect(page.locator(".tour-found")).to_be_visible()
