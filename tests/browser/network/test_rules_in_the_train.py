"""The rules and home without a network, once the client is kept for the train."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.network.test_local_games import PATIENT, keep
from tests.browser.support.chromium import keeping_window
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real, pytest.mark.slow]


def test_the_rules_and_home_are_read_without_a_network_in_the_language_in_use(
    browser: Browser, served: Served
) -> None:
    with keeping_window(browser, served.url, locale="pl-PL") as opened:
        opened.may_fail_to_load = True
        opened.context.set_default_timeout(PATIENT)
        page = opened.page
        page.goto("/local")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        keep(page)
        opened.context.set_offline(True)
        for game in ("carcassonne", "caylus"):
            page.goto(f"/learn/{game}")
            expect(page.locator(".learn section.rule")).not_to_have_count(0)
            text = page.locator(".learn section.rule p").first.inner_text()
            assert any(letter in text for letter in "ąćęłńóśźż"), text
            expect(page.locator("#pieces svg, #pieces img, #pieces li").first).to_be_visible()
        page.goto("/")
        expect(page.locator(".offer.game-carcassonne")).to_be_visible()
        page.locator("[data-key=local]").click()
        expect(page.locator("[data-key=local-carcassonne]")).to_be_visible(timeout=PATIENT)
