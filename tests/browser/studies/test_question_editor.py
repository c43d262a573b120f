"""An author writes a question on the page: its answers are played on the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.studies.lesson import (
    LANDSCAPE,
    MISSED,
    TARGETS,
    begin,
    change,
    press,
    read_nodes,
    unfold,
)
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_page
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def author(served: Served) -> Account:
    return Account(served, "Ada")


def play(page: Page, kind: str, pin: str, key: str = "play-answer") -> None:
    """Play where the follower stands, as an answer of a kind."""
    if kind:
        press(page, f"play-{kind}")
    page.locator(f".picture .pin[data-pin={pin}]").first.click(force=True)
    press(page, key)


def open_question(page: Page, author: Account, path: str, node: int) -> None:
    author.enter(page)
    page.goto(f"{path}#{node}")
    unfold(page, "question_part")


def test_an_author_plays_the_answers_of_a_question_tries_it_and_saves_it(
    browser: Browser, served: Served, author: Account
) -> None:
    path = begin(author)
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        opened.may_fail_to_load = True  # a question that is refused
        open_question(page, author, path, 2)
        press(page, "new-question")
        page.locator("[data-key=ask]").fill("Where does the follower go?")
        press(page, "try-question")
        expect(page.locator("[data-at='/question/right'] .fault")).to_contain_text("right answer")
        play(page, "right", "r0")
        drop = page.get_by_role("button", name="Remove Highwayman: road")
        expect(drop).to_be_visible()
        play(page, "right", "none")
        expect(page.locator("[data-key=drop-right-1]")).to_be_visible()
        play(page, "wrong", "f0")
        expect(page.locator("[data-key=wrong-0]")).to_be_focused()
        page.locator("[data-key=wrong-0]").fill("<b>No</b>")
        page.locator("[data-key=otherwise]").fill("No.")
        page.locator("[data-key=hint-1]").fill("A *road*.")
        press(page, "save-question")
        wrong = page.locator("[data-at='/question/wrong/0/text']")
        expect(wrong.locator(".fault")).to_contain_text("HTML")
        expect(page.locator("[data-key=wrong-0]")).to_be_focused()
        page.locator("[data-key=wrong-0]").fill("It comes home *late*.")
        check_page(page, TARGETS)
        assert page.evaluate(MISSED) == []
        version = author.ask("GET", path)["version"]
        press(page, "try-question")
        expect(page.locator(".study-trial")).to_be_visible()
        expect(page.locator(".study-tree")).to_be_hidden()
        press(page, "study-hint")
        expect(page.locator(".study-said em")).to_have_text("road")
        play(page, "", "f0", "study-answer")
        expect(page.locator(".study-said")).to_contain_text("It comes home late.")
        play(page, "", "r0", "study-answer")
        expect(page.locator(".verdict.right")).to_be_visible()
        press(page, "end-trial")
        assert author.ask("GET", path)["version"] == version
        press(page, "save-question")
        expect(page.locator("[data-key=discard-question]")).to_have_count(0)
        assert read_nodes(author, path)[2]["question"] == {
            "ask": "Where does the follower go?",
            "right": [
                [{"type": "place_follower", "segment": "r0"}],
                [{"type": "skip_follower"}],
            ],
            "wrong": [
                {
                    "moves": [{"type": "place_follower", "segment": "f0"}],
                    "text": "It comes home *late*.",
                }
            ],
            "otherwise": "No.",
            "hints": ["A *road*."],
        }
        press(page, "remove-question")
        page.locator("dialog .confirm").click()
        expect(page.locator("[data-key=new-question]")).to_be_visible()
        assert "question" not in read_nodes(author, path)[2]


def test_what_an_author_has_begun_stays_while_another_changes_the_study(
    browser: Browser, served: Served, author: Account
) -> None:
    path = begin(author)
    with window(browser, served.url, LANDSCAPE) as opened:
        page = opened.page
        open_question(page, author, path, 2)
        press(page, "new-question")
        page.locator("[data-key=ask]").fill("Half a quest")
        unfold(page, "position")
        page.locator("[data-key=text]").fill("Half a text")
        page.locator(".study-text").click()  # nothing of the tools has the focus
        change(author, path, {"type": "text_set", "node": 2, "text": "Of another."})
        expect(page.locator(".study-text p")).to_have_text("Of another.")
        expect(page.locator("[data-key=text]")).to_have_value("Half a text")
        expect(page.locator("[data-part=position]")).to_contain_text("Another author has changed")
        expect(page.locator("[data-key=ask]")).to_have_value("Half a quest")
        press(page, "play-right")
        expect(page.locator("[data-key=play-answer]")).to_be_visible()
        change(author, path, {"type": "study_described", "title": "Another", "language": "en"})
        expect(page.locator(".study-head h1")).to_have_text("Another")
        expect(page.locator("[data-key=play-answer]")).to_be_visible()
        check_page(page, TARGETS)
        assert page.evaluate(MISSED) == []
        change(author, path, {"type": "node_removed", "node": 2})
        lost = page.locator(".study-lost textarea")
        expect(lost).to_have_count(2)
        until(lambda: page.url.endswith("#1"))
        values = {one.input_value() for one in lost.all()}
        assert values == {"Half a quest", "Half a text"}
        press(page, "drop-text 2")
        expect(lost).to_have_count(1)
