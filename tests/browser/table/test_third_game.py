"""Games that the client has never heard of: with a picture, and without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.person import Person
from tests.browser.table.test_playing import finish
from tests.support.night import short_or_long
from tests.support.package_with_third_game import register_third_game
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`cartulary serve` with tic-tac-toe and the toy game, each registered by one line."""
    folder: Path = tmp_path_factory.mktemp("third")
    register_third_game(folder, '    "tests.support.toy_game",\n')
    with Served(folder / "data", folder=folder) as service:
        yield service


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, DESKTOP]), ids=str)
def test_a_game_without_controls_of_its_own_is_played_on_its_picture(
    served: Served, browser: Browser, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        person, page = Person(opened.page), opened.page
        page.goto("/")
        offer = page.locator(".offer.game-tictactoe")
        expect(offer.locator(".title")).to_have_text("Tic-tac-toe")
        offer.locator("[data-key=options-tictactoe]").click()
        expect(page.locator("select[id^=seat-]")).to_have_count(2)
        person.set_up_game("tictactoe", "me", "bot:careful")
        assert person.await_turn()
        expect(page.locator(".panel .question")).to_contain_text("Which cell do you mark?")
        cells = page.locator(".picture .touch")
        expect(cells.first).to_be_attached()  # the picture may come after the question
        expect(cells.nth(7)).to_be_attached()
        expect(cells.nth(9)).to_have_count(0)
        expect(page.locator(".facets label").first).to_have_text(re.compile(r"Column \d, row \d"))
        cells.first.dispatch_event("click")
        expect(person.confirm).to_be_enabled()
        person.play()
        finish(person)
        expect(page.locator(".story .lines")).to_contain_text(re.compile(r"column \d, row \d"))


def test_a_game_without_a_picture_is_played_as_a_list(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True  # that there is no picture shows in the console
        person, page = Person(opened.page), opened.page
        person.open_game("beans", "me", "bot:random")
        expect(page.locator(".board")).to_be_hidden()
        person.play()
        finish(person)
        expect(page.locator(".note")).to_have_count(0)


def test_a_game_with_an_open_seat_is_hidden_but_not_private(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto("/new?game=tictactoe")
        page.locator(".options summary").click()
        hidden = page.locator("label:has([name=private])")
        expect(hidden).to_have_text("Only people with a seat may see it")
        hidden.click()
        page.locator("#seat-1").select_option("open")
        expect(hidden).to_have_text("Only people with the link can find it")
        expect(hidden.locator("input")).to_be_checked()
        page.locator("button[type=submit]").click()
        expect(page.locator(".table[data-status=open]")).to_be_visible()
        game_id = page.url.rpartition("/")[2]
        shown = page.request.get(f"/api/v1/games/{game_id}")
        assert shown.json()["visibility"] == "unlisted"
