"""Talk at the table in the browser: two people, a phone and a desk."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cartulary.locales import LANGUAGES, words
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.page_checks import cut_texts, switch_language
from tests.browser.support.person import Person
from tests.browser.table.test_living import sit
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


@pytest.fixture
def people(served: Served, browser: Browser) -> Iterator[list[Person]]:
    """Ada on a phone and Bert at a desk, at a running game of Carcassonne."""
    with sit(served, browser, "carcassonne", "Ada", "Bert") as people:
        yield people


@pytest.fixture
def alone(served: Served, browser: Browser) -> Iterator[Person]:
    """Ada on both seats of a running game, at a desk."""
    with window(browser, served.url, DESKTOP) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "me")
        yield person


def open_drawer(page: Page) -> None:
    page.locator(".chat-button").click()
    expect(page.locator(".drawer")).to_be_visible()


def say(page: Page, phrase: str) -> None:
    page.locator(f"[data-phrase={phrase}]").click()


REFUSE = """() => {
  const problem = JSON.stringify({ code: "rate_limited", title: "Too many", status: 429 });
  const answer = { status: 429, headers: { "Content-Type": "application/problem+json" } };
  const real = window.fetch;
  window.fetch = async (address, how) => {
    if (how?.method === "POST") return new Response(problem, answer);
    return real(address, how);
  };
}"""
"""No more messages are taken."""

COUNT_LOOKS = """() => {
  const { setInterval: begin, clearInterval: end } = window;
  window.looking = new Set();
  window.setInterval = (look, ms) => {
    const timer = begin(look, ms);
    looking.add(timer);
    return timer;
  };
  window.clearInterval = (timer) => {
    looking.delete(timer);
    end(timer);
  };
}"""


def test_a_phrase_arrives_and_its_mark_goes_when_it_is_read(people: list[Person]) -> None:
    phone, desk = people[0].page, people[1].page
    open_drawer(phone)
    say(phone, "good_luck")
    expect(phone.locator(".message .words")).to_have_text("Good luck!")
    expect(desk.locator(".chat-button .count")).to_have_text("1")
    expect(desk.locator(".chat-button .spoken")).to_have_text("Talk: 1 new message")
    open_drawer(desk)
    expect(desk.locator(".message .words")).to_have_text("Good luck!")
    expect(desk.locator(".message .by b")).to_have_text("Ada")
    expect(desk.locator(".chat-button .count")).to_be_hidden()
    desk.reload()
    expect(desk.locator(".table[data-version]")).to_be_visible()
    expect(desk.locator(".chat-button .count")).to_be_hidden()


def test_a_guest_has_phrases_only(alone: Person) -> None:
    page = alone.page
    open_drawer(page)
    expect(page.locator(".drawer .hint")).to_contain_text("As a guest")
    expect(page.locator("#chat-text")).to_be_hidden()
    expect(page.locator("[data-phrase]")).to_have_count(12)


def test_recovery_codes_open_the_field_for_own_words(people: list[Person]) -> None:
    phone, desk = people[0].page, people[1].page
    made = phone.evaluate(
        """async () => {
          const { token } = JSON.parse(localStorage.getItem("cartulary.player"));
          const headers = { Authorization: `Bearer ${token}` };
          const path = "/api/v1/players/me/recovery_codes";
          return (await fetch(path, { method: "POST", headers })).status;
        }"""
    )
    assert made == 201
    open_drawer(phone)
    said = phone.locator(".message .words")
    field = phone.locator("#chat-text")
    held: list[Route] = []
    phone.route("**/messages", lambda route: held.append(route))
    field.fill("Nice city, @Bert! <b>&")
    with phone.expect_request("**/messages"):
        field.press("Enter")
    expect(field).to_have_value("")
    # What is typed while the message is on its way is not sent before, and not lost.
    field.fill("Is it closed?")
    field.press("Enter")
    held[0].continue_()
    expect(said).to_have_text("Nice city, @Bert! <b>&")
    expect(field).to_have_value("Is it closed?")
    assert len(held) == 1
    phone.unroute("**/messages")
    expect(phone.locator(".say[aria-busy]")).to_have_count(0)
    field.press("Enter")
    expect(said).to_have_text(["Nice city, @Bert! <b>&", "Is it closed?"])
    expect(field).to_have_value("")
    open_drawer(desk)
    expect(desk.locator(".message .words").first).to_have_text("Nice city, @Bert! <b>&")
    phone.evaluate(REFUSE)
    field.fill("Not yet.")
    field.press("Enter")
    expect(phone.locator(".note.trouble")).to_be_visible()
    expect(field).to_have_value("Not yet.")


def test_the_drawer_speaks_each_language(served: Served, browser: Browser) -> None:
    with window(browser, served.url, PHONE) as one:
        page = one.page
        Person(page).open_game("carcassonne", "me", "me")
        open_drawer(page)
        say(page, "thanks")
        expect(page.locator(".message")).to_have_count(1)
        for lang in short_or_long(LANGUAGES[1::2], LANGUAGES):
            switch_language(page, lang)
            expect(page.locator(".drawer")).to_have_count(0)  # the table is drawn again
            open_drawer(page)
            page.locator(".note-of-mine summary").click()
            thanks = words(lang)["terms"]["phrases"]["thanks"]
            expect(page.locator(".message .words")).to_have_text(thanks)
            html = page.locator(".table").inner_html()
            assert not re.search(r"(ui|terms)\.[a-z_.]+", html)
            assert cut_texts(page) == [], lang


def test_the_author_deletes_and_a_stub_stays(people: list[Person]) -> None:
    phone, desk = people[0].page, people[1].page
    open_drawer(phone)
    open_drawer(desk)
    say(phone, "oops")
    expect(desk.locator(".message .words")).to_have_text("Oops!")
    phone.locator(".message .more summary").click()
    phone.locator("[data-act=delete]").click()
    for page in (phone, desk):
        expect(page.locator(".message.deleted .words")).to_have_text("This message is deleted.")


def test_a_muted_player_disappears_and_comes_back(people: list[Person]) -> None:
    phone, desk = people[0].page, people[1].page
    open_drawer(phone)
    open_drawer(desk)
    say(phone, "hello")
    desk.locator(".message .more summary").click()
    desk.locator("[data-act=mute]").click()
    expect(desk.locator(".message")).to_have_count(0)
    say(phone, "thanks")
    expect(phone.locator(".message")).to_have_count(2)
    expect(desk.locator(".message")).to_have_count(0)
    desk.get_by_role("button", name="Show Ada again").click()
    expect(desk.locator(".message")).to_have_count(2)


def test_a_message_is_reported(people: list[Person]) -> None:
    phone, desk = people[0].page, people[1].page
    open_drawer(phone)
    say(phone, "nice_move")
    open_drawer(desk)
    desk.locator(".message .more summary").click()
    desk.locator("[data-act=report]").click()
    dialog = desk.locator("dialog.asking")
    dialog.locator("select").select_option("spam")
    dialog.locator(".confirm").click()
    expect(desk.locator(".note")).to_have_text("Thank you. The operators will look at it.")


def test_a_note_is_kept_for_its_author(people: list[Person]) -> None:
    phone, desk = people[0].page, people[1].page
    open_drawer(phone)
    phone.locator(".note-of-mine summary").click()
    field = phone.locator(".note-of-mine textarea")
    field.fill("Close the city in the north.")
    phone.locator("[data-key=save-note]").click()
    expect(phone.locator(".note")).to_have_text("The note is saved.")
    phone.reload()
    open_drawer(phone)
    phone.locator(".note-of-mine summary").click()
    expect(field).to_have_value("Close the city in the north.")
    open_drawer(desk)
    desk.locator(".note-of-mine summary").click()
    expect(desk.locator(".note-of-mine textarea")).to_have_value("")


def test_the_keyboard_opens_talks_and_closes(alone: Person) -> None:
    page = alone.page
    page.locator(".chat-button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".drawer")).to_be_visible()
    expect(page.locator(".chat-button")).to_have_attribute("aria-expanded", "true")
    page.locator("[data-phrase=hello]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".message .words")).to_have_text("Hello!")
    page.keyboard.press("Escape")
    expect(page.locator(".drawer")).to_be_hidden()
    expect(page.locator(".chat-button")).to_be_focused()


def test_a_double_touch_opens_a_drawer_that_looks_no_more_once_it_is_closed(alone: Person) -> None:
    page = alone.page
    page.evaluate(COUNT_LOOKS)
    page.locator(".chat-button").evaluate("button => { button.click(); button.click(); }")
    expect(page.locator(".drawer")).to_be_visible()
    page.locator(".drawer-close").click()
    expect(page.locator(".drawer")).to_be_hidden()
    assert page.evaluate("looking.size") == 0


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, DESKTOP]), ids=str)
def test_the_drawer_never_covers_the_question(served: Served, browser: Browser, size: Size) -> None:
    with window(browser, served.url, size) as one:
        person = Person(one.page)
        person.open_game("carcassonne", "me", "me")
        assert person.await_turn()
        panel = one.page.locator(".panel")
        before = measure(panel)
        open_drawer(one.page)
        drawer = measure(one.page.locator(".drawer"))
        assert measure(panel) == before
        assert drawer.bottom <= before.y + 1 or drawer.right <= before.x + 1, (drawer, before)
        assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        question, mark = (measure(one.page.locator(part)) for part in (".question", ".chat-button"))
        assert mark.bottom <= question.y or mark.right <= question.x, (mark, question)


def test_a_reader_without_a_seat_writes_to_the_spectators(
    people: list[Person], served: Served, browser: Browser
) -> None:
    link = people[0].page.url
    with window(browser, served.url, DESKTOP, locale="pl") as one:
        page = one.page
        page.goto(link)
        open_drawer(page)
        page.locator("[data-key=room-players]").click()
        expect(page.locator(".drawer .hint")).to_contain_text("Tu piszą tylko gracze")
        page.locator("[data-key=room-spectators]").click()
        say(page, "good_luck")
        expect(page.locator(".message .words")).to_have_text("Powodzenia!")
    reader = people[1].page
    open_drawer(reader)
    room = reader.locator("[data-key=room-spectators]")
    expect(room).to_have_text(re.compile("Spectators"))
    room.click()
    expect(reader.locator(".message .words")).to_have_text("Good luck!")
