"""Local games when the storage is full or wiped, on two devices, deleted, and in the account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.network.test_local_games import PATIENT, nearly_over, put_game
from tests.browser.support.account import Account
from tests.browser.support.chromium import Window, keeping_window
from tests.browser.support.person import Person
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real, pytest.mark.slow]

NAME = "local-kept"
KEPT = """
() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("cartulary.local");
  opening.onupgradeneeded = () => opening.result.createObjectStore("games", { keyPath: "id" });
  opening.onerror = reject;
  opening.onsuccess = () => {
    const all = opening.result.transaction("games").objectStore("games").getAll();
    all.onsuccess = () => resolve((opening.result.close(), all.result));
  };
})
"""

HAS_ROOM = """
records => new Promise((resolve, reject) => {
  const opening = indexedDB.open("cartulary.room", 1);
  const keys = { autoIncrement: true };
  opening.onupgradeneeded = () => opening.result.createObjectStore("tries", keys);
  opening.onerror = () => resolve(false);
  opening.onsuccess = () => {
    const trying = opening.result.transaction("tries", "readwrite");
    while (records--) trying.objectStore("tries").put("x".repeat(50_000));
    trying.oncomplete = () => resolve((opening.result.close(), true));
    trying.onabort = () => resolve((opening.result.close(), false));
  };
})
"""
"""Whether the browser takes so many more records of 50 kB.

It goes on allowing for half a minute what there was room for; what needs more makes it look again.
"""

QUOTA = 30_000_000
"""In bytes: more than the client keeps, and what a browser takes that has looked again."""


@pytest.fixture
def device(browser: Browser, served: Served) -> Iterator[Window]:
    with keeping_window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.context.set_default_timeout(PATIENT)
        opened.page.goto("/settings")
        yield opened


def open_kept(page: Page, left: int) -> Person:
    """Keep a game on this device, and open it."""
    put_game(page, NAME, nearly_over("carcassonne", left))
    page.goto(f"/games/{NAME}")
    person = Person(page)
    assert person.await_turn(within=PATIENT / 1000)
    return person


def kept(page: Page) -> dict[str, Any]:
    return {one["id"]: one for one in page.evaluate(KEPT)}


def moves_of(record: dict[str, Any]) -> int:
    return len(record["transcript"]["moves"])


def tools(opened: Window) -> CDPSession:
    return opened.context.new_cdp_session(opened.page)


def test_a_game_is_kept_when_a_full_storage_has_room_again_and_after_it_was_wiped(
    device: Window, served: Served
) -> None:
    page, chromium = device.page, tools(device)
    quota = {"origin": served.url, "quotaSize": QUOTA}
    chromium.send("Storage.overrideQuotaForOrigin", quota)  # before anything is kept
    person = open_kept(page, 12)
    before = moves_of(kept(page)[NAME])
    chromium.send("Storage.overrideQuotaForOrigin", {**quota, "quotaSize": 1})
    page.evaluate(HAS_ROOM, QUOTA // 50_000)
    until(lambda: not page.evaluate(HAS_ROOM, 1), within=PATIENT / 1000, every=0.5)
    person.move()
    expect(page.locator("#notes")).to_contain_text("no room left")
    assert moves_of(kept(page)[NAME]) == before
    chromium.send("Storage.overrideQuotaForOrigin", {"origin": served.url})
    until(lambda: page.evaluate(HAS_ROOM, 1), within=PATIENT / 1000, every=0.5)
    assert person.await_turn(within=PATIENT / 1000)
    person.move()
    until(lambda: moves_of(kept(page)[NAME]) > before + 1, within=PATIENT / 1000, every=0.2)
    assert person.await_turn(within=PATIENT / 1000)
    cleared = {"origin": served.url, "storageTypes": "indexeddb,cache_storage"}
    chromium.send("Storage.clearDataForOrigin", cleared)
    assert kept(page) == {}
    person.move()
    until(lambda: NAME in kept(page), within=PATIENT / 1000, every=0.2)


def test_two_devices_that_both_go_on_keep_both_courses(
    device: Window, browser: Browser, served: Served
) -> None:
    account = Account(served, "Ada")
    account.enter(device.page)
    transcript = nearly_over("carcassonne", 12)
    longer = nearly_over("carcassonne", 8)
    account.ask("PUT", f"/players/me/local_games/{NAME}", {"transcript": transcript})
    device.page.goto("/local")
    expect(device.page.locator(f"[data-game={NAME}]")).to_be_visible()
    # This device goes on while the other one sends its own course.
    device.context.set_offline(True)
    put_game(device.page, NAME, longer)
    account.ask("PUT", f"/players/me/local_games/{NAME}", {"transcript": transcript})
    device.context.set_offline(False)
    page = device.page
    until(lambda: len(kept(page)) == 2, within=PATIENT / 1000, every=0.2)
    courses = sorted(map(moves_of, kept(page).values()))
    assert courses == sorted([len(transcript["moves"]), len(longer["moves"])])
    listed = account.ask("GET", "/players/me/local_games")
    until(
        lambda: len(account.ask("GET", "/players/me/local_games")["games"]) == 2,
        within=PATIENT / 1000,
        every=0.2,
    )
    assert listed["games"]


def test_a_game_that_was_deleted_without_a_network_does_not_come_back_from_the_account(
    device: Window, served: Served
) -> None:
    account = Account(served, "Ada")
    page = device.page
    account.enter(page)
    transcript = nearly_over("carcassonne", 8)
    account.ask("PUT", f"/players/me/local_games/{NAME}", {"transcript": transcript})
    page.goto("/local")
    entry = page.locator(f"[data-game={NAME}]")
    expect(entry).to_be_visible()
    device.context.set_offline(True)
    page.locator(f"[data-key=remove-{NAME}]").click()
    expect(entry).to_have_count(0)
    assert account.ask("GET", "/players/me/local_games")["games"], "the account does not know yet"
    device.context.set_offline(False)
    until(
        lambda: account.ask("GET", "/players/me/local_games")["games"] == [],
        within=PATIENT / 1000,
        every=0.2,
    )
    until(lambda: kept(page) == {}, within=PATIENT / 1000, every=0.2)
    page.reload()
    expect(page.locator(".local-games")).to_contain_text("No games yet")


def test_a_game_of_a_device_says_in_the_account_that_its_draws_are_not_proved(
    device: Window, served: Served
) -> None:
    account = Account(served, "Ada")
    page = device.page
    account.enter(page)
    whole = nearly_over("carcassonne", 1)
    game = account.ask("POST", "/games/import", {**whole, "moves": whole["moves"]})
    ended = account.ask("GET", f"/games/{game['id']}/moves")["moves"]
    account.ask("POST", f"/games/{game['id']}/moves", {"move": ended[0]})
    page.goto(f"/games/{game['id']}")
    words = "Played without a network: the draws are not proved."
    expect(page.locator(".fairness[data-state=local]")).to_contain_text(words)
    expect(page.locator(".story .origin")).to_have_text(words)
