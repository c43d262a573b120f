"""The owner of a bot registers where it is asked, tries it, changes and removes it, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_words, cut_texts, speak, violations
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.process]

HOOK = "https://127.0.0.1:8443/move"
SMALL = """() => [...document.querySelectorAll("#main :is(button, select, a.button, input)")]
  .filter((one) => one.checkVisibility()).filter((one) => one.getBoundingClientRect().height < 43.9)
  .map((one) => one.outerHTML)"""


def show_attempts(route: Route) -> None:
    """Answer with one line for each thing that may come of a question."""
    outcomes = ("sent", "retrying", "failed", "taken", "gone")
    lines = [
        {
            "id": f"q{number}",
            "at": "2026-01-02T10:00:00Z",
            "outcome": outcome,
            "channel": "webhook",
            "type": "move",
            "data": {"game": "G1", "version": 7, "seat": 1, "url": "/games/G1"},
            "status": 200,
            "attempt": 0,
            "next_at": None,
            "error": "The move is not legal." if outcome == "failed" else None,
        }
        for number, outcome in enumerate(outcomes)
    ]
    route.fulfill(json={"deliveries": lines})


def enter_page_of_bot(page: Page, owner: Account) -> str:
    """Go from the settings to the page of the only bot; return its id."""
    made = owner.ask("POST", "/players/me/bots", {"name": "Robo"})
    owner.enter(page)
    page.goto("/settings")
    page.locator("[data-section=bots] [data-key^=webhook-]").click()
    expect(page).to_have_url(re.compile(f"bot={made['id']}"))
    expect(page.locator("h1")).to_have_text("Robo")
    return str(made["id"])


def test_the_webhook_of_a_bot_is_registered_tried_changed_and_removed(
    telling: Served, browser: Browser
) -> None:
    owner = Account(telling, "Ada")
    with window(browser, telling.url, PHONE) as opened:
        page = opened.page
        bot = enter_page_of_bot(page, owner)
        page.locator("#webhook-url").fill(HOOK)
        page.locator("#webhook-scheme").select_option("v1")
        page.locator("[data-key=webhook-add]").click()
        hook = page.locator("[data-webhook]")
        expect(hook).to_contain_text(HOOK)
        expect(page.locator(".code code")).to_have_text(re.compile("^whsec_"))
        expect(page.locator("#webhook-url")).to_have_count(0)  # one webhook asks a bot
        (listed,) = owner.ask("GET", f"/players/me/webhooks?bot={bot}")["webhooks"]
        assert (listed["url"], listed["format"]) == (HOOK, "move")
        page.reload()
        expect(hook).to_contain_text(HOOK)
        expect(page.get_by_text(re.compile("^whsec_"))).to_have_count(0)
        hook.locator("[data-key^=try-]").click()
        expect(page.locator("#notes")).to_contain_text("on its way")
        hook.locator("[data-key^=url-]").click()
        hook.locator("input").fill(f"{HOOK}/new")
        hook.locator("[data-key$=-go]").click()
        expect(hook.locator(".url")).to_have_text(f"{HOOK}/new")
        page.route("**/deliveries?*", show_attempts)
        deliveries = hook.locator(".deliveries [data-outcome]")
        languages = short_or_long(["en", "ru"], ["en", "de", "es", "fr", "hr", "nl", "pl", "ru"])
        for lang in languages:
            speak(page, lang)
            hook.locator("[data-key^=deliveries-]").click()
            expect(deliveries).to_have_count(5)
            lines = deliveries.all_inner_texts()
            assert len(set(lines)) == 5
            expect(deliveries.nth(2)).to_contain_text("The move is not legal.")
            check_words(page)
            assert (cut_texts(page), page.evaluate(SMALL)) == ([], [])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []
        hook.locator("[data-key^=remove-]").click()
        page.locator("dialog .confirm").click()
        expect(hook).to_have_count(0)
        expect(page.locator("#webhook-url")).to_be_visible()
        assert owner.ask("GET", f"/players/me/webhooks?bot={bot}") == {"webhooks": []}
