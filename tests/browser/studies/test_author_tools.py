"""The owner of a study invites and removes, names what it has, and begins chapters."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.studies.lesson import LANDSCAPE, MISSED, TARGETS, begin, press, unfold
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_page
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_the_owner_invites_by_name_and_removes_and_an_author_leaves(
    browser: Browser, served: Served
) -> None:
    author, other, third = (Account(served, name) for name in ("Ada", "Wirnt", "Wirnta"))
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        author.enter(page)
        page.goto(path)
        unfold(page, "authors")
        page.locator("#study-invite").fill("wirnt")
        page.keyboard.press("Enter")
        for one in (other, third):
            press(page, f"invite-{one.id}")
            expect(page.locator(f"[data-key=remove-author-{one.id}]")).to_be_visible()
        people = page.locator("[data-part=authors] li")
        expect(people.filter(has_text="invited")).to_have_count(2)
        expect(people.filter(has_text="owner")).to_have_text("Ada owner")
        check_page(page, TARGETS)
        assert page.evaluate(MISSED) == []
        other.ask("PUT", f"{path}/authors/{other.id}")
        expect(people.filter(has_text="invited")).to_have_count(1)
        press(page, f"remove-author-{third.id}")
        expect(page.locator("dialog h2")).to_contain_text("Withdraw the invitation of Wirnta")
        page.locator("dialog .confirm").click()
        expect(people.filter(has_text="invited")).to_have_count(0)
        assert author.ask("GET", path)["invited"] == []
    with window(browser, served.url, LANDSCAPE) as opened:
        page = opened.page
        other.enter(page)
        page.goto(path)
        unfold(page, "authors")
        expect(page.locator("#study-invite, [data-key=delete-study]")).to_have_count(0)
        press(page, "leave-study")
        page.locator("dialog .confirm").click()
        expect(page.locator(".study-tools details")).to_have_count(0)
        assert [one["name"] for one in author.ask("GET", path)["authors"]] == ["Ada"]


def test_an_author_names_study_and_chapter_and_begins_one_from_the_start_of_a_game(
    browser: Browser, served: Served
) -> None:
    author = Account(served, "Ada")
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        opened.may_fail_to_load = True  # a title that is refused
        author.enter(page)
        page.goto(path)
        unfold(page, "study")
        page.locator("[data-key=study-title]").fill(" ")
        press(page, "save-study")
        expect(page.locator("[data-part=study] .fault").first).to_contain_text("title")
        page.locator("[data-key=study-title]").fill("Two games")
        page.locator("[data-key=study-language]").select_option("de")
        press(page, "save-study")
        expect(page.locator(".study-head h1")).to_have_text("Two games")
        unfold(page, "chapters")
        page.locator("[data-key=chapter-title]").fill("One tile")
        press(page, "save-chapter")
        until(lambda: read_titles(author, path) == ["One tile"])
        press(page, "fresh-chapter")
        page.locator("[data-key=fresh-drawn-0]").select_option("C")
        check_page(page, TARGETS)
        assert page.evaluate(MISSED) == []
        press(page, "begin-fresh")
        expect(page.locator(".study-chapters [aria-current]")).to_have_text("Chapter 2")
        press(page, "fresh-chapter")
        page.locator("[data-key=fresh-game]").select_option("caylus")
        page.locator("[data-key=fresh-seats]").select_option("3")
        page.locator("[data-key=fresh-drawn-1]").select_option("neutral_quarry")
        page.locator("[data-key=fresh-title]").fill("Caylus")
        press(page, "begin-fresh")
        expect(page.locator(".study-chapters [aria-current]")).to_have_text("Caylus")
        expect(page.locator(".picture [data-space=road-1]").first).to_be_visible()
        document = author.ask("GET", path)["document"]
        assert (document["title"], document["language"]) == ("Two games", "de")
        first, second = (one["start"] for one in document["chapters"][1:])
        assert first["draws"] == ["C"]
        assert sum(first["bag"].values()) == 70
        assert second["seats"] == 3
        assert second["setup"]["neutrals"][1] == "neutral_quarry"
        assert len(set(second["setup"]["neutrals"])) == 6
        press(page, "remove-chapter")
        page.locator("dialog .confirm").click()
        until(lambda: read_titles(author, path) == ["One tile", "Chapter 2"])


def read_titles(author: Account, path: str) -> list[str]:
    """Return the titles of the chapters."""
    return [one["title"] for one in author.ask("GET", path)["document"]["chapters"]]
