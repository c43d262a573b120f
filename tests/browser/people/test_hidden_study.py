"""A study is reported on its page, hidden at `/admin`, and its author reads why."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people.test_order import grant, holds
from tests.browser.studies.lesson import begin
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_words, cut_texts
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


def test_a_reported_study_is_hidden_and_its_author_reads_why(
    served: Served, browser: Browser
) -> None:
    token = grant(served, "Petra")
    author, reader = Account(served, "Ada"), Account(served, "Bob")
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        reader.enter(page)
        page.goto(path)
        page.locator("[data-key=study-report]").click()
        dialog = page.locator("dialog.asking")
        dialog.locator("#report-text").fill("An insult in the second chapter.")
        dialog.locator(".confirm").click()
        expect(page.locator(".note")).to_have_text("Thank you. The operators will look at it.")
        assert cut_texts(page) == []

        page.goto(f"/admin#token={token}")
        row = page.locator("[data-report]").filter(has_text="Your first tile").first
        row.locator("summary").click()
        expect(row.get_by_text("A first **tile**.")).to_be_visible()
        holds(page)
        row.locator("[data-key^=hide-study-]").click()
        order = page.locator("dialog.asking")
        order.locator("#order-reason").fill("an insult")
        order.locator(".confirm").click()
        expect(row.locator("[data-key^=show-study-]")).to_be_visible()
        holds(page)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        author.enter(page)
        page.goto(path)
        expect(page.locator("[data-hidden]")).to_contain_text("an insult")
        expect(page.locator("[data-key=study-report]")).to_have_count(0)
        check_words(page)
        assert cut_texts(page) == []
        page.goto("/")
        page.locator(".bell summary").click()
        expect(page.locator(".bell [data-what=study_hidden]")).to_contain_text("Your first tile")
