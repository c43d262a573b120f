"""An author marks places on the board and draws arrows, with a finger and with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.studies.lesson import LANDSCAPE, TARGETS, begin, press, read_nodes, unfold
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_page, press_until
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

NORTH, EAST, WEST = {"x": 0, "y": -1}, {"x": 1, "y": 0}, {"x": -1, "y": 0}


def touch(page: Page, place: dict[str, int]) -> None:
    """Touch a free place of the board."""
    x, y = place["x"], place["y"]
    page.locator(f'.picture .open[data-x="{x}"][data-y="{y}"]').tap(force=True)


def open_marks(page: Page, author: Account, path: str) -> None:
    author.enter(page)
    page.goto(f"{path}#1")
    unfold(page, "marks")


def test_two_touches_draw_an_arrow_and_the_same_touches_take_it_away(
    browser: Browser, served: Served
) -> None:
    author = Account(served, "Ada")
    path = begin(author)

    def stored(*marks: dict[str, Any]) -> None:
        until(lambda: read_nodes(author, path)[1].get("marks", []) == list(marks))

    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        open_marks(page, author, path)
        press(page, "mark-good")
        expect(page.locator("[data-part=marks] [role=status]")).to_contain_text("Touch the places")
        touch(page, NORTH)
        stored({"kind": "good", "at": NORTH})
        press(page, "mark-arrow")
        expect(page.locator("[data-part=marks] [role=status]")).to_contain_text("arrow begins")
        touch(page, WEST)
        expect(page.locator("[data-part=marks] [role=status]")).to_contain_text("where it ends")
        touch(page, EAST)
        arrow = {"kind": "good", "from": WEST, "to": EAST}
        stored({"kind": "good", "at": NORTH}, arrow)
        expect(page.locator(".picture .study-mark.good")).to_have_count(2)
        expect(page.locator("[data-part=marks] li").nth(1)).to_have_text(
            "✓ Good · Free place (-1, 0) → Free place (1, 0)×"
        )
        check_page(page, TARGETS)
        press(page, "mark-bad")  # the same arrow, of another kind
        touch(page, WEST)
        touch(page, EAST)
        stored({"kind": "good", "at": NORTH}, {**arrow, "kind": "bad"})
        touch(page, WEST)
        touch(page, EAST)
        stored({"kind": "good", "at": NORTH})
        page.get_by_role("button", name="Remove ✓ Good · Free place (0, -1)").tap()
        stored()
        expect(page.locator(".picture .study-mark")).to_have_count(0)
        press(page, "mark-bad")  # ends it: the question of the position is asked again
        expect(page.locator("[data-key=study-answer]")).to_be_visible()


def test_the_keyboard_draws_an_arrow(browser: Browser, served: Served) -> None:
    author = Account(served, "Ada")
    path = begin(author)
    with window(browser, served.url, LANDSCAPE) as opened:
        page = opened.page
        open_marks(page, author, path)
        press_until(page, "Tab", "[data-key=mark-arrow]")
        page.keyboard.press("Enter")
        press_until(page, "Shift+Tab", ".scroller")
        for key in ("i", "Enter", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".picture .study-mark.look")).to_have_count(1)
        expect(page.locator("#news")).not_to_be_empty()
        until(lambda: read_nodes(author, path)[1].get("marks", []) != [])
        (mark,) = read_nodes(author, path)[1]["marks"]
        assert set(mark) == {"kind", "from", "to"}
        assert mark["from"] != mark["to"]
