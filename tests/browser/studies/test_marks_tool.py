"""An author marks places on the board and draws arrows, with a finger and with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.studies.lesson import LANDSCAPE, TARGETS, begin, press, read_nodes, unfold
from tests.browser.support.account import Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, window
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


def middle_of(page: Page, place: dict[str, int]) -> tuple[float, float]:
    """Return where a free place of the board is on the screen."""
    x, y = place["x"], place["y"]
    return measure(page.locator(f'.picture .open[data-x="{x}"][data-y="{y}"]')).middle


def begin_arrow(page: Page, author: Account) -> str:
    """Begin a study, and choose to draw arrows in it; returns its path."""
    path = begin(author)
    open_marks(page, author, path)
    press(page, "mark-arrow")
    expect(page.locator("[data-key=mark-arrow]")).to_have_attribute("aria-pressed", "true")
    return path


def test_the_mouse_drags_an_arrow_and_moves_the_board_elsewhere(
    browser: Browser, served: Served
) -> None:
    author = Account(served, "Ada")
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        path = begin_arrow(page, author)
        page.mouse.move(*middle_of(page, WEST))
        page.mouse.down()
        page.mouse.move(*middle_of(page, EAST), steps=5)
        expect(page.locator(".picture .study-mark.look")).to_have_count(1)
        assert read_nodes(author, path)[1].get("marks", []) == []
        page.mouse.up()
        arrow = {"kind": "look", "from": WEST, "to": EAST}
        until(lambda: read_nodes(author, path)[1].get("marks", []) == [arrow], within=30)
        expect(page.locator("[data-part=marks] [role=status]")).to_contain_text("arrow begins")
        page.mouse.click(*middle_of(page, NORTH))  # a click is a touch all the same
        expect(page.locator("[data-part=marks] [role=status]")).to_contain_text("where it ends")


class Finger:
    """A finger on the screen whose rests are as long as the test says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, what: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": touches})

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move the finger that lies at a point to another one."""
        for step in range(1, 7):
            share = step / 6
            x, y = (one + (other - one) * share for one, other in zip(start, end, strict=True))
            self.send("touchMove", (x, y))


def test_a_finger_that_has_rested_drags_an_arrow_and_a_swipe_scrolls(
    browser: Browser, served: Served
) -> None:
    author = Account(served, "Ada")
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        opened.context.clock.install()  # the browser is not used again
        path = begin_arrow(page, author)
        page.mouse.move(*middle_of(page, NORTH))
        page.keyboard.down("Control")
        page.mouse.wheel(0, -120)  # nearer: the board is larger than its window
        page.keyboard.up("Control")
        expect(page.locator(".zoom [data-key=board-smaller]")).to_be_enabled()
        page.clock.pause_at(page.evaluate("() => Date.now()") + 5000)
        finger, marks = Finger(page), page.locator(".picture .study-mark")
        north, east, before = middle_of(page, NORTH), middle_of(page, EAST), scroll_of(page)
        finger.send("touchStart", north)
        page.clock.run_for(200)
        expect(marks).to_have_count(0)
        page.clock.run_for(60)
        expect(marks).to_have_count(1)
        finger.drag(north, east)
        finger.send("touchEnd")
        arrow = {"kind": "look", "from": NORTH, "to": EAST}
        until(lambda: read_nodes(author, path)[1].get("marks", []) == [arrow], within=30)
        assert scroll_of(page) == before
        finger.send("touchStart", north)
        finger.drag(north, (north[0] - 60, north[1]))
        finger.send("touchEnd")
        until(lambda: scroll_of(page) > before, within=20)
        page.clock.run_for(1000)
        expect(marks).to_have_count(1)
        assert read_nodes(author, path)[1]["marks"] == [arrow]


def scroll_of(page: Page) -> float:
    found: float = page.evaluate("() => document.querySelector('.scroller').scrollLeft")
    return found
