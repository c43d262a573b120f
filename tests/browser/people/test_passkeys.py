"""Passkeys in a real browser, with authenticators that Chromium emulates.

A browser has passkeys for a host with a name only: these pages are at `localhost`.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.support.account import Account
from tests.browser.support.chromium import Window, window
from tests.browser.support.page_checks import violations
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """An authenticator of a page."""

    def __init__(self, opened: Window) -> None:
        self._session: CDPSession = opened.context.new_cdp_session(opened.page)
        self._session.send("WebAuthn.enable")
        made = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
        self._name = {"authenticatorId": made["authenticatorId"]}

    def read(self) -> list[Any]:
        found: list[Any] = self._session.send("WebAuthn.getCredentials", self._name)["credentials"]
        return found

    def write(self, credential: Any) -> None:
        self._session.send("WebAuthn.addCredential", {**self._name, "credential": credential})


def sign_in(page: Page) -> None:
    page.goto("/settings")
    page.locator("[data-section=sign_in] [data-key=sign-in-passkey]").click()


def test_a_passkey_signs_in_on_a_second_browser_until_it_is_removed(
    served: Served, browser: Browser
) -> None:
    url = served.url.replace("127.0.0.1", "localhost")
    with window(browser, url) as first, window(browser, url) as second:
        home, phone = first.page, second.page
        Account(served, "Ada").enter(home)
        device, other = Device(first), Device(second)
        home.goto("/settings")
        section = home.locator("[data-section=passkeys]")
        section.locator("#settings-passkey").fill("Laptop")
        section.locator("[data-key=settings-passkey-go]").click()
        line = section.locator(".rows li")
        expect(line).to_contain_text("Laptop")
        assert violations(home) == []
        (credential,) = device.read()
        assert credential["rpId"] == "localhost"

        phone.bring_to_front()
        sign_in(phone)
        expect(phone.locator("#notes .trouble")).to_contain_text("No passkey was used")
        # What a password manager does: the same key is on another device.
        other.write(credential)
        sign_in(phone)
        expect(phone.locator("#notes")).to_contain_text("You play as Ada now.")
        expect(phone.locator(".top .player")).to_have_text("Ada")

        home.bring_to_front()
        home.reload()
        expect(line).to_contain_text("last used")
        line.locator("button").click()
        expect(line).to_have_count(0)

        phone.bring_to_front()
        second.may_fail_to_load = True
        sign_in(phone)
        expect(phone.locator("#notes .trouble")).to_contain_text("it was removed")


def test_a_page_at_a_bare_address_offers_no_passkeys(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        Account(served, "Ada").enter(opened.page)
        opened.page.goto("/settings")
        expect(opened.page.locator("[data-section=recovery]")).to_be_visible()
        expect(opened.page.locator("[data-section=passkeys]")).to_have_count(0)
        expect(opened.page.locator("[data-key=sign-in-passkey]")).to_have_count(0)
