"""Newcomers who become guests with one touch, and people who may not see a table any more."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import window
from tests.browser.support.hearing import await_heard
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

DEAF = "addEventListener('storage', (event) => event.stopImmediatePropagation());"
"""A tab that has not heard of another tab yet."""


def test_a_newcomer_who_touches_two_seats_at_once_is_one_guest(
    served: Served, browser: Browser
) -> None:
    game = Account(served, "Ada").open(ME, OPEN, OPEN)
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True  # a second seat is refused
        page, seats = opened.page, opened.page.locator("[data-act=join]")
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        page.goto(f"/games/{game}")
        expect(seats).to_have_count(2)
        with page.expect_response(lambda answer: answer.status == 409):
            seats.evaluate_all("all => all.forEach((one) => one.click())")
        expect(page.locator(".lounge [data-act=leave]")).to_have_count(1)
        assert sum(url.endswith("/players") for url in asked) == 1


def test_all_tabs_of_a_newcomer_play_as_the_guest_of_the_first_touch(
    served: Served, browser: Browser
) -> None:
    game = Account(served, "Ada").open(ME, OPEN, OPEN)
    with window(browser, served.url) as opened:
        first, other, deaf = opened.page, opened.context.new_page(), opened.context.new_page()
        deaf.add_init_script(DEAF)
        for tab in (first, other, deaf):
            tab.goto(f"/games/{game}")
            expect(tab.locator("[data-act=join]")).to_have_count(2)
        first.locator("[data-act=join]").first.tap()
        for tab in (first, other, deaf):
            expect(tab.locator("[data-act=leave]")).to_have_count(1)
        expect(other.locator(".top .player")).to_have_text(re.compile(r"^Guest \d+$"))


def test_two_tabs_that_register_within_one_trip_play_as_one_guest(
    served: Served, browser: Browser
) -> None:
    game = Account(served, "Ada").open(ME, OPEN, OPEN)
    with window(browser, served.url) as opened:
        tabs, held = [opened.page, opened.context.new_page()], list[Route]()
        opened.may_fail_to_load = True  # one guest takes no second seat
        for tab in tabs:
            tab.goto(f"/games/{game}")
            expect(tab.locator("[data-act=join]")).to_have_count(2)
            tab.route("**/api/v1/players", lambda route: held.append(route))
        for tab in tabs:
            tab.locator("[data-act=join]").first.tap()
        await_heard(tabs[0], lambda: len(held) == len(tabs))
        for route in held:
            route.continue_()
        for tab in tabs:
            expect(tab.locator("[data-act=leave]")).to_have_count(1)
        names = {tab.locator(".top .player").inner_text() for tab in tabs}
        assert len(names) == 1


def test_who_sees_a_private_table_no_more_is_led_home(served: Served, browser: Browser) -> None:
    ada, bert = Account(served, "Ada"), Account(served, "Bert")
    offer = {"kind": "invite", "player": bert.id}
    game = ada.open(ME, offer, OPEN, visibility="private")
    note = "You can no longer see this table: it is private."
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True  # the table is not found any more
        page = opened.page
        bert.enter(page)
        page.goto(f"/games/{game}")
        page.locator("[data-act=decline]").tap()
        expect(page.locator(".home")).to_be_visible()
        expect(page.locator("#notes")).to_have_text(note)
        # The host takes the next offer back while the page of the table is open.
        ada.ask("PUT", f"/games/{game}/seats/1", offer)
        page.locator(".shelf-invited .card").tap()
        expect(page.locator("[data-act=decline]")).to_be_visible()
        ada.ask("PUT", f"/games/{game}/seats/1", OPEN)
        expect(page.locator(".home")).to_be_visible()
        expect(page.locator("#notes")).to_have_text(note)
