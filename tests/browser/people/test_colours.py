"""The colour of one's own pieces: chosen by the person, at every table, on the own devices."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cartulary.pictures.colours import NAMES, SEATS
from cartulary.pictures.seats import SHAPES
from tests.browser.support.account import BOT, ME, Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.page_checks import cut_texts, violations
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LYING = Size(844, 390)
TOUCH = 44
ORDERS = """async (choices) => {
  const { shareOut } = await import("/js/people/seat_colours.js");
  return choices.map(([seat, wanted]) => shareOut(seat ?? undefined, wanted));
}"""
COLOURS = """() => {
  const fill = (one) => one && getComputedStyle(one).fill;
  const board = document.querySelector(".picture").shadowRoot;
  return [0, 1].map((seat) => ({
    rail: fill(document.querySelector(`.rail .seal.seat-${seat} path`)),
    board: fill(board.querySelector(`#k-seal-${seat} .k-seal`)),
    shape: board.querySelector(`#k-seal-${seat} .k-seal`).getAttribute("d"),
    light: getComputedStyle(board.host).getPropertyValue(`--glow-${seat}`),
    line: getComputedStyle(board.host).getPropertyValue(`--line-${seat}`),
  }));
}"""
SHARE = """async (game) => {
  const { sharePicture } = await import("/js/people/share.js");
  await sharePicture(game, 0);
}"""


class Shared(NamedTuple):
    """A table that several tests look at: its player, its id and a page."""

    player: Account
    game: str
    page: Page


@pytest.fixture(scope="module")
def shared(served: Served, browser: Browser) -> Iterator[Shared]:
    """A table of Caylus in a window of a phone; the player sits on the first seat."""
    player = Account(served, "Ada")
    game = player.open(ME, BOT, game="caylus", shuffle_seats=False)
    with window(browser, served.url, PHONE) as opened:
        player.enter(opened.page)
        open_table(opened.page, game)
        yield Shared(player, game, opened.page)


def open_table(page: Page, game: str) -> None:
    page.goto(f"/games/{game}")
    expect(page.locator(".picture svg")).to_be_visible()


def show_colours(page: Page) -> Locator:
    page.locator(".menu summary").click()
    page.locator("[data-key=menu-colours]").click()
    return page.locator("dialog .colours")


def read_rgb(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def check_colours(page: Page, *wanted: str) -> None:
    """The first seats have these colours wherever the table shows them, and their own shapes."""
    shown = page.evaluate(COLOURS)
    for seat, (of_seat, name) in enumerate(zip(shown, wanted, strict=True)):
        rgb = read_rgb(SEATS[NAMES.index(name)][0])
        assert (of_seat["rail"], of_seat["board"]) == (rgb, rgb)
        assert of_seat["shape"] == SHAPES[seat][1]
    assert shown[0]["light"] != shown[1]["light"]
    assert shown[0]["line"] != shown[1]["line"]


def test_whatever_a_player_chooses_all_seats_have_different_colours(shared: Shared) -> None:
    choices = list(itertools.product((*range(5), None), (*NAMES, "usual", "none such")))
    orders = shared.page.evaluate(ORDERS, choices)
    for (seat, wanted), order in zip(choices, orders, strict=True):
        assert sorted(order) == [0, 1, 2, 3, 4]
        if seat is None or wanted not in NAMES:
            assert order == [0, 1, 2, 3, 4]
            continue
        colour = NAMES.index(wanted)
        assert (order[seat], order[colour]) == (colour, seat)
        assert sum(of != at for at, of in enumerate(order)) in (0, 2)


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, LYING]), ids=str)
def test_a_colour_is_chosen_by_touch_at_the_table_and_stays(shared: Shared, size: Size) -> None:
    page = shared.page
    page.set_viewport_size({"width": size.width, "height": size.height})
    open_table(page, shared.game)
    mine, other = ("yellow", "orange") if size is PHONE else ("orange", "blue")
    choice = show_colours(page)
    expect(choice.locator("label")).to_have_count(len(NAMES) + 1)
    boxes = [measure(label) for label in choice.locator("label").all()]
    assert all(min(box.height, box.width) >= TOUCH for box in boxes)
    assert cut_texts(page) == []
    if size is PHONE:
        assert violations(page) == []
    with page.expect_response("**/players/me") as saved:
        choice.locator(f"[data-colour={mine}]").tap()
    assert saved.value.ok
    check_colours(page, mine, other)  # the window is open: the table has them already
    page.locator("dialog .confirm").click()
    page.reload()
    expect(page.locator(".picture svg")).to_be_visible()
    check_colours(page, mine, other)
    assert shared.player.ask("GET", "/players/me")["preferences"]["colour"] == mine


def test_the_colour_holds_at_the_next_table_on_home_and_in_the_shared_picture(
    shared: Shared,
) -> None:
    player, _, page = shared
    page.evaluate("""() => { localStorage["cartulary.prefs"] = '{"colour": "black"}'; }""")
    game = player.open(ME, BOT, game="carcassonne", shuffle_seats=False)
    open_table(page, game)
    check_colours(page, "black", "orange")
    version = int(page.locator(".table").get_attribute("data-version") or 0)
    with page.expect_request("**/board.png*") as asked, page.expect_download():
        page.evaluate(SHARE, {"id": game, "game": "carcassonne", "version": version})
    assert "colours=41230" in asked.value.url
    page.goto("/")
    picture = page.locator(f"[data-key='{game}'] .thumb img")
    expect(picture).to_have_attribute("src", re.compile("colours=41230"))
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("one => one.naturalWidth") > 0


def test_a_new_device_of_the_account_has_the_colour_once_the_settings_were_open(
    served: Served, browser: Browser, shared: Shared
) -> None:
    shared.player.ask("PATCH", "/players/me", {"preferences": {"colour": "pink"}})
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        shared.player.enter(page)
        page.goto("/settings")
        expect(page.locator("[data-key=colour-pink]")).to_be_checked()
        open_table(page, shared.game)
        check_colours(page, "pink", "orange")
