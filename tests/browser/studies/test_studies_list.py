"""The list of studies has the lessons of the house; who reads a study copies it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from cartulary.studies.house import list_lessons
from tests.browser.studies.lesson import LANDSCAPE, TARGETS, begin, press
from tests.browser.support.account import Account
from tests.browser.support.boxes import bring
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_page
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SIZES = {"phone": PHONE, "landscape": LANDSCAPE}
UNREADABLE = "neither a study nor a transcript"
LESSON = "house-carcassonne-01-first-follower"


def copy(page: Page) -> None:
    """Copy the study that is shown, and wait for the page of the copy."""
    before = page.url
    press(page, "study-copy")
    expect(page).not_to_have_url(before)
    expect(page.locator("[data-part=study] > summary")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_lesson_of_the_house_is_found_in_the_list_and_copied(
    browser: Browser, served: Served, size: str
) -> None:
    author = Account(served, "Ada")
    with window(browser, served.url, SIZES[size]) as opened:
        page = opened.page
        author.enter(page)
        page.goto("/studies")
        lessons = page.locator('.shelf a[href^="/studies/house-"]')
        expect(lessons).to_have_count(sum(map(len, map(list_lessons, ("carcassonne", "caylus")))))
        expect(page.get_by_role("heading", name="Lessons that come with the games")).to_be_visible()
        check_page(page, TARGETS)
        page.locator(f"[data-key={LESSON}]").click()
        title = list_lessons("carcassonne")[0].pick("en")["title"]
        expect(page.locator(".study-head h1")).to_have_text(title)
        expect(page.locator(".study-question .ask, .study-tree li").first).to_be_visible()
        bring(page.locator("[data-key=study-copy]"))
        check_page(page, TARGETS)
        copy(page)
        expect(page.locator(".study-head h1")).to_have_text(title)
        (made,) = author.ask("GET", "/studies?author=me")["studies"]
        assert page.url.split("#")[0].endswith(f"/studies/{made['id']}")
        assert made["visibility"] == "private"


def test_who_reads_a_study_of_another_copies_it_and_a_visitor_does_not(
    browser: Browser, served: Served
) -> None:
    path, reader = begin(Account(served, "Ada")), Account(served, "Bob")
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto(path)
        expect(page.locator(".study-question .ask")).to_be_visible()
        expect(page.locator("[data-key=study-copy]")).to_have_count(0)
        reader.enter(page)
        page.goto(path)
        copy(page)
        expect(page).not_to_have_url(re.compile(re.escape(path)))
        assert len(reader.ask("GET", "/studies?author=me")["studies"]) == 1


def test_a_file_that_is_no_study_is_refused_in_words_and_may_be_chosen_again(
    browser: Browser, served: Served
) -> None:
    author = Account(served, "Ada")
    files = {b"no study": UNREADABLE, b'{"name": "cartulary"}': UNREADABLE, b"7": UNREADABLE}
    files[b'{"format": "cartulary/1", "game": "chess"}'] = "/changes/0/transcript"
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True  # a transcript is refused
        page = opened.page
        author.enter(page)
        page.goto("/studies")
        field = page.locator("input[type=file]")
        for text, words in files.items():
            file: FilePayload = {
                "name": "mine.json",
                "mimeType": "application/json",
                "buffer": text,
            }
            for _ in range(2):
                field.set_input_files(file)
                note = page.locator(".note.trouble")
                expect(note).to_contain_text(words)
                expect(field).to_have_value("")
                note.evaluate("note => note.remove()")
        assert author.ask("GET", "/studies?author=me")["studies"] == []


def test_the_list_of_the_lessons_is_in_the_language_of_the_reader(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE, locale="de-DE") as opened:
        page = opened.page
        page.goto("/studies")
        title = page.locator(f"[data-key={LESSON}] .title bdi")
        expect(title).to_have_text(list_lessons("carcassonne")[0].pick("de")["title"])
        expect(title).to_have_attribute("lang", "de")
