"""Lessons of the house on a phone: each is played to its end by touch, and the list says so."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.engine.core import Json
from cartulary.studies.house import HouseLesson, list_lessons
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.page_checks import check_words, violations
from tests.support.night import short_or_long
from tests.support.real_serve import Served

LOW = Size(844, 390)

pytestmark = pytest.mark.browser


def overflow_of(page: Page) -> list[int]:
    """By how many pixels the page is wider, and the lesson is lower, than the window."""
    found: list[int] = page.evaluate(
        "() => { const { bottom } = document.querySelector('.lesson').getBoundingClientRect();"
        " const { scrollWidth } = document.documentElement;"
        " return [scrollWidth - innerWidth, Math.round(bottom) - innerHeight]; }"
    )
    return found


def height_of_board(page: Page) -> float:
    """The share of the window that the board has."""
    found: float = page.evaluate(
        "() => document.querySelector('.lesson-board').clientHeight / innerHeight"
    )
    return found


def answer(page: Page, move: Json) -> None:
    """Choose a move by touch, and confirm it; where it has no place, look at the answer."""
    named = "".join(f'[data-{name}="{move[name]}"]' for name in ("x", "y") if name in move)
    if move["type"] == "offer_batch":
        page.locator(".batches .batch:enabled, .batches label").first.click()
    elif move["type"] in ("place_worker", "move_worker"):
        page.locator(f'.control label:has(input[value="{move["space"]}"])').click()
    elif "segment" in move:
        page.locator(f'.picture [data-pin="{move["segment"]}"]').first.dispatch_event("click")
    elif named:
        touch_place(page, f".picture .touch{named}", move.get("rotation"))
    else:
        see_answer(page)
        return
    confirm = page.locator("[data-key=moment-answer]")
    expect(confirm).to_be_enabled()
    assert is_within(page, "[data-key=moment-answer]")
    confirm.click()


def is_within(page: Page, selector: str) -> bool:
    """Whether the whole of an element is in the window."""
    box, size = measure(page.locator(selector)), page.viewport_size
    assert size
    return box.y >= 0 and box.bottom <= size["height"]


def touch_place(page: Page, place: str, rotation: int | None) -> None:
    """Touch a place until the tile lies as it should."""
    page.locator(place).first.dispatch_event("click")
    if rotation is None:
        return
    tile = page.locator(".picture .preview")
    for _ in range(3):
        if tile.get_attribute("data-rotation") != str(rotation):
            page.locator(place).first.dispatch_event("click")
    expect(tile).to_have_attribute("data-rotation", str(rotation))


def see_answer(page: Page) -> None:
    """Take each hint, then the answer."""
    while page.locator("[data-key=lesson-hint]").count():
        page.locator("[data-key=lesson-hint]").click()
    page.locator("[data-key=lesson-reveal]").click()


def play(page: Page, lesson: HouseLesson, lang: str) -> None:
    """Play an open lesson to its end."""
    for chapter in lesson.pick(lang)["chapters"]:
        nodes = [chapter, *chapter["line"]]
        for node, after in zip(nodes, [*nodes[1:], None], strict=True):
            if "text" in node and "marks" in node:
                drawn = page.locator(".picture .study-mark")
                expect(drawn).to_have_count(len(node["marks"]))
            if "question" in node:
                assert after is not None
                expect(page.locator(".lesson .asked")).to_have_text(node["question"]["ask"])
                assert max(overflow_of(page)) <= 0
                assert height_of_board(page) >= 0.35
                expect(page.locator("[data-key=moment-answer]")).to_be_disabled()
                answer(page, after["move"])
            elif "text" in node:
                first = node["text"].replace("**", "").split("\n")[0]
                expect(page.locator(".lesson-text")).to_contain_text(first)
                assert max(overflow_of(page)) <= 0
                if page.locator("[data-key=lesson-next]").count():
                    page.locator("[data-key=lesson-next]").click()


def test_a_lesson_is_played_on_a_phone_to_its_end(served: Served, browser: Browser) -> None:
    lesson = list_lessons("carcassonne")[0]
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto("/learn/carcassonne")
        page.locator(f"[data-key=lesson-{lesson.name}]").click()
        expect(page.locator(".lesson .asked")).to_be_visible()
        assert violations(page) == []
        check_words(page)
        page.locator("[data-key=lesson-hint]").click()
        expect(page.locator(".lesson-said")).to_contain_text("opens upwards")
        answer(page, {"type": "place_tile", "x": 0, "y": 1, "rotation": 90})
        expect(page.locator(".lesson-said")).to_contain_text("the city stays open")
        play(page, lesson, "en")
        expect(page.locator("[data-key=lesson-after]")).to_be_visible()
        page.locator("[data-key=lesson-all]").click()
        entry = page.locator(f"li:has([data-key=lesson-{lesson.name}])")
        expect(entry).to_contain_text("✓ played")
        expect(page.locator(".lessons")).to_contain_text(re.compile(r"1 of \d+ played"))
        page.locator("[data-key=lessons-on]").click()
        second = list_lessons("carcassonne")[1].pick("en")
        expect(page.locator(".lesson-head h1")).to_have_text(second["title"])


def test_a_lesson_that_was_played_under_an_older_name_stays_played(
    served: Served, browser: Browser
) -> None:
    old = '["caylus/08-prestige", "caylus/05-provost", "caylus/09-prestige"]'
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.add_init_script(f"localStorage['cartulary.lessons'] = '{old}'")
        page.goto("/learn/caylus")
        expect(page.locator(".lessons li", has_text="✓ played")).to_have_count(2)
        for name in ("09-prestige", "10-provost"):
            entry = page.locator(f".lessons li:has([data-key=lesson-{name}])")
            expect(entry).to_contain_text("✓ played")
        expect(page.locator(".lessons")).to_contain_text("2 of 10 played")


def test_the_board_shows_the_building_that_a_lesson_asks_for_and_the_text_needs_no_picture(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True  # a picture
        page = opened.page
        page.goto("/learn/caylus?lesson=01-first-worker")
        expect(page.locator(".lesson .asked")).to_be_visible()
        quarry = page.locator(".picture [data-space=road-4]").first
        expect(quarry).to_be_in_viewport(ratio=1)
        page.route("**/1.svg?*", lambda route: route.abort())
        see_answer(page)
        expect(page.locator(".lesson-text .verdict")).to_contain_text("The answer: Quarry")
        expect(page.locator(".lesson-text .right")).to_have_count(0)
        expect(page.locator(".note.trouble")).to_be_visible()
        expect(quarry).not_to_be_visible()  # that was the position before
        page.unroute("**/1.svg?*")
        expect(quarry).to_be_visible()  # the picture is asked for until it comes


def test_the_places_of_a_question_are_marked_in_a_picture_that_came_late_or_for_another_window(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True  # a picture
        page = opened.page
        page.route("**/0.svg?*", lambda route: route.abort(), times=1)
        page.goto("/learn/carcassonne?lesson=01-first-follower")
        expect(page.locator(".lesson .asked")).to_be_visible()
        places = page.locator(".picture .touch")
        expect(places.first).to_be_visible()
        many = places.count()
        with page.expect_response("**/0.svg?*"):
            page.set_viewport_size({"width": DESKTOP.width, "height": DESKTOP.height})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        expect(places).to_have_count(many)


def test_the_last_lesson_leads_to_puzzles_and_to_a_game(served: Served, browser: Browser) -> None:
    lesson = list_lessons("caylus")[-1]
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto(f"/learn/caylus?lesson={lesson.name}")
        play(page, lesson, "en")
        expect(page.locator("[data-key=lesson-play]")).to_have_attribute("href", "/new?game=caylus")
        page.locator("[data-key=lesson-puzzles]").click()
        expect(page).to_have_url(re.compile("/puzzles$"))


def test_a_lesson_is_played_on_a_low_screen_with_the_board_beside_the_text(
    served: Served, browser: Browser
) -> None:
    """On such a screen a picture once was asked for that is wider than the service draws."""
    lesson = list_lessons("caylus")[0]
    with window(browser, served.url, LOW) as opened:
        page = opened.page
        page.goto(f"/learn/caylus?lesson={lesson.name}")
        play(page, lesson, "en")
        expect(page.locator("[data-key=lesson-after]")).to_be_visible()


def test_the_next_lesson_is_reached_with_the_keys_alone(served: Served, browser: Browser) -> None:
    lesson = list_lessons("caylus")[1]
    with window(browser, served.url, LOW) as opened:
        page = opened.page
        page.goto(f"/learn/caylus?lesson={lesson.name}")
        page.locator(".control input[value=pass]").focus()
        page.keyboard.press("Space")
        page.locator("[data-key=moment-answer]").focus()
        page.keyboard.press("Enter")
        for key in ("lesson-next", "lesson-after"):
            expect(page.locator(f"[data-key={key}]")).to_be_focused()
            page.keyboard.press("Enter")
        third = list_lessons("caylus")[2].pick("en")
        expect(page.locator(".lesson-head h1")).to_have_text(third["title"])


EACH = [(game, one.name) for game in ("carcassonne", "caylus") for one in list_lessons(game)]


@pytest.mark.parametrize(("game", "name"), short_or_long([EACH[5], EACH[-1]], EACH))
def test_every_lesson_can_be_played_in_german(
    served: Served, browser: Browser, game: str, name: str
) -> None:
    lesson = next(one for one in list_lessons(game) if one.name == name)
    with window(browser, served.url, PHONE, locale="de-DE") as opened:
        page = opened.page
        page.goto(f"/learn/{game}?lesson={name}")
        play(page, lesson, "de")
        page.locator("[data-key=lesson-all]").click()
        expect(page.locator(f"li:has([data-key=lesson-{name}])")).to_contain_text("✓ gespielt")
