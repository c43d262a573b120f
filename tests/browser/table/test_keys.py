"""Playing with the keyboard alone; where the focus is; the window that lists the keys."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import CASES, one_finished
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.person import DONE, YOUR_TURN
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOCUSED = "() => document.activeElement?.className === 'question'"
CHOSEN = ".picture .touch.chosen"
KEYS = [
    "←→↑↓",
    "I",
    "F",
    "R",
    "Enter",
    "Z",
    "0",
    "+−",
    "←→",
    "Shift ←Shift →",
    "Space",
    "HomeEnd",
    "M",
    "?",
    "Esc",
]
"""The keys of each line of the window that lists them."""
SHORT = {"carcassonne": ("game-00.json", 6), "caylus": ("game-01-3p-builder.json", 3)}
"""A transcript for each game, and how many of its last decisions are left to play."""


def import_almost_finished(served: Served, game: str, token: str) -> str:
    """Return a game in which a few decisions are left, all seats the caller's own."""
    name, left = SHORT[game]
    transcript = json.loads((CASES / game / name).read_text())
    given: dict[str, Any] = {
        key: value
        for key, value in transcript.items()
        if key not in ("result", "players") and not key.startswith("expect")
    }
    given["moves"] = given["moves"][:-left]
    answer = requests.post(
        f"{served.url}/api/v1/games/import",
        json=given,
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def go_to_own_games(page: Page, served: Served) -> str:
    """Give the browser a player with a name; return the token."""
    account = requests.post(f"{served.url}/api/v1/players", json={"name": "Ada"}, timeout=60).json()
    page.add_init_script(
        f"localStorage.setItem('cartulary.player', JSON.stringify({json.dumps(account)}))"
    )
    token: str = account["token"]
    return token


def wait_for_focus_on_the_question(page: Page) -> None:
    """Wait: a version is shown before its question is, and a takeback is confirmed before both."""
    page.wait_for_function(FOCUSED)


def cell_of(chosen: Locator) -> tuple[str, str]:
    """Return the place of the cell that is chosen."""
    expect(chosen).to_have_count(1)
    x, y = chosen.evaluate("e => Object.values(e.closest('[data-x]').dataset)")[:2]
    return x, y


def answer_with_keys(page: Page) -> None:
    """Answer a question without the pointer: arrows where places ask, else the list by Tab."""
    confirm = page.locator(".panel [data-key=confirm]")
    if page.locator(".picture .touch").count():
        page.keyboard.press("ArrowRight")
        with suppress(AssertionError):  # a question may need more than a place
            expect(confirm).to_be_enabled(timeout=2000)
    for _ in range(60):
        if confirm.is_enabled():
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement?.type") in ("radio", "checkbox"):
            page.keyboard.press("Space")
    raise AssertionError(page.evaluate("() => document.activeElement.outerHTML"))


@pytest.mark.parametrize("game", short_or_long(["caylus"], [*SHORT]))
def test_a_game_is_played_from_home_to_its_end_with_the_keyboard_alone(
    served: Served, browser: Browser, game: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        token = go_to_own_games(page, served)
        game_id = import_almost_finished(served, game, token)
        page.goto("/")
        expect(page.locator(f"a[href='/games/{game_id}']").first).to_be_visible()
        for _ in range(60):
            if page.evaluate("() => document.activeElement?.pathname") == f"/games/{game_id}":
                break
            page.keyboard.press("Tab")
        else:
            raise AssertionError("Tab does not reach the game")
        page.keyboard.press("Enter")
        for _ in range(60):
            page.wait_for_selector(f"{YOUR_TURN}, {DONE}")
            if page.locator(DONE).count():
                break
            version = page.locator(".table").get_attribute("data-version")
            wait_for_focus_on_the_question(page)
            answer_with_keys(page)
            page.wait_for_selector(f".table:not([data-version='{version}'])")
        expect(page.locator(".table[data-status=over]")).to_be_visible()


@pytest.mark.parametrize("size", short_or_long([DESKTOP], [PHONE, DESKTOP]), ids=str)
def test_the_arrows_go_between_the_places_and_r_turns_the_tile(
    served: Served, browser: Browser, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        page = opened.page
        game_id = import_almost_finished(served, "carcassonne", go_to_own_games(page, served))
        page.goto(f"/games/{game_id}")
        page.wait_for_selector(YOUR_TURN)
        wait_for_focus_on_the_question(page)
        chosen = page.locator(CHOSEN)
        page.keyboard.press("ArrowDown")
        reached = {cell_of(chosen)}
        for way in ("Down", "Right", "Up", "Left"):
            page.keyboard.press(f"Arrow{way}")
            reached.add(cell_of(chosen))
        assert len(reached) > 1
        page.locator('.picture .open[data-x="-5"][data-y="-5"]').dispatch_event("click")
        expect(page.locator("[data-key=turn]")).to_be_enabled()  # the tile fits in two rotations
        tile = page.locator(".picture .preview")
        before = tile.get_attribute("data-rotation") or ""
        page.keyboard.press("r")
        expect(tile).not_to_have_attribute("data-rotation", before)
        page.keyboard.press("r")
        expect(tile).to_have_attribute("data-rotation", before)


def open_own_game(page: Page, served: Served) -> dict[str, Any]:
    """Show a game of Caylus in which both seats are the page's; return the game."""
    token = go_to_own_games(page, served)
    game: dict[str, Any] = requests.post(
        f"{served.url}/api/v1/games",
        json={"game": "caylus", "seats": [{"kind": "me"}] * 2},
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    ).json()
    page.goto(f"/games/{game['id']}")
    page.wait_for_selector(YOUR_TURN)
    return game


def test_enter_confirms_and_z_takes_back(served: Served, browser: Browser) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        game = open_own_game(page, served)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".panel [data-key=confirm]")).to_be_enabled()
        page.keyboard.press("Enter")
        page.wait_for_selector(f".table:not([data-version='{game['version']}'])")
        page.wait_for_selector(YOUR_TURN)
        wait_for_focus_on_the_question(page)
        expect(page.locator(".takeback")).to_be_visible()
        page.keyboard.press("z")
        expect(page.locator(".notes")).to_contain_text("taken back")
        wait_for_focus_on_the_question(page)


def test_enter_that_is_held_answers_one_question_only(served: Served, browser: Browser) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        open_own_game(page, served)
        sent: list[str] = []
        page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
        confirm = page.locator(".panel [data-key=confirm]")
        for _ in range(2):
            version = page.locator(".table").get_attribute("data-version")
            page.keyboard.press("ArrowRight")
            expect(confirm).to_be_enabled()
            page.keyboard.down("Enter")
            page.wait_for_selector(f".table:not([data-version='{version}'])")
            page.wait_for_selector(YOUR_TURN)
            page.keyboard.press("ArrowRight")
            expect(confirm).to_be_enabled()
            moves = [url for url in sent if "/moves" in url]
            page.keyboard.down("Enter")  # still down: the browser repeats the key
            page.wait_for_timeout(300)
            assert [url for url in sent if "/moves" in url] == moves
            page.keyboard.up("Enter")


@one_finished
def test_the_arrows_step_through_a_replay(served: Served, browser: Browser, finished: str) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto(f"/games/{finished}?v=20")
        expect(page.locator(".replay")).to_be_visible()
        for key, version in (("ArrowRight", 21), ("ArrowRight", 22), ("ArrowLeft", 21)):
            page.keyboard.press(key)
            page.wait_for_url(f"**?v={version}")


def test_a_key_does_nothing_while_somebody_types_and_the_question_mark_shows_all_keys(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto("/")
        expect(page.locator(".home")).to_be_visible()
        page.keyboard.press("?")
        keys = page.locator("dialog.keys")
        expect(keys.locator("dt")).to_have_text(KEYS)
        expect(keys).not_to_contain_text("ui.")
        page.keyboard.press("Escape")
        expect(keys).to_have_count(0)
        page.keyboard.press("Control+?")
        page.locator("#language").focus()
        page.keyboard.press("?")
        expect(keys).to_have_count(0)
