"""Carcassonne: a turn in one gesture, outlines of features, farms."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Scheme, Size, window
from tests.browser.support.positions import cut, sit_in
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

Json = dict[str, Any]

TOUCHES = """() => {
  window.touches = 0;
  addEventListener("click", () => { window.touches += 1; }, true);
}"""


def lay(page: Page, x: int, y: int, rotation: int = 0) -> None:
    """Touch a place, and touch the tile until it lies in a rotation."""
    place = f'[data-x="{x}"][data-y="{y}"]'
    page.locator(f".picture .open{place}").dispatch_event("click")
    tile = page.locator(f".picture .preview{place}")
    for _ in range(4):
        expect(tile).to_have_count(1)
        expect(page.locator(".panel .confirm")).to_be_enabled()
        if tile.get_attribute("data-rotation") == str(rotation):
            return
        tile.dispatch_event("click")
    raise AssertionError(f"no rotation {rotation} at {x}, {y}")


def pin(page: Page, name: str) -> Locator:
    return page.locator(f'.picture .pin[data-pin="{name}"]')


def choose(page: Page, name: str) -> Locator:
    """Touch a pin; return the button, whose words name the act."""
    pin(page, name).dispatch_event("click")
    return page.locator(".panel .confirm")


def is_whole(page: Page) -> bool:
    """Whether the window of the board shows the whole picture."""
    seen, picture = (measure(page.locator(part)) for part in (".scroller", ".picture"))
    return picture.width <= seen.width + 1 and picture.height <= seen.height + 1


def version(page: Page) -> int:
    return int(page.locator(".table").get_attribute("data-version") or 0)


def shown(game: str) -> Json:
    answer: Json = requests.get(game, timeout=60).json()
    return answer


def features(game: str) -> list[Json]:
    answer: list[Json] = requests.get(f"{game}/features", timeout=60).json()["features"]
    return answer


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, DESKTOP]), ids=str)
def test_three_touches_make_a_turn(served: Served, browser: Browser, size: Size) -> None:
    with window(browser, served.url, size) as opened:
        page = opened.page
        game = sit_in(served, page, cut("carcassonne", "game-14", 101))
        before, laid = version(page), len(shown(game)["view"]["board"])
        sent: list[str] = []
        page.on("request", lambda r: sent.append(r.url) if r.method == "POST" else None)
        confirm = page.locator(".panel .confirm")
        expect(confirm).to_have_text("Touch a place")
        page.evaluate(TOUCHES)
        page.locator(".picture rect.touch").nth(5).click()
        expect(page.locator(".picture .pin")).to_have_count(6)
        expect(page.locator(".picture .pin.chosen")).to_have_attribute("data-pin", "none")
        expect(confirm).to_have_text("Tile, no follower")
        pin(page, "r0").click()
        expect(confirm).to_have_text("Tile, highwayman: road of 1: 1 point, 1 open end, south")
        expect(
            page.locator('[data-seat="1"] .brief .delta, [data-seat="1"] .full .delta')
        ).to_have_count(2)
        confirm.click()
        expect(page.locator(".table")).to_have_attribute("data-version", str(before + 2))
        assert page.evaluate("window.touches") == 3
        assert len([url for url in sent if "/moves" in url]) == 2
        assert len([url for url in sent if url.endswith("/preview")]) == 1
        board = shown(game)["view"]["board"]
        assert len(board) == laid + 1
        assert board[-1]["follower"] == {"seat": 1, "segment": "r0"}


def test_the_outline_of_a_feature_covers_all_its_segments(served: Served, browser: Browser) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        game = sit_in(served, page, cut("carcassonne", "game-03", 40))
        lay(page, -3, -2, 180)
        confirm = choose(page, "c0")
        expect(confirm).to_have_text("Tile, knight: city of 4, now 5, done 10")
        said = page.locator(".would")
        for words in ("4 tiles, 1 pennant, 2 open edges", "nobody stands there", "now 5 points"):
            expect(said).to_contain_text(words)
        outline = page.locator(".picture .outline[data-kind=city]")
        expect(outline).to_have_count(1)
        expect(outline.locator(".over path")).to_have_count(4)
        # another place takes the ghost and its outline along
        page.locator("[data-key=after]").dispatch_event("click")
        expect(outline).to_have_count(0)
        # a thing that is touched on the board is outlined, too, with the numbers of the engine
        city = max((f for f in features(game) if f["kind"] == "city"), key=lambda f: f["tiles"])
        part = city["segments"][0]
        where = f'g.tile[data-x="{part["x"]}"][data-y="{part["y"]}"]'
        area = page.locator(f'.picture {where} [data-segment="{part["segment"]}"]')
        area.dispatch_event("click")
        expect(outline.locator(".over path")).to_have_count(len(city["segments"]))
        expect(page.locator(".thing-card")).to_contain_text(f"{city['tiles']} tiles")


def test_two_farmers_look_different_and_points_are_shown_at_the_seat(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        sit_in(served, page, cut("carcassonne", "game-03", 42))
        lay(page, 5, 0)
        words = "Tile, farmer: field beside 2 finished cities: 6 now"
        confirm = choose(page, "f0")
        expect(confirm).to_have_text(words)
        for name in ("f1", "f2"):  # each has other words than the one before
            choose(page, name)
            expect(confirm).not_to_have_text(words)
            expect(confirm).to_contain_text("beside 0 finished cities: 0 now")
            words = confirm.inner_text()
        # a city that the tile completes pays at once, and its follower comes home
        expect(choose(page, "c0")).to_have_text("Tile, knight: city of 2 complete: 4 points")
        delta = page.locator('.seat[data-seat="0"] .score .delta')
        expect(delta).to_have_text("→ 8")
        expect(page.locator('.seat[data-seat="0"] .brief .delta')).to_have_count(0)


@pytest.mark.parametrize("scheme", short_or_long(["dark"], ["light", "dark"]))
def test_farms_are_shown_by_owner_and_one_touch_fits_the_board(
    served: Served, browser: Browser, scheme: Scheme
) -> None:
    with window(browser, served.url, PHONE, scheme=scheme) as opened:
        page = opened.page
        game = sit_in(served, page, cut("carcassonne", "game-05", 96))
        toggle = page.locator("[data-key=farms]")
        toggle.click()
        farms = page.locator(".picture .farms .farm")
        told = [feature for feature in features(game) if feature["kind"] == "farm"]
        expect(farms).to_have_count(len(told))
        owned = [farm for farm in told if any(farm["followers"])]
        labels = page.locator(".picture .farms .points text")
        expect(labels).to_have_count(len(owned))
        told_by_labels = labels.all_text_contents()
        assert sorted(told_by_labels) == sorted(str(farm["now"]) for farm in owned)
        toggle.click()
        expect(farms).to_have_count(0)
        page.locator("[data-key=board-fit]").click()
        until(lambda: is_whole(page))


def test_a_reload_between_tile_and_follower_asks_for_the_follower_alone(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        transcript = cut("carcassonne", "game-03", 42)
        tile = {"type": "place_tile", "x": 5, "y": 0, "rotation": 0}
        transcript["moves"].append({"seat": 0, "move": tile})
        game = sit_in(served, page, transcript)
        expect(page.locator(".panel .question")).to_contain_text("Will you place a follower?")
        expect(choose(page, "f0")).to_have_text("Farmer: field beside 2 finished cities: 6 now")
        expect(page.locator(".picture .outline")).to_have_count(1)
        before = version(page)
        page.locator(".panel .confirm").click()
        expect(page.locator(".table")).to_have_attribute("data-version", str(before + 1))
        assert shown(game)["view"]["board"][-1]["follower"] == {"seat": 0, "segment": "f0"}


def test_a_follower_that_comes_too_late_is_asked_for_again(
    served: Served, browser: Browser
) -> None:
    """The tile is stored; the second move is refused as stale: the question comes again."""
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        game = sit_in(served, page, cut("carcassonne", "game-03", 42))
        stale = {"status": 409, "code": "stale_version", "title": "Stale", "current_version": 1}

        def refuse(route: Route) -> None:
            if "place_follower" in (route.request.post_data or ""):
                route.fulfill(status=409, content_type="application/problem+json", json=stale)
            else:
                route.fallback()

        page.route("**/moves?*", refuse)
        lay(page, 5, 0)
        choose(page, "f0")
        before = version(page)
        page.locator(".panel .confirm").click()
        expect(page.locator(".table")).to_have_attribute("data-version", str(before + 1))
        expect(page.locator(".panel .question")).to_contain_text("Will you place a follower?")
        expect(page.locator(".notes")).not_to_be_empty()
        page.unroute("**/moves?*")
        choose(page, "c0")
        page.locator(".panel .confirm").click()
        expect(page.locator(".table")).to_have_attribute("data-version", str(before + 2))
        assert shown(game)["view"]["scores"][0] == 8


def lay_with_pin(page: Page) -> bool:
    """Lay the tile where a follower may stand on it; whether there is such a place."""
    places = page.locator(".picture rect.touch")
    for number in range(places.count()):
        places.nth(number).dispatch_event("click")
        expect(page.locator(".panel .confirm")).to_be_enabled()
        if page.locator(".picture .pin:not(.nobody)").count():
            return True
    return False


def test_the_last_tile_is_marked_after_a_turn_whose_feature_was_outlined(
    served: Served, browser: Browser
) -> None:
    """The outline stands in the picture that becomes the next picture, and takes nothing along."""
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        game = sit_in(served, page, cut("carcassonne", "game-00", 0))
        for seat in (0, 1):
            before = version(page)
            if not lay_with_pin(page):
                assert seat == 1, "only the tile of the second turn is drawn by lot"
                return
            page.locator(".picture .pin:not(.nobody)").first.dispatch_event("click")
            expect(page.locator(".picture .outline")).to_have_count(1)
            page.locator(".panel .confirm").click()
            expect(page.locator(".table")).to_have_attribute("data-version", str(before + 2))
            page.locator(".panel:not([inert]):not(.sending) .question").wait_for()
            expect(page.locator(".picture .outline")).to_have_count(0)
            expect(page.locator(f".picture #k-last-{seat}")).to_have_count(1)
            expect(page.locator(".picture #k-last-move")).to_have_count(1)
            board = shown(game)["view"]["board"]
            expect(page.locator(".picture g.tile")).to_have_count(len(board))
            # A follower goes home at once when the drawn tile completes its feature.
            stay = sum(tile["follower"] is not None for tile in board)
            expect(page.locator(".picture .followers .follower")).to_have_count(stay)


def test_only_a_costly_turn_is_asked_for_once_more(served: Served, browser: Browser) -> None:
    """A knight is not; a farmer is, because a farmer never comes home."""
    with window(browser, served.url) as opened:
        page = opened.page
        prefs = json.dumps(json.dumps({"confirm": "costly"}))
        page.add_init_script(f"localStorage['cartulary.prefs'] = {prefs}")
        game = sit_in(served, page, cut("carcassonne", "game-00", 0))
        move = next(one for one in legal(page, game) if FARM in outlook(page, game, one))
        lay(page, move["x"], move["y"], move["rotation"])
        before = version(page)
        button = choose(page, FARM)
        expect(button).to_contain_text("farmer")
        expect(button).to_be_enabled()
        assert version(page) == before
        other = next(one for one in outlook(page, game, move) if one[0] != "f")
        choose(page, other)
        page.locator(f".table:not([data-version='{before}'])").wait_for()
        facts = requests.get(f"{game}/events?after={before}", timeout=60).json()["events"]
        assert [one["move"]["type"] for one in facts if one["type"] == "move_made"] == [
            "place_tile",
            "place_follower",
        ]


FARM = "f0"


def mine(page: Page) -> dict[str, str]:
    token = page.evaluate("JSON.parse(localStorage['cartulary.player']).token")
    return {"Authorization": f"Bearer {token}"}


def legal(page: Page, game: str) -> list[Json]:
    answer = requests.get(f"{game}/moves", headers=mine(page), timeout=60)
    moves: list[Json] = answer.json()["moves"]
    return moves


def outlook(page: Page, game: str, move: Json) -> list[str]:
    """Return the segments for a follower after a tile, if another than a farm is among them."""
    body = {"move": move, "next": True}
    answer = requests.post(f"{game}/preview", json=body, headers=mine(page), timeout=60).json()
    found = [one["segment"] for one in answer["moves"] if "segment" in one]
    return found if any(one[0] != "f" for one in found) else []
