"""A pack of puzzles: kept, solved without a network, and sent once when there is one again."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.network.test_local_games import PATIENT
from tests.browser.puzzles.test_puzzles import answer_by_finger, solved, walk_both_futures
from tests.browser.support.chromium import PHONE, keeping_window
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real]

LESS_MOTION = "localStorage.setItem('cartulary.prefs', JSON.stringify({ motion: 'off' }))"


def keep_pack(page: Page) -> None:
    """Keep the engine, then a pack of each game."""
    page.goto("/puzzles")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.locator("[data-key=keep]").click()
    page.locator("[data-key=keep-puzzles]").click(timeout=PATIENT)
    if page.locator("dialog[open] input").count():
        page.keyboard.press("Enter")
    expect(page.locator("[data-key=packed]")).to_have_text("Puzzles on this device: 100")


def solve(page: Page) -> str:
    """Answer the puzzle that is open as a finger does; return its id."""
    expect(page.locator(".panel .question")).to_be_visible(timeout=PATIENT)
    answer_by_finger(page)
    return page.url.rpartition("/")[2]


def test_puzzles_of_a_pack_are_solved_without_a_network_and_sent_once_when_it_is_back(
    browser: Browser, served: Served
) -> None:
    with keeping_window(browser, served.url, PHONE, touch=True) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        page.goto("/")
        page.evaluate(LESS_MOTION)
        keep_pack(page)
        opened.context.set_offline(True)
        page.goto("/puzzles")
        page.locator("[data-key=solve-carcassonne]").click()
        first = solve(page)
        outcome = page.locator(".puzzle-outcome")
        expect(outcome.locator("h2")).to_have_text(re.compile("Right!|Another idea was better"))
        expect(outcome).to_contain_text("Kept on a device: no rating changes.")
        walk_both_futures(page)
        page.locator("[data-key=puzzle-next]").click()
        expect(page.locator(".puzzle-outcome")).to_have_count(0)
        second = solve(page)
        assert first != second
        page.goto("/puzzles")
        expect(page.locator("[data-key=unsent]")).to_have_text(re.compile(": 2$"))
        answered_elsewhere(page, served, second)
        sent = list[str]()
        page.on("request", lambda request: note_attempt(request, sent))
        opened.context.set_offline(False)
        note = page.locator(".note")
        expect(note).to_have_text(re.compile("are sent: 1.*does not count: .*answered"))
        expect(page.locator("[data-key=packed]")).to_have_text("Puzzles on this device: 100")
        attempts = solved(page, served)["attempts"]
        assert {(one["puzzle"], one["rated"]) for one in attempts} == {
            (first, False),
            (second, False),
        }
        page.reload()
        expect(page.locator("[data-key=packed]")).to_have_text("Puzzles on this device: 100")
        assert sorted(sent) == sorted([first, second])


def note_attempt(request: Request, sent: list[str]) -> None:
    if request.method == "POST" and (found := re.search(r"puzzles/([^/]+)/attempts", request.url)):
        sent.append(found[1])


def answered_elsewhere(page: Page, served: Served, puzzle: str) -> None:
    """Another device of the same person answers a puzzle first."""
    token = page.evaluate("JSON.parse(localStorage.getItem('cartulary.player')).token")
    path, headers = f"{served.url}/api/v1/puzzles/{puzzle}", {"Authorization": f"Bearer {token}"}
    pack = requests.get(
        f"{served.url}/api/v1/puzzles/pack?game=carcassonne", headers=headers, timeout=10
    ).json()["puzzles"]
    best = next(one["best"][0] for one in pack if one["id"] == puzzle)
    body = {"moves": best}
    assert requests.post(f"{path}/attempts", json=body, headers=headers, timeout=60).ok
