"""What is chosen and what is sent survive a reload and a lost connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import APIResponse, Browser, Page, Request, Route, expect

from tests.browser.support.chromium import DESKTOP, keeping_window
from tests.browser.support.hearing import await_heard
from tests.browser.support.person import YOUR_TURN, Person
from tests.browser.support.positions import cut, sit_in
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


class Cut:
    """A table of one person on both seats, whose moves do not reach the service."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.person = Person(page)
        self.person.open_game("caylus", "me", "me")
        self.person.await_turn()
        self.keys: list[str] = []
        page.on("request", self._hear)

    def _hear(self, request: Request) -> None:
        if request.method == "POST" and urlsplit(request.url).path.endswith("/moves"):
            self.keys.append(request.headers["idempotency-key"])

    def cut(self) -> None:
        """Let no move through."""
        self.page.route("**/moves?*", lambda route: route.abort())

    def mend(self) -> None:
        self.page.unroute("**/moves?*")

    def choose(self, space: str) -> None:
        """Touch a place of the picture."""
        self.person.touch(space)
        expect(self.person.confirm).to_contain_text("left")

    def lose(self, space: str) -> int:
        """Confirm a place while no move gets through; return the version."""
        self.choose(space)
        self.cut()
        before = self.person.version
        self.person.confirm.click()
        expect(self.page.locator(".unsent")).to_contain_text("will be sent when you are back")
        return before


@pytest.fixture
def table(served: Served, browser: Browser) -> Iterator[Cut]:
    with keeping_window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        yield Cut(opened.page)


def test_a_move_that_cannot_be_sent_survives_a_reload_and_is_made_once(table: Cut) -> None:
    before = table.lose("castle")
    expect(table.page.locator(".unsent")).to_contain_text(re.compile(r"Ada [12]: Castle"))
    expect(table.page.locator(".panel")).to_have_js_property("inert", True)
    table.page.reload()
    expect(table.page.locator(".unsent")).to_contain_text("will be sent")
    table.mend()
    table.person.await_version_after(before)
    expect(table.page.locator(".unsent")).to_be_hidden()
    assert table.person.list_spaces() == ["castle"]
    assert len(table.keys) > 1
    assert len(set(table.keys)) == 1


def test_a_move_that_waits_is_made_from_any_page(table: Cut) -> None:
    table.lose("castle")
    api = table.person.api
    table.mend()
    table.page.goto("/lobby")
    expect(table.page.locator(".note")).to_have_text("Your move is made now: Castle.")
    assert table.person.list_spaces(api) == ["castle"]


def test_a_move_whose_answer_was_lost_is_not_made_twice(table: Cut) -> None:
    """The service has the move, and only its answer does not arrive."""
    table.choose("castle")
    lost: list[int] = []

    def lose_answer(route: object) -> None:
        response = route.fetch()  # type: ignore[attr-defined]
        lost.append(response.status)
        route.abort()  # type: ignore[attr-defined]

    before = table.person.version
    table.page.route("**/moves?*", lose_answer, times=2)
    table.person.confirm.click()
    table.person.await_version_after(before)
    expect(table.page.locator(".unsent")).to_be_hidden()
    expect(table.page.locator(YOUR_TURN)).to_be_visible()
    assert lost == [201, 201]
    assert table.person.list_spaces() == ["castle"]


def test_a_move_is_withdrawn_and_what_was_chosen_is_still_there(table: Cut) -> None:
    table.lose("castle")
    table.page.locator("[data-key=withdraw]").click()
    expect(table.page.locator(".unsent")).to_be_hidden()
    expect(table.page.locator(".note")).to_contain_text("not sent any more")
    expect(table.person.confirm).to_contain_text("Castle")
    table.mend()
    table.page.reload()
    expect(table.person.confirm).to_contain_text("Castle")
    assert table.person.list_spaces() == []


def test_a_move_is_not_made_when_the_table_has_moved_on_and_the_choice_is_shown_again(
    table: Cut,
) -> None:
    table.lose("castle")
    token = table.page.evaluate("JSON.parse(localStorage['cartulary.player']).token")
    headers = {"Authorization": f"Bearer {token}"}
    for space in ("trading_post", "merchants_guild"):  # both seats, on another device
        move = {"move": {"type": "place_worker", "space": space}}
        answer = requests.post(f"{table.person.api}/moves", json=move, headers=headers, timeout=60)
        assert answer.status_code == 201
    table.mend()
    expect(table.page.locator(".note.trouble")).to_contain_text("Your move was not made: Castle")
    expect(table.page.locator(".unsent")).to_be_hidden()
    expect(table.person.confirm).to_contain_text("Castle")
    assert table.person.list_spaces() == ["trading_post", "merchants_guild"]


def test_what_is_chosen_is_still_chosen_after_a_reload_and_is_not_sent(table: Cut) -> None:
    table.page.evaluate(
        "localStorage.setItem('cartulary.prefs', JSON.stringify({ confirm: 'always' }))"
    )
    table.choose("castle")
    table.page.evaluate(
        "localStorage.setItem('cartulary.prefs', JSON.stringify({ confirm: 'never' }))"
    )
    before = table.person.version
    table.page.reload()
    expect(table.person.confirm).to_contain_text("Castle")
    expect(table.person.confirm).to_be_enabled()
    assert table.person.version == before
    table.person.confirm.click()
    table.person.await_version_after(before)
    assert table.person.list_spaces() == ["castle"]


def test_a_move_that_had_waited_asks_nothing_over_a_moment_of_the_past(table: Cut) -> None:
    table.person.move()
    table.person.await_turn()
    before = table.lose("castle")
    table.page.goto(f"{table.page.url}?v={before - 1}")
    expect(table.page.locator(".table.in-the-past .moment")).to_be_visible()
    expect(table.page.locator(".unsent")).to_be_visible()
    table.mend()
    expect(table.page.locator(".unsent")).to_be_hidden()
    expect(table.page.locator(f".table[data-version='{before}']")).to_have_count(0)
    expect(table.page.locator(".table.in-the-past")).to_be_visible()
    expect(table.page.locator(".picture .touch, .panel .question")).to_have_count(0)
    table.page.locator("[data-key=present]").click()
    expect(table.page.locator(".panel .question")).to_be_visible()


class Gate:
    """Holds requests back until it is opened."""

    def __init__(self) -> None:
        self.held: list[Route] = []
        self._is_open = False

    def take(self, route: Route) -> None:
        """Hold a request, or let it through."""
        if self._is_open:
            route.continue_()
        else:
            self.held.append(route)

    def open(self) -> None:
        self._is_open = True
        for route in self.held:
            route.continue_()


def test_a_move_is_not_sent_as_the_answer_to_a_newer_question(table: Cut) -> None:
    """Both seats move on another device; the page knows the game, and not yet its moves."""
    page = table.page
    before = int(page.locator(".table").get_attribute("data-version") or 0)
    table.choose("castle")
    game, moves = Gate(), Gate()
    page.route(re.compile(r"/games/[^/?]+$"), game.take)
    page.route(re.compile(r"/games/[^/?]+/moves$"), moves.take)
    token = page.evaluate("JSON.parse(localStorage['cartulary.player']).token")
    for space in ("trading_post", "merchants_guild"):
        answer = requests.post(
            f"{table.person.api}/moves",
            json={"move": {"type": "place_worker", "space": space}},
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        assert answer.status_code == 201
    await_heard(page, lambda: game.held)
    game.open()
    await_heard(page, lambda: moves.held)
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    table.person.confirm.dispatch_event("click")
    moves.open()
    expect(page.locator(".table")).to_have_attribute("data-version", str(before + 2))
    page.wait_for_selector(YOUR_TURN)
    assert not [url for url in sent if "/moves" in url]
    assert table.person.list_spaces() == ["trading_post", "merchants_guild"]


def test_a_gesture_that_two_tabs_send_is_refused_in_neither(
    served: Served, browser: Browser
) -> None:
    with keeping_window(browser, served.url, DESKTOP) as opened:
        page, lobby = opened.page, opened.context.new_page()
        game = sit_in(served, page, cut("carcassonne", "game-14", 101))
        lobby.goto("/lobby")
        expect(lobby.locator(".lobby")).to_be_visible()
        page.locator(".picture rect.touch").nth(5).dispatch_event("click")
        page.locator(".picture .pin[data-pin=r0]").dispatch_event("click")
        before = int(page.locator(".table").get_attribute("data-version") or 0)
        held: list[tuple[Route, APIResponse]] = []
        page.route("**/moves?*", lambda route: held.append((route, route.fetch())), times=1)
        page.locator(".panel .confirm").click()
        await_heard(page, lambda: held)
        lobby.evaluate("dispatchEvent(new Event('online'))")
        expect(lobby.locator(".note")).to_contain_text("Your move is made now")
        route, answer = held[0]
        route.fulfill(response=answer)
        expect(page.locator(".table")).to_have_attribute("data-version", str(before + 2))
        expect(page.locator(".panel:not([inert]):not(.sending) .question")).to_be_visible()
        expect(page.locator(".note.trouble")).to_have_count(0)
        board = requests.get(game, timeout=60).json()["view"]["board"]
        assert board[-1]["follower"] == {"seat": 1, "segment": "r0"}
