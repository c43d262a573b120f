"""The card of a thing on the board: what it is, costs and is worth, and why it cannot be used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.chromium import DESKTOP, PHONE, Size, window
from tests.browser.person import Person
from tests.e2e.served import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


@pytest.fixture
def page(request: pytest.FixtureRequest, served: Served, browser: Browser) -> Iterator[Page]:
    size: Size = getattr(request, "param", PHONE)
    with window(browser, served.url, size) as opened:
        yield opened.page


def sit(page: Page, game: str) -> Person:
    """Sit down at a table for one person on all seats, so that this person is asked."""
    person = Person(page)
    person.open_game(game, "me", "me")
    person.await_turn()
    return person


def touch(page: Page, place: str) -> Locator:
    """Touch the middle of a thing on the picture; return the card."""
    page.locator(f".picture {place}").first.dispatch_event("click")
    return page.locator(".board .card")


@pytest.mark.parametrize("page", [PHONE, DESKTOP], ids=["phone", "desktop"], indirect=True)
def test_a_building_of_the_stock_says_what_it_does_costs_and_is_worth(page: Page) -> None:
    sit(page, "caylus")
    card = touch(page, "[data-building=stone_farm]")
    expect(card.locator("h2")).to_have_text("Stone Farm")
    expect(card).to_contain_text("the owner gets")
    expect(card.locator("dd").nth(1)).to_contain_text("3 prestige points")


def test_a_place_that_is_closed_says_why(page: Page) -> None:
    """With two players the stables are closed."""
    sit(page, "caylus")
    card = touch(page, "[data-space=stables]")
    expect(card.locator("h2")).to_have_text("Stables")
    expect(card.locator(".why")).to_have_text("Not now: With two players the stables are closed.")


def test_a_line_of_favours_shows_what_each_column_gives(page: Page) -> None:
    sit(page, "caylus")
    card = touch(page, "[data-line=buildings]")
    expect(card.locator("li")).to_have_count(5)
    expect(card.locator("li").nth(1)).to_have_text("builds a wooden building; cheaper by 1 wood")


def test_somebody_who_watches_sees_what_houses_in_the_castle_bring(page: Page) -> None:
    sit(page, "caylus")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("[data-space=castle]")).to_be_attached()
    card = touch(page, "[data-section=walls]")
    expect(card).to_contain_text("3 houses → 2 royal favours")


def test_a_feature_says_how_it_scores(page: Page) -> None:
    sit(page, "carcassonne")
    card = touch(page, "[data-tile=D] [data-segment=c0]")
    expect(card.locator("h2")).to_have_text("city")
    expect(card).to_contain_text("2 points for each tile")


def test_the_same_touch_and_escape_close_the_card(page: Page) -> None:
    sit(page, "caylus")
    card = touch(page, "[data-building=bank]")
    expect(card).to_be_visible()
    touch(page, "[data-building=bank]")
    expect(card).to_be_hidden()
    touch(page, "[data-building=church]")
    expect(card.locator("h2")).to_have_text("Church")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_place_that_answers_the_question_is_chosen_and_opens_no_card(page: Page) -> None:
    person = sit(page, "caylus")
    card = touch(page, "[data-space=trading_post] .touch")
    expect(card).to_be_hidden()
    expect(person.confirm).to_be_enabled()
