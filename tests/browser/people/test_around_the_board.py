"""What stands around the board: names, titles, notes, one's own goods, also with large letters."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.support.account import BOT, ME, OPEN, Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.games_cut_at_a_question import find
from tests.browser.support.person import YOUR_TURN, Person
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LYING = Size(844, 390)
SMALL = Size(320, 568)
WIDE = "W" * 30
ARABIC = "محمد عبد الرحمن الطويل"
LEAST_NAME = 20
"""The least number of pixels of a name that are seen on the narrowest chip."""

NAMES = """() => [...document.querySelectorAll(".seat .name")].map((name) => {
  const [stem, number] = name.children;
  const seat = name.closest(".seat").getBoundingClientRect();
  const box = (one) => one.getBoundingClientRect();
  return {
    width: box(stem).width,
    within: box(name).right <= seat.right + 1 && box(name).bottom <= seat.bottom + 1,
    number: number ? number.textContent.trim() : "",
    numbered: number ? box(number).right <= seat.right + 1 : true,
    direction: getComputedStyle(stem).direction,
  };
})"""
CUT = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
  .map((one) => one.textContent)"""
OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""
NOTE_OVER = """(parts) => {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = "You play as Guest 1364. You can change the name in the settings.";
  document.getElementById("notes").replaceChildren(note);
  const box = (one) => one.getBoundingClientRect();
  const a = box(note);
  return parts.filter((part) => {
    const b = box(document.querySelector(part));
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  });
}"""
"""Shows a note, as long as a measurement takes; returns which parts it covers."""
MIDDLES = """() => [...document.querySelectorAll(".matrix tbody tr")].slice(0, 8).map((row) => {
  const middle = (one) => { const { top, bottom } = one.getBoundingClientRect();
                            return (top + bottom) / 2; };
  const text = (cell) => { const range = document.createRange();
                           range.selectNodeContents(cell.querySelector("span") ?? cell);
                           return middle(range); };
  return Math.abs(text(row.cells[0]) - text(row.cells[1]));
})"""


def cut(page: Page, selector: str) -> list[str]:
    """Return the texts that do not fit into their elements."""
    found: list[str] = page.evaluate(CUT, selector)
    return found


def resize(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size.width, "height": size.height})


def five_seats(served: Served) -> tuple[Account, str]:
    """Return a host, and a table of the host, two people with odd names and two bots of a kind."""
    host, others = Account(served, "Zoë"), [Account(served, WIDE), Account(served, ARABIC)]
    table = host.open(ME, OPEN, OPEN, BOT, BOT, game="caylus")
    for seat, other in enumerate(others, 1):
        other.ask("POST", f"/games/{table}/seats", {"seat": seat})
    return host, table


def test_five_names_are_read_and_nobody_breaks_the_page_with_a_name(
    served: Served, browser: Browser
) -> None:
    host, table = five_seats(served)
    with window(browser, served.url, SMALL) as opened:
        page = opened.page
        host.enter(page)
        page.goto(f"/games/{table}")
        expect(page.locator(".seat.playing")).to_have_count(1)
        for size in (SMALL, PHONE, LYING):
            resize(page, size)
            names = page.evaluate(NAMES)
            assert all(name["within"] and name["numbered"] for name in names), (size, names)
            assert all(name["width"] >= LEAST_NAME for name in names), (size, names)
            assert [name["number"] for name in names] == ["", "", "", "4", "5"]
            assert [name["direction"] for name in names] == ["ltr", "ltr", "rtl", "ltr", "ltr"]
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert not cut(page, ".phase"), size
        resize(page, PHONE)
        page.locator("[data-key=compare]").press("Enter")
        assert max(page.evaluate(MIDDLES)) <= 2
        page.keyboard.press("Escape")
        Person(page).look_at("story")
        expect(page.locator(".lines li").first).to_be_visible()
        assert not cut(page, ".lines, .tab-story > div")


def test_a_player_who_waits_is_asked_nothing_and_escape_closes_the_talk(
    served: Served, browser: Browser
) -> None:
    first, second = Account(served, "Ada"), Account(served, "Bert")
    table = first.open(ME, OPEN)
    second.ask("POST", f"/games/{table}/seats", {"seat": 1})
    with window(browser, served.url) as opened:
        page = opened.page
        second.enter(page)
        page.goto(f"/games/{table}")
        expect(page.locator(".waiting")).to_have_text("Ada to move")
        page.locator(".chat-button").click()
        expect(page.locator(".drawer")).to_be_visible()
        page.locator(".bar h1").click()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Escape")
        expect(page.locator(".drawer")).to_be_hidden()


def test_own_goods_the_question_and_its_button_are_in_sight_also_with_large_letters(
    served: Served, browser: Browser
) -> None:
    builder = Account(served, "Ada")
    token = builder.ask("POST", "/players/me/tokens", {"label": "test"})["token"]
    path = find("build").open(served.url, token)
    with window(browser, served.url) as opened:
        page = opened.page
        builder.enter(page)
        languages = short_or_long(["en"], ["en", "hr", "nl", "pl", "ru"])
        for language in languages:
            page.goto(path)
            page.evaluate("tag => localStorage.setItem('cartulary.language', tag)", language)
            page.goto(path)
            expect(page.locator(YOUR_TURN)).to_be_visible()
            expect(page.locator(".sheet-held .good")).to_have_count(5)
            for letters in ("100%", "200%"):
                page.evaluate("size => document.documentElement.style.fontSize = size", letters)
                for size in (PHONE, LYING):
                    resize(page, size)
                    check_panel(page, size)
            resize(page, PHONE)
            page.evaluate("document.documentElement.style.fontSize = ''")
        explain_without_leaving(page)


def explain_without_leaving(page: Page) -> None:
    """A long press explains a piece, and the question mark what is asked, over the table."""
    finger = {"pointerType": "touch", "isPrimary": True, "bubbles": True, "composed": True}
    sawmill = page.locator(".picture [data-building=wood_sawmill]").first
    sawmill.dispatch_event("pointerdown", finger)
    expect(page.locator(".thing-card")).to_contain_text(re.compile("Sawmill"))
    sawmill.dispatch_event("pointerup", finger)
    page.keyboard.press("Escape")
    expect(page.locator(".thing-card")).to_be_hidden()
    address = page.url
    page.locator(".bar .help").click()
    rules = page.locator(".sheet.over .rule")
    expect(rules.locator("h2")).to_be_visible()
    expect(rules.locator("p").first).to_contain_text(re.compile(r"\w"))
    assert page.url == address
    page.keyboard.press("Escape")
    expect(page.locator(".sheet.over")).to_be_hidden()


def check_panel(page: Page, size: Size) -> None:
    """Own goods, question and button lie in the window, and no word of them is cut."""
    for selector in (".answers .sheet-held", ".question", ".panel [data-key=confirm]", ".whose"):
        box = measure(page.locator(selector))
        assert min(box.x, box.y) >= 0, (selector, size, box)
        assert box.right <= size.width + 1, (selector, size, box)
        assert box.bottom <= size.height + 1, (selector, size, box)
    assert not cut(page, ".question, .panel [data-key=confirm], .whose, .sheet-label")
    assert not page.evaluate(OVERLAP, [".question", ".panel [data-key=confirm]"])


def test_a_note_covers_neither_code_nor_question_and_a_takeback_is_offered_after_an_own_move(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        opened.may_fail_to_load = True
        page.goto("/")
        held: list[Route] = []
        page.route("**/api/v1/players", lambda route: held.append(route))
        page.locator("[data-key=friend-carcassonne]").tap()
        expect(page.locator(".table.frame .waiting")).to_have_text("The table is being set up …")
        expect(page.locator(".table.frame .seat")).to_have_count(2)
        held.pop().abort()
        expect(page.locator(".table.frame")).to_be_visible()  # the line was lost: it is sent again
        page.unroute("**/api/v1/players")
        for route in held:
            route.continue_()
        expect(page.locator(".qr-place svg")).to_be_visible()
        for size in (PHONE, LYING, SMALL, DESKTOP):
            resize(page, size)
            assert not page.evaluate(NOTE_OVER, [".qr-place svg", ".invitation h3"]), size
        person = Account(served, "Ada")
        table = person.open(BOT, ME, BOT)
        page.evaluate("localStorage.clear()")
        person.enter(page)
        page.goto(f"/games/{table}")
        player = Person(page)
        player.await_turn()
        with page.expect_response(re.compile("/proposals$")):
            page.reload()
        player.await_turn()
        expect(page.locator(".takeback")).to_be_hidden()
        player.move()
        page.locator(".takeback[data-way=free]").click()
        player.await_turn()
        for size in (LYING, SMALL, DESKTOP, PHONE):
            resize(page, size)
            free = [".question", ".panel [data-key=confirm]"]
            free += [".board"] if size in (PHONE, LYING) else []
            assert not page.evaluate(NOTE_OVER, free), size


def test_who_has_lost_the_token_comes_back_to_the_games_with_a_code(
    served: Served, browser: Browser
) -> None:
    player = Account(served, "Ada")
    player.open(ME, OPEN)
    code = player.ask("POST", "/players/me/link_codes", {})["code"]
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        for damaged in (
            '{"id": "x", "name": "Ada", "tok',
            '{"id":"x","name":"Ada","token":"żółw"}',
        ):
            page.goto("/livez")
            page.evaluate("kept => { localStorage['cartulary.player'] = kept; }", damaged)
            page.goto("/")
            expect(page.locator(".lost [data-section=lost]")).to_be_visible()
            page.locator("[data-key=dismiss-lost]").click()
            expect(page.locator(".lost [data-section=lost]")).to_have_count(0)
        unknown = '{"id":"x","name":"Ada","token":"no-such-token"}'
        page.evaluate("kept => { localStorage['cartulary.player'] = kept; }", unknown)
        page.reload()
        expect(page.locator("#notes")).to_contain_text("not signed in any more")
        page.locator("#settings-code").fill(code)
        page.locator("[data-key=settings-code-go]").click()
        expect(page.locator(".top .player")).to_have_text("Ada")
        expect(
            page.locator("[data-shelf=waiting] a, .waiting a, .shelves.own a").first
        ).to_be_visible()
        expect(page.locator(".lost [data-section=lost]")).to_have_count(0)
