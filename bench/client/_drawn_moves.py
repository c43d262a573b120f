"""How steadily a phone draws moves: at tables of the service, and against a bot of the browser.

At a table of the service one person plays all seats, on a CPU as it is and on a CPU four times
slower (the main thread; Chromium slows no worker down). A local game is against `hard`, whose
engine runs in a worker. Moves are made as fast as the page takes them, with pieces that fly.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any, Final

import requests
from playwright.sync_api import Browser, Page, ViewportSize

from bench.client._frames import sum_up, traced
from bench.client._playing import ASKED, await_next, play_by_hand, play_over_api

MOVES: Final = 12
BEGUN: Final = 30
"""Moves that were made before: a board with pieces."""
SEATS: Final = 3
SETTLED: Final = 5000  # ms until the page has loaded what comes later
READY: Final = 120_000  # ms within which the engine is kept and has started
SIZE: Final[ViewportSize] = {"width": 390, "height": 844}
GAMES: Final = ("carcassonne", "caylus")


def measure_frames(browser: Browser, url: str) -> dict[str, Any]:
    """Return the share of late frames of each kind of table."""
    found: dict[str, Any] = {}
    for game in GAMES:
        for slower in (1, 4):
            found[f"{game}, CPU / {slower}"] = _measure_table(browser, url, game, slower)
        found[f"{game}, local, hard"] = _measure_local(browser, url, game)
    return found


def _measure_table(browser: Browser, url: str, game: str, slower: int) -> dict[str, float]:
    person, name = _open_table(f"{url}/api/v1", game)
    page = _open_page(browser, person)
    page.goto(f"{url}/games/{name}")
    page.wait_for_selector(ASKED)
    page.wait_for_timeout(SETTLED)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    began = time.monotonic()
    with traced(page) as events:
        for _ in range(MOVES):
            version = _read_version(page)
            if play_by_hand(page) is None:
                play_over_api(f"{url}/api/v1/games/{name}", person)
            await_next(page, version)
        took = time.monotonic() - began
    page.context.close()
    return sum_up(events, took)


def _measure_local(browser: Browser, url: str, game: str) -> dict[str, float]:
    page = _open_page(browser, None)
    page.set_default_timeout(READY)
    page.goto(f"{url}/local")
    page.locator("[data-key=keep]").click()
    start = page.locator(f"[data-key=local-{game}]")
    start.wait_for()
    page.locator(f"#local-level-{game}").select_option("hard")
    start.click()
    page.wait_for_selector(ASKED)
    page.wait_for_timeout(SETTLED)
    answered: list[float] = []
    began = time.monotonic()
    with traced(page) as events:
        while len(answered) < MOVES and time.monotonic() - began < READY / 1000:
            version, moved = _read_version(page), time.monotonic()
            if play_by_hand(page) is None:
                break  # a question without a place on the board
            await_next(page, version)
            answered.append(time.monotonic() - moved)
        took = time.monotonic() - began
    page.context.close()
    return {
        **sum_up(events, took),
        "s from a move to the next question": statistics.median(answered),
    }


def _read_version(page: Page) -> int:
    return int(page.locator(".table").get_attribute("data-version") or 0)


def _open_page(browser: Browser, person: dict[str, Any] | None) -> Page:
    page = browser.new_context(viewport=SIZE, locale="en-GB", has_touch=True).new_page()
    page.add_init_script("localStorage['cartulary.prefs'] ??= JSON.stringify({motion: '1'})")
    if person:
        kept = json.dumps(json.dumps(person))
        page.add_init_script(f"localStorage['cartulary.player'] ??= {kept}")
    return page


def _open_table(api: str, game: str) -> tuple[dict[str, Any], str]:
    """Return a player, and a game of this player alone with some moves made."""
    person = requests.post(f"{api}/players", json={"name": "bench"}, timeout=10).json()
    caller = {"Authorization": f"Bearer {person['token']}"}
    wanted = {"game": game, "seats": [{"kind": "me"}] * SEATS}
    made = requests.post(f"{api}/games", json=wanted, headers=caller, timeout=10).json()
    for _ in range(BEGUN):
        play_over_api(f"{api}/games/{made['id']}", person)
    return person, str(made["id"])
