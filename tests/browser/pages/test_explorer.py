"""The page of the explorer: bars of what others played, by rating, in each language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from cartulary.events.explorer.book import Book
from cartulary.events.explorer.counting import explore
from cartulary.games import GAMES
from cartulary.locales import LANGUAGES
from tests.browser.support.account import ME, Account
from tests.browser.support.chromium import window
from tests.browser.support.page_checks import (
    WIDER,
    check_page,
    check_words,
    cut_texts,
    switch_language,
)
from tests.events.explorer.played import play
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

TARGETS = ".explorer :is(a.button, button, select)"


def fill(served: Served) -> None:
    """Count a few random games of seats with a rating, and of seats without."""
    book = Book(f"sqlite:///{served.data}/explorer.sqlite")
    book.prepare()
    for game in GAMES:
        games = [
            explore(*play(game, 2, seed), GAMES[game], [1600.0 if seed % 2 else None] * 2)
            for seed in range(12)
        ]
        book.add(games)
    book.close()


def test_what_others_played_in_a_position_is_a_picture(served: Served, browser: Browser) -> None:
    fill(served)
    ada = Account(served, "Ada")
    caylus, carcassonne = (ada.open(ME, ME, game=game) for game in ("caylus", "carcassonne"))
    version = ada.ask("GET", f"/games/{caylus}")["version"]
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto(f"/explorer/caylus?position={caylus}@{version}")
        rows = page.locator(".explored tbody tr")
        told = "12 seats had this question. Games counted in all: 12."
        expect(page.locator(".explorer")).to_contain_text(told)
        legal = ada.ask("GET", f"/games/{caylus}/moves")["moves"]
        expect(rows).to_have_count(len(legal))
        check_page(page, TARGETS)
        page.locator("#explorer-rating").select_option("1500")
        expect(page.locator(".explorer")).to_contain_text("6 seats had this question")
        page.locator("#explorer-rating").select_option("1900")
        expect(page.locator(".explorer")).to_contain_text("No seat has had this question yet")
        expect(page.get_by_role("link", name="Back to the game")).to_have_attribute(
            "href", f"/games/{caylus}?v={version}"
        )
        version = ada.ask("GET", f"/games/{carcassonne}")["version"]
        page.goto(f"/explorer/carcassonne?position={carcassonne}@{version}")
        expect(rows).not_to_have_count(0)
        for lang in short_or_long(["ru", "fr"], LANGUAGES):
            switch_language(page, lang)
            expect(rows).not_to_have_count(0)
            check_words(page)
            assert cut_texts(page) == []
            assert not page.evaluate(WIDER)
        switch_language(page, "en")


def test_an_answer_has_a_name_where_no_position_says_it(served: Served, browser: Browser) -> None:
    """A puzzle and a study lead here by a key: the page has words of its own for its answers."""
    fill(served)
    keys = ("place_worker/round-1/seat-1/worker-1", "bribe/towers/deniers-3", "trade/towers")
    with window(browser, served.url) as opened:
        page = opened.page
        rows = page.locator(".explored tbody tr")
        for key in keys:
            page.goto(f"/explorer/caylus?position={key}")
            expect(rows).not_to_have_count(0)
            for row in rows.all():
                answer = (row.get_attribute("data-key") or "").removeprefix("answer-")
                says_the_key = re.compile(rf"^\s*{re.escape(answer)}\s*$", re.MULTILINE)
                expect(row.locator("th")).not_to_have_text(says_the_key, use_inner_text=True)
        page.goto(f"/explorer/caylus?position={keys[1]}")
        stays = page.locator("[data-key=answer-decline] th")
        expect(stays).to_contain_text("Leave the provost where he is")
        switch_language(page, "de")
        expect(page.locator("[data-key=answer-forward-3] th")).to_contain_text("Vogt +3")


def test_a_person_says_yes_to_open_data_in_the_settings(served: Served, browser: Browser) -> None:
    ada = Account(served, "Ada")
    with window(browser, served.url) as opened:
        page = opened.page
        ada.enter(page)
        page.goto("/settings")
        choice = page.locator("#settings-open-data")
        expect(choice).not_to_be_checked()
        choice.tap()
        expect(page.locator("#notes")).to_contain_text("Saved")
        assert ada.ask("GET", "/players/me")["preferences"]["open_data"] == "yes"
        page.reload()
        expect(choice).to_be_checked()
