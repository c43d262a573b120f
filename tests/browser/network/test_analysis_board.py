"""The analysis board: moves, lines, draws, values, and a link that opens on another device."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.support.chromium import PHONE, Size, keeping_window
from tests.browser.support.page_checks import violations
from tests.browser.support.person import Person
from tests.browser.support.seats import touch_name
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real, pytest.mark.slow]

PATIENT = 120_000
"""ms: a busy machine may take long to start Python in a browser."""

COPIED = """
() => {
  delete Navigator.prototype.share;
  const write = async (text) => { window.copied = text; };
  Object.defineProperty(navigator.clipboard, "writeText", { value: write });
}
"""
WORTHS = """
() => {
  const picture = document.querySelector(".picture").shadowRoot;
  const middle = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, isDrawn: width > 10 && height > 10 };
  };
  const places = [...picture.querySelectorAll(".touch")].map(middle);
  return [...picture.querySelectorAll(".worth")].map((one) => {
    const { x, y, isDrawn } = middle(one);
    const stands = places.some((place) => Math.hypot(place.x - x, place.y - y) < 4);
    return { text: one.textContent, best: one.matches(".best"), drawn: isDrawn && stands };
  });
}
"""

LYING = Size(844, 390)

FRAMES = """
() => [...document.querySelector(".picture").shadowRoot.querySelectorAll(".touch")].map((one) =>
  one.getBoundingClientRect().width / one.parentElement.getScreenCTM().a)
"""
"""The widths of the places that can be touched, as the picture measures them."""

SEES_BOARD = """
() => {
  const board = document.querySelector(".board").getBoundingClientRect();
  const lab = document.querySelector(".lab").closest(".sheet").getBoundingClientRect();
  return Math.min(lab.left - board.left, board.width) >= board.width - 1;
}
"""

IN_REACH = """
() => {
  const button = document.querySelector("[data-key=branch]");
  const { left, top, width, height } = button.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const isWhole = left >= 0 && left + width <= innerWidth;
  return width >= 44 && height >= 44 && button.contains(hit) && isWhole;
}
"""
"""Whether "Play on from here" can be touched, as a whole on the screen."""

LAID = """
() => [...document.querySelector(".picture")?.shadowRoot?.querySelectorAll(".tile") ?? []].map(
  ({ dataset }) => [dataset.x, dataset.y, dataset.tile, dataset.rotation],
)
"""


@pytest.fixture
def board(browser: Browser, served: Served) -> Iterator[Page]:
    """A board of Carcassonne from nothing, on a phone, at its first question."""
    with keeping_window(browser, served.url, PHONE) as opened:
        page = opened.page
        opened.context.set_default_timeout(PATIENT)
        page.add_init_script(f"({COPIED})()")
        page.goto("/analysis")
        page.locator("[data-key=board-carcassonne]").click()
        expect(page.locator(".table .panel .question")).to_be_visible(timeout=PATIENT)
        yield page


def open_sheet(page: Page) -> None:
    page.locator("[data-key=lab]").click()
    expect(page.locator(".line-list li")).not_to_have_count(0, timeout=PATIENT)


def lines_of(page: Page) -> list[str]:
    return page.locator(".line-list li").all_inner_texts()


def test_moves_are_tried_in_lines_with_values_and_draws_and_a_link_shows_the_same_line(
    board: Page, browser: Browser, served: Served
) -> None:
    person = Person(board)
    touch_name(board.locator(".seat[data-seat='0'] .name"))
    expect(board.locator(".thing-card .sign")).to_contain_text("you")
    expect(board.locator(".thing-card")).not_to_contain_text("at the table")
    board.keyboard.press("Escape")
    # The best moves: on the board, and in a list.
    open_sheet(board)
    assert violations(board) == []
    board.locator("[data-key=think]").click()
    expect(board.locator(".best-moves li")).not_to_have_count(0, timeout=PATIENT)
    worths = board.evaluate(WORTHS)
    assert sum(one["best"] for one in worths) == 1
    assert all(one["drawn"] and re.fullmatch(r"[1-5]: [+−]?[\d.]+", one["text"]) for one in worths)
    expect(board.locator(".best-moves li", has_text="%")).not_to_have_count(0)
    frames = board.evaluate(FRAMES)
    board.locator("[data-key=best-0]").click()
    wider = max(until(lambda: board.evaluate(FRAMES)))  # none while the picture is drawn again
    assert wider <= max(frames) + 0.5, "a value is no part of its place"
    board.set_viewport_size({"width": LYING.width, "height": LYING.height})
    until(lambda: board.evaluate(SEES_BOARD))  # the values stand at places of the board
    board.set_viewport_size({"width": PHONE.width, "height": PHONE.height})

    # Another tile instead of the one that was drawn.
    pressed = board.locator(".draws [aria-pressed=true]")
    other = board.locator(".draws [aria-pressed=false]").last
    wanted = str(other.get_attribute("data-key"))
    expect(pressed).not_to_have_attribute("data-key", wanted)
    other.click()
    expect(board.locator(f"[data-key={wanted}][aria-pressed=true]")).to_be_visible(timeout=PATIENT)
    # the line with the other tile stays
    expect(board.locator(".line-list li")).to_have_count(2, timeout=PATIENT)

    # A move, taken back, and another move: two lines; the first can be shown again.
    board.locator(".sheet.over .sheet-close").click()
    person.move()
    open_sheet(board)
    moved = board.locator(".line-list li").nth(1)
    expect(moved).not_to_contain_text("· 0 moves", timeout=PATIENT)  # the engine is a worker
    before = lines_of(board)
    board.locator("[data-key=line-back]").click()
    expect(board.locator("[data-key=line-forward]")).to_be_enabled(timeout=PATIENT)
    expect(board.locator(".line-list li")).to_have_text(before, use_inner_text=True)
    board.locator("[data-key=line-forward]").click()
    expect(board.locator("[data-key=line-forward]")).to_be_disabled(timeout=PATIENT)

    # The link.
    board.locator("[data-key=share-board]").click()
    link = until(lambda: board.evaluate("window.copied"), within=PATIENT / 1000, every=0.1)
    assert len(link) < 2000
    with keeping_window(browser, served.url) as opened:
        other_page = opened.page
        opened.context.set_default_timeout(PATIENT)
        other_page.goto(link)
        expect(other_page.locator("[data-key=open-board]")).to_be_visible(timeout=PATIENT)
        assert violations(other_page) == []
        other_page.locator("[data-key=open-board]").click()
        expect(other_page.locator("[data-key=lab]")).to_be_visible(timeout=PATIENT)
        # the picture of the last move may have come after its link
        until(
            lambda: other_page.evaluate(LAID) == board.evaluate(LAID) != [],
            within=PATIENT / 1000,
            every=0.1,
        )

    # Played on from an earlier moment, against a bot: this person has no account and needs none.
    board.bring_to_front()
    board.locator(".sheet.over .sheet-close").click()
    address = board.url
    board.locator(".menu summary").click()
    board.locator("[data-key=menu-replay]").click()
    board.locator(".replay [data-key=back]").click()
    expect(board).not_to_have_url(address)
    on = board.locator("[data-key=branch]")
    expect(on).to_be_visible()
    until(lambda: board.evaluate(IN_REACH))
    on.click()
    expect(board.locator(".seat .name", has_text="Medium")).to_be_visible(timeout=PATIENT)
    assert board.url.split("?")[0] != address
    expect(board.locator("[data-key=lab]")).to_be_hidden()
    person.await_turn(within=PATIENT / 1000)
    person.move()
    assert board.evaluate("localStorage.getItem('cartulary.player')") is None


def test_a_link_that_was_changed_by_hand_says_so_and_offers_a_new_board(
    browser: Browser, served: Served
) -> None:
    with keeping_window(browser, served.url) as opened:
        page = opened.page
        for code in short_or_long(["%F0%9F"], ["0123abcdAAAA", "x", "%F0%9F"]):
            page.goto("/settings")
            page.goto(f"/analysis#{code}")
            expect(page.locator("#notes")).to_contain_text("damaged")
            expect(page.locator("[data-key=board-caylus]")).to_be_visible(timeout=PATIENT)
