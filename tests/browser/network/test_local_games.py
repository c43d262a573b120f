"""Games without a network: kept for the train, played to the end, later in the account."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import CASES
from tests.browser.support.account import Account
from tests.browser.support.chromium import keeping_window
from tests.browser.support.page_checks import violations
from tests.browser.support.person import Person
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real, pytest.mark.slow]

PATIENT = 120_000
"""ms: a busy machine may take long to start Python in a browser."""

PUT_GAME = """
record => new Promise((resolve, reject) => {
  const opening = indexedDB.open("cartulary.local");
  opening.onupgradeneeded = () => opening.result.createObjectStore("games", { keyPath: "id" });
  opening.onerror = reject;
  opening.onsuccess = () => {
    const writing = opening.result.transaction("games", "readwrite");
    writing.objectStore("games").put(record);
    writing.oncomplete = () => resolve(opening.result.close());
  };
})
"""

CUT_OFF = """
async () => {
  const { files } = await (await fetch("/built/engine/engine.json")).json();
  const address = `/built/engine/${files["cartulary.zip"].path}`;
  const whole = await (await fetch(address)).arrayBuffer();
  const half = new Response(whole.slice(0, whole.byteLength / 2));
  await (await caches.open("cartulary.train")).put(address, half);
  return [address, whole.byteLength];
}
"""

OFFER_TO_INSTALL = """
() => {
  const offer = new Event("beforeinstallprompt", { cancelable: true });
  offer.prompt = async () => { window.installs = 1; };
  return dispatchEvent(offer);
}
"""
"""What a browser does when the page can be installed; false: the page keeps the offer for later."""

LENGTH = """
async (address) => {
  const cache = await caches.open("cartulary.train");
  return (await (await cache.match(address)).arrayBuffer()).byteLength;
}
"""

HOLD = """
name => new Promise(held => navigator.locks.request(name, () => {
  held(null);
  return new Promise(() => {});
}))
"""


def nearly_over(kind: str, left: int) -> dict[str, Any]:
    """A recorded game of two without its last moves, one person against a bot."""
    found = (CASES / kind).glob("game-*.json")
    games = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(found)]
    game = next(one for one in games if one["seats"] == 2)
    wanted = ("format", "game", "options", "seats", "setup", "draws")
    transcript = {key: game[key] for key in wanted if key in game}
    return {
        **transcript,
        "moves": game["moves"][:-left],
        "origin": "local",
        "local_seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}],
    }


def put_game(page: Page, name: str, transcript: dict[str, Any]) -> None:
    record = {
        "id": name,
        "game": transcript["game"],
        "seats": transcript["local_seats"],
        "transcript": transcript,
        "over": False,
        "sent": "",
        "stored_at": "",
        "updated_at": "2026-11-20T10:00:00.000Z",
    }
    page.evaluate(PUT_GAME, record)


def keep(page: Page) -> None:
    """Keep everything for the train, and wait until the engine offers its games."""
    page.locator("[data-key=keep]").click()
    expect(page.locator("[data-key=local-caylus]")).to_be_visible(timeout=PATIENT)


def open_game(page: Page, name: str) -> None:
    """Go to a game of this device without loading the page again."""
    page.locator(".table .home-link").click()
    page.locator("[data-key=local]").click()
    page.locator(f"[data-game={name}] a").click()
    expect(page.locator(".table[data-version]")).to_be_visible()


def test_a_game_of_each_kind_is_played_to_the_end_without_a_network_and_is_later_in_the_account(
    browser: Browser, served: Served
) -> None:
    account = Account(served, "Ada")
    # What is local is the same for each kind; `test_engine_worker` plays each with the same engine.
    kinds = short_or_long({"carcassonne": 6}, {"carcassonne": 6, "caylus": 60})
    with keeping_window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        page, person = opened.page, Person(opened.page)
        opened.context.set_default_timeout(PATIENT)
        account.enter(page)
        page.goto("/local")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        address, whole = page.evaluate(CUT_OFF)
        assert page.evaluate(OFFER_TO_INSTALL) is False
        expect(page.locator("[data-key=install]")).to_have_count(0)
        keep(page)
        assert violations(page) == []
        page.locator("[data-key=install]").click()
        page.wait_for_function("() => window.installs === 1")
        # The file that was cut off was noticed by its hash and fetched again.
        assert page.evaluate(LENGTH, address) == whole
        for kind, left in kinds.items():
            put_game(page, f"local-{kind}", nearly_over(kind, left))
        put_game(page, "local-elsewhere", nearly_over("carcassonne", 2))
        other = opened.context.new_page()
        other.goto("/built/engine/engine.json")
        other.evaluate(HOLD, "cartulary.local.local-elsewhere")
        page.bring_to_front()  # a hidden tab is slow

        opened.context.set_offline(True)
        page.goto("/local")
        expect(page.locator("[data-key=local-carcassonne]")).to_be_visible(timeout=PATIENT)
        page.locator("[data-key=local-carcassonne]").click()
        assert person.await_turn(within=PATIENT / 1000)
        person.move()
        begun = page.url.rpartition("/")[2]
        for kind in kinds:
            open_game(page, f"local-{kind}")
            person.play()
            expect(page.locator(".fairness[data-state=local]")).to_contain_text("not proved")
            page.keyboard.press("Escape")
        open_game(page, "local-elsewhere")
        expect(page.locator("#notes")).to_contain_text("Another tab")

        opened.context.set_offline(False)

        def stored() -> dict[str, bool]:
            games = account.ask("GET", "/players/me/local_games")["games"]
            return {one["id"]: one["over"] for one in games}

        def finished() -> dict[str, bool]:
            games = account.ask("GET", "/games?player=me&status=over")["games"]
            return {one["game"]: one["rated"] for one in games}

        wanted = {begun: False, "local-elsewhere": False}
        wanted |= {f"local-{kind}": True for kind in kinds}
        until(lambda: stored() == wanted, within=PATIENT / 1000, every=0.2)
        until(lambda: finished() == dict.fromkeys(kinds, False), within=PATIENT / 1000, every=0.2)
