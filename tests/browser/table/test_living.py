"""People at a table apart from their moves: take back, be away, resign, arrange, play again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import one_finished
from tests.browser.support.chromium import DESKTOP, PHONE, window
from tests.browser.support.person import Person
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


@contextmanager
def sit(served: Served, browser: Browser, game: str, *names: str) -> Iterator[list[Person]]:
    """Yield people who sit at one table that has begun, the first on a phone.

    They sit down over HTTP: a page that opens a running table takes half of what a lounge takes.
    """
    with ExitStack() as windows:
        people = [
            Person(windows.enter_context(window(browser, served.url, size)).page, name, seed)
            for seed, (name, size) in enumerate(
                zip(names, [PHONE, *[DESKTOP] * len(names)], strict=False), start=1
            )
        ]
        path = people[0].host(game, "me", *["open"] * (len(names) - 1))
        for person in people[1:]:
            person.sit_down(path)
        for person in people:
            person.look(path)
        for person in people:
            expect(person.page.locator(".seat.playing")).to_have_count(1)
        yield people


def join(person: Person, link: str) -> None:
    person.register()
    person.page.goto(link)
    person.page.locator(".lounge [data-act=join]").first.click()


def find_asked(people: list[Person]) -> tuple[Person, Person]:
    """Return who is asked, and another person; the lot decides who begins.

    Waits until each page shows whose turn it is: the pages hear of a start one after another.
    """
    for one in people:
        expect(one.page.locator(".seat.playing").first).to_be_visible()
    asked = next(one for one in people if one.page.locator(".seat.mine.playing").count())
    return asked, next(one for one in people if one is not asked)


def choose(page: Page, entry: str) -> None:
    """Choose an entry of the menu, and confirm where that is asked."""
    page.locator(".menu summary").click()
    page.locator(f"[data-key=menu-{entry}]").click()
    dialog = page.locator("dialog.asking")
    if entry in ("resign", "abort", "leave", "close"):
        dialog.locator(".confirm").click()
    expect(dialog).to_have_count(0)


def test_a_misclick_is_undone_in_one_tap(served: Served, browser: Browser) -> None:
    with sit(served, browser, "caylus", "Ada", "Bert") as people:
        asked, other = find_asked(people)
        version = asked.version
        expect(asked.page.locator(".takeback")).to_be_hidden()
        asked.await_turn()
        asked.move()
        expect(other.page.locator(".seat.mine.playing")).to_have_count(1)
        back = asked.page.locator(".takeback[data-way=free]")
        back.click()
        expect(asked.page.locator(".seat.mine.playing")).to_have_count(1)
        expect(other.page.locator(".seat.mine.playing")).to_have_count(0)
        expect(back).to_be_hidden()
        assert asked.version > version + 1
        other.look_at("story")
        expect(other.page.locator(".lines s")).to_have_count(1)


def test_against_bots_every_move_may_be_taken_back(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "bot:random")
        person.play(moves=short_or_long(2, 4))
        person.await_turn()
        before = person.version
        opened.page.locator(".takeback[data-way=free]").click()
        expect(opened.page.locator("#notes")).to_contain_text("taken back")
        person.await_version_after(before)  # until then the question before is still shown
        person.await_turn()
        person.move()


def test_who_resigns_loses_and_one_tap_opens_the_next_game(
    served: Served, browser: Browser
) -> None:
    with sit(served, browser, "caylus", "Ada", "Bert") as people:
        ada, bert = people
        choose(ada.page, "resign")
        for person in people:
            expect(person.page.locator(".table")).to_have_attribute("data-status", "over")
            expect(person.page.locator(".ending .winner")).to_contain_text("Bert")
            expect(person.page.locator(".ending thead .badge")).to_have_text("resigned")
        ada.page.locator("[data-key=rematch]").click()
        expect(ada.page.locator(".lounge")).to_be_visible()
        next_game = ada.page.url
        bert.page.locator(".brand").click()
        expect(bert.page.locator(".card").first).to_contain_text("You are invited")
        bert.page.go_back()
        bert.page.locator("[data-key=rematch]").click()
        for person in people:
            expect(person.page.locator(".seat.playing")).to_have_count(1)
            assert person.page.url == next_game


def test_a_bot_answers_for_somebody_who_is_away_until_the_return(
    served: Served, browser: Browser
) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert", "Cleo") as people:
        asked, other = find_asked(people)
        choose(asked.page, "away")
        expect(other.page.locator(".badge[data-state=away]")).to_have_count(1)
        expect(asked.page.locator(".seat.mine.playing")).to_have_count(0)
        asked.page.locator("[data-key=talk-back]").click()
        expect(other.page.locator(".badge[data-state=away]")).to_have_count(0)


def test_everybody_has_to_agree_to_end_the_game(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        ada, bert = people
        choose(ada.page, "offer_end")
        talk = ada.page.locator("div.talk[role=status]")
        expect(talk).to_contain_text("Still to answer: Bert")
        bert.page.locator("[data-key=talk-decline]").click()
        expect(talk).to_be_hidden()
        choose(bert.page, "offer_end")
        ada.page.locator("[data-key=talk-accept]").click()
        for person in people:
            expect(person.page.locator(".table")).to_have_attribute("data-status", "over")


def test_the_host_gives_an_open_seat_to_a_bot(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "open")
        opened.page.locator("[data-act=bot]").click()
        expect(opened.page.locator(".seat.playing")).to_have_count(1)


def test_the_host_starts_with_those_who_are_there(served: Served, browser: Browser) -> None:
    with (
        window(browser, served.url) as opened,
        window(browser, served.url, DESKTOP) as guest,
    ):
        ada, bert = Person(opened.page), Person(guest.page, "Bert", 2)
        join(bert, ada.open_game("caylus", "me", "open", "open"))
        opened.page.locator("[data-act=start_with]").click()
        for person in (ada, bert):
            expect(person.page.locator(".seat")).to_have_count(2)
            expect(person.page.locator(".seat.playing")).to_have_count(1)


@one_finished
def test_anybody_may_play_on_from_a_moment_of_a_finished_game(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        opened.page.goto(f"/games/{finished}?v=12")
        opened.page.locator("[data-key=branch]").click()
        expect(opened.page).not_to_have_url(re.compile(finished))
        expect(opened.page.locator(".table")).to_have_attribute("data-status", "running")
        person.await_turn()
        person.move()
