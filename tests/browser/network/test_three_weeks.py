"""A correspondence game of three weeks, on two devices of one player.

The service runs on a clock that the test sets. In between the player takes a vacation, and the
service is down for some hours. Each player sees each turn once, and no player is flagged.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from cartulary.events.model.clock import format_time
from cartulary.games import OFFERS
from cartulary.games.offer import rules_of
from tests.browser.support.chromium import DESKTOP, PHONE, keeping_window
from tests.browser.support.person import Person
from tests.browser.support.service_on_a_clock import TimedService
from tests.events.support.clock_reckoning import Json, find_turns, read_time
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock
from tests.support.night import short_or_long

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

PACE = {"mode": "correspondence", "delay": 86_400, "bank": 0, "refill": 0, "vacation": True}
"""A day for each turn and not a minute more: a player who is charged too much is flagged."""

VACATION_TURN, RESTART_TURN = short_or_long((4, 7), (9, 21))

TURNS_BY_POINTER = short_or_long(3, 1000)
"""The number of turns that the player takes on a page, the others over HTTP; both pages see every
turn."""

AGREED_TURN = short_or_long(12, 1000)
"""In this turn the players agree to end the game; at night they play to the last tile."""

PAUSE = short_or_long((16 * HOUR, 23 * HOUR), (2 * HOUR, 11 * HOUR))
"""The least and the most time before a turn is taken: the game takes three weeks in either form."""

COUNT_TURNS = """() => {
  window.turns = 0;
  let waits = false;
  const look = () => {
    const now = document.title.includes("(1)");
    if (now && !waits) window.turns += 1;
    waits = now;
  };
  new MutationObserver(look).observe(document.querySelector("title"), { childList: true });
  look();
}"""
"""Counts how often the title of the page begins to say that a game waits."""


class Account:
    """A player over HTTP."""

    def __init__(self, service: TimedService, token: str) -> None:
        self.service, self.token = service, token

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Ask the service; the answer as JSON, None without any."""
        answer = requests.request(
            method,
            f"{self.service.url}/api/v1{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.token}", **headers},
            timeout=60,
        )
        assert answer.ok, f"{method} {path}: {answer.text}"
        return answer.json() if answer.content else None

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def inbox(self) -> list[Json]:
        """All items."""
        items: list[Json] = []
        after = ""
        while True:
            page = self.get(f"/players/me/inbox?limit=100&after={after}")
            if not page["items"]:
                return items
            items += page["items"]
            after = page["next_after"]

    def events(self, game: str) -> list[Json]:
        events: list[Json] = []
        while True:
            page = self.get(f"/games/{game}/events?after={len(events)}&limit=500")["events"]
            if not page:
                return events
            events += page


def register(service: TimedService, name: str) -> Account:
    answer = requests.post(f"{service.url}/api/v1/players", json={"name": name}, timeout=60)
    return Account(service, answer.json()["token"])


def remember(account: Account, page: Page) -> None:
    """Let a browser be the one that the player of the account has registered with."""
    known = {**account.get("/players/me"), "token": account.token}
    page.goto("/")
    page.evaluate("known => localStorage.setItem('cartulary.player', JSON.stringify(known))", known)


def link(known: Page, other: Page) -> None:
    """Bring the player of a browser to another browser, by the code that the first one shows."""
    known.goto("/settings")
    known.locator("[data-key=link-code]").click()
    code = known.locator(".letters code").inner_text()
    other.goto(f"/settings#code={code}")
    other.locator("[data-key=settings-code-go]").click()
    expect(other.locator(".player")).to_have_text("Ada")


@pytest.fixture
def service(browser: Browser, tmp_path: Path, clock: FakeClock) -> Iterator[TimedService]:
    with TimedService(tmp_path / "data", clock) as running:
        yield running


class Weeks:
    """The game: Ada on two devices, Bob over HTTP."""

    def __init__(self, service: TimedService, devices: Sequence[Person], ada: Account) -> None:
        self.service, self.devices, self.ada = service, devices, ada
        self.bob = register(service, "Bob")
        self._random = random.Random(14)
        seats = [{"kind": "me"}, {"kind": "open"}]
        body = {"game": "carcassonne", "seats": seats, "pace": PACE, "takebacks": "none"}
        self.id = ada.ask("POST", "/games", body)["id"]
        self.bob.ask("POST", f"/games/{self.id}/seats", {})
        self.turns: Counter[str] = Counter()

    @property
    def game(self) -> Json:
        game: Json = self.bob.get(f"/games/{self.id}")
        return game

    def clock(self) -> Json:
        clock: Json = self.bob.get(f"/games/{self.id}/clock")
        return clock

    def play(self) -> None:
        """Play to the end; each turn begins after some hours."""
        while (game := self.game)["status"] == "running":
            if self.turns["Ada"] == AGREED_TURN:
                self._agree_to_end()
                return
            asked = game["seats"][game["decision"]["seat"]]["player"]["name"]
            self.turns[asked] += 1
            self._wait(asked)
            if asked == "Ada":
                self._ada_moves(game["version"])
            else:
                self._move_over_http(self.bob, "Bob")

    def _wait(self, asked: str) -> None:
        turn = self.turns["Ada"]
        if asked == "Ada" and turn == VACATION_TURN:
            self._take_vacation()
        elif asked == "Bob" and turn == RESTART_TURN:
            self._break_down()
        else:
            self.service.pass_time(self._random.randrange(*PAUSE, MINUTE))

    def _take_vacation(self) -> None:
        """Let the days of a vacation pass: the clock of the player stands."""
        begin = self.service.clock.now_ms()
        span = {"from": format_time(begin), "until": format_time(begin + 4 * DAY)}
        self.ada.ask("PUT", "/players/me/vacations", {"vacations": [span]})
        self.service.pass_time(10_000)
        assert self.clock()["stopped_by"] == "vacation"
        assert read_time(self.clock()["deadline_at"]) >= begin + 5 * DAY
        self.service.pass_time(4 * DAY + 23 * HOUR)
        assert self.clock()["overdue"] is False

    def _break_down(self) -> None:
        """Let the service be down in the last hour of a turn, and for two more."""
        self.service.pass_time(23 * HOUR)
        before = read_time(self.clock()["deadline_at"])
        self.service.restart(3 * HOUR)
        self.service.let_work()
        assert self.clock()["overdue"] is False
        assert read_time(self.clock()["deadline_at"]) >= before + 3 * HOUR

    def _agree_to_end(self) -> None:
        proposals = f"/games/{self.id}/proposals"
        (made,) = self.ada.ask("POST", proposals, {"kind": "end"})["events"]
        self.bob.ask("POST", f"{proposals}/{made['version']}/answers", {"answer": "accept"})

    def _ada_moves(self, version: int) -> None:
        """Take the turn on one device; the other follows."""
        for device in self.devices:
            expect(device.page.locator(".seat.mine.playing")).to_have_count(1)
            expect(device.page).to_have_title(re.compile(r"\(1\)"))
        device = self._random.choice(self.devices)
        if self.turns["Ada"] > TURNS_BY_POINTER:
            self._move_over_http(self.ada, "Ada")
        else:
            while device.page.locator(".seat.mine.playing").count() and device.await_turn():
                device.move()
        for device in self.devices:
            device.page.wait_for_function(
                "version => Number(document.querySelector('.table').dataset.version) > version",
                arg=version,
            )
            expect(device.page).not_to_have_title(re.compile(r"\(1\)"))

    def _move_over_http(self, account: Account, name: str) -> None:
        moves = account.get(f"/games/{self.id}/moves")
        while moves["moves"] and moves["decision"]["seat"] == self._seat(name):
            body = {
                "move": self._random.choice(moves["moves"]),
                "expected_version": moves["version"],
            }
            account.ask("POST", f"/games/{self.id}/moves", body)
            moves = account.get(f"/games/{self.id}/moves")

    def _seat(self, name: str) -> int:
        seats = self.game["seats"]
        return next(n for n, seat in enumerate(seats) if seat["player"]["name"] == name)


def test_a_game_of_three_weeks_on_two_devices(
    service: TimedService, browser: Browser, clock: FakeClock
) -> None:
    began = clock.now_ms()
    with (
        keeping_window(browser, service.url, PHONE) as phone,
        keeping_window(browser, service.url, DESKTOP) as desktop,
    ):
        for opened in (phone, desktop):
            opened.may_fail_to_load = True  # the service is away for a while
        ada = register(service, "Ada")
        remember(ada, phone.page)
        link(phone.page, desktop.page)
        devices = [Person(phone.page, "Ada", 1), Person(desktop.page, "Ada", 2)]
        weeks = Weeks(service, devices, ada)
        for device in devices:
            device.page.goto(f"/games/{weeks.id}")
            expect(device.page.locator(".table[data-version]")).to_be_visible()
            device.page.evaluate(COUNT_TURNS)
        weeks.play()
        service.let_work(10)
        for device in devices:
            expect(device.page.locator(".table[data-status=over]")).to_be_visible()
        seen = [device.page.evaluate("() => window.turns") for device in devices]
    assert clock.now_ms() - began >= 21 * DAY
    events = ada.events(weeks.id)
    types = Counter(event["type"] for event in events)
    assert types["turn_timed_out"] == types["stand_in_seated"] == types["seat_forfeited"] == 0
    assert ada.get(f"/games/{weeks.id}")["status"] == "over"
    assert ada.get(f"/games/{weeks.id}/verification")["valid"]
    assert len(ada.get("/players/me/tokens")["tokens"]) == len(devices)
    turns = find_turns(rules_of(OFFERS), events)
    for account in (ada, weeks.bob):
        me = account.get("/players/me")["id"]
        found = [item for item in account.inbox() if item["type"] == "your_turn"]
        assert [item["data"]["version"] for item in found] == turns[me]
    assert seen == [len(turns[ada.get("/players/me")["id"]])] * 2
