"""A study on a phone: read to its end, a question answered on the board, written by its author."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.studies.lesson import (
    LANDSCAPE,
    begin,
    change,
    read_nodes,
    unfold,
    write_lesson,
)
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.hearing import await_heard
from tests.browser.support.page_checks import check_page
from tests.browser.support.person import visit
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SIZES = {"phone": PHONE, "landscape": LANDSCAPE}


@pytest.fixture
def author(served: Served) -> Account:
    return Account(served, "Ada")


def answer(page: Page, move: dict[str, Any]) -> None:
    """Choose on the board where the tile goes, in the rotation that comes first, and confirm."""
    place = f'.picture .open[data-x="{move["x"]}"][data-y="{move["y"]}"]'
    page.locator(place).click(force=True)
    page.locator("[data-key=study-answer]").click()


@pytest.mark.parametrize("size", SIZES)
def test_a_reader_answers_a_question_on_the_board_and_reads_on(
    browser: Browser, served: Served, author: Account, size: str
) -> None:
    path = begin(author)
    with window(browser, served.url, SIZES[size]) as opened:
        page = opened.page
        page.goto(path)
        expect(page.locator(".study-text strong")).to_have_text("tile")
        expect(page.locator(".study-question .ask")).to_have_text("Where does the tile go?")
        expect(page.locator(".study-tree")).to_be_empty()
        page.locator("[data-key=study-hint]").click()
        expect(page.locator(".study-said em")).to_have_text("marks")
        expect(page.locator(".study-tools details")).to_have_count(0)
        check_page(page, "main :is(a, button, summary)")
        answer(page, {"x": -1, "y": 0})
        expect(page.locator(".study-said .verdict")).to_be_visible()
        expect(page.locator(".study-said")).to_contain_text("Elsewhere.")
        answer(page, write_lesson()["chapters"][0]["line"][0]["move"])
        expect(page.locator(".study-text .verdict.right")).to_be_visible()
        expect(page.locator(".study-text li")).to_have_text("or none")
        expect(page.locator(".picture .study-mark.good")).to_have_count(1)
        page.locator("[data-key=study-next]").click()
        expect(page.locator("[aria-current=true]")).to_have_count(1)


def test_what_did_not_come_is_asked_for_again(
    browser: Browser, served: Served, author: Account
) -> None:
    lesson = write_lesson()
    tile, follower = (one["move"] for one in lesson["chapters"][0]["line"])
    lesson["chapters"][0]["question"]["right"] = [[tile, follower]]
    path = begin(author, lesson)
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        page.goto(path)
        expect(page.locator(".study-question .ask")).to_be_visible()
        page.route(re.compile(r"/nodes/1\?tried="), lambda route: route.abort(), times=1)
        answer(page, tile)
        expect(page.locator(".note.trouble")).to_be_visible()
        answer(page, tile)  # no wrong answer, but the first of two moves
        expect(page.locator(".study-question .pin, .picture .pin").first).to_be_attached()
        expect(page.locator(".study-said .verdict")).to_have_count(0)
        last = f"/nodes/{max(read_nodes(author, path))}/board.svg?"
        pictures: list[str] = []
        page.on("request", lambda one: pictures.append(one.url) if last in one.url else None)
        page.goto("/studies")
        page.goto(f"{path}#2")
        expect(page.locator(".picture .study-mark.good")).to_have_count(1)
        page.route(f"**{last}*", lambda route: route.abort(), times=1)
        page.locator("[data-key=study-next]").click()
        expect(page.locator(".note.trouble")).to_be_visible()
        page.locator(".study-tree [aria-current=true]").click()
        await_heard(page, lambda: len(pictures) > 1)


def test_a_study_that_was_left_while_it_was_read_again_changes_no_address(
    browser: Browser, served: Served, author: Account
) -> None:
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page, held, came = opened.page, list[Route](), list[str]()
        page.goto(path)
        expect(page.locator(".study-question .ask")).to_be_visible()
        study = re.compile(rf"{re.escape(path)}$")
        page.route(study, lambda route: held.append(route), times=1)
        change(author, path, {"type": "text_set", "node": 1, "text": "Another text."})
        await_heard(page, lambda: held)
        visit(page, "/learn/carcassonne")
        page.on("requestfinished", lambda one: came.append(one.url))
        held[0].continue_()
        await_heard(page, lambda: any(study.search(url) for url in came))
        page.evaluate("() => new Promise(requestAnimationFrame)")
        expect(page).to_have_url(re.compile("/learn/carcassonne$"))


def test_an_author_writes_a_text_and_adds_a_move_on_the_page(
    browser: Browser, served: Served, author: Account
) -> None:
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        opened.may_fail_to_load = True  # a text that is refused
        author.enter(page)
        page.goto(f"{path}#2")
        unfold(page, "position")
        page.locator("[data-key=text]").fill("Only <b>text</b> & more")
        page.locator("[data-key=save-text]").click()
        expect(page.locator("[data-part=position] .fault")).to_contain_text("HTML")
        page.locator("[data-key=text]").fill("Look at 3 < 4.")
        page.locator("[data-key=save-text]").click()
        expect(page.locator(".study-text p").first).to_have_text("Look at 3 < 4.")
        page.locator("[data-key=add-move]").click()
        expect(page.locator(".study-work [data-key=store-move]")).to_be_visible()
        before = author.ask("GET", path)["version"]
        page.locator("[data-key=promote]").click()
        until(lambda: author.ask("GET", path)["version"] > before)


def test_who_is_invited_says_yes_on_the_page_and_two_authors_see_what_the_other_writes(
    browser: Browser, served: Served, author: Account
) -> None:
    path, other = begin(author), Account(served, "Bob")
    author.ask("PUT", f"{path}/authors/{other.id}")
    with (
        window(browser, served.url, PHONE) as first,
        window(browser, served.url, LANDSCAPE) as second,
    ):
        for opened, who in ((first, author), (second, other)):
            who.enter(opened.page)
        mine, theirs = first.page, second.page
        theirs.goto("/studies")
        theirs.locator(f'a[href="{path}"]').click()
        expect(theirs.locator("[data-key=study-accept]")).to_be_visible()
        theirs.locator("[data-key=study-accept]").click()
        expect(theirs.locator("[data-key=study-accept]")).to_have_count(0)
        expect(theirs.locator("[data-part=position] > summary")).to_be_visible()
        mine.goto(path)
        expect(mine.locator(".study-text strong")).to_have_text("tile")
        write = {"changes": [{"type": "text_set", "node": 1, "text": "Of Bob."}]}
        other.ask("POST", f"{path}/changes", write)
        expect(mine.locator(".study-text p")).to_have_text("Of Bob.")
        unfold(mine, "position")
        mine.locator("[data-key=text]").fill("half a sentence")
        write["changes"][0]["text"] = "Of Bob again."
        other.ask("POST", f"{path}/changes", write)
        expect(theirs.locator(".study-text p")).to_have_text("Of Bob again.")
        expect(mine.locator("[data-key=text]")).to_have_value("half a sentence")
        mine.locator("[data-key=save-text]").click()
        expect(theirs.locator(".study-text p")).to_have_text("half a sentence")
