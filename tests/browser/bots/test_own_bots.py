"""The settings: a player makes bots, sees what they accept, renews their tokens, closes them."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.bots.visiting_bot import VisitingBot
from tests.browser.support.account import ME, Account
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.page_checks import check_words, cut_texts, switch_language, violations
from tests.browser.support.person import Person
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.process]

LYING = Size(844, 390)
SMALL = """() => [...document.querySelectorAll("[data-section=bots] :is(button, input)")]
  .filter((one) => one.checkVisibility()).filter((one) => one.getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML)"""


def make_bot(page: Page) -> str:
    """Make a bot with the form; return its token, which is shown this once."""
    page.locator("#bot-name").fill("Robo")
    page.locator("#bot-about").fill("likes farms")
    page.locator("[data-key=make-bot]").click()
    return page.locator("[data-section=bots] .token code").inner_text()


def is_valid(served: Served, token: str) -> bool:
    answer = requests.get(
        f"{served.url}/api/v1/players/me/bot",
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    return answer.status_code == 200


def inbox_of(player: Account) -> list[str]:
    return [item["type"] for item in player.ask("GET", "/players/me/inbox")["items"]]


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, LYING]), ids=str)
def test_a_bot_is_made_gets_another_token_and_is_closed(
    served: Served, browser: Browser, size: Size
) -> None:
    owner = Account(served, "Ada")
    with window(browser, served.url, size) as opened:
        page = opened.page
        owner.enter(page)
        page.goto("/settings")
        mine = page.locator("[data-section=bots]")
        expect(mine).to_contain_text("You have no bots yet.")
        first = make_bot(page)
        assert is_valid(served, first)
        command = f"cartulary bot run mybot:think --url {served.url}"
        expect(mine.locator(".command")).to_contain_text(command)
        line = mine.locator(".rows li")
        for text in ("Robo", "likes farms", "all games", "4 games at once", "not connected"):
            expect(line).to_contain_text(text)
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator("[data-key=copy-token]").click()
        expect(page.locator("#notes")).to_contain_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == first
        assert violations(page) == []
        assert (page.evaluate(SMALL), cut_texts(page)) == ([], [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        line.locator("[data-key^=renew-]").click()
        page.locator("dialog .confirm").click()
        token = mine.locator(".token code")
        expect(token).not_to_have_text(first)
        second = token.inner_text()
        assert (is_valid(served, first), is_valid(served, second)) == (False, True)
        line.locator("[data-key^=close-]").click()
        page.locator("dialog .confirm").click()
        expect(line).to_have_count(0)
        expect(token).to_have_count(0)


def test_two_presses_make_one_bot(served: Served, browser: Browser) -> None:
    owner, held = Account(served, "Ada"), list[Route]()
    with window(browser, served.url) as opened:
        page = opened.page
        owner.enter(page)
        page.goto("/settings")
        expect(page.locator("[data-section=bots]")).to_contain_text("You have no bots yet.")
        page.locator("#bot-name").fill("Robo")
        page.route("**/players/me/bots", lambda route: held.append(route))
        for _ in range(2):
            page.locator("[data-key=make-bot]").click()
        page.evaluate("fetch('/livez').then((answer) => answer.text())")  # later than both
        assert [route.request.method for route in held] == ["POST"]


def test_what_a_bot_accepts_is_shown_to_its_owner_in_each_language(
    served: Served, browser: Browser
) -> None:
    owner = Account(served, "Ada")
    made = owner.ask("POST", "/players/me/bots", {"name": "Robo"})
    accepts = {"games": ["caylus"], "seats": [2, 3], "paces": ["live"], "parallel": 2}
    answer = requests.put(
        f"{served.url}/api/v1/players/me/bot",
        json={"accepts": {**accepts, "from": "owner"}},
        headers={"Authorization": f"Bearer {made['token']}"},
        timeout=60,
    )
    assert answer.ok, answer.text
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        owner.enter(page)
        page.goto("/settings")
        shown = page.locator("[data-section=bots] .accepts")
        text = "Caylus · 2, 3 seats · live · 2 games at once · invited by you only"
        expect(shown).to_have_text(text)
        for lang in short_or_long(["de", "ru"], ["de", "es", "fr", "hr", "nl", "pl", "ru"]):
            switch_language(page, lang)
            expect(shown).to_contain_text("2, 3")
            assert cut_texts(page) == []
            check_words(page)


def test_of_a_bot_that_fails_the_table_tells_all_and_the_news_its_owner(
    served: Served, browser: Browser
) -> None:
    owner = Account(served, "Ada")
    with (
        window(browser, served.url, PHONE) as opened,
        VisitingBot(served, owner, "Rubbish", plays=False) as bot,
    ):
        invited = {"kind": "invite", "player": bot.id}
        game = owner.open(invited, ME, shuffle_seats=False)
        until(lambda: "bot_failed" in inbox_of(owner))
        page = opened.page
        owner.enter(page)
        page.goto("/")
        bell = page.locator(".bell")
        bell.locator("summary").click()
        item = bell.locator("a", has_text="Your bot Rubbish has failed: a stand-in plays on")
        item.click()
        expect(page).to_have_url(re.compile(f"/games/{game}"))
        expect(page.locator(".picture svg")).to_be_visible()
        Person(page).look_at("story")
        told = "The bot Rubbish has failed; the bot Medium answers meanwhile."
        expect(page.locator(".story")).to_contain_text(told)
        assert violations(page) == []
