"""The page of notices: what is chosen stays, webhooks, what was sent and why something was not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cartulary.events.notices.log import OUTCOMES
from cartulary.locales import LANGUAGES
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, Scheme, Size, Window, window
from tests.browser.support.page_checks import (
    check_words,
    cut_texts,
    switch_language,
    violations,
)
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

ON_ITS_SIDE = Size(844, 390)
SMALL = """() => [...document.querySelectorAll(
  "#main :is(button, select, a, summary, label.check, input:not([type=checkbox]))"
)].filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 43.9)
  .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 80)} ${width} x ${height}`)"""
HOOK = "https://127.0.0.1:8443/hook"


def open_notices(service: Served, opened: Window) -> Page:
    Account(service, "Ada").enter(opened.page)
    opened.page.goto("/settings?notices")
    expect(opened.page.locator("[data-section=notice_log] .loaded > *").first).to_be_visible()
    expect(opened.page.locator("#webhook-url")).to_be_visible()
    return opened.page


def add_webhook(page: Page, kind: str, scheme: str = "") -> None:
    page.locator("#webhook-url").fill(HOOK)
    page.locator("#webhook-kind").select_option(kind)
    if scheme:
        page.locator("#webhook-scheme").select_option(scheme)
    before = page.locator("[data-webhook]").count()
    page.locator("[data-key=webhook-add]").click()
    expect(page.locator("[data-webhook]")).to_have_count(before + 1)


def show_every_outcome(route: Route) -> None:
    """Answer with one line for each reason: to bring all about takes days."""
    lines = [
        {
            "id": f"d{number}",
            "at": "2026-01-02T10:00:00Z",
            "outcome": outcome,
            "channel": "push",
            "type": "your_turn",
            "data": {"game": "G1", "title": "carcassonne", "url": "/games/G1"},
            "status": 503 if outcome == "retrying" else None,
            "attempt": 0,
            "next_at": "2026-01-02T10:05:00Z" if outcome == "retrying" else None,
            "error": None,
        }
        for number, outcome in enumerate(OUTCOMES)
    ]
    route.fulfill(json={"notices": lines})


def test_what_was_chosen_is_shown_again(telling: Served, browser: Browser) -> None:
    with window(browser, telling.url) as opened:
        page = open_notices(telling, opened)
        # The headless shell refuses notices for all pages: no button says that they can be had.
        expect(page.locator("[data-state]")).to_contain_text("does not allow notices")
        expect(page.locator("[data-key=notices-on]")).to_have_count(0)
        # Who has no webhook is not asked about webhooks.
        expect(page.locator("#notice-game_over-webhook")).to_have_count(0)
        add_webhook(page, "discord")
        page.locator("#notice-your_turn-push").select_option("900")
        page.locator("#notice-game_over-webhook").select_option("never")
        page.locator("#notice-reminder").select_option("0.5")
        page.locator("#notice-quiet").check()
        page.locator("#notice-quiet-from").fill("23:15")
        page.locator("#notice-quiet-from").blur()
        page.locator("#notice-digest").check()
        page.locator("#notice-digest-at").fill("06:30")
        page.locator("#notice-digest-at").blur()
        with page.expect_response("**/notifications") as answer:
            page.locator("#notice-zone").select_option("Europe/Zagreb")
        assert answer.value.ok
        page.reload()
        expect(page.locator("#notice-your_turn-push")).to_have_value("900")
        expect(page.locator("#notice-game_over-webhook")).to_have_value("never")
        expect(page.locator("#notice-reminder")).to_have_value("0.5")
        expect(page.locator("#notice-quiet-from")).to_have_value("23:15")
        expect(page.locator("#notice-quiet-until")).to_have_value("07:00")
        expect(page.locator("#notice-digest-at")).to_have_value("06:30")
        expect(page.locator("#notice-zone")).to_have_value("Europe/Zagreb")


def test_quiet_hours_are_those_of_the_zone_of_the_browser_until_another_is_chosen(
    telling: Served, browser: Browser
) -> None:
    with window(browser, telling.url) as opened:
        opened.context.new_cdp_session(opened.page).send(
            "Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"}
        )
        page = open_notices(telling, opened)
        with page.expect_request("**/notifications") as asked:
            page.locator("#notice-quiet").check()
        assert (asked.value.post_data_json or {})["timezone"] == "Asia/Tokyo"
        expect(page.locator("#notice-zone")).to_have_value("Asia/Tokyo")


def test_a_webhook_shows_its_secret_once_and_its_public_key_always(
    telling: Served, browser: Browser
) -> None:
    with window(browser, telling.url) as opened:
        page = open_notices(telling, opened)
        code = page.locator("[data-section=notice_webhooks] .code code")
        add_webhook(page, "standard", "v1")
        expect(code).to_have_text(re.compile("^whsec_"))
        add_webhook(page, "relay")
        expect(code).to_have_text(re.compile("^whpk_"))
        add_webhook(page, "discord")
        expect(code).to_have_count(0)
        page.reload()
        expect(page.locator("[data-webhook]")).to_have_count(3)
        expect(page.get_by_text(re.compile("^whpk_"))).to_have_count(1)
        expect(page.get_by_text(re.compile("^whsec_"))).to_have_count(0)


def test_a_webhook_is_switched_off_and_on_renewed_changed_and_removed(
    telling: Served, browser: Browser
) -> None:
    with window(browser, telling.url) as opened:
        page = open_notices(telling, opened)
        add_webhook(page, "standard")
        hook = page.locator("[data-webhook]")
        key = hook.locator(".key").inner_text()
        hook.locator("[data-key^=off-]").click()
        expect(hook.locator(".off")).to_contain_text("Switched off by you")
        hook.locator("[data-key^=on-]").click()
        expect(hook.locator(".off")).to_have_count(0)
        hook.locator("[data-key^=secret-]").click()
        expect(hook.locator(".key")).to_have_count(2)  # both hold for a day
        expect(hook.locator(".key").nth(1)).to_have_text(key, use_inner_text=True)
        hook.locator("[data-key^=try-]").click()
        expect(page.locator("#notes")).to_contain_text("on its way")
        tried = hook.locator(".deliveries [data-outcome]")
        while not tried.count():
            hook.locator("[data-key^=deliveries-]").click()
            expect(hook.locator(".deliveries > *")).to_have_count(1)
        expect(tried.first).to_contain_text("Not accepted")  # there is no program at this address
        tried.first.locator("button").click()
        expect(page.locator("#notes")).to_contain_text("on its way")
        hook.locator("summary").click()
        with page.expect_response("**/webhooks/*") as answer:
            hook.locator(".check", has_text="The game is over").click()
        assert "game_over" not in answer.value.json()["types"]
        opened.may_fail_to_load = True
        refused = {"code": "rate_limited", "title": "Too many", "status": 429}
        page.route("**/webhooks/*", lambda route: route.fulfill(status=429, json=refused))
        hook.locator(".check", has_text="The game is over").click()
        expect(page.locator("#notes .trouble")).to_be_visible()
        expect(hook.locator("[id$=-game_over]")).not_to_be_checked()
        page.unroute("**/webhooks/*")
        hook.locator("[data-key^=remove-]").click()
        page.locator("dialog .confirm").click()
        expect(hook).to_have_count(0)


def test_an_address_of_a_house_that_is_not_ours_is_refused_in_words(
    telling: Served, browser: Browser
) -> None:
    with window(browser, telling.url) as opened:
        opened.may_fail_to_load = True
        page = open_notices(telling, opened)
        page.locator("#webhook-url").fill("https://10.0.0.1/hook")
        page.locator("[data-key=webhook-add]").click()
        expect(page.locator("#notes .trouble")).to_be_visible()
        expect(page.locator("[data-webhook]")).to_have_count(0)


def test_each_reason_why_something_was_not_sent_is_said_in_each_language(
    telling: Served, browser: Browser
) -> None:
    with window(browser, telling.url) as opened:
        opened.page.route("**/players/me/notices", show_every_outcome)
        page = open_notices(telling, opened)
        expect(page.locator("[data-outcome=looking]")).to_contain_text("looking at the game")
        expect(page.locator("[data-outcome=taken]")).to_contain_text("the turn was taken")
        expect(page.locator("[data-outcome=retrying]")).to_contain_text("HTTP 503")
        for lang in short_or_long(["de", "ru"], LANGUAGES[1:]):
            switch_language(page, lang)
            expect(page.locator("[data-outcome]")).to_have_count(len(OUTCOMES))
            page.locator("#notice-quiet").check()
            page.locator("#notice-quiet").uncheck()
            page.locator("[data-section=notice_types] summary").click()
            check_words(page)
            assert cut_texts(page) == [], lang
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), lang


@pytest.mark.parametrize("size", short_or_long([ON_ITS_SIDE], [PHONE, ON_ITS_SIDE]), ids=str)
def test_every_target_is_large_enough_and_axe_finds_no_violation(
    telling: Served, browser: Browser, size: Size
) -> None:
    scheme: Scheme = "light" if size is PHONE else "dark"
    with window(browser, telling.url, size, scheme=scheme, touch=True) as opened:
        opened.page.route("**/players/me/notices", show_every_outcome)
        page = open_notices(telling, opened)
        add_webhook(page, "standard")
        page.locator("#notice-quiet").check()
        page.locator("#notice-digest").check()
        page.locator("[data-webhook] summary").click()
        page.locator("[data-section=notice_types] summary").click()
        assert page.evaluate(SMALL) == []
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
