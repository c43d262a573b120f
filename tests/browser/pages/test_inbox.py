"""My turns, the bell, the badge, and several tabs and devices of one player."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import DESKTOP, PHONE, window
from tests.browser.support.hearing import await_heard
from tests.browser.support.page_checks import press_until, violations
from tests.browser.support.person import YOUR_TURN, Person
from tests.browser.table.test_living import find_asked, join, sit
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LOOK_MS = 30_000
"""How often a page asks for the turns: a move of another device sends nothing (`inbox.js`)."""


PLAY_AS = """known => {
  const key = "cartulary.player";
  const oldValue = localStorage.getItem(key);
  localStorage.setItem(key, known);
  dispatchEvent(new StorageEvent("storage", { key, oldValue }));
}"""
"""Play as another player, as when another tab of the browser has signed in."""


def expect_icon(page: Page, name: str) -> None:
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile(rf"/{name}\.svg$"))


def test_the_games_that_wait_for_me_come_first(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        asked, other = find_asked(people)
        for person in people:
            person.page.goto("/")
            expect(person.page.locator(".shelf .card").first).to_be_visible()
        expect(asked.page.locator(".shelf:not([hidden]) h2").first).to_have_text("My turn (1)")
        expect(asked.page.locator(".shelf .card").first).to_contain_text("Your turn")
        expect(other.page.locator(".shelf:not([hidden]) h2").first).to_have_text(
            "Waiting for others"
        )
        expect(other.page.locator(".shelf .card").first).to_contain_text("to move")
        assert violations(asked.page) == []


def test_a_dot_shows_who_has_the_table_open(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as (ada, bert):
        expect(ada.page.locator(".seat .here")).to_have_count(2)
        assert violations(ada.page) == []
        bert.page.goto("/")
        expect(ada.page.locator(".seat .here")).to_have_count(1)
        expect(ada.page.locator(".seat.mine .here")).to_have_count(1)


def test_a_late_answer_about_who_is_there_changes_no_dot_that_a_signal_has_set(
    served: Served, browser: Browser
) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as (ada, bert):
        expect(ada.page.locator(".seat .here")).to_have_count(2)
        held: list[tuple[Route, APIResponse]] = []
        ada.page.route("**/presence", lambda route: held.append((route, route.fetch())))
        ada.page.reload()
        dots = ada.page.locator(".seat .here")
        expect(ada.page.locator(".table[data-version]")).to_be_visible()
        await_heard(ada.page, lambda: held)
        bert.page.goto("/")
        expect(dots).to_have_count(1)  # a signal was quicker than the answers
        with ada.page.expect_response("**/presence"):
            for route, answer in held:
                route.fulfill(response=answer)
        ada.page.wait_for_function("new Promise(requestAnimationFrame)")
        expect(dots).to_have_count(1)


def test_title_icon_and_bell_say_on_every_page_that_it_is_my_turn(
    served: Served, browser: Browser
) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        asked, other = find_asked(people)
        expect(asked.page).to_have_title("● (1) Carcassonne · Cartulary")
        expect(other.page).to_have_title("Carcassonne · Cartulary")
        other.page.goto("/new")
        expect(other.page.locator("#seat-0")).to_be_visible()
        expect_icon(other.page, "icon")
        while not other.page.title().startswith("("):
            asked.await_turn()
            asked.move()
            if asked.page.locator(".seat.mine.playing").count() == 0:
                break
        expect(other.page).to_have_title("(1) New game · Cartulary")
        expect_icon(other.page, "icon-turn")
        expect(other.page.locator(".bell .count")).to_be_visible()
        expect(asked.page).to_have_title("Carcassonne · Cartulary")
        other.page.locator(".bell summary").click()
        assert violations(other.page) == []
        other.page.locator(".bell-list a").first.click()
        expect(other.page.locator(".seat.mine.playing")).to_be_visible()
        expect(other.page.locator(".bell")).not_to_have_attribute("open", "")


def test_the_bell_lists_what_happened_until_it_is_read(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        ada, bert = people
        asked, _ = find_asked(people)
        bert.page.goto("/")
        expect(bert.page.locator(".shelf .card").first).to_be_visible()
        ada.page.locator(".menu summary").click()
        ada.page.locator("[data-key=menu-offer_end]").click()
        bell = bert.page.locator(".bell")
        expect(bell.locator(".count")).to_be_visible()
        press_until(bert.page, "Tab", ".bell summary")
        bert.page.keyboard.press("Enter")
        line = bell.locator("li", has_text="A proposal waits for your answer")
        expect(line).to_be_visible()
        bert.page.keyboard.press("Escape")
        expect(line).to_be_hidden()
        bert.page.reload()
        expect(bert.page.locator(".shelf .card").first).to_be_visible()
        expect(bell.locator(".count")).to_have_text("1" if asked is bert else "0")


def invite(host: Account, guest: Account) -> str:
    """Invite a player, and take the offer back: it stays news. Return its place in the bell."""
    game = host.open(ME, {"kind": "invite", "player": guest.id})
    host.ask("PUT", f"/games/{game}/seats/1", OPEN)
    return f".bell-list a[href='/games/{game}']"


@contextmanager
def held_read(page: Page, read: Callable[[], object]) -> Iterator[None]:
    """Hold the first request of a read of the inbox; in the end it is answered, and heard."""
    held: list[Route] = []
    page.route("**/players/me/inbox?*", lambda route: held.append(route), times=1)
    read()
    await_heard(page, lambda: held)
    yield
    with page.expect_request_finished(lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("fetch('/livez').then((answer) => answer.text())")  # later than what follows


def change_while_it_is_read(page: Page, next_: Account, read: Callable[[], object]) -> None:
    """Let another player be here before the inbox of the former is read: nothing is marked."""
    asked: list[str] = []
    with held_read(page, read):
        page.evaluate(PLAY_AS, next_.known)
        expect(page.locator(".bell .count")).to_have_text("1")
        page.on("request", lambda request: asked.append(request.url))
    assert not any(url.endswith("/inbox/read") for url in asked)
    expect(page.locator(".bell .count")).to_have_text("1")


def test_the_bell_of_the_next_player_lists_and_reads_nothing_of_the_former(
    served: Served, browser: Browser
) -> None:
    host, ada, bert = Account(served, "Host"), Account(served, "Ada"), Account(served, "Bert")
    of_bert, of_ada = invite(host, bert), invite(host, ada)
    host.open(ME, ME)  # a turn is no news: it is read as soon as it is counted
    with window(browser, served.url, DESKTOP) as opened:
        page, bell = opened.page, opened.page.locator(".bell summary")
        host.enter(page)
        change_while_it_is_read(page, ada, lambda: page.goto("/"))
        # A bell that is closed and opened again reads once.
        with held_read(page, bell.click):
            bell.click()
            bell.click()
        expect(page.locator(of_ada)).to_have_count(1)
        bell.click()
        change_while_it_is_read(page, bert, bell.click)
        bell.click()
        expect(page.locator(of_bert)).to_be_visible()
        expect(page.locator(of_ada)).to_have_count(0)


def test_a_game_that_waits_is_counted_once_however_many_turns_were_taken(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        person, count = Person(opened.page), opened.page.locator(".bell .count")
        person.open_game("carcassonne", "me", "bot:random")
        person.play(moves=2)
        assert person.await_turn()
        expect(count).to_have_text("1")
        with opened.page.expect_request("**/players/me/inbox/read"):  # nothing else was new
            opened.page.goto("/settings")
        expect(count).to_have_text("1")


def test_one_tab_of_a_browser_follows_the_inbox_for_all(served: Served, browser: Browser) -> None:
    with (
        window(browser, served.url, PHONE) as opened,
        window(browser, served.url, DESKTOP) as guest,
    ):
        ada, bert = Person(opened.page), Person(guest.page, "Bert", 2)
        link = ada.open_game("carcassonne", "me", "open")
        streams: list[str] = []
        tabs = [opened.context.new_page() for _ in range(3)]
        for tab in tabs:
            tab.on("request", lambda request: streams.append(request.url))
            tab.goto("/new")
            expect(tab.locator("#seat-0")).to_be_visible()
        join(bert, link)
        asked, _ = find_asked([ada, bert])
        if asked is bert:
            # Bert's own page says when his turn is over: the page of Ada may follow later.
            waits = bert.page.locator(".seat.mine:not(.playing)")
            while True:
                expect(bert.page.locator(YOUR_TURN).or_(waits).first).to_be_visible()
                if waits.count():
                    break
                bert.move()
            expect(ada.page.locator(".seat.mine.playing")).to_have_count(1)
        for tab in tabs:
            expect(tab).to_have_title("(1) New game · Cartulary")
        assert not [url for url in streams if "/streams?" in url]
        # The tab that leads is closed: another tab goes on after the last item.
        opened.page.close()
        await_heard(tabs[0], lambda: any("/streams?" in url for url in streams))
        (stream,) = [url for url in streams if "/streams?" in url]
        assert "inbox=true&inbox_after=" in stream


def link_code(page: Page) -> str:
    """Make a link code in the settings; return the address of its QR code."""
    page.goto("/settings")
    page.locator("[data-key=link-code]").click()
    expect(page.locator("svg.qr")).to_be_visible()
    letters: str = page.locator(".letters code").inner_text()
    assert re.fullmatch("[0-9A-Z]{4}-[0-9A-Z]{4}", letters)
    return letters


def test_a_second_device_plays_as_the_same_player_by_a_link_code(
    served: Served, browser: Browser
) -> None:
    with (
        window(browser, served.url, DESKTOP) as first,
        window(browser, served.url, PHONE) as second,
    ):
        ada = Person(first.page)
        link = ada.open_game("carcassonne", "me", "bot:random")
        ada.await_turn()
        code = link_code(first.page)
        assert violations(first.page) == []
        second.page.goto(f"/settings#code={code}")
        field = second.page.locator("#settings-code")
        expect(field).to_have_value(code)
        assert "code" not in second.page.url
        assert violations(second.page) == []
        second.page.locator("[data-key=settings-code-go]").click()
        expect(second.page.locator(".player")).to_have_text("Ada")
        expect(second.page.locator(".card.mine")).to_be_visible()
        again = Person(second.page)
        second.page.goto(link)
        again.await_turn()
        before = again.version
        again.move()
        again.await_version_after(before)
        # The first device lists both, and signs the second one out.
        first.page.reload()
        rows = first.page.locator("[data-section=devices] .rows li")
        expect(rows).to_have_count(2)
        second.may_fail_to_load = True
        rows.locator("button").first.click()
        expect(rows).to_have_count(1)
        second.page.goto("/settings")
        expect(second.page.locator("[data-section=newcomer]")).to_be_visible()


def test_the_games_of_a_guest_come_along_when_somebody_signs_in(
    served: Served, browser: Browser
) -> None:
    with (
        window(browser, served.url, DESKTOP) as first,
        window(browser, served.url, PHONE) as second,
    ):
        first.page.goto("/settings")
        first.page.locator("[data-key=say-name]").click()
        first.page.locator("dialog input").fill("Ada")
        first.page.locator("dialog button[type=submit]").click()
        expect(first.page.locator("[data-section=data]")).to_be_visible()
        code = link_code(first.page)
        guest = Person(second.page, "Guest", 2)
        link = guest.open_game("carcassonne", "me", "bot:random")
        guest.await_turn()
        second.may_fail_to_load = True
        second.page.route("**/players/me", lambda route: route.abort(), times=1)
        second.page.goto(f"/settings#code={code}")
        second.page.get_by_role("button", name="Try again").click()  # the code is still there
        second.page.locator("[data-key=settings-code-go]").click()
        dialog = second.page.locator("dialog.asking")
        expect(dialog).to_contain_text("Bring the games of Guest along?")
        assert violations(second.page) == []
        busy = {"code": "stale_version", "title": "Busy", "status": 412}
        refusal = {"status": 412, "content_type": "application/problem+json", "json": busy}
        second.page.route("**/me/merge", lambda route: route.fulfill(**refusal), times=1)
        dialog.locator(".confirm").click()
        expect(dialog).to_contain_text("moved on in the meantime")
        dialog.locator(".confirm").click()
        expect(second.page.locator(".top .player")).to_have_text("Ada")
        second.page.goto(link)
        expect(second.page.locator(".seat.mine .name")).to_have_text("Ada")


def test_a_turn_taken_on_one_device_waits_no_more_on_the_other(
    served: Served, browser: Browser
) -> None:
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        asked, _ = find_asked(people)
        code = link_code_of(asked)
        with window(browser, served.url, DESKTOP) as second:
            second.context.clock.install()
            second.page.goto(f"/settings#code={code}")
            second.page.locator("[data-key=settings-code-go]").click()
            expect(second.page).to_have_title(re.compile(r"^\(1\) "))
            # No page of a busy machine looks by itself; the pause must begin in the future.
            soon = second.page.evaluate("Date.now() / 1000 + 10")
            second.context.clock.pause_at(soon)
            while asked.page.locator(".seat.mine.playing").count():
                asked.await_turn()
                asked.move()
                expect(asked.page.locator(".sending")).to_have_count(0)
            with second.page.expect_request("**/games?turn=me*"):
                second.page.clock.fast_forward(LOOK_MS)
            expect(second.page).to_have_title(re.compile("^Tables"))


def link_code_of(person: Person) -> str:
    """Make a link code and come back to the table."""
    table = person.page.url
    code = link_code(person.page)
    person.page.goto(table)
    expect(person.page.locator(".seat.mine.playing")).to_be_visible()
    return code


def test_a_wrong_code_is_refused_in_words(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.page.goto("/settings")
        opened.page.locator("#settings-code").fill("AAAA-AAAA")
        opened.page.keyboard.press("Enter")
        expect(opened.page.locator("#notes")).to_contain_text("wrong, used or too old")
