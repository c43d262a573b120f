"""A walk through the client: a picture of each place, and the texts that stand there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.browser.conftest import CASES, NAMES
from tests.browser.support.account import BOT, ME, OPEN, Account
from tests.browser.support.games_cut_at_a_question import find
from tests.browser.support.person import Person
from tests.browser.support.positions import cut
from tests.browser.wordbook.marks import DIGITS, EDGE, FIND
from tests.support.real_serve import Served

QUESTIONS = (
    *("place_worker", "gate", "merchants_guild", "joust_field", "inn", "bribe", "produce"),
    *("owner_bonus", "trade", "build", "build_prestige", "convert", "castle", "favour"),
    *("favour_cubes", "favour_buildings"),
)
FOLLOWER = 41
"""Moves of the case of Carcassonne after which a follower may be placed."""

MOST_PAGES = 12
CLOSED = "details:not([open])"
OPEN_ONE = """number => {
  const one = [...document.querySelectorAll("details")].filter((one) => !one.open)[number];
  if (one) Object.assign(one, { open: true }).dataset.opened = number;
}"""
CLOSE_ONE = (
    """number => document.querySelector(`[data-opened="${number}"]`)?.removeAttribute("open")"""
)
SCROLL = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const before = one.scrollTop;
  if (one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== "visible")
    one.scrollTop += one.clientHeight * 0.8;
  return one.scrollTop > before;
}).length"""


class Seen(NamedTuple):
    """Where a text stands: a picture and a box in it."""

    place: str
    picture: str
    box: Mapping[str, float]


class Walk:
    """Goes from place to place; `seen` has the first place of each number."""

    def __init__(self, served: Served, page: Page, folder: Path) -> None:
        self.seen: dict[int, Seen] = {}
        self._served = served
        self._page = page
        self._folder = folder
        self._ada = Account(served, "Ada")

    def go(self) -> None:
        """Walk through all places."""
        self._open("/", ".home .offer", "Home, at the first visit")
        self._open("/settings", "[data-section=newcomer]", "Settings, at the first visit")
        self._ada.enter(self._page)
        self._pages()
        for game in ("carcassonne", "caylus"):
            self._finished(game)
        self._carcassonne()
        self._caylus()

    def _pages(self) -> None:
        self._ada.open(ME, BOT, BOT)
        waiting = self._ada.open(ME, OPEN)
        self._open("/", ".home .card", "Home, with games")
        self._open("/lobby", ".filters", "All tables")
        self._open("/new?game=caylus", "select[id^=seat-]", "New game")
        self._open("/settings", "[data-key=link-code]", "Settings")
        self._open(f"/games/{waiting}", ".table", "A table that waits for players")
        for game in ("carcassonne", "caylus"):
            self._open(f"/learn/{game}", ".piece-entry", f"How to play: {game}")
        self._open("/nothing-here", ".missing", "An address that does not exist")

    def _finished(self, game: str) -> None:
        case = "game-00.json" if game == "carcassonne" else "game-01-3p-builder.json"
        told = json.loads((CASES / game / case).read_text(encoding="utf-8"))
        wanted = {key: value for key, value in told.items() if not key.startswith("expect")}
        self._import({**wanted, "players": NAMES[: told["seats"]]}, ".ending", f"The end: {game}")
        self._page.locator("[data-key=review]").click()
        expect(self._page.locator(".replay")).to_be_visible()
        self._look_around(f"The replay: {game}")
        self._page.locator("[data-key=aside]").click()
        self._look_around(f"The story: {game}")

    def _carcassonne(self) -> None:
        for moves, place in ((FOLLOWER - 1, "a tile"), (FOLLOWER, "a follower")):
            table = cut("carcassonne", "game-00", moves)
            self._import(table, ".panel .question", f"Carcassonne: {place}")
            Person(self._page).choose()
            self._look_around(f"Carcassonne: {place}, chosen")
        for key in ("compare", "aside"):
            self._page.locator(f"[data-key={key}]").click()
            self._look_around(f"Carcassonne: {key}")
            self._page.keyboard.press("Escape")
        self._page.locator(".chat-button").click()
        expect(self._page.locator(".drawer")).to_be_visible()
        self._look_around("The talk at a table")
        self._page.keyboard.press("Escape")
        self._page.keyboard.press("?")
        expect(self._page.locator("dialog[open]")).to_be_visible()
        self._look("The keys")

    def _caylus(self) -> None:
        for kind in QUESTIONS:
            self._import(find(kind).transcript, ".panel .question", f"Caylus: {kind}")

    def _import(self, transcript: Mapping[str, Any], mark: str, place: str) -> None:
        made = self._ada.ask("POST", "/games/import", transcript)
        self._open(f"/games/{made['id']}", mark, place)

    def _open(self, address: str, mark: str, place: str) -> None:
        self._page.goto(f"{self._served.url}{address}")
        expect(self._page.locator(mark).first).to_be_visible()
        self._look_around(place)

    def _look_around(self, place: str) -> None:
        """Look at what is there, then behind each summary, then further down in each sheet."""
        self._look(place)
        for number in range(self._page.locator(CLOSED).count()):
            self._page.evaluate(OPEN_ONE, number)
            self._look(place)
            self._page.evaluate(CLOSE_ONE, number)
        for _ in range(MOST_PAGES):
            if not self._page.evaluate(SCROLL):
                break
            self._look(place)

    def _look(self, place: str) -> None:
        """Note what stands here for the first time, and take a picture if there is anything."""
        found: dict[str, Any] = self._page.evaluate(FIND, [EDGE, DIGITS])
        fresh = {
            int(number): box
            for number, box in found.items()
            if int(number) not in self.seen or (box["shown"] and not self._is_shown(int(number)))
        }
        if not fresh:
            return
        picture = f"{len(list(self._folder.glob('*.jpg'))):02}.jpg"
        self._page.screenshot(path=self._folder / picture, full_page=True, quality=55, type="jpeg")
        self.seen |= {number: Seen(place, picture, box) for number, box in fresh.items()}

    def _is_shown(self, number: int) -> bool:
        return bool(self.seen[number].box["shown"])
