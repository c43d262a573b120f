"""Time at the table: clocks that tick, readiness, deadlines in words, gifts of time, pauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.events.model.time.pace import PRESETS, Pace
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.page_checks import violations
from tests.browser.support.person import Person
from tests.browser.table.test_living import find_asked, join
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

ASK_LATER = """
    window.asked = 0;
    let answer = "default";
    Object.defineProperty(Notification, "permission", { get: () => answer });
    Notification.requestPermission = async () => {
        window.asked += 1;
        answer = "granted";
        return answer;
    };
"""
"""A browser that has not decided about notices, and allows them when the page asks."""


PACES = {**PRESETS, "live_for_minutes": Pace("live", 300, 600)}
"""Those of the catalogue, and one whose first delay does not pass on a busy machine."""


@contextmanager
def two_pages(served: Served, browser: Browser) -> Iterator[tuple[Person, Person]]:
    """Yield two people who have no table yet, the first on a phone."""
    with (
        window(browser, served.url, PHONE) as one,
        window(browser, served.url, DESKTOP) as other,
    ):
        for opened in (one, other):
            opened.may_fail_to_load = True  # a live game is not begun before everybody is ready
            opened.page.add_init_script(ASK_LATER)
        yield Person(one.page, "Ada", 1), Person(other.page, "Bert", 2)


def expect_to_wait(people: Iterable[Person], pace: str) -> None:
    """A live table waits for its people, another one has begun."""
    waits = ".lounge [data-ready]" if pace.startswith("live") else ".seat.playing"
    for person in people:
        expect(person.page.locator(waits).first).to_be_visible()


@contextmanager
def sit(served: Served, browser: Browser, game: str, pace: str) -> Iterator[tuple[Person, Person]]:
    """Yield two people at a table with clocks, the host on a phone; a live table waits for them."""
    with two_pages(served, browser) as (host, guest):
        found = PACES[pace]
        begins = {"start": "host"} if found and found.live else {}
        path = host.host(game, "me", "open", pace=found and found.to_json(), **begins)
        guest.sit_down(path)
        for person in (host, guest):
            person.look(path)
        expect_to_wait((host, guest), pace)
        yield host, guest


def start(host: Person, guest: Person) -> None:
    """Begin a live game: everybody is ready."""
    guest.page.locator("[data-act=ready]").click()
    expect(guest.page.locator("[data-act=not_ready]")).to_be_visible()
    host.page.locator("[data-act=start]").click()
    for person in (host, guest):
        expect(person.page.locator(".seat.playing .time b")).to_be_visible()


END_OF_TURN = """() => new Promise((done) => {
  const tell = () => {
    const [minutes, seconds] = document.querySelector(".clock-line b").textContent.split(":");
    done(Date.now() + 1000 * (60 * minutes + Number(seconds)));
  };
  const line = document.querySelector(".clock-line");
  new MutationObserver(tell).observe(line, { childList: true, subtree: true });
})"""
"""When the turn ends by what the page shows, read at the moment when it shows another second."""

NEAR_MS = 2500
"""Seconds are whole ones, a clock is drawn four times a second, and of a trip of up to a second it
is unknown when it turned."""


def seconds(page: Page) -> int:
    """Read the clock at the question."""
    minutes, rest = page.locator(".clock-line b").inner_text().split(":")
    return int(minutes) * 60 + int(rest)


def test_a_live_table_begins_when_everybody_is_ready(served: Served, browser: Browser) -> None:
    with two_pages(served, browser) as (host, guest):
        join(guest, host.set_up_game("carcassonne", "me", "open", pace="live_quick"))
        expect_to_wait((host, guest), "live_quick")
        expect(host.page.locator(".badge[data-ready=false]")).to_have_count(2)
        assert violations(host.page) == []
        expect(host.page.locator(".pace-line")).to_contain_text("20 seconds")
        host.page.locator("[data-act=start]").click()
        expect(host.page.locator("#notes")).to_contain_text("Not everybody is ready yet")
        start(host, guest)


def test_the_clocks_of_a_live_table_tick(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "live_for_minutes") as (host, guest):
        start(host, guest)
        asked, other = find_asked([host, guest])
        for person in (asked, other):
            first = seconds(person.page)
            assert 60 < first <= 300
            expect(person.page.locator(".seat.playing .time")).to_contain_text("+ 10:00")
            person.page.wait_for_function(
                "first => !document.querySelector('.clock-line b').textContent.endsWith(first)",
                arg=f"{first % 60:02}",
            )
            assert seconds(person.page) < first
        ends = [person.page.evaluate(END_OF_TURN) for person in (asked, other)]
        assert max(ends) - min(ends) <= NEAR_MS
        assert violations(asked.page) == []


def test_a_clock_is_right_after_a_sleep_of_the_machine(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "live_for_minutes") as (host, guest):
        start(host, guest)
        page = host.page
        before = seconds(page)
        # The clock of the device jumps by an hour, as after a sleep; the server knows better.
        with page.expect_response(re.compile(r"/clock$")) as answer:
            page.evaluate("() => { const now = Date.now; Date.now = () => now() + 3600000; }")
        assert answer.value.ok
        expect(page.locator(".clock-line")).to_contain_text("in reserve")
        assert 0 < seconds(page) <= before


def test_a_deadline_is_shown_in_words(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "daily") as (host, guest):
        deadline = datetime.now(tz=UTC) + timedelta(days=4)
        for person in (host, guest):
            line = person.page.locator(".clock-line")
            expect(line).to_contain_text(re.compile(r"^by [A-Z][a-z]+day [0-9:]{5}"))
            expect(line).to_contain_text(re.compile(r"(3d 23h|4d)( \d+h)? left"))
        days = {f"{deadline + timedelta(hours=shift):%A}" for shift in (-14, 0, 14)}
        expect(host.page.locator(".clock-line")).to_have_text(re.compile("|".join(days)))


def choose(page: Page, entry: str) -> None:
    page.locator(".menu summary").click()
    page.locator(f"[data-key={entry}]").click()


def test_a_player_gives_another_one_time(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "daily") as (host, guest):
        asked, other = find_asked([host, guest])
        seat = asked.page.locator(".seat.mine").get_attribute("data-seat")
        choose(other.page, f"menu-give_time-{seat}")
        for person in (asked, other):
            expect(person.page.locator(".clock-line")).to_contain_text(
                re.compile(r"(4d 23h|5d)( \d+h)? left")
            )


def test_a_pause_stops_the_clocks_until_somebody_moves(served: Served, browser: Browser) -> None:
    with sit(served, browser, "carcassonne", "daily") as (host, guest):
        choose(host.page, "menu-pause")
        host.page.locator("dialog .confirm").click()
        guest.page.locator("[data-key=talk-accept]").click()
        for person in (host, guest):
            expect(person.page.locator(".clock-line")).to_contain_text(
                re.compile("paused until [0-9]{2}:[0-9]{2} tomorrow")
            )
        asked, other = find_asked([host, guest])
        asked.await_turn()
        asked.move()
        for person in (asked, other):
            expect(person.page.locator(".clock-line")).not_to_contain_text("paused")


@pytest.mark.parametrize("pace", ["daily", "live_quick", *short_or_long([], ["untimed"])])
def test_notices_are_offered_after_the_first_own_move_of_a_game_over_days(
    served: Served, browser: Browser, pace: str
) -> None:
    with sit(served, browser, "carcassonne", pace) as (host, guest):
        if pace == "live_quick":
            start(host, guest)
        asked, _ = find_asked([host, guest])
        offer = asked.page.locator(".notice-offer")
        asked.await_turn()
        expect(offer).to_have_count(0)
        asked.move()
        if pace != "daily":
            expect(offer).to_have_count(0)
            return
        expect(offer).to_be_visible()
        assert asked.page.evaluate("window.asked") == 0
        offer.locator("[data-key=notices-yes]").click()
        expect(offer).to_have_count(0)
        assert asked.page.evaluate("window.asked") == 1


def lay_tile(person: Person) -> None:
    """Put the tile on a place and wait until it is known what may follow."""
    person.await_turn()
    person.page.locator("[data-key=after]").click()
    expect(person.confirm).to_be_enabled()


def confirm(person: Person) -> None:
    """Send what is chosen."""
    before = person.version
    person.confirm.click()
    person.await_version_after(before)


def test_a_question_is_declined_from_now_on_until_it_is_to_be_asked_again(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "bot:random")
        page = opened.page
        skip = page.locator(".whom label", has_text="No follower")
        for _ in range(20):
            lay_tile(person)
            if skip.count():
                break
            confirm(person)
        page.locator("[data-key=whom]").click()
        skip.click()
        expect(skip.locator("input")).to_be_checked()
        expect(page.locator("[data-key=standing-round]")).to_have_count(0)  # there are no rounds
        expect(page.locator(".standing-box")).to_contain_text("No follower")
        page.locator("[data-key=standing-game]").check()
        confirm(person)
        again = page.locator("[data-key=standing-place_follower]")
        expect(again).to_be_visible()
        for _ in range(short_or_long(2, 3)):
            lay_tile(person)
            expect(skip).to_have_count(0)
            expect(page.locator(".picture .pin")).to_have_count(0)
            confirm(person)
            expect(page.locator(".note.trouble")).to_have_count(0)
        again.click()
        expect(again).to_be_hidden()
        for _ in range(20):
            lay_tile(person)
            if skip.count():
                break
            confirm(person)
        opened.may_fail_to_load = True
        refused = {"code": "rate_limited", "title": "Too many", "status": 429}
        page.route("**/standing_answers", lambda route: route.fulfill(status=429, json=refused))
        skip.evaluate("label => label.click()")
        page.locator("[data-key=standing-game]").check()
        confirm(person)
        expect(page.locator(".note.trouble")).to_contain_text("The tick was not kept")


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, DESKTOP]), ids=str)
def test_the_pace_of_a_new_game_says_what_happens_when_the_time_is_over(
    served: Served, browser: Browser, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        page = opened.page
        page.goto("/new?game=caylus")
        expect(page.locator("#seat-0")).to_be_visible()
        expect(page.locator("#pace")).to_have_count(0)  # no other player can be kept waiting
        page.locator("#seat-1").select_option("open")
        expect(page.locator("#pace")).to_have_value("untimed")
        page.locator("#pace").select_option("daily")
        expect(page.locator(".pace")).to_contain_text("1 day")
        expect(page.locator("#on_timeout")).to_have_value("claim")
        expect(page.locator(".pace")).to_contain_text("the others may let a bot answer")
        page.locator("#on_timeout").select_option("forfeit")
        expect(page.locator(".pace")).to_contain_text("out of the game for good")
        assert violations(page) == []
