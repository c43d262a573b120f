"""What an author has begun and not saved is there when the page is loaded again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.studies.lesson import LANDSCAPE, TARGETS, begin, change, press, unfold
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.page_checks import check_page
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

RESTORED = ".study-tools > .badge"


def list_kept(page: Page) -> list[str]:
    """Return what the storage of the tab has of studies: a place for each author and study."""
    found: list[str] = page.evaluate(
        "() => Object.keys(sessionStorage)"
        ".filter((key) => key.startsWith('cartulary.study_drafts.'))"
    )
    return found


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE], ids=str)
def test_a_text_and_a_question_come_back_and_go_when_they_are_saved_or_dropped(
    browser: Browser, served: Served, size: Size
) -> None:
    author = Account(served, "Ada")
    path = begin(author)
    with window(browser, served.url, size) as opened:
        page = opened.page
        author.enter(page)
        page.goto(f"{path}#1")
        unfold(page, "position")
        page.locator("[data-key=text]").fill("half a sentence")
        unfold(page, "question_part")
        page.locator("[data-key=hint-1]").fill("half a hint")
        expect(page.locator(RESTORED)).to_be_hidden()
        page.reload()
        expect(page.locator(RESTORED)).to_have_text("What you had begun and not saved is back.")
        expect(page.locator("[data-key=text]")).to_have_value("half a sentence")
        expect(page.locator("[data-key=text]")).to_be_visible()
        expect(page.locator("[data-key=hint-1]")).to_have_value("half a hint")
        check_page(page, TARGETS)
        press(page, "save-text")
        expect(page.locator(".study-text p")).to_have_text("half a sentence")
        expect(page.locator(RESTORED)).to_be_visible()
        press(page, "discard-question")
        expect(page.locator(RESTORED)).to_be_hidden()
        expect(page.locator("[data-key=hint-1]")).to_have_value("")
        assert list_kept(page) == []
        page.reload()
        expect(page.locator("[data-part=position] > summary")).to_be_visible()
        expect(page.locator(RESTORED)).to_be_hidden()


def test_a_text_that_comes_back_says_that_another_author_has_changed_it(
    browser: Browser, served: Served
) -> None:
    author = Account(served, "Ada")
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        author.enter(page)
        page.goto(f"{path}#1")
        unfold(page, "position")
        page.locator("[data-key=text]").fill("half a sentence")
        page.goto("/studies")
        change(author, path, {"type": "text_set", "node": 1, "text": "meanwhile"})
        page.goto(f"{path}#1")
        expect(page.locator("[data-key=text]")).to_have_value("half a sentence")
        state = page.locator("[data-part=position] [role=status]").last
        expect(state).to_contain_text("Another author has changed this meanwhile")
        assert list_kept(page) == [f"cartulary.study_drafts.{author.id}.{path.split('/')[-1]}"]
