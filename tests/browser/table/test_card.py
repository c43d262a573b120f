"""The card of a thing on the board: what it is, costs and is worth, and why it cannot be used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.finger import SETTLED
from tests.browser.support.person import YOUR_TURN, Person, visit
from tests.browser.support.positions import cut, sit_in
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


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


TENTH_ROUND = Path(__file__).parents[1] / "support" / "caylus_tenth_round.json"


@pytest.fixture(scope="session")
def prepared(served: Served) -> dict[str, Any]:
    """The player and a table of Caylus in the tenth round: many buildings stand there."""
    api = f"{served.url}/api/v1"
    player = requests.post(f"{api}/players", json={"name": "Ada"}, timeout=60).json()
    transcript = json.loads(TENTH_ROUND.read_text(encoding="utf-8"))
    answer = requests.post(
        f"{api}/games/import",
        json={**transcript, "players": ["Ada", "Bruno"], "visibility": "private"},
        headers={"Authorization": f"Bearer {player['token']}"},
        timeout=60,
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["visibility"] == "private"
    return {"player": player, "game": answer.json()["id"]}


def come_as(page: Page, prepared: dict[str, Any]) -> None:
    """Open the prepared table as the player who sits there."""
    kept = json.dumps(json.dumps(prepared["player"]))
    page.add_init_script(f"localStorage['cartulary.player'] ??= {kept}")
    page.goto(f"/games/{prepared['game']}")
    page.wait_for_selector(YOUR_TURN)


CARDS = {
    "[data-building=church]": "Church",
    "[data-building=granary]": "Granary",
    "[data-space=road-14]": "Bank (14)",
    "[data-space=road-20]": "space 20",
    "[data-space=road-2]": "Residence (2)",
    "[data-space=stables]": "Stables",
    "[data-space=inn]": "Inn",
    "[data-line=buildings] [data-column='5']": "Buildings, column 5",
    "[data-line=deniers] [data-column='2']": "Deniers, column 2",
    "[data-bridge]": "Bridge",
}


def covers(card: Locator, thing: Locator) -> bool:
    """Return whether two boxes have a part in common."""
    return measure(card).meets(measure(thing))


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_the_pointer_that_rests_opens_a_card_beside_the_thing(
    page: Page, prepared: dict[str, Any]
) -> None:
    come_as(page, prepared)
    card = page.locator(".thing-card")
    # By day every third: a hover lets the whole picture be painted again.
    for place, title in [*CARDS.items()][:: short_or_long(3, 1)]:
        thing = page.locator(f".picture {place}").first
        thing.hover(force=True)
        expect(card.locator("h2"), place).to_have_text(title)
        expect(card).to_be_visible()
        assert not covers(card, thing), place
        page.mouse.move(2, 2)
        expect(card).to_be_hidden()
    page.locator(".picture [data-space=road-14]").first.hover(force=True)
    expect(card).to_contain_text("Owner: Bruno")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.locator(".seat[data-seat='1'] .name").hover()
    expect(card.locator("h2")).to_have_text("Bruno")
    expect(card).to_contain_text("orange square")
    expect(card).to_contain_text("Last move: Bruno:")
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()
    page.locator(".seat[data-seat='0'] .full .good[data-what=gold]").hover()
    expect(card.locator("h2")).to_have_text("Gold")
    expect(card).to_contain_text("at the end: 1 gold → 3 prestige points")
    expect(card).to_contain_text("Bank")
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()
    page.locator(".seat[data-seat='0'] .full .good[data-what=deniers]").hover()
    expect(card.locator("h2")).to_have_text("Deniers")
    expect(card).to_contain_text("Deniers, column 1–5")
    expect(card).to_contain_text("Comes from: Trading Post")


RING = ".picture .asking"
KEEP_TITLES = """card => {
  window.titles = new Set();
  const keep = () => titles.add(card.querySelector("h2").textContent);
  new MutationObserver(keep).observe(card, { childList: true });
}"""


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_the_keyboard_reaches_every_thing_of_the_board(
    page: Page, prepared: dict[str, Any]
) -> None:
    come_as(page, prepared)
    card = page.locator(".thing-card")
    page.locator(".scroller").focus()
    page.keyboard.press("i")
    expect(card).to_be_visible()
    # The card of a key may come after the next key: the page itself keeps what it showed.
    card.evaluate(KEEP_TITLES)
    for key in [*["ArrowRight"] * 8, *["ArrowDown"] * 12, *["ArrowLeft"] * 8]:
        page.keyboard.press(key)
    page.wait_for_function("() => titles.size >= 12")
    page.evaluate(SETTLED)  # no Escape closes a card that has yet to come
    expect(page.locator(".scroller")).to_be_focused()
    expect(page.locator(RING)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(page.locator(RING)).to_have_count(0)
    page.keyboard.press("ArrowUp")  # which looks at nothing any more
    page.evaluate(SETTLED)
    expect(card).to_be_hidden()
    seat = page.locator("[data-key=seat-0]")
    seat.focus()
    expect(card).to_be_visible()
    expect(card.locator("h2")).to_have_text("Ada")
    page.keyboard.press("Shift+Tab")
    expect(card).to_be_hidden()
    page.keyboard.press("Tab")
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    seat.evaluate("seat => { window.seat = seat; }")
    page.locator(".tab-story li button").last.evaluate("button => button.click()")
    # the seats are drawn again, as they were then
    expect(page.locator(".seat .score")).to_have_text(["0", "0"])
    assert page.evaluate("window.seat.isConnected"), "what stays as it was is not replaced"
    expect(seat).to_be_focused()
    expect(card).to_be_hidden()


def touch(page: Page, place: str) -> Locator:
    """Touch the middle of a thing on the picture; return the card."""
    page.locator(f".picture {place}").first.dispatch_event("click")
    return page.locator(".thing-card")


@pytest.mark.parametrize("page", short_or_long([PHONE], [PHONE, DESKTOP]), ids=str, indirect=True)
def test_a_building_of_the_stock_says_what_it_does_costs_and_is_worth(page: Page) -> None:
    sit(page, "caylus")
    card = touch(page, "[data-building=stone_farm]")
    expect(card.locator("h2")).to_have_text("Stone Farm")
    expect(card).to_contain_text("the owner gets")
    expect(card.locator("dd").nth(1)).to_contain_text("3 prestige points")


def test_a_place_that_is_closed_says_why(page: Page) -> None:
    """With two players the stables are closed."""
    sit(page, "caylus")
    stables = page.locator(".picture [data-space=stables]").first
    expect(stables).to_have_css("opacity", "0.75")
    expect(page.locator(".picture [data-space=castle]").first).to_have_css("opacity", "1")
    card = touch(page, "[data-space=stables]")
    expect(card.locator("h2")).to_have_text("Stables")
    expect(card.locator(".why")).to_have_text("Not now: With two players the stables are closed.")


def test_a_line_of_favours_shows_what_each_column_gives(page: Page) -> None:
    sit(page, "caylus")
    card = touch(page, "[data-line=buildings]")
    expect(card.locator("li")).to_have_count(5)
    expect(card.locator("li").nth(1)).to_have_text("builds a wooden building; cheaper by 1 wood")
    card = touch(page, "[data-line=buildings] [data-column='3']")
    expect(card).to_contain_text("This column opens when this section is scored: Dungeon.")


def test_somebody_who_watches_sees_what_houses_in_the_castle_bring(
    page: Page, served: Served, browser: Browser
) -> None:
    sit(page, "caylus")
    with window(browser, served.url) as watching:
        watching.page.goto(page.url)
        expect(watching.page.locator("[data-space=castle]")).to_be_attached()
        card = touch(watching.page, "[data-section=walls]")
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
    touch(page, "[data-building=church]")
    expect(card).to_be_visible()
    visit(page, "/")
    page.locator(".bell summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(".bell[open]")).to_have_count(0)


def test_a_place_that_answers_the_question_is_chosen_and_opens_no_card(page: Page) -> None:
    person = sit(page, "caylus")
    card = touch(page, "[data-space=trading_post] .touch")
    expect(card).to_be_hidden()
    expect(person.confirm).to_be_enabled()


def test_in_a_moment_of_the_past_the_card_says_what_was_there(served: Served, page: Page) -> None:
    game = sit_in(served, page, cut("caylus", "game-01-3p-builder", 60))
    view = requests.get(game, timeout=60).json()["view"]
    then = requests.get(f"{game}/states/2", timeout=60).json()["view"]
    before = {one["space"]: one["building"] for one in then["road"]}
    space = next(
        one["space"]
        for one in view["road"]
        if one["building"] and one["owner"] is not None and not before.get(one["space"])
    )
    place = page.locator(f".picture [data-space={space}]").first
    card = page.locator(".thing-card")
    page.goto(f"{page.url}?v=2")
    expect(page.locator(".table.in-the-past .replay .count")).to_contain_text("2 / ")
    place.dispatch_event("click")
    expect(card).to_contain_text("Nothing lies here yet.")
    expect(card).not_to_contain_text("Not now")
    page.locator("[data-key=present]").click()
    expect(page.locator(".panel .question")).to_be_visible()
    expect(card).to_be_hidden()
