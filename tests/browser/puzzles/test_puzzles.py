"""Puzzles with a finger: the question as in a game, hints, both futures, the next one."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import Browser, Page, Route, expect

from cartulary import locales
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.finger import Finger
from tests.browser.support.hearing import await_heard
from tests.browser.support.page_checks import cut_texts, switch_language
from tests.browser.support.person import Person, visit
from tests.browser.support.targets import Count, names
from tests.support.night import each_or_all
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LYING = Size(844, 390)
LEAST = 0.8
SIZES = (PHONE, LYING)


def begin(page: Page, game: str) -> str:
    """Open the next puzzle of a game as a new guest; return its id."""
    visit(page, "/puzzles")
    page.locator(f"[data-key=solve-{game}]").click()
    expect(page.locator(".panel .question")).to_be_visible()
    return page.url.rpartition("/")[2]


def answer_by_finger(page: Page) -> Finger:
    """Make the moves of an answer, until the service or the pack has judged it."""
    finger, asks = Finger(page), ".panel:not([inert]):not(.sending) .question"
    while True:
        page.wait_for_selector(f".puzzle-outcome, {asks}")
        if page.locator(".puzzle-outcome").count():
            return finger
        version = page.locator(".table").get_attribute("data-version")
        finger.play(1)
        page.wait_for_selector(f".puzzle-outcome, .table:not([data-version='{version}'])")


def check_targets(page: Page) -> None:
    """A finger hits the middle of each button, and of each place that is in sight."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    counted = Count(page)
    assert not names(counted.missed("button", LEAST))


def solved(page: Page, served: Served) -> Any:
    token = page.evaluate("JSON.parse(localStorage.getItem('cartulary.player')).token")
    path = f"{served.url}/api/v1/players/me/puzzles"
    return requests.get(path, headers={"Authorization": f"Bearer {token}"}, timeout=60).json()


@pytest.mark.parametrize("size", SIZES, ids=["upright", "lying"])
def test_a_puzzle_is_answered_as_a_move_is_made_and_explained_on_the_board(
    browser: Browser, served: Served, size: Size
) -> None:
    with window(browser, served.url, size, touch=True) as opened:
        page = opened.page
        page.goto("/")
        puzzle = begin(page, "carcassonne" if size is PHONE else "caylus")
        expect(page.locator(".puzzle-outcome")).to_have_count(0)
        check_targets(page)
        assert not answer_by_finger(page).tally.misses
        heading = page.locator(".puzzle-outcome h2")
        expect(heading).to_have_text(re.compile("^(Right!|Another idea was better)$"))
        attempt = solved(page, served)["attempts"][0]
        assert (attempt["puzzle"], attempt["rated"]) == (puzzle, True)
        walk_both_futures(page)
        check_targets(page)
        page.locator("[data-key=explorer]").click()
        expect(page.locator("h1")).to_contain_text("what others played")
        page.go_back()
        page.locator("[data-key=puzzle-next]").click()
        expect(page.locator(".panel .question")).to_be_visible()
        assert not page.url.endswith(puzzle)


def walk_both_futures(page: Page) -> None:
    """Go to the end of each future: every step says who did what."""
    for line in ("best", "tempting"):
        page.locator(f"[data-key=puzzle-{line}]").click()
        forward = page.locator("[data-key=puzzle-forward]")
        said = page.locator(".puzzle-step")
        expect(said).to_have_text(re.compile(r"\d+\. Seat \d: ."))
        seen = {said.inner_text()}
        while forward.is_enabled() and len(seen) < 4:
            forward.click()
            expect(said).not_to_have_text(re.compile("|".join(map(re.escape, seen))))
            seen.add(said.inner_text())
        assert len(seen) > 1


def test_hints_come_in_two_steps_and_cost_the_rating(browser: Browser, served: Served) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto("/")
        begin(page, "caylus")
        hint, hints = page.locator("[data-key=puzzle-hint]"), page.locator(".puzzle-hints")
        hint.click()
        expect(hints).to_contain_text("Theme:")
        expect(hints.locator("li")).to_have_count(0)
        hint.click()
        expect(hints.locator("li")).to_have_count(2)
        expect(hint).to_be_hidden()
        check_targets(page)
        page.reload()
        expect(hints.locator("li")).to_have_count(2)
        values = page.locator(".picture .worth")
        expect(values.first).to_be_visible()
        many = values.count()
        page.locator(".picture svg").first.evaluate("drawn => drawn.dataset.before = ''")
        page.set_viewport_size({"width": DESKTOP.width, "height": DESKTOP.height})
        expect(page.locator(".picture svg[data-before]")).to_have_count(0)
        expect(values).to_have_count(many)
        page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
        answer_by_finger(page)
        expect(page.locator(".puzzle-outcome")).to_contain_text("After a hint no rating changes.")
        expect(hints).to_be_empty()
        assert solved(page, served)["ratings"] == []


def test_an_answer_that_counts_already_is_shown_in_place_of_the_question(
    browser: Browser, served: Served
) -> None:
    def store(route: Route) -> None:
        """Let the attempt be made, as another device does, and refuse that of this page."""
        assert route.fetch().ok
        refusal = {"code": "puzzle_answered", "title": "Answered", "status": 409}
        route.fulfill(status=409, json=refusal)

    with window(browser, served.url, PHONE, touch=True) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        page.goto("/")
        puzzle = begin(page, "caylus")
        page.route("**/attempts", store, times=1)
        answer_by_finger(page)
        expect(page.locator(".puzzle-outcome h2")).to_be_visible()
        assert page.url.endswith(puzzle)


def test_a_line_that_begins_again_has_no_move_that_was_on_its_way(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE, touch=True) as opened:
        page, held = opened.page, list[Route]()
        page.goto("/")
        path = f"/api/v1/puzzles/{begin(page, 'caylus')}"
        first = requests.get(served.url + path, timeout=60).json()
        asked = {name: first[name] for name in ("view", "decision", "moves")}

        def ask_again(route: Route) -> None:
            """After each move the same is asked."""
            route.fulfill(json={**route.fetch().json(), **asked})

        table, again = page.locator(".table"), page.locator("[data-key=puzzle-restart]")
        page.route("**/preview", ask_again)
        Finger(page).play(1)
        expect(table).to_have_attribute("data-version", "2")
        page.unroute("**/preview")
        page.route("**/preview", lambda route: held.append(route))
        person = Person(page)
        person.choose()
        if not page.locator(".panel.sending").count():  # some answers are sent at once
            person.confirm.click()
        expect(page.locator(".panel.sending")).to_be_visible()
        await_heard(page, lambda: held)
        again.click()
        for route in held:
            ask_again(route)
        expect(again).to_be_hidden()
        expect(table).to_have_attribute("data-version", "1")
        expect(page.locator(".panel .question")).to_be_visible()


def test_a_late_answer_to_next_leads_nobody_away_from_another_page(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE, touch=True) as opened:
        page, held = opened.page, list[Route]()
        page.goto("/")
        begin(page, "caylus")
        answer_by_finger(page)
        page.route("**/puzzles/next?*", lambda route: held.append(route), times=1)
        page.locator("[data-key=puzzle-next]").click()
        await_heard(page, lambda: held)
        visit(page, "/learn/caylus")
        with page.expect_response("**/puzzles/next?*"):
            held[0].continue_()
        page.evaluate("fetch('/livez').then((answer) => answer.text())")  # later than what follows
        expect(page.locator(".learn")).to_be_visible()
        assert page.url.endswith("/learn/caylus")


def test_the_network_that_is_back_opens_no_page_again_but_that_of_puzzles(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        page.goto("/")
        page.route("**/api/v1/puzzles", lambda route: route.abort())
        visit(page, "/puzzles")
        expect(page.locator(".sorry")).to_be_visible()
        visit(page, "/learn/caylus")
        expect(page.locator(".learn")).to_be_visible()
        asked: list[str] = []
        page.on("request", lambda one: asked.append(urlsplit(one.url).path))
        page.evaluate("dispatchEvent(new Event('online'))")
        page.evaluate("fetch('/livez').then((answer) => answer.text())")  # later than what follows
        assert "/livez" in asked
        assert "/learn/caylus/en.json" not in asked


def test_the_page_of_puzzles_has_the_day_the_games_and_the_days_in_a_row(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto("/")
        page.locator("[data-key=puzzles]").click()
        page.locator("[data-key=daily]").click()
        expect(page.locator(".panel .question")).to_be_visible()
        daily = requests.get(f"{served.url}/api/v1/puzzles/daily", timeout=60).json()["id"]
        assert page.url.endswith(f"/puzzles/{daily}")
        page.locator(".bar .home-link").click()
        expect(page.locator("[data-key=streak]")).to_contain_text("Days in a row: 0")
        for lang, path in each_or_all(locales.LANGUAGES, ("/puzzles",)):
            visit(page, path)
            switch_language(page, lang)
            expect(page.locator("[data-key=daily]")).to_be_visible()
            assert cut_texts(page) == [], lang
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE.width
        visit(page, "/learn/caylus")
        expect(page.locator(".learn [data-key=puzzles]")).to_have_attribute("href", "/puzzles")


def test_the_history_has_the_curve_the_themes_and_every_attempt(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE, touch=True) as opened:
        page = opened.page
        page.goto("/")
        puzzle = begin(page, "carcassonne")
        answer_by_finger(page)
        row = solved(page, served)["attempts"][0]
        assert row["themes"]
        assert row["after"]["rating"] == 1500 + row["change"]
        visit(page, "/puzzles")
        page.locator("[data-key=history]").click()
        expect(page.locator(".puzzle-history .chart.curve svg")).to_be_visible()
        expect(page.locator(".puzzle-themes tr")).to_have_count(len(row["themes"]))
        expect(page.locator(".puzzle-attempts a")).to_have_attribute("href", f"/puzzles/{puzzle}")
        for lang, path in each_or_all(locales.LANGUAGES, ("/puzzles?history",)):
            visit(page, path)
            switch_language(page, lang)
            expect(page.locator(".puzzle-history .streak")).to_be_visible()
            assert cut_texts(page) == [], lang
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE.width


def test_a_mistake_of_ones_own_that_has_come_back_stands_on_the_page_of_puzzles(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto("/")
        begin(page, "caylus")
        learning = {
            "games": [],
            "moments": [{"id": "g1", "game": "caylus", "seat": 0, "version": 9}],
        }
        page.route("**/players/me/learning", lambda route: route.fulfill(json=learning))
        visit(page, "/puzzles")
        moment = page.locator(".puzzle-standing .moments-due a")
        expect(moment).to_have_attribute("href", "/games/g1?ask=9")
