"""For everybody: eight languages, keyboard alone, screen readers, light and dark, slow lines."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES, join
from tests.browser.conftest import FINISHED
from tests.browser.support.chromium import DESKTOP, PHONE, Scheme, Size, window
from tests.browser.support.page_checks import (
    check_words,
    cut_texts,
    press_until,
    switch_language,
    violations,
)
from tests.browser.support.person import YOUR_TURN, Person
from tests.support.night import each_or_all, short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


def cut_texts_of_narrow_question(page: Page) -> list[str]:
    """Return what is cut where the question has no room; it may be drawn again at this moment."""
    page.evaluate("document.querySelector('.question').style.width = '9px'")
    return cut_texts(page)


@pytest.mark.parametrize(
    ("game", "size"), each_or_all(["caylus", "carcassonne"], [DESKTOP, PHONE]), ids=str
)
def test_each_language_is_shown_and_no_text_is_cut(
    served: Served, browser: Browser, game: str, size: Size
) -> None:
    offers = {name: offer.words for name, offer in OFFERS.items()}
    asked = {"carcassonne": "place_tile", "caylus": "place_worker"}[game]
    with window(browser, served.url, size) as opened:
        page, person = opened.page, Person(opened.page)
        person.open_game(game, "me", "bot:random", "bot:random")
        person.await_turn()
        for lang in short_or_long(LANGUAGES[size is PHONE :: 2], LANGUAGES):
            switch_language(page, lang)
            person.await_turn()
            question = join(lang, offers)["terms"][game]["asks"][asked]
            expect(page.locator(YOUR_TURN)).to_contain_text(question)
            check_words(page)
            assert cut_texts(page) == [], lang
        until(lambda: len(cut_texts_of_narrow_question(page)) == 1)
        switch_language(page, LANGUAGES[0])
        person.await_turn()
        person.choose()
        check_words(page)
        person.move()
        expect(page.locator(".lines li").first).to_be_attached()
        check_words(page)


def test_the_language_can_be_switched_and_is_remembered(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        opened.page.goto("/")
        opened.page.locator("#language").select_option("pl")
        expect(opened.page.locator("h1")).to_have_text("Stoły")
        opened.page.reload()
        expect(opened.page.locator("h1")).to_have_text("Stoły")


@pytest.mark.parametrize(
    ("size", "scheme", "game"),
    each_or_all([PHONE, DESKTOP], ["dark", "light"], ["carcassonne", "caylus"]),
    ids=str,
)
def test_axe_finds_no_violation(
    served: Served, browser: Browser, size: Size, scheme: Scheme, game: str
) -> None:
    with window(browser, served.url, size, scheme=scheme) as opened:
        page = opened.page
        if short_or_long(size is PHONE, True):  # `test_home` looks at both on a desktop
            page.goto("/")
            expect(page.locator(".offer").first).to_be_visible()
            assert violations(page) == []
            page.goto("/new?game=caylus")
            page.locator(".options summary").click()
            assert violations(page) == []
        person = Person(page)
        person.open_game(game, "me", "bot:random", "bot:random")
        person.await_turn()
        person.choose()
        assert violations(page) == []
        for tab in ("story", "scores"):
            person.look_at(tab)
            assert violations(page) == []


@pytest.mark.parametrize("scheme", short_or_long(["light"], ["light", "dark"]))
def test_axe_finds_no_violation_in_the_waiting_room(
    served: Served, browser: Browser, scheme: Scheme
) -> None:
    with window(browser, served.url, PHONE, scheme=scheme) as opened:
        Person(opened.page).open_game("caylus", "me", "open")
        expect(opened.page.locator(".waiting-room")).to_be_visible()
        assert violations(opened.page) == []


@pytest.mark.parametrize(
    ("finished", "scheme"),
    each_or_all(FINISHED, ["light", "dark"]),
    ids=str,
    indirect=["finished"],
)
def test_axe_finds_no_violation_at_the_end_of_a_game(
    served: Served, browser: Browser, finished: str, scheme: Scheme
) -> None:
    with window(browser, served.url, PHONE, scheme=scheme) as opened:
        opened.page.goto(f"/games/{finished}")
        expect(opened.page.locator(".ending .tally").first).to_be_visible()
        assert violations(opened.page) == []


def test_a_tile_is_laid_and_a_follower_placed_with_the_keyboard_alone(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        person = Person(page)
        person.open_game("carcassonne", "me", "bot:random")
        person.await_turn()
        before = person.version
        press_until(page, "Tab", "[data-key=after]")
        page.keyboard.press("Enter")
        press_until(page, "Tab", ".panel .confirm")
        page.keyboard.press("Enter")
        person.await_version_after(before)
        person.await_turn()
        before = person.version
        if page.locator(".facets").count():
            press_until(page, "Tab", ".facets input[type=radio]")
            page.keyboard.press("Space")
            press_until(page, "Tab", ".panel .confirm")
            page.keyboard.press("Enter")
            person.await_version_after(before)


def test_a_worker_is_placed_with_the_keyboard_alone_and_news_are_said(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        person = Person(page)
        person.open_game("caylus", "me", "bot:random", "bot:random")
        person.await_turn()
        expect(page.locator("#news")).to_contain_text("Your turn. Place a worker, or pass")
        before = person.version
        press_until(page, "Tab", ".answers .grip")
        page.keyboard.press("Enter")
        press_until(page, "Tab", ".facets input[type=radio]")
        page.keyboard.press("ArrowDown")
        press_until(page, "Tab", ".panel .confirm")
        page.keyboard.press("Enter")
        person.await_version_after(before)
        expect(page.locator("#news")).not_to_be_empty()


@pytest.mark.parametrize("game", short_or_long(["caylus"], ["carcassonne", "caylus"]))
def test_touch_targets_are_large_enough_on_a_phone(
    served: Served, browser: Browser, game: str
) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game(game, "me", "bot:random", "bot:random")
        person.await_turn()
        person.choose()
        sizes = opened.page.evaluate(
            """() => [...document.querySelectorAll("button, a, select, summary, label.choice")]
                .filter((one) => one.checkVisibility())
                .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
                .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44))
                .map(([html, box]) => `${box.width} x ${box.height}: ${html}`)"""
        )
        assert sizes == []
