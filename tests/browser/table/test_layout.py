"""The table at every size: what is seen, how large it is, and that the board stays in place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import CASES
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Scheme, Size, window
from tests.browser.support.games_cut_at_a_question import find, questions
from tests.browser.support.person import YOUR_TURN
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LEAST_SHARE = 0.45
"""Of the height of the window, for the board while something is asked."""
LEAST_LETTER = 11
ACTION_BAR = 72
COLUMNS = 1200
"""From this width on there are three columns."""

MEASURE = """() => {
  const box = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
                         return { left, top, right, bottom }; };
  const at = (selector) => box(document.querySelector(selector));
  const scroller = document.querySelector(".scroller");
  const sheet = document.querySelector(".sheet.answers").getBoundingClientRect();
  const board = box(scroller);
  const isOver = sheet.height && sheet.left < board.right && sheet.right > board.left;
  const picture = document.querySelector(".picture").shadowRoot;
  const drawn = [...picture.querySelectorAll("text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
  const written = [...document.querySelectorAll(".table *")]
    .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) =>
      node.nodeType === 3 && node.data.trim()))
    .filter((one) => !one.closest("svg, .spoken"))
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
  const ring = picture.querySelector(".asking");
  return {
    board: { ...board, bottom: isOver ? Math.min(board.bottom, sheet.top) : board.bottom },
    whole: board,
    confirm: at(".panel .confirm"),
    panel: at(".panel"),
    seats: [...document.querySelectorAll(".seat")].map(box),
    asking: ring && box(ring),
    drawn: Math.min(Infinity, ...drawn),
    written: Math.min(...written),
    overflow: document.documentElement.scrollWidth - innerWidth,
  };
}"""

SWIPE = """([selector, from, to]) => {
  const zone = document.querySelector(selector);
  const { top } = zone.getBoundingClientRect();
  const finger = { pointerType: "touch", isPrimary: true, bubbles: true, clientY: top + 10 };
  zone.dispatchEvent(new PointerEvent("pointerdown", { ...finger, clientX: from }));
  zone.dispatchEvent(new PointerEvent("pointerup", { ...finger, clientX: to }));
}"""

Box = dict[str, float]
Opened = tuple[Size, Scheme]
Json = dict[str, Any]


def is_within(inner: Box, outer: Box) -> bool:
    """Whether a box lies in another one, but for the thickness of a line."""
    begins = inner["left"] >= outer["left"] - 4 and inner["top"] >= outer["top"] - 4
    return (
        begins and inner["right"] <= outer["right"] + 4 and inner["bottom"] <= outer["bottom"] + 4
    )


@cache
def bribe_of_five() -> Json:
    """A late bribe in a game of five: a question with many places on the board."""
    return next(
        one for one in questions(5) if one.kind == "bribe" and one.view["round"] > 2
    ).transcript


@cache
def late_tile() -> Json:
    """A game of Carcassonne with sixty moves."""
    kept: Json = json.loads((CASES / "carcassonne" / "game-00.json").read_text())
    wanted = ("format", "game", "options", "seats", "setup", "draws", "moves")
    return {key: kept[key] for key in wanted} | {"moves": kept["moves"][:60]}


class Tables:
    """A person who opens tables that ask at once."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self._api = f"{url}/api/v1"
        player = requests.post(f"{self._api}/players", json={"name": "Ada"}, timeout=60).json()
        self._head = {"Authorization": f"Bearer {player['token']}"}
        kept = json.dumps(json.dumps(player))
        page.add_init_script(f"localStorage['cartulary.player'] ??= {kept}")

    def open(self, transcript: Json) -> Json:
        """Open a table at its question; return what is measured there."""
        address = f"{self._api}/games/import"
        answer = requests.post(address, json=transcript, headers=self._head, timeout=60)
        assert answer.status_code == 201, answer.text
        self.page.goto(f"/games/{answer.json()['id']}")
        expect(self.page.locator(YOUR_TURN)).to_be_visible()
        return self.measure()

    def measure(self) -> Json:
        """Measure the page as it stands."""
        measured: Json = self.page.evaluate(MEASURE)
        return measured


@pytest.fixture
def tables(request: pytest.FixtureRequest, served: Served, browser: Browser) -> Iterator[Tables]:
    usual: Opened = (PHONE, "light")
    size, scheme = getattr(request, "param", usual)
    with window(browser, served.url, size, scheme=scheme) as opened:
        yield Tables(opened.page, served.url)


def at_sizes(*some: Opened) -> pytest.MarkDecorator:
    """Open the tables at these sizes."""
    names = [f"{size}-{scheme}" for size, scheme in some]
    return pytest.mark.parametrize("tables", some, ids=names, indirect=True)


ALL: tuple[Opened, ...] = (
    (Size(320, 568), "light"),
    (Size(844, 390), "light"),
    (Size(1024, 768), "light"),
    (DESKTOP, "dark"),
    (PHONE, "dark"),
    (Size(820, 1180), "light"),
    (Size(2560, 1300), "light"),
)
MOST = ALL[: short_or_long(4, len(ALL))]
"""By day the smallest window, the flattest, one of two columns and one of three; at night all."""


@at_sizes(*MOST)
def test_all_that_decides_is_in_sight_and_large_enough_to_read(tables: Tables) -> None:
    size = tables.page.viewport_size
    assert size is not None
    window_box: Box = {"left": 0, "top": 0, "right": size["width"], "bottom": size["height"]}
    for transcript in (bribe_of_five(), find("castle").transcript):
        seen = tables.open(transcript)
        assert seen["overflow"] <= 0
        assert is_within(seen["confirm"], window_box)
        assert all(is_within(seat, window_box) for seat in seen["seats"])
        assert len(seen["seats"]) == transcript["seats"]
        share = (seen["board"]["bottom"] - seen["board"]["top"]) / size["height"]
        assert share >= LEAST_SHARE
        assert seen["written"] >= LEAST_LETTER
        assert seen["drawn"] >= LEAST_LETTER
        if size["width"] < COLUMNS and size["width"] < size["height"]:
            assert seen["panel"]["bottom"] - seen["panel"]["top"] == ACTION_BAR
    # the part of the castle that the last question is about is in sight
    assert is_within(seen["asking"], seen["board"])


@at_sizes((PHONE, "light"), (Size(844, 390), "light"), (DESKTOP, "light"))
def test_the_board_stays_where_it_is_whatever_is_chosen(tables: Tables) -> None:
    page = tables.page
    before = tables.open(bribe_of_five())["whole"]
    grip = page.locator(".answers .grip")
    for _ in range(3):
        opened = grip.get_attribute("aria-expanded")
        grip.click()
        expect(grip).not_to_have_attribute("aria-expanded", opened or "")
        assert tables.measure()["whole"] == before
    page.locator(".picture .touch").first.dispatch_event("click")
    expect(page.locator(".would")).to_be_visible()
    assert tables.measure()["whole"] == before
    expect(page.locator(".panel .confirm")).not_to_be_empty()


def test_each_aspect_is_a_page_of_the_sheet(tables: Tables) -> None:
    page = tables.page
    tables.open(find("build", lambda one: len(one.moves) > 8).transcript)
    fields, arrow = (
        page.locator(".facets fieldset:not([hidden])"),
        page.locator(".answers .sheet-back"),
    )
    options = fields.first.locator(".choice:not(.quiet)")
    for at in range(options.count()):
        if page.locator(".answers[data-at=peek]").count():
            page.locator(".answers .grip").click()
        options.nth(at).click()
        if fields.count() > 1:
            break
        expect(arrow).to_be_hidden()
    expect(fields.first).to_be_hidden()
    expect(fields.nth(1)).to_be_visible()
    expect(page.locator(".panel .confirm")).to_be_disabled()
    expect(page.locator(".panel .confirm")).to_have_text("What do you pay?")
    expect(page.locator(".answers .sheet-label")).to_have_text("What do you pay?")
    arrow.click()
    expect(fields.first).to_be_visible()
    expect(fields.nth(1)).to_be_hidden()


def test_the_seats_are_compared_in_a_sheet_and_the_story_is_in_a_drawer(tables: Tables) -> None:
    page = tables.page
    tables.open(bribe_of_five())
    page.locator(".compare").click()  # it lies over the seats: the card of a seat opens
    card = page.locator(".thing-card")
    expect(card).to_contain_text("Last move")
    card.locator("[data-key=card-compare]").click()
    expect(card).to_be_hidden()
    matrix = page.locator(".matrix")
    expect(matrix.locator("thead th")).to_have_count(5)
    expect(matrix).to_contain_text("stone")
    wide = matrix.evaluate("one => one.scrollWidth - one.clientWidth")
    assert wide <= 0
    page.keyboard.press("Escape")
    expect(matrix).to_be_hidden()
    page.locator(".open-aside").click()
    expect(page.locator(".lines li").first).to_be_visible()
    page.locator(".tabs [data-tab=scores]").click()
    expect(page.locator(".tab-scores .chart")).to_be_visible()
    page.locator(".aside-close").click()
    expect(page.locator(".tab-scores .chart")).to_be_hidden()
    page.evaluate(SWIPE, [".bar", 300, 120])
    expect(page.locator(".tab-scores .chart")).to_be_visible()
    page.evaluate(SWIPE, [".tab-scores h3, .tab-scores", 60, 260])
    expect(page.locator(".tab-scores .chart")).to_be_hidden()
    page.evaluate(SWIPE, [".scroller", 300, 120])  # the board is moved, and nothing opens
    expect(page.locator(".tab-scores .chart")).to_be_hidden()


@at_sizes((PHONE, "light"), (DESKTOP, "light"))
def test_a_touch_shows_the_whole_board(tables: Tables) -> None:
    page = tables.page
    picture = page.locator(".picture")
    tables.open(late_tile())
    if page.viewport_size == {"width": 1440, "height": 900}:
        page.mouse.move(700, 450)
        before = measure(picture).width
        page.mouse.wheel(0, -300)
        page.wait_for_function(
            "width => document.querySelector('.picture').offsetWidth > width", arg=before
        )
    page.locator("[data-key=board-fit]").click()
    until(lambda: is_whole(tables))


def is_whole(tables: Tables) -> bool:
    """Whether the whole picture is in sight."""
    box, seen = measure(tables.page.locator(".picture")), tables.measure()["board"]
    is_low = box.height <= seen["bottom"] - seen["top"] + 1
    return bool(is_low and box.width <= seen["right"] - seen["left"] + 1)


def test_a_chip_leads_to_its_section(tables: Tables) -> None:
    page = tables.page
    tables.open(bribe_of_five())
    page.locator("[data-chip=stock]").click()
    expect(page.locator("[data-chip=stock]")).to_have_attribute("aria-current", "true")
    page.locator("[data-chip=castle]").click()
    expect(page.locator("[data-chip=castle]")).to_have_attribute("aria-current", "true")
