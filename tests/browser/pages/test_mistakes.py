"""A mistake of one's own, three days later on a phone: from the bell to the board, and away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.events.analyses.learning import AGAIN_MS
from tests.browser.support.account import BOT, ME, Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_words, violations
from tests.browser.support.service_on_a_clock import TimedService
from tests.service.support.moments import ask_moment
from tests.support.fake_clock import FakeClock

pytestmark = pytest.mark.browser


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TimedService]:
    with TimedService(tmp_path / "data", FakeClock()) as service:
        yield service


class Asking:
    """An account as the caller of a test without a network."""

    def __init__(self, account: Account) -> None:
        self.id, self._account = account.id, account

    def get(self, path: str) -> Any:
        return SimpleNamespace(json=self._account.ask("GET", path))

    def post(self, path: str) -> Any:
        self._account.ask("POST", path, {})
        return SimpleNamespace(status_code=202)


def test_a_mistake_leads_from_the_bell_to_the_board_and_leaves_when_it_was_tried(
    service: TimedService, browser: Browser
) -> None:
    ada: Any = Account(service, "Ada")  # type: ignore[arg-type]
    game, moment = ask_moment(Asking(ada), service.store)  # type: ignore[arg-type]
    version = moment["version"]
    running = ada.open(ME, BOT)
    begin = ada.ask("GET", f"/games/{running}")["version"]
    move = ada.ask("GET", f"/games/{running}/moves")["moves"][0]
    ada.ask("POST", f"/games/{running}/moves", {"move": move})
    service.pass_time(AGAIN_MS)
    service.store.returned_mistakes.step()
    with window(browser, service.url, PHONE) as opened:
        page = opened.page
        ada.enter(page)
        page.goto("/")
        page.locator(".bell summary").click()
        line = page.locator(".bell-list a", has_text="A mistake of yours is back as a puzzle")
        expect(line).to_have_attribute("href", f"/games/{game}?ask={version}")
        check_words(page)
        line.click()
        expect(page.locator(".sheet.answers .sheet-label")).to_have_text(
            "Moment 1 of 1: what would you do?"
        )
        expect(page.locator("[data-key=explorer]:visible")).to_have_count(0)
        turn_to(page, f"/games/{game}")
        expect(page.locator(".sheet.answers")).to_be_hidden()
        turn_to(page, f"/games/{game}?ask={version}")  # the bell at the table itself
        answer_first(page)
        other = page.locator(".moment-answer [data-key=explorer]")
        expect(other).to_have_attribute("href", address(game, version - 1))
        better = moment["best"]["moves"][0]["move"]
        place = f'.picture [data-x="{better["x"]}"][data-y="{better["y"]}"]'
        expect(page.locator(place).first).to_be_in_viewport()
        assert violations(page) == []
        page.locator("[data-key=moment-next]").click()
        last = page.locator(".analysis [data-key=last-games]")
        expect(last).to_have_attribute("href", f"/players/{ada.id}")
        see_no_mistake(page)
        page.goto(f"/games/{game}?v={version}")
        expect(page.locator(".moment [data-key=explorer]")).to_have_attribute(
            "href", address(game, version)
        )
        page.goto(f"/games/{running}?v={begin}")
        expect(page.locator(".replay .caption")).to_have_text(re.compile(r"\w"))
        expect(page.locator("[data-key=explorer]")).to_have_count(0)


def turn_to(page: Page, path: str) -> None:
    """Go to another address of the same table, as a link does."""
    page.evaluate("path => history.pushState(null, '', path)", path)
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")


def answer_first(page: Page) -> None:
    """Answer with the first place that can be touched."""
    page.locator(".picture :is(rect.touch, .pin)").first.dispatch_event("click")
    page.locator("[data-key=moment-answer]").click()
    expect(page.locator(".verdict")).to_have_text(re.compile(r"^[✓✗] "))


def see_no_mistake(page: Page) -> None:
    """Look into the bell of the start page, in the same tab."""
    page.goto("/")
    page.locator(".bell summary").click()
    expect(page.locator(".bell-list")).to_contain_text("The game is over")
    expect(page.locator(".bell-list")).not_to_contain_text("mistake")


def address(game: str, version: int) -> str:
    return f"/explorer/carcassonne?position={game}%40{version}"
