"""Home: a game with one touch, with a bot or a friend; one's games; the lobby; ways home."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cartulary.locales import LANGUAGES
from tests.browser.conftest import CASES
from tests.browser.support.account import BOT, ME, OPEN, Account
from tests.browser.support.chromium import DESKTOP, PHONE, window
from tests.browser.support.page_checks import (
    check_words,
    cut_texts,
    switch_language,
    violations,
    violations_in_all_looks,
)
from tests.browser.support.person import YOUR_TURN, Person
from tests.browser.table.test_living import find_asked, sit
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

SHARE = "navigator.share = (what) => { document.documentElement.dataset.shared = what.url; };"
"""Browsers that can hand an address over to another program: the Chromium of the tests cannot."""

LOADED = "images => images.length > 0 && images.every((one) => one.naturalWidth > 0)"


class Touches:
    """Counts what a person touches; nothing is typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def touch(self, place: str) -> None:
        self.page.locator(place).first.tap()
        self.count += 1


def test_a_game_against_a_bot_asks_its_first_question_after_one_touch(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, locale="pl") as opened:
        page, touches = opened.page, Touches(opened.page)
        page.goto("/")
        asked: list[str] = []
        page.on("request", lambda one: asked.append(f"{one.method} {urlsplit(one.url).path}"))
        touches.touch("[data-key=bot-carcassonne]")
        expect(page.locator(YOUR_TURN)).to_be_visible()
        assert touches.count == 1
        expect(page.locator(".panel [data-key=hint]")).to_be_visible()
        # One trip each: the board comes in the third.
        posted = [one.removeprefix("POST /api/v1") for one in asked if one.startswith("POST ")]
        assert posted[:2] == ["/players", "/games"]
        between = asked[asked.index("POST /api/v1/games") :]
        drawn = next(one for one in between if one.endswith("/board.svg"))
        assert drawn.replace("/board.svg", "") not in between[: between.index(drawn)]
        expect(page.locator(".top .player")).to_have_text(re.compile(r"^Gość \d+$"))
        name = page.locator(".top .player").inner_text()
        expect(page.locator("#notes")).to_contain_text(name)
        # The name is changed by touching it.
        page.goto("/")
        touches.touch(".top .player")
        page.locator("dialog input").fill("Zofia")
        assert violations(page) == []
        page.locator("dialog .confirm").click()
        expect(page.locator(".top .player")).to_have_text("Zofia")
        page.reload()
        expect(page.locator(".top .player")).to_have_text("Zofia")
        check_words(page)


def test_a_friend_plays_by_the_link_after_one_touch_and_nothing_typed(
    served: Served, browser: Browser
) -> None:
    with (
        window(browser, served.url) as opened,
        window(browser, served.url) as other,
    ):
        page, friend = opened.page, Touches(other.page)
        page.add_init_script(SHARE)
        page.goto("/")
        page.locator("[data-key=friend-carcassonne]").tap()
        expect(page.locator(".invitation svg.qr")).to_be_visible()
        expect(page.locator(".invitation code")).to_have_text(page.url)
        page.locator("[data-act=share]").tap()
        expect(page.locator("html")).to_have_attribute("data-shared", page.url)
        assert violations(page) == []
        # The page asks no watcher to invite other people.
        other.page.goto(page.url)
        expect(other.page.locator("[data-act=join]")).to_be_visible()
        expect(other.page.locator(".invitation")).to_have_count(0)
        friend.touch("[data-act=join]")
        for one in (page, other.page):
            expect(one.locator(".seat.playing")).to_have_count(1)
            expect(one.locator(".invitation")).to_have_count(0)
        assert friend.count == 1
        for one in (page, other.page):
            expect(one.locator(".top .player")).to_have_text(re.compile(r"^Guest \d+$"))
        names = {one.locator(".top .player").inner_text() for one in (page, other.page)}
        assert len(names) == 2


def test_my_turns_come_first_with_a_picture_of_the_board(served: Served, browser: Browser) -> None:
    ada = Account(served, "Ada")
    public = ada.open(ME, BOT, BOT, game="caylus")
    private = ada.open(ME, ME, visibility="private")
    import_finished(ada)
    with window(browser, served.url) as opened:
        page = opened.page
        ada.enter(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto("/")
        turns = page.locator(".shelf-turns")
        expect(turns.locator("h2")).to_have_text("My turn (2)")
        first = page.locator(".home").locator("a.card, .offer").first
        expect(first).to_have_class(re.compile("mine"))
        expect(turns.locator(f"[data-key='{public}']")).to_contain_text("2 bots (Random)")
        page.wait_for_function(
            f"() => ({LOADED})([...document.querySelectorAll('.shelf-turns .thumb img')])"
        )
        drawn = turns.locator(f"[data-key='{private}'] .thumb svg")
        expect(drawn).to_be_visible()
        boards = [url for url in asked if "board.svg" in url]
        assert boards
        assert all("version=" in url for url in boards)
        expect(page).to_have_title(re.compile(r"^\(2\) "))
        # What is new comes by the inbox, long before the look that home takes once a minute.
        ada.open(ME, ME)
        expect(turns.locator("h2")).to_have_text("My turn (3)")
        # This device is signed out elsewhere.
        expect(page.locator(".shelf-past .card")).to_have_count(1)
        opened.may_fail_to_load = True
        unknown = {"code": "token_unknown", "title": "Unknown", "status": 401}
        page.route(
            re.compile(r"/games\?.*=me"), lambda route: route.fulfill(status=401, json=unknown)
        )
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator(".lost")).not_to_be_empty()
        expect(turns).to_be_hidden()
        expect(page.locator(".shelf-past")).to_be_hidden()


def test_the_table_of_others_is_watched_with_scores_and_without_look_alikes(
    served: Served, browser: Browser
) -> None:
    ada, bert = Account(served, "Ada W"), Account(served, "Bert W")
    for _ in range(2):  # they look alike
        bert.ask("POST", f"/games/{ada.open(ME, OPEN)}/seats", {})
    game = ada.open(ME, OPEN, game="caylus")
    bert.ask("POST", f"/games/{game}/seats", {})
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto("/")
        shelf = page.locator(".shelf-watch")
        cards = shelf.locator(".card").filter(has_text="Ada W")
        expect(cards).to_have_count(2)
        caylus = cards.filter(has_text="Caylus")
        expect(caylus).to_contain_text("Round 1")
        expect(caylus.locator(".standings b").first).to_have_text(re.compile(r"\d"))
        expect(shelf.locator(".card").nth(3)).to_have_count(0)
        page.set_viewport_size({"width": 2560, "height": 1300})  # home takes most of a large screen
        share = page.locator(".home").evaluate("one => one.offsetWidth / innerWidth")
        assert share > 0.7
        cards.first.click()
        expect(page.locator(".table[data-version]")).to_be_visible()


def import_finished(account: Account) -> str:
    transcript = json.loads((CASES / "carcassonne" / "game-00.json").read_text())
    kept = {key: value for key, value in transcript.items() if not key.startswith("expect")}
    return str(account.ask("POST", "/games/import", kept)["id"])


def test_my_finished_games_are_found_again(served: Served, browser: Browser) -> None:
    ada = Account(served, "Ada")
    games = [import_finished(ada) for _ in range(5)]
    with window(browser, served.url) as opened:
        page = opened.page
        ada.enter(page)
        page.goto("/")
        cards = page.locator(".shelf-past .card")
        expect(cards).to_have_count(4)
        page.locator("[data-key=past-more]").click()
        expect(cards).to_have_count(5)
        expect(page.locator("[data-key=past-more]")).to_be_hidden()
        expect(page.locator("[data-key=profile]")).to_have_attribute("href", f"/players/{ada.id}")
        expect(cards.last).to_have_attribute("data-key", games[0])
        cards.last.click()
        expect(page.locator(".table")).to_have_attribute("data-status", "over")
        expect(page.get_by_text("Invite")).to_have_count(0)


def test_who_has_finished_a_game_is_asked_once_for_the_open_data(
    served: Served, browser: Browser
) -> None:
    ada = Account(served, "Ada")

    def publish(route: Route) -> None:
        """Answer as a service does that publishes open data."""
        answer = route.fetch()
        own = answer.json()
        asks = own["preferences"]["open_data"] == "no"
        route.fulfill(response=answer, json={**own, "asks_open_data": asks})

    with window(browser, served.url) as opened:
        page, question = opened.page, opened.page.locator("[data-section=ask_data]")
        page.route("**/players/me", publish)
        ada.enter(page)
        page.goto("/")
        expect(page.locator(".offer")).not_to_have_count(0)
        expect(question).to_have_count(0)
        game = ada.open(ME, BOT)
        ada.ask("POST", f"/games/{game}/resignation", {})
        page.reload()
        for lang in LANGUAGES:
            switch_language(page, lang)
            expect(question.locator("button")).to_have_count(2)
            check_words(page)
            assert cut_texts(page) == []
        question.locator("[data-key=data-yes]").click()
        expect(question).to_have_count(0)
        assert ada.ask("GET", "/players/me")["preferences"]["open_data"] == "yes"
        page.reload()
        expect(page.locator(".shelf-past a.card")).to_have_count(1)
        expect(question).to_have_count(0)


def test_the_lobby_is_filtered_by_what_stands_in_the_address(
    served: Served, browser: Browser
) -> None:
    ada, bert = Account(served, "Ada L"), Account(served, "Bert L")
    waits = ada.open(ME, OPEN, OPEN)
    alone = ada.open(ME, BOT, game="caylus")
    both = ada.open(ME, OPEN, game="caylus")
    bert.ask("POST", f"/games/{both}/seats", {})
    with window(browser, served.url) as opened:
        page = opened.page

        def card(game: str) -> Any:
            return page.locator(f".lobby [data-key='{game}']")

        page.goto("/")
        page.get_by_role("link", name="All tables").click()
        expect(card(waits)).to_contain_text("2 open seats")
        page.locator("#filter-seats").select_option("2")
        expect(card(waits)).to_have_count(0)
        page.goto("/lobby?show=running&game=caylus")
        expect(card(both)).to_be_visible()
        expect(card(alone)).to_have_count(0)
        page.locator("#filter-people").click()
        expect(card(alone)).to_be_visible()
        assert page.url.endswith("/lobby?show=running&game=caylus&people=0")
        page.locator("#filter-game").select_option("carcassonne")
        expect(card(both)).to_have_count(0)
        page.locator("#filter-pace").select_option("live")
        page.locator("#filter-seats").select_option("5")
        expect(page.locator(".shelf-lobby")).to_contain_text("No table is like this")
        page.reload()
        expect(page.locator("#filter-pace")).to_have_value("live")


def test_only_who_sits_at_a_table_with_a_free_seat_invites(
    served: Served, browser: Browser
) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        asked, _ = find_asked(people)
        expect(asked.page.locator(".invitation")).to_have_count(0)
        expect(asked.page.get_by_text("Invite")).to_have_count(0)
        ada = people[0].page
        ada.goto("/")
        ada.locator("[data-key=friend-caylus]").tap()
        expect(ada.locator(".invitation")).to_be_visible()
        # A friend is invited by name: then no seat is free for the link.
        ada.locator("[data-act=invite]").click()
        ada.locator("dialog.asking select").select_option(label="Bert")
        ada.locator("dialog.asking .confirm").click()
        expect(ada.locator(".lounge .badge[data-state=offered]")).to_be_visible()
        expect(ada.locator(".invitation")).to_have_count(0)
        bert = people[1].page
        bert.goto("/")
        bert.locator(".shelf-invited .card").click()
        bert.locator("[data-act=decline]").click()
        expect(ada.locator(".invitation")).to_be_visible()
        # A table that is called off says nothing of a start.
        ada.locator("[data-act=leave]").click()
        lounge = ada.locator(".lounge")
        expect(lounge).to_contain_text("called off")
        expect(lounge).not_to_contain_text("starts by itself")
        expect(ada.locator(".invitation")).to_have_count(0)
        # The only person whom Ada knows sits at the next table already.
        path = people[0].host("caylus", "me", "open", "open")
        people[1].sit_down(path)
        ada.goto(path)
        ada.locator("[data-act=invite]").click()
        expect(ada.locator("#notes")).to_contain_text("sits here or is invited")


def test_somebody_asks_for_a_seat_and_the_host_gives_it(served: Served, browser: Browser) -> None:
    ada, bert = Account(served, "Ada"), Account(served, "Bert")
    game = ada.open(ME, {"kind": "invite", "player": bert.id})
    with (
        window(browser, served.url, DESKTOP) as opened,
        window(browser, served.url) as other,
    ):
        host, cleo = opened.page, Person(other.page, "Cleo")
        ada.enter(host)
        cleo.register()
        host.goto(f"/games/{game}")
        expect(host.locator(".lounge")).to_be_visible()
        other.page.goto(f"/games/{game}")
        expect(other.page.locator("[data-act=ask]")).to_be_visible()
        assert violations(other.page) == []
        other.page.locator("[data-act=ask]").tap()
        expect(other.page.locator("#notes")).to_contain_text("The host has your request")
        request = host.locator(".request")
        expect(request).to_contain_text("Cleo asks for a seat")
        assert violations(host) == []
        host.reload()
        request.locator(".confirm").click()
        expect(request).to_have_count(0)
        other.page.locator("[data-act=accept]").tap()
        expect(other.page.locator(".seat.mine")).to_have_count(1)


def test_axe_finds_no_violation_on_the_pages_beside_the_table(
    served: Served, browser: Browser
) -> None:
    ada = Account(served, "Ada")
    ada.open(ME, BOT)
    ada.open(ME, OPEN)
    import_finished(ada)
    with window(browser, served.url) as opened:
        page = opened.page
        ada.enter(page)
        pages = {"/": ".shelf-turns .card", "/lobby": ".filters", "/new": "#seat-0"}
        for address, sign in pages.items():
            page.goto(address)
            expect(page.locator(sign).first).to_be_visible()
            assert violations_in_all_looks(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        opened.may_fail_to_load = True
        page.goto("/whatever")
        expect(page.locator(".missing")).to_contain_text("There is no such page")
        assert violations_in_all_looks(page) == []
        page.locator(".missing").get_by_role("link", name="Tables", exact=True).click()
        expect(page.locator(".home .offer").first).to_be_visible()


def test_home_and_lobby_are_shown_in_each_language(served: Served, browser: Browser) -> None:
    ada = Account(served, "Ada")
    ada.open(ME, BOT, BOT)
    with window(browser, served.url) as opened:
        page = opened.page
        ada.enter(page)
        page.goto("/")
        for lang in LANGUAGES[1:]:
            switch_language(page, lang)
            expect(page.locator(".shelf-turns .card")).to_be_visible()
            check_words(page)
            assert cut_texts(page) == [], lang
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.goto("/lobby")
        expect(page.locator(".filters")).to_be_visible()
        check_words(page)


def test_my_running_games_are_shown_while_the_archive_of_finished_games_is_away(
    served: Served, browser: Browser
) -> None:
    away = json.dumps({"code": "archive_unavailable", "title": "Away", "status": 503})
    eve = Account(served, "Eve")
    game = eve.open(ME, OPEN)
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        eve.enter(page)
        page.route(
            re.compile(r"/games\?.*status=over"), lambda route: route.fulfill(status=503, body=away)
        )
        page.goto(served.url)
        expect(page.locator(f"main a[href$='{game}']").first).to_be_visible()
