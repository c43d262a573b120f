"""A bot of another player is invited from the list of connected bots, and plays or declines."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bots.visiting_bot import VisitingBot
from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.page_checks import check_words, cut_texts, press_until, violations
from tests.browser.support.person import Person
from tests.browser.support.seats import touch_name
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.process]

LYING = Size(844, 390)
TOUCH = 44
SIGN = ".bot-sign[role=img][aria-label=bot]"
SMALL = """() => [...document.querySelectorAll(
  "dialog :is(button, input), .lounge :is(button, a.button), .new-game button"
)].filter((one) => one.checkVisibility()).map((one) => [one.innerText, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text)"""


@pytest.fixture(scope="module")
def ada(served: Served) -> Account:
    """The author of the bots."""
    return Account(served, "Ada")


@pytest.fixture(scope="module")
def robo(served: Served, ada: Account) -> Iterator[VisitingBot]:
    with VisitingBot(served, ada, "Robo", "plays the first move that it may make") as bot:
        yield bot


@pytest.fixture(scope="module")
def picky(served: Served, ada: Account) -> Iterator[VisitingBot]:
    """Another bot, which plays Carcassonne alone."""
    with VisitingBot(served, ada, "Picky") as bot:
        bot.accept(games=["carcassonne"])
        yield bot


def open_list(page: Page) -> None:
    page.locator("[data-key^=invite_bot-], [data-key=invite-bot]").first.click()
    expect(page.locator("dialog.choose-bot")).to_be_visible()


def test_a_bot_is_invited_with_one_touch_and_plays_against_a_person(
    served: Served, browser: Browser, robo: VisitingBot, picky: VisitingBot
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        person = Person(page, "Bea")
        person.register()
        page.goto("/new?game=carcassonne")
        open_list(page)
        shown = page.locator(f"[data-bot='{robo.id}']")
        for text in ("Robo", "by Ada", "strength not measured yet", "plays the first move"):
            expect(shown).to_contain_text(text)
        expect(shown.locator(SIGN)).to_be_visible()
        assert violations(page) == []
        assert page.evaluate(SMALL) == []
        shown.tap()
        expect(page.locator("#seat-1")).to_have_value(f"invite:{robo.id}")
        expect(page.locator(".seats-asked")).to_contain_text("by Ada")
        page.locator("button[type=submit]").tap()
        expect(page.locator(".table[data-status=running]")).to_be_visible()
        expect(page.locator(f".rail .seat:not(.mine) {SIGN}")).to_be_visible()
        assert len(person.play(moves=1)) == 1
        touch_name(page.locator(".rail .seat:not(.mine) .name"))
        card = page.locator(".thing-card")
        expect(card).to_contain_text("by Ada")
        expect(card).not_to_contain_text("not at the table")
        assert violations(page) == []
        check_words(page)
        robo.say_hello(page.url.rpartition("/")[2])
        page.locator(".chat-button").tap()
        expect(page.locator(f".messages .by:has-text('Robo') {SIGN}")).to_be_visible()
        page.goto("/")
        expect(page.locator(".players").first).to_have_text(re.compile(r"Robo\S* \(bot\)"))


def test_the_list_is_searched_and_used_by_keyboard_with_the_phone_on_its_side(
    served: Served, browser: Browser, robo: VisitingBot, picky: VisitingBot
) -> None:
    host = Account(served, "Bea")
    game = host.open(ME, OPEN, OPEN)
    with window(browser, served.url, LYING) as opened:
        page = opened.page
        host.enter(page)
        page.goto(f"/games/{game}")
        press_until(page, "Tab", "[data-key=invite_bot-1]")
        page.keyboard.press("Enter")
        expect(page.locator("dialog .bot")).to_have_count(2)
        assert page.evaluate(SMALL) == []
        assert cut_texts(page) == []
        press_until(page, "Tab", "#bot-search")
        page.keyboard.type("nothing")
        expect(page.locator("dialog [role=status]")).to_have_text("No bot has these words.")
        page.keyboard.press("Control+A")
        page.keyboard.type("rob")
        expect(page.locator("dialog .bot")).to_have_count(1)
        press_until(page, "Tab", f"[data-bot='{robo.id}']")
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_have_count(0)
        seat = page.locator(".sitting [data-seat='1']")
        expect(seat).to_contain_text("Robo")
        expect(seat).to_contain_text("by Ada")
        expect(seat.locator(SIGN)).to_be_visible()
        expect(seat.locator("[data-act=hand_over]")).to_have_count(0)
        open_list(page)
        expect(page.locator("dialog .bot")).to_have_count(1)  # Robo sits there already
        page.keyboard.press("Escape")
        assert violations(page) == []
        assert page.evaluate(SMALL) == []


def test_a_bot_that_declines_says_why_and_the_seat_stays_open_for_another(
    served: Served, browser: Browser, ada: Account, robo: VisitingBot
) -> None:
    host = Account(served, "Cleo")
    game = host.open(ME, OPEN)
    with window(browser, served.url, PHONE) as opened, VisitingBot(served, ada, "Busy") as busy:
        page = opened.page
        host.enter(page)
        page.goto(f"/games/{game}")
        open_list(page)
        busy.accept(parallel=1, seats=[3])  # meanwhile the bot has changed its mind
        page.locator(f"[data-bot='{busy.id}']").tap()
        said = page.locator(".declines")
        expect(said).to_have_text("Busy declines: this bot does not play at tables of this size.")
        assert violations(page) == []
        open_list(page)
        expect(page.locator(f"[data-bot='{busy.id}']")).to_have_count(0)  # it does not fit
        page.locator(f"[data-bot='{robo.id}']").tap()
        expect(page.locator(".table[data-status=running]")).to_be_visible()


def test_without_a_connected_bot_that_fits_the_list_says_what_to_do(
    served: Served, browser: Browser, robo: VisitingBot
) -> None:
    host = Account(served, "Dora")
    robo.accept(games=["carcassonne"])
    game = host.open(ME, OPEN, game="caylus")
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        host.enter(page)
        page.goto(f"/games/{game}")
        open_list(page)
        text = "Play against the bot Medium instead."
        expect(page.locator("dialog [role=status]")).to_contain_text(text)
        assert violations(page) == []
