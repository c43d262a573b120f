"""What goes wrong between the client and the service, and how it recovers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Route, expect

from bench.ports import find_free_port
from tests.browser.pages.test_inbox import PLAY_AS
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, keeping_window, window
from tests.browser.support.hearing import await_heard
from tests.browser.support.person import Person, visit
from tests.support.night import at_night
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

NEWS = re.compile(r"/(events|streams)\?")
"""The addresses at which the client asks for news."""


def test_a_move_made_without_a_network_arrives_once_the_network_is_back(
    served: Served, browser: Browser
) -> None:
    with keeping_window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "bot:random")
        person.await_turn()
        person.choose()
        before = person.version
        opened.context.set_offline(True)
        expect(opened.page.locator(".line-down")).to_be_visible()
        person.confirm.click()
        opened.context.set_offline(False)
        person.await_version_after(before)
        expect(opened.page.locator(".line-down")).to_be_hidden()
        person.play(moves=2)


SLOW_ANSWERS = """() => {
  const real = window.fetch;
  const late = new Promise((done) => { window.answer = done; });
  window.fetch = async (...asked) => {
    const answer = await real(...asked);
    if (asked[1]?.method === "POST") await late;
    return answer;
  };
}"""
"""What the service answers to a request that changes something comes when `answer` is called."""


MARK_PLACES = """() => {
  for (const place of document.querySelectorAll(".picture .touch")) place.classList.add("answered");
}"""
"""The places of a question stay until the picture of the next question is there."""


def test_what_is_chosen_before_the_answer_to_the_last_move_can_be_confirmed_after_it(
    served: Served, browser: Browser
) -> None:
    """The news of a move may be here before its answer, and with them the next question."""
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("caylus", "me", "me")
        person.await_turn()
        opened.page.evaluate(SLOW_ANSWERS)
        person.choose()
        before = person.version
        opened.page.evaluate(MARK_PLACES)
        person.confirm.click()
        person.await_version_after(before)
        places = opened.page.locator("body:has(.panel:not([inert])) .picture .touch:not(.answered)")
        places.first.dispatch_event("click")
        expect(opened.page.locator(".panel.sending")).to_have_count(1)
        expect(person.confirm).to_be_disabled()
        opened.page.evaluate("answer()")
        expect(person.confirm).to_be_enabled()


def test_moves_made_while_the_network_was_cut_are_shown_when_it_comes_back(
    served: Served, browser: Browser
) -> None:
    with (
        keeping_window(browser, served.url) as first,
        keeping_window(browser, served.url) as second,
    ):
        ada, bert = Person(first.page, "Ada"), Person(second.page, "Bert", seed=3)
        bert.register()
        second.page.goto(ada.open_game("carcassonne", "me", "open"))
        second.page.locator(".lounge .confirm").click()
        for window_of_either in (first, second):
            expect(window_of_either.page.locator(".seat.playing")).to_have_count(1)
        # the lot decides who begins
        if second.page.locator(".seat.mine.playing").count():
            first, second, ada, bert = second, first, bert, ada
        second.may_fail_to_load = True
        second.context.set_offline(True)
        assert ada.await_turn()
        begun = ada.version
        while first.page.locator(".seat.mine.playing").count():
            ada.await_turn()
            ada.move()
        assert ada.version > begun
        expect(second.page.locator(".table")).to_have_attribute("data-version", str(begun))
        second.context.set_offline(False)
        expect(second.page.locator(".table")).to_have_attribute("data-version", str(ada.version))
        bert.play(moves=1)


@at_night("tests/browser/network/test_three_weeks.py::test_a_game_of_three_weeks_on_two_devices")
def test_the_game_goes_on_after_the_server_was_restarted(browser: Browser, tmp_path: Path) -> None:
    port = find_free_port()
    with (
        Served(tmp_path / "data", port=port) as served,
        keeping_window(browser, served.url) as opened,
    ):
        opened.may_fail_to_load = True
        person = Person(opened.page)
        person.open_game("caylus", "me", "bot:random", "bot:random")
        person.play(moves=2)
        person.await_turn()
        served.stop()
        expect(opened.page.locator(".line-down")).to_be_visible()
        with Served(tmp_path / "data", port=port):
            expect(opened.page.locator(".line-down")).to_be_hidden()
            person.play(moves=2)


def test_a_stale_move_is_explained_and_the_table_brought_up_to_date(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True  # a refusal shows in the console as a failed resource
        person = Person(opened.page)
        link = person.open_game("carcassonne", "me", "bot:random")
        person.await_turn()
        person.choose()
        # the same player moves from another device, and this page does not hear of it
        opened.page.route(NEWS, lambda route: route.abort())
        opened.page.evaluate("dispatchEvent(new Event('online'))")  # reconnects: in vain
        token = opened.page.evaluate("JSON.parse(localStorage['cartulary.player']).token")
        address = link.replace("/games/", "/api/v1/games/").split("?")[0]
        move = requests.get(f"{address}/moves", timeout=60).json()["moves"][0]
        authorization = {"Authorization": f"Bearer {token}"}
        answer = requests.post(
            f"{address}/moves", json={"move": move}, headers=authorization, timeout=10
        )
        assert answer.status_code == 201
        assert person.version < answer.json()["version"]
        person.confirm.click()
        expect(opened.page.locator(".note.trouble")).to_contain_text("moved on")
        assert person.version >= answer.json()["version"]
        opened.page.unroute(NEWS)
        opened.page.reload()
        person.play(moves=1)


def test_a_game_that_does_not_exist_is_said_to_be_missing(served: Served, browser: Browser) -> None:
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True
        opened.page.goto("/games/01HZZZZZZZZZZZZZZZZZZZZZZZ")
        expect(opened.page.locator(".sorry")).to_contain_text("There is no such game")
        opened.page.get_by_role("link", name="Tables").click()
        expect(opened.page.locator(".home")).to_be_visible()


def test_who_is_forgotten_by_the_server_goes_on_under_the_same_name(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.page.goto("/")
        kept = '{"id":"gone","name":"Ada","token":"no-such-token"}'
        opened.page.evaluate(f"localStorage.setItem('cartulary.player', '{kept}')")
        opened.page.reload()
        expect(opened.page.locator(".home")).to_be_visible()
        person = Person(opened.page)
        opened.page.locator("[data-key=bot-carcassonne]").tap()
        expect(opened.page.locator(".table[data-version]")).to_be_visible()
        expect(opened.page.locator(".top .player")).to_have_text("Ada")
        person.play(moves=1)


def test_a_late_refusal_of_a_former_token_does_not_sign_the_next_player_out(
    served: Served, browser: Browser
) -> None:
    known = Account(served, "Bert").known
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        page, held = opened.page, list[Route]()
        Account(served, "Ada").enter(page)
        page.goto("/")
        expect(page.locator(".top .player")).to_have_text("Ada")
        page.route("**/puzzles/daily", lambda route: held.append(route), times=1)
        visit(page, "/puzzles")
        page.locator("[data-key=daily]").click()
        await_heard(page, lambda: held)
        page.evaluate(PLAY_AS, known)
        expect(page.locator(".top .player")).to_have_text("Bert")
        unknown = {"code": "token_unknown", "title": "Unknown", "status": 401}
        with page.expect_response(lambda answer: answer.status == 401):
            held[0].fulfill(status=401, json=unknown)
        expect(page.locator(".panel .question")).to_be_visible()  # the next player has the puzzle
        assert page.evaluate("localStorage['cartulary.player']") == known


def test_news_of_a_private_game_come_by_the_stream(served: Served, browser: Browser) -> None:
    """Moves that the same player makes elsewhere are shown, and the client asks for no page."""
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "me")
        token = opened.page.evaluate("JSON.parse(localStorage['cartulary.player']).token")
        headers = {"Authorization": f"Bearer {token}"}
        wish = {"game": "carcassonne", "seats": [{"kind": "me"}] * 2, "visibility": "private"}
        games = f"{served.url}/api/v1/games"
        game_id = requests.post(games, json=wish, headers=headers, timeout=60).json()["id"]
        asked: list[str] = []
        opened.page.on("request", lambda request: asked.append(request.url))
        opened.page.goto(f"/games/{game_id}")
        expect(opened.page.locator(".table")).to_have_attribute("data-version", "2")
        opened.page.wait_for_timeout(500)
        address = f"{games}/{game_id}/moves"
        move = requests.get(address, headers=headers, timeout=60).json()["moves"][0]
        answer = requests.post(address, json={"move": move}, headers=headers, timeout=60)
        version = str(answer.json()["version"])
        expect(opened.page.locator(".table")).to_have_attribute("data-version", version)
        assert any("/streams?" in url and game_id in url for url in asked)
        assert not any("wait=" in url for url in asked)


LISTEN = """async (lines) => {
  const { GameStream } = await import("/js/streams/game_stream.js");
  const lineOf = (event) => JSON.stringify({ game: "a game", event }) + "\\n";
  const body = lines.map(lineOf).join("");
  window.fetch = async () => new Response(body);
  const heard = [];
  await new Promise((done) => {
    new GameStream("a game", 0, {
      onevent: (event) => heard.push(event.version),
      onreset: () => heard.push("reset"),
      onstate: (connected) => connected || done(),
    });
  });
  return heard;
}"""


def event(version: int, prev: str | None, own: str) -> dict[str, object]:
    named = {} if prev is None else {"prev": prev}
    return {"version": version, "type": "move_made", **named, "hash": own}


HEARD: list[tuple[list[dict[str, object]], list[object]]] = [
    ([event(1, "0", "a"), event(2, "a", "b"), event(3, "b", "c")], [1, 2, 3]),
    # a game from before the chain
    ([event(1, None, "a"), event(2, None, "b"), event(3, "b", "c")], [1, 2, 3]),
    # another branch
    ([event(1, "0", "a"), event(2, "x", "b"), event(3, "b", "c")], [1, "reset", 2, 3]),
]


LOSE = """([line, version]) => {
  const real = window.fetch;
  let isTold = false;
  window.reloaded = [];
  window.fetch = async (address, how) => {
    const url = String(address);
    if (url.includes(`/board.svg?version=${version}`)) reloaded.push(how.cache);
    if (isTold || !url.includes("/streams?")) return real(address, how);
    isTold = true;
    return new Response(`${line}\n`);
  };
  document.querySelector(".lines li p").textContent = "what is lost";
  dispatchEvent(new Event("online")); // opens the stream again
}"""
"""The next stream says that the server has lost events."""


def test_after_the_server_has_lost_events_story_and_picture_are_those_that_it_has(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page, person = opened.page, Person(opened.page)
        person.open_game("carcassonne", "me", "me")
        person.await_turn()
        person.move()
        told = page.locator(".lines li")
        expect(told).to_have_count(person.version)
        page.locator(".lines li .jump").last.dispatch_event("click")
        expect(page.locator(".table.in-the-past")).to_be_visible()
        before = page.locator(".lines").inner_text()
        loss = {"game": page.url.split("/")[-1].split("?")[0], "reset": {"version": 1}}
        page.evaluate(LOSE, [json.dumps(loss), person.version])
        expect(page.locator(".table.in-the-past")).to_have_count(0)
        person.await_turn()
        expect(page.locator(".lines")).to_have_text(before, use_inner_text=True)
        assert page.evaluate("reloaded") == ["reload"]


def test_an_event_that_follows_another_event_makes_the_client_read_again(
    served: Served, browser: Browser
) -> None:
    """The server has lost the end of the game, and other events since."""
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "me")
        for lines, heard in HEARD:
            opened.page.reload()
            person.await_turn()
            assert opened.page.evaluate(LISTEN, lines) == heard
