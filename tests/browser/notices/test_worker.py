"""Notices of the service worker: shown while no page is open, opened by a touch, closed when stale.

A Chromium of the tests has no push service: messages come through the DevTools protocol, which
hands them to the worker as a push service does, and the page gets a subscription that is made up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Worker, expect

from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import Window, keeping_window
from tests.browser.support.hearing import await_heard
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

SHOWN = """async () => (await registration.getNotifications()).map(
  ({ title, body, data }) => ({ title, body, ...data }))"""
COUNTED = """() => {
  const show = registration.showNotification.bind(registration);
  self.told = 0;
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    await show(title, { ...options, requireInteraction: true });
    self.told += 1;
  };
}"""
"""Counts the notices that the browser has taken, and lets each stay: a Chromium without a desktop
takes a notice away after 25 seconds."""

TOUCH = """async () => {
  const went = [];
  clients.openWindow = async (address) => void went.push(`open ${address}`);
  WindowClient.prototype.focus = async function () { went.push(`focus ${this.url}`); };
  const [notification] = await registration.getNotifications();
  const handled = [];
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (promise) => handled.push(promise);
  dispatchEvent(event);
  await Promise.all(handled);
  return went;
}"""
"""A touch on the notice. A browser opens windows for a real touch only: where it leads is noted."""

SUBSCRIBED = """
  localStorage['cartulary.prefs'] ??= '{"notices":true,"asked":true}';
  const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  PushManager.prototype.getSubscription = async () => window.made ?? null;
  PushManager.prototype.subscribe = async (wish) => {
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const { publicKey } = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
    const keys = {
      p256dh: encode(await crypto.subtle.exportKey("raw", publicKey)),
      auth: encode(crypto.getRandomValues(new Uint8Array(16))),
    };
    window.made = {
      toJSON: () => ({ endpoint: "https://127.0.0.1:8443/push/ada", keys }),
      unsubscribe: async () => { window.made = null; return true; },
    };
    return window.made;
  };
"""
"""A push service that accepts every browser."""


class Receiver:
    """A browser that gets push messages, with or without a page of the client."""

    def __init__(self, opened: Window, url: str, script: str) -> None:
        self._context, self._url, self._script = opened.context, url, script
        self._context.grant_permissions(["notifications"], origin=url)
        self._session: CDPSession = self._context.new_cdp_session(self._context.new_page())
        self._ids: list[str] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._session.send("ServiceWorker.enable")
        self.page = opened.page
        self.page.bring_to_front()
        self.page.add_init_script(script)
        self.page.goto("/settings")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        self.worker: Worker = self._context.service_workers[0]
        self.worker.evaluate(COUNTED)

    def _note(self, event: dict[str, Any]) -> None:
        self._ids += [one["registrationId"] for one in event["registrations"]]

    def open(self, address: str) -> None:
        """Open a page after the last one was closed."""
        self.page = self._context.new_page()
        self.page.add_init_script(self._script)
        self.page.goto(address)

    def deliver(self, text: str) -> None:
        """Deliver a message, and wait until its notice is shown.

        Nothing may ask for the notices before: Chromium forgets a notice that it shows at the same
        moment (of 40 notices half were lost next to a loop of `getNotifications`).
        """
        await_heard(self._context.pages[0], lambda: self._ids)
        told = self.worker.evaluate("told")
        message = {"origin": self._url, "registrationId": self._ids[-1], "data": text}
        self._session.send("ServiceWorker.deliverPushMessage", message)
        until(lambda: self.worker.evaluate("told") > told)

    def tell(self, game: str, kind: str = "your_turn") -> None:
        """Deliver a message as the service writes it."""
        notification = {
            "title": "Your turn",
            "body": "Carcassonne",
            "navigate": f"{self._url}/games/{game}",
            "tag": game,
            "data": {"type": kind, "game": game, "version": 3},
        }
        self.deliver(json.dumps({"web_push": 8030, "notification": notification, "app_badge": 1}))

    def shown(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.worker.evaluate(SHOWN)
        return found

    def await_shown(self, *games: str) -> None:
        until(lambda: sorted(str(one.get("game")) for one in self.shown()) == sorted(games))


@contextmanager
def receiving(
    service: Served, browser: Browser, *, player: Account | None = None
) -> Iterator[Receiver]:
    with keeping_window(browser, service.url) as opened:
        if player is not None:
            player.enter(opened.page)
        yield Receiver(opened, service.url, SUBSCRIBED if player else "")


def test_a_message_is_shown_while_no_page_is_open_and_a_touch_opens_its_page_or_goes_there(
    telling: Served, full_browser: Browser
) -> None:
    with receiving(telling, full_browser) as browser:
        browser.page.close()
        browser.tell("G1")
        browser.await_shown("G1")
        (notice,) = browser.shown()
        assert (notice["title"], notice["body"]) == ("Your turn", "Carcassonne")
        assert browser.worker.evaluate(TOUCH) == [f"open {telling.url}/games/G1"]
        browser.await_shown()
        browser.open("/lobby")
        address = f"{telling.url}/lobby"
        notification = {"title": "News", "navigate": address, "data": {"type": "test"}}
        browser.deliver(json.dumps({"web_push": 8030, "notification": notification}))
        until(browser.shown)
        assert browser.worker.evaluate(TOUCH) == [f"focus {address}"]


def test_something_is_shown_also_for_a_message_that_cannot_be_read(
    telling: Served, full_browser: Browser
) -> None:
    unreadable = ["", "no JSON", "[]", '{"web_push": 8031, "notification": {}}']
    with receiving(telling, full_browser) as browser:
        browser.page.close()
        for text in unreadable:
            browser.deliver(text)
        until(lambda: len(browser.shown()) == len(unreadable))
        assert {one["title"] for one in browser.shown()} == {"Cartulary"}


def take_turn(player: Account, game: str) -> None:
    """Answer until another player is asked, and the lists, from which the browser knows, say so."""
    seat = player.ask("GET", f"/games/{game}")["decision"]["seat"]
    while (table := player.ask("GET", f"/games/{game}"))["decision"]["seat"] == seat:
        move = player.ask("GET", f"/games/{game}/moves")["moves"][0]
        body = {"move": move, "expected_version": table["version"]}
        player.ask("POST", f"/games/{game}/moves", body)
    asked = "/games?player=me&turn=me"
    until(lambda: game not in [one["id"] for one in player.ask("GET", asked)["games"]])


def test_taking_the_turn_elsewhere_closes_its_notice_with_the_next_message(
    telling: Served, full_browser: Browser
) -> None:
    ada, bert = Account(telling, "Ada"), Account(telling, "Bert")
    games = [ada.open(ME, OPEN, shuffle_seats=False) for _ in range(2)]
    for game in games:
        bert.ask("POST", f"/games/{game}/seats", {})
    with receiving(telling, full_browser, player=ada) as browser:
        browser.page.goto("/settings?notices")
        expect(browser.page.locator("[data-state=on]")).to_be_visible()
        browser.page.close()
        for game in games:
            browser.tell(game)
        browser.await_shown(*games)
        take_turn(ada, games[0])
        browser.tell("G9", "game_over")
        browser.await_shown(games[1], "G9")
        take_turn(ada, games[1])
        browser.open("/")  # a page that is opened looks as well
        browser.await_shown("G9")


def test_a_browser_is_in_the_list_while_notices_are_wanted_there(
    telling: Served, full_browser: Browser
) -> None:
    ada = Account(telling, "Ada")
    kept = "caches.has('cartulary.notices')"
    with receiving(telling, full_browser, player=ada) as browser:
        page = browser.page
        page.goto("/settings?notices")
        expect(page.locator("[data-browser]")).to_have_count(1)
        assert page.evaluate(kept)
        page.reload()
        expect(page.locator("[data-browser]")).to_have_count(1)
        page.locator("[data-browser] [data-key^=try-]").click()
        expect(page.locator("#notes")).to_contain_text("on its way")
        page.locator("[data-key=notices-off]").click()
        expect(page.locator("[data-state=off]")).to_be_visible()
        expect(page.locator("[data-browser]")).to_have_count(0)
        assert ada.ask("GET", "/players/me/push_subscriptions") == {"push_subscriptions": []}
        assert not page.evaluate(kept)
        page.locator("[data-key=notices-on]").click()
        expect(page.locator("[data-browser]")).to_have_count(1)


RENEW = """async () => {
  const before = (await (await caches.match("/notices")).json()).id;
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const { publicKey } = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
  const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const keys = { p256dh: encode(await crypto.subtle.exportKey("raw", publicKey)),
                 auth: encode(new Uint8Array(16)) };
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.newSubscription = { toJSON: () => ({ endpoint: "https://127.0.0.1:8443/push/new", keys }) };
  const handled = [];
  event.waitUntil = (promise) => handled.push(promise);
  dispatchEvent(event);
  await Promise.all(handled);
  return [before, (await (await caches.match("/notices")).json()).id];
}"""
"""The browser gives another address, as browsers do when the push service says so."""


def test_a_browser_with_another_address_takes_the_place_of_the_one_before(
    telling: Served, full_browser: Browser
) -> None:
    ada = Account(telling, "Ada")
    with receiving(telling, full_browser, player=ada) as browser:
        browser.page.goto("/settings?notices")
        expect(browser.page.locator("[data-state=on]")).to_be_visible()
        browser.page.close()
        before, after = browser.worker.evaluate(RENEW)
        listed = ada.ask("GET", "/players/me/push_subscriptions")["push_subscriptions"]
        assert before != after
        assert [one["id"] for one in listed] == [after]


def test_nothing_of_a_player_who_leaves_this_browser_stays_for_the_worker(
    telling: Served, full_browser: Browser
) -> None:
    with receiving(telling, full_browser, player=Account(telling, "Ada")) as browser:
        browser.page.goto("/settings?notices")
        expect(browser.page.locator("[data-state=on]")).to_be_visible()
        browser.page.goto("/settings")
        browser.page.locator("[data-key=delete]").click()
        browser.page.locator("dialog input").fill("Ada")
        browser.page.locator("dialog .confirm").click()
        expect(browser.page.locator("#notes")).to_contain_text("deleted")
        until(lambda: not browser.page.evaluate("caches.has('cartulary.notices')"))
