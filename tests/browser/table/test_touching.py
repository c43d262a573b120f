"""A finger hits each place, pin and button: upright and lying, with five seats, the list open."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.games_cut_at_a_question import questions
from tests.browser.support.person import YOUR_TURN, Person
from tests.browser.support.positions import Json, cut, sit_in
from tests.browser.support.targets import FINGER, Count, names
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LYING = Size(844, 390)
SIZES = (PHONE, LYING, Size(320, 568), Size(820, 1180), Size(1024, 768), DESKTOP)
BY_DAY = {"carcassonne": [LYING], "caylus": [PHONE]}
"""Each size and each game once; at night each game at all sizes."""
LEAST = 0.8
"""The share of a pin or button that has to react: pins of a tile may overlap, and the seats
take four pixels of the row below them."""

SETTLED = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"""

WIDTHS = """() => [".picture", ".scroller"].map((one) => document.querySelector(one).clientWidth)"""


@pytest.fixture
def page(served: Served, browser: Browser) -> Iterator[Page]:
    with window(browser, served.url, PHONE) as opened:
        yield opened.page


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size.width, "height": size.height})


def turn(page: Page, size: Size) -> None:
    """Give the window another size, and open its table again."""
    if page.viewport_size != {"width": size.width, "height": size.height}:
        resize(page, size)
        page.reload()
    expect(page.locator(YOUR_TURN)).to_be_visible()


def count(page: Page) -> Count:
    """Count the targets once the page has drawn what was asked for."""
    page.evaluate(SETTLED)
    return Count(page)


def check_buttons(counted: Count) -> None:
    assert not names(counted.missed("button", LEAST))


def check_pins(page: Page) -> None:
    """All pins and all buttons are hit."""
    counted = count(page)
    assert len(counted.of("pin")) > 1
    assert not names(counted.missed("pin", LEAST))
    check_buttons(counted)


def walk_to_all_places(page: Page) -> None:
    """Follow the arrows at the edges until each place has been hit; they count the others."""
    counted = count(page)
    seen: set[str] = set()
    for way in ["right", "down", "left", "up", "right", "down"]:
        for _ in counted.of("place"):
            assert len(counted.missed("place", 0)) <= sum(counted.beyond.values())
            seen |= {place.name for place in counted.hit}
            if not counted.beyond.get(way):
                break
            page.locator(f"[data-key=beyond-{way}]").click()
            counted = count(page)
    assert seen == {place.name for place in counted.of("place")}


@cache
def workers_of_five() -> Json:
    """A late question in a game of five: a worker may go to many places of the road."""
    found: Json = next(
        one for one in questions(5) if one.kind == "place_worker" and one.view["round"] > 3
    ).transcript
    return found


def check_two_touches(page: Page) -> None:
    """The whole board shows all places; a finger comes nearer first where they are small."""
    page.locator("[data-key=board-fit]").click()
    counted = count(page)
    assert len(counted.hit) == len(counted.of("place"))
    assert not any(counted.beyond.values())
    place = counted.of("place")[0]
    if place.width < FINGER:
        page.touchscreen.tap(place.x + place.width, place.y)  # a finger is wide
        place = next(one for one in count(page).of("place") if one.name == place.name)
        assert place.middle
        assert place.width >= FINGER
        expect(page.locator(".picture .preview")).to_have_count(0)
    page.touchscreen.tap(place.x, place.y)
    expect(page.locator(".picture .pin").first).to_be_visible()
    check_pins(page)


def test_a_finger_hits_every_place_pin_and_button_of_carcassonne(
    served: Served, page: Page
) -> None:
    sizes = short_or_long(BY_DAY["carcassonne"], SIZES)
    resize(page, sizes[0])
    sit_in(served, page, cut("carcassonne", "game-05", 118))
    for size in sizes:
        turn(page, size)
        places = page.locator(".picture rect.touch")
        expect(places).to_have_count(21)
        if not page.locator(".picture .preview").count():  # else a draft of the size before
            counted = count(page)
            check_buttons(counted)
            assert min(min(place.width, place.height) for place in counted.of("place")) >= FINGER
            walk_to_all_places(page)
            check_two_touches(page)
        for number in short_or_long((10,), (0, 10, 20)):
            places.nth(number).dispatch_event("click")
            expect(page.locator(".picture .pin").first).to_be_visible()
            check_pins(page)
            for _ in range(2):  # the list of the followers is opened and closed
                page.locator("[data-key=whom]").click()
                check_pins(page)


def test_what_happened_leaves_the_buttons_of_the_board_alone(page: Page) -> None:
    person = Person(page)
    person.open_game("carcassonne", "me", *["bot:random"] * 4)
    person.play(moves=1)
    assert person.await_turn()
    for size in short_or_long([PHONE, LYING], SIZES):
        resize(page, size)
        expect(page.locator(".since")).to_be_visible()
        counted = count(page)
        check_buttons(counted)
        assert {"farms", "board-fit", "since"} <= {one.name for one in counted.of("button")}


def check_overview(page: Page) -> None:
    """The whole board is as wide as the window; a touch there leads to the place, to be read."""
    page.locator("[data-key=board-fit]").click()
    picture = page.locator(".picture svg.cartulary")
    expect(picture).to_have_attribute("data-layout", "fit")
    counted = count(page)
    assert len(counted.hit) == len(counted.of("place"))
    wide, window_wide = page.evaluate(WIDTHS)
    assert wide > 0.8 * window_wide
    place = counted.of("place")[-1]
    page.touchscreen.tap(place.x, place.y)
    expect(picture).to_have_attribute("data-layout", "tall")
    expect(page.locator(".panel .confirm")).to_be_disabled()
    counted = count(page)
    assert next(one for one in counted.of("place") if one.name == place.name).middle


def test_a_finger_hits_every_place_and_button_of_caylus(served: Served, page: Page) -> None:
    sit_in(served, page, workers_of_five())
    for size in short_or_long(BY_DAY["caylus"], SIZES):
        turn(page, size)
        check_buttons(count(page))
        walk_to_all_places(page)
        if page.locator("[data-chip]").first.is_visible():  # else the whole board is in sight
            check_overview(page)
    resize(page, LYING)
    phase = page.locator(".bar .phase")
    expect(phase).to_have_text("Round 4 · Placing workers")
    assert phase.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
