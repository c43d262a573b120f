"""What does not arrive in time: moves, pictures, lists; and what the client says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.support.chromium import DESKTOP, keeping_window
from tests.browser.support.hearing import await_heard
from tests.browser.support.person import VISIT, YOUR_TURN, Person, visit
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LATE = 9000
"""In ms: later than the client waits for the answer to a move, and for a picture before it asks."""


class Slow:
    """A table of one person on both seats, in a browser whose clock can be put forward."""

    def __init__(self, page: Page, game: str) -> None:
        self.page = page
        page.clock.install()
        self.person = Person(page)
        self.person.open_game(game, "me", "me")
        self.person.await_turn()
        self.held: list[Route] = []
        self.holds = True

    def hold(self, pattern: str, times: int | None = None) -> None:
        """Let requests wait without an answer."""
        self.page.route(pattern, self._meet, times=times)

    def _meet(self, route: Route) -> None:
        if self.holds:
            self.held.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        """Answer what waits, and all that comes."""
        self.holds = False
        for route in self.held:
            route.continue_()

    def choose(self, space: str) -> None:
        self.person.touch(space)
        expect(self.person.confirm).to_contain_text("left")

    def headers(self) -> dict[str, str]:
        token = self.page.evaluate("JSON.parse(localStorage['cartulary.player']).token")
        return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def slow(request: pytest.FixtureRequest, served: Served, browser: Browser) -> Iterator[Slow]:
    with keeping_window(browser, served.url, DESKTOP) as opened:
        opened.may_fail_to_load = True
        yield Slow(opened.page, getattr(request, "param", "caylus"))


def test_a_move_without_an_answer_is_kept_and_sent_again_with_its_key(slow: Slow) -> None:
    page, before = slow.page, slow.person.version
    slow.choose("castle")
    slow.hold("**/moves?*", times=1)
    slow.person.confirm.click()
    expect(page.locator(".panel.sending")).to_be_visible()
    await_heard(page, lambda: slow.held)
    with page.expect_request(lambda one: one.method == "POST" and "/moves?" in one.url) as again:
        page.clock.fast_forward(LATE)
        expect(page.locator(".unsent")).to_contain_text("will be sent")
        page.clock.fast_forward(LATE)
    key = slow.held[0].request.headers["idempotency-key"]
    assert again.value.headers["idempotency-key"] == key
    slow.person.await_version_after(before)
    assert slow.person.list_spaces() == ["castle"]


def test_a_picture_that_does_not_come_holds_nobody_up(slow: Slow) -> None:
    page = slow.page
    slow.hold("**/board.svg*")
    page.reload()
    page.locator(".table[data-version]").wait_for()
    await_heard(page, lambda: slow.held)
    expect(page.locator(YOUR_TURN)).to_have_count(0)
    page.clock.fast_forward(LATE)
    expect(page.locator(YOUR_TURN)).to_be_visible()
    slow.person.open_choices()
    page.locator(".facets label", has_text="Castle").click()
    expect(slow.person.confirm).to_contain_text("Castle")
    slow.let_go()
    # the picture comes after the question: what is chosen is marked there as well
    expect(page.locator(".picture [data-space=castle] .touch.chosen")).to_be_attached()
    before = slow.person.version
    slow.person.confirm.click()
    slow.person.await_version_after(before)
    assert slow.person.list_spaces() == ["castle"]


def test_who_withdraws_a_move_on_its_way_and_confirms_hears_that_it_stands(slow: Slow) -> None:
    page = slow.page
    slow.choose("castle")
    page.route("**/moves?*", lambda route: route.abort())
    slow.person.confirm.click()
    expect(page.locator(".unsent")).to_be_visible()
    page.unroute("**/moves?*")
    slow.hold("**/moves?*", times=1)
    while not slow.held:
        page.clock.fast_forward(2000)
        page.wait_for_timeout(20)
    page.locator("[data-key=withdraw]").click()
    expect(slow.person.confirm).to_be_enabled()
    slow.person.confirm.click()
    expect(page.locator(".panel.sending")).to_be_visible()
    slow.let_go()
    expect(page.locator(".note.trouble")).to_be_visible()
    expect(page.locator(YOUR_TURN)).to_be_visible()
    assert slow.person.list_spaces() == ["castle"]


@pytest.mark.parametrize("slow", ["carcassonne"], indirect=True)
def test_a_gesture_that_was_made_in_part_says_so_when_it_is_sent_again(slow: Slow) -> None:
    page = slow.page
    known = requests.get(f"{slow.person.api}/moves", headers=slow.headers(), timeout=60).json()
    entry = {
        "move": known["moves"][0],
        "after": [{"type": "place_follower", "segment": "m9"}],
        "version": known["version"],
        "seat": known["decision"]["seat"],
        "kind": "place_tile",
        "key": "kept-by-hand",
        "title": "Knight",
        "made": 0,
    }
    name = f"cartulary.unsent.{page.url.rsplit('/', 1)[1]}"
    page.evaluate("([name, entry]) => localStorage.setItem(name, entry)", [name, json.dumps(entry)])
    page.reload()
    expect(page.locator(".note.trouble")).to_have_text(
        "Knight: Made: 1 move of 2. The rest was not made."
    )


@pytest.mark.parametrize("slow", ["carcassonne"], indirect=True)
def test_what_comes_late_for_tables_that_were_left_changes_nothing_at_the_next_one(
    slow: Slow,
) -> None:
    page, here = slow.page, urlsplit(slow.page.url).path
    came: list[str] = []
    left = [slow.person.host(game, "me", "me") for game in ("carcassonne", "caylus")]
    slow.hold("**/catalogue/ca*", times=len(left))
    for path in left:
        with page.expect_request("**/catalogue/ca*"):
            page.evaluate(VISIT, path)
    await_heard(page, lambda: len(slow.held) == len(left))
    visit(page, here)
    slow.person.await_turn()
    page.on("requestfinished", lambda one: came.append(one.url))
    slow.let_go()
    await_heard(page, lambda: sum("/catalogue/" in url for url in came) == len(left))
    page.evaluate("() => new Promise(requestAnimationFrame)")
    with page.expect_request("**/features?*") as asked:
        page.locator("[data-key=farms]").click()
    assert here in asked.value.url
    page.locator(".picture [data-tile=D] [data-segment=c0]").first.dispatch_event("click")
    expect(page.locator(".thing-card")).to_contain_text("2 points for each tile")


@pytest.mark.parametrize("slow", ["carcassonne"], indirect=True)
def test_a_table_that_was_left_before_it_came_leaves_the_next_one_its_pieces(slow: Slow) -> None:
    page, here = slow.page, urlsplit(slow.page.url).path
    left = slow.person.host("caylus", "me", "me")
    slow.hold(f"**/api/v1{left}", times=1)
    page.evaluate(VISIT, left)
    await_heard(page, lambda: slow.held)
    visit(page, here)
    slow.person.await_turn()
    came: list[str] = []
    page.on("requestfinished", lambda one: came.append(one.url))
    slow.let_go()
    await_heard(page, lambda: any(url.endswith(f"{left}/moves") for url in came))
    page.evaluate("fetch('/livez').then((answer) => answer.text())")  # later than what follows
    page.locator(".picture [data-tile=D] [data-segment=c0]").first.dispatch_event("click")
    expect(page.locator(".thing-card")).to_contain_text("2 points for each tile")


def test_the_lobby_is_read_again_by_itself_where_its_stream_brings_nothing(slow: Slow) -> None:
    page = slow.page
    page.route("**/lobby/stream", lambda route: route.fulfill(status=200, body=""))
    page.goto("/lobby?show=open&people=0")
    expect(page.locator(".lobby .shelf, .lobby section").first).to_be_attached()
    wish = {"game": "caylus", "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}
    address = page.evaluate("location.origin") + "/api/v1/games"
    made = requests.post(address, json=wish, headers=slow.headers(), timeout=60).json()
    card = page.locator(f"[data-key='{made['id']}']")
    expect(card).to_have_count(0)
    page.clock.fast_forward(61_000)
    expect(card).to_be_attached()


def test_the_focus_stays_in_the_comparison_when_a_question_comes(slow: Slow) -> None:
    page, before = slow.page, slow.person.version
    page.locator("[data-key=compare]").click()
    page.locator(".matrix").focus()
    move = {"move": {"type": "place_worker", "space": "castle"}}
    requests.post(f"{slow.person.api}/moves", json=move, headers=slow.headers(), timeout=60)
    slow.person.await_version_after(before)
    expect(page.locator(YOUR_TURN)).to_be_visible()
    expect(page.locator(".matrix")).to_be_focused()
    # one Escape closes one thing
    page.locator(".picture [data-space=stables]").first.dispatch_event("click")
    expect(page.locator(".thing-card")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".thing-card")).to_be_hidden()
    expect(page.locator(".matrix")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".matrix")).to_be_hidden()
    expect(page.locator("[data-key=compare]")).to_be_focused()


def test_the_card_of_a_seat_does_not_wait_for_the_last_move(slow: Slow) -> None:
    page = slow.page
    before = slow.person.version
    mover = page.locator(".seat.playing").get_attribute("data-seat")
    slow.choose("castle")
    slow.person.confirm.click()
    slow.person.await_version_after(before)
    slow.hold("**/events?*")
    page.reload()
    slow.person.await_turn()
    card = page.locator(".thing-card")
    page.locator(f".seat[data-seat='{mover}'] .name").click()
    expect(card).to_contain_text("Turn order")
    expect(card).not_to_contain_text("Last move")
    slow.let_go()
    expect(card).to_contain_text("Last move: Ada")


def test_nobody_gets_an_answer_that_was_asked_ahead_for_another_player(slow: Slow) -> None:
    page = slow.page
    table = page.url[page.url.index("/games/") :]
    page.evaluate("name => localStorage['cartulary.ahead'] = JSON.stringify({'/': [name]})", table)
    page.goto("/")
    expect(page.locator("main h2").first).to_be_visible()
    assert page.evaluate("[...cartularyAhead.keys()]") == [table]
    page.evaluate("document.dispatchEvent(new Event('player'))")
    assert page.evaluate("cartularyAhead.size") == 0
