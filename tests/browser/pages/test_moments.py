"""The moments of a finished game as a lesson: a choice on the board, the answer, both futures."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_words, violations
from tests.browser.table.test_analysis import open_analysis, play_badly
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def short(served: Served) -> str:
    """The id of a finished game of a few tiles, played at random."""
    account = Account(served, "Ada")
    return str(account.ask("POST", "/games/import", play_badly(3))["id"])


def choose_first_place(page: Page) -> None:
    """Answer what is asked with the first place that can be touched."""
    page.locator(".picture :is(rect.touch, .pin)").first.dispatch_event("click")
    confirm = page.locator("[data-key=moment-answer]")
    expect(confirm).to_be_enabled()
    confirm.click()


def test_each_moment_asks_first_and_then_shows_both_futures_on_a_phone(
    served: Served, browser: Browser, short: str
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        Account(served, "Bea").enter(page)
        open_analysis(page, short)
        start = page.locator("[data-key=moments]")
        count = int(re.findall(r"\d+", start.inner_text())[0])
        assert 1 <= count <= 3
        start.click()
        for number in range(1, count + 1):
            expect(page.locator(".sheet.answers .sheet-label")).to_have_text(
                f"Moment {number} of {count}: what would you do?"
            )
            expect(page.locator("[data-key=moment-answer]")).to_be_disabled()
            assert violations(page) == []
            if number % 2:
                choose_first_place(page)
                expect(page.locator(".verdict")).to_have_text(
                    re.compile(r"^[✓✗] (Right|Not quite): ")
                )
            else:
                page.locator("[data-key=moment-reveal]").click()
                expect(page.locator(".verdict")).to_have_count(0)
            expect(page.locator(".moment-answer")).to_contain_text("Better: ")
            see_both_futures(page)
            assert violations(page) == []
            check_words(page)
            page.locator("[data-key=moment-next]").click()
        expect(page.locator(".judged tbody tr")).to_have_count(2)
        expect(page.locator(".sheet.answers")).to_be_hidden()


def see_both_futures(page: Page) -> None:
    """Step through the better future, then look at the one that was played."""
    steps = page.locator(".future .count")
    expect(steps).to_have_text(re.compile(r"^1 of \d+$"))
    with page.expect_response(re.compile(r"/board\.svg\?.*future=best&step=0")):
        page.locator("[data-key=future-back]").click()
    expect(page.locator("[data-key=future-back]")).to_be_disabled()
    with page.expect_response(re.compile(r"/board\.svg\?.*future=made&step=1")) as answered:
        page.locator("[data-key=future-made]").click()
    assert answered.value.ok
    expect(page.locator("[data-key=future-made]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".future p")).to_have_text(re.compile(r"^After \d+ moves?: Wanda \d+, "))


def test_who_closes_the_question_is_back_at_the_moment(
    served: Served, browser: Browser, short: str
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        Account(served, "Dan").enter(page)  # who does not play asks for no analysis
        open_analysis(page, short)
        page.locator("[data-key=moments]").click()
        expect(page.locator("[data-key=moment-answer]")).to_be_visible()
        expect(page.locator(".replay")).to_be_hidden()
        page.locator(".sheet.answers .sheet-close").click()
        expect(page.locator(".sheet.answers")).to_be_hidden()
        expect(page.locator(".replay .count")).to_have_text(re.compile(r"^\d+ / 21$"))
        page.locator(".replay [data-key=latest]").click()
        expect(page.locator(".sheet.answers")).to_be_hidden()


def test_luck_and_play_stand_on_ones_own_page(served: Served, browser: Browser) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        account = Account(served, "Cyd")
        account.enter(page)
        page.goto(f"/players/{account.id}")
        expect(page.locator(".learning")).to_contain_text("analyse a game when it is over")
        figures = {
            "games": [
                {
                    "id": "01JC0M7G5P9R3S6T8V2W4X1Y0B",
                    "game": "carcassonne",
                    "at": "2026-11-20T10:00:00.123Z",
                    "seat": 0,
                    "won": True,
                    "margin": 9.0,
                    "luck": 12.5,
                    "played": -3.5,
                }
            ],
            "won_by_play": 0,
            "won_by_luck": 1,
            "lost_by_luck": 0,
            "lost_by_play": 0,
            "moments": [
                {
                    "id": "01JC0M7G5P9R3S6T8V2W4X1Y0B",
                    "game": "carcassonne",
                    "seat": 0,
                    "version": 41,
                }
            ],
        }
        page.route(re.compile(r"/players/me/learning$"), lambda route: route.fulfill(json=figures))
        page.reload()
        row = page.locator(".margins tbody tr")
        expect(row.locator("td")).to_have_text(["", "−3.5", "+12.5", "+9"])
        expect(row.locator("rect")).to_have_count(2)
        expect(page.locator(".luck-kinds")).to_contain_text("1 Won with luck")
        expect(page.locator(".learning")).to_contain_text("Your last analysed game:")
        name = page.locator(".margins th a")
        assert name.evaluate("one => one.getClientRects().length") == 1, "the name is not broken"
        expect(page.locator(".moments-due a")).to_have_attribute("href", re.compile(r"\?ask=41$"))
        assert violations(page) == []
        check_words(page)
