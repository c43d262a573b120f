"""E-mail in the client: an address is asked, confirmed by the link in its mail, tried, ended."""

from __future__ import annotations

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.notices.conftest import PUBLIC_URL
from tests.browser.support.account import Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import violations
from tests.notices.mail.mail_receiver import MailReceiver
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

PAGE_OF_SETTINGS = "/settings?notices"


def find_link(receiver: MailReceiver, service: Served) -> str:
    """Return the link of the newest mail, at the address where the service is in this test."""
    plain = receiver.read().get_body(("plain",))
    assert plain is not None
    words = str(plain.get_content()).split()
    link = next(word for word in reversed(words) if word.startswith(f"{PUBLIC_URL}/email/"))
    return link.replace(PUBLIC_URL, service.url)


def await_mails(receiver: MailReceiver, number: int) -> None:
    until(lambda: len(receiver.mails) >= number)


def open_page(page: Page) -> None:
    page.goto(PAGE_OF_SETTINGS)
    expect(page.locator("[data-section=notice_log] .loaded > *").first).to_be_visible()


def test_an_address_is_asked_confirmed_tried_and_ended_by_one_click(
    telling: Served, browser: Browser, mail_receiver: MailReceiver
) -> None:
    before = len(mail_receiver.mails)
    with window(browser, telling.url, PHONE, touch=True) as opened:
        page = opened.page
        Account(telling, "Ada").enter(page)
        open_page(page)
        page.locator("#email-address").fill("ada@example.org")
        page.locator("[data-key=email-address-go]").click()
        expect(page.locator("#notes")).to_contain_text("on its way")
        expect(page.locator("[data-email=unconfirmed]")).to_contain_text("ada@example.org")
        await_mails(mail_receiver, before + 1)
        page.goto(find_link(mail_receiver, telling))
        expect(page.locator("b")).to_have_text("ada@example.org")
        assert violations(page) == []
        assert measure(page.locator("button")).height >= 44
        page.locator("button").click()
        expect(page.locator("h1")).to_contain_text("Confirmed")
        page.locator("a").click()
        expect(page.locator("[data-email=confirmed]")).to_contain_text("ada@example.org")
        page.locator("#notice-game_over-email").check()
        page.locator("[data-key=try-email]").click()
        await_mails(mail_receiver, before + 2)
        link = str(mail_receiver.read()["List-Unsubscribe"]).strip("<>")
        answer = requests.post(
            link.replace(PUBLIC_URL, telling.url),
            data={"List-Unsubscribe": "One-Click"},
            timeout=60,
        )
        assert answer.status_code == 200
        open_page(page)
        expect(page.locator("[data-email=unsubscribed]")).to_be_visible()
        expect(page.locator("#email-address")).to_have_value("ada@example.org")
        expect(page.locator("#notice-game_over-email")).to_be_checked()
        page.locator("[data-key=remove-email]").click()
        expect(page.locator("#email-address")).to_have_value("")


def test_a_service_without_a_mail_server_shows_nothing_of_e_mail(
    telling: Served, browser: Browser
) -> None:
    without = {"offered": False, "state": "none", "address": None, "off": None}
    with window(browser, telling.url) as opened:
        page = opened.page
        Account(telling, "Ada").enter(page)
        page.route("**/players/me/email", lambda route: route.fulfill(json=without))
        open_page(page)
        expect(page.locator("[data-section=notice_email]")).to_have_count(0)
        expect(page.locator("#notice-your_turn-email")).to_have_count(0)
