"""A person at the client: opens games, looks, chooses with the pointer, confirms."""

from __future__ import annotations

import json
import random
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import requests
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.fairness import people

YOUR_TURN = ".panel:not([inert]):not(.sending) .question"
DONE = ".table[data-status=over], .table[data-status=aborted]"  # not: a game yet to start


VISIT = """path => {
  const before = document.querySelector("main > *");
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  return before;
}"""


def visit(page: Page, path: str) -> None:
    """Go to another page of the client as a link does: without a start, which takes most of it."""
    page.wait_for_selector("main > *", state="attached")  # a client that starts has no page yet
    before = page.evaluate_handle(VISIT, path)
    page.wait_for_function("before => !before.isConnected", arg=before)


class Person:
    """Answers at random, by what the page offers; `seed` makes the answers the same again."""

    def __init__(self, page: Page, name: str = "Ada", seed: int = 1) -> None:
        self.page = page
        self.name = name
        self._random = random.Random(seed)
        self._known: dict[str, str] = {}

    # -- beginning -------------------------------------------------------------------------------

    def open_game(self, game: str, *seats: str, **more: Any) -> str:
        """Create a game over HTTP as the form does, and open its table; return the address.

        `seats` are as in the lists of the form: `me`, `open`, `bot:random`.
        """
        self.look(self.host(game, *seats, **more))
        return self.page.url

    def look(self, path: str) -> None:
        """Open a table."""
        self.page.goto(path)
        expect(self.page.locator(".table[data-version]")).to_be_visible()

    def host(self, game: str, *seats: str, **more: Any) -> str:
        """Create a game over HTTP, as for `open_game`; return the path of its table."""
        self.register()
        kinds = [seat.partition(":") for seat in seats]
        wanted = [{"kind": kind, **({"bot": bot} if bot else {})} for kind, _, bot in kinds]
        usual = {"shuffle_seats": True, "takebacks": "undo"}
        made = self._post("/games", {"game": game, "seats": wanted, **usual, **more})
        return f"/games/{made['id']}"

    def sit_down(self, path: str) -> None:
        """Take a free seat over HTTP; no page is opened."""
        self.register()
        self._post(f"{path}/seats", {})

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._known['token']}"}
        made = self.page.request.post(f"/api/v1{path}", data=body, headers=headers)
        assert made.ok, made.text()
        answer: dict[str, Any] = made.json()
        return answer

    def set_up_game(self, game: str, *seats: str, pace: str = "") -> str:
        """Set a game up with the form, which takes a page more than `open_game`.

        `pace` is the name of a preset; without it the form stays as it is.
        """
        self.register()
        page = self.page
        page.goto(f"/new?game={game}")
        lists = page.locator("select[id^=seat-]")
        expect(lists.first).to_be_visible()
        while lists.count() < len(seats):
            page.locator("[data-key=more]").click()
        while lists.count() > len(seats):
            page.locator("[data-key=fewer]").click()
        for number, seat in enumerate(seats):
            page.locator(f"#seat-{number}").select_option(seat)
        if pace:
            page.locator("#pace").select_option(pace)
        page.locator("button[type=submit]").click()
        expect(page.locator(".table[data-version]")).to_be_visible()
        return page.url

    def register(self) -> None:
        """Play under this name from the next page on, unless a player plays in this browser."""
        page = self.page
        if page.url != "about:blank" and (
            kept := page.evaluate("localStorage['cartulary.player']")
        ):
            self._known = json.loads(kept)
            return
        answer = page.request.post("/api/v1/players", data={"name": self.name})
        self._known = answer.json()
        known = json.dumps(json.dumps(self._known))
        page.add_init_script(f"localStorage['cartulary.player'] ??= {known}")

    # -- playing ---------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The version that the page shows."""
        return int(self.page.locator(".table").get_attribute("data-version") or 0)

    @property
    def api(self) -> str:
        """The address under which the service has the game of the page."""
        return self.page.url.replace("/games/", "/api/v1/games/").split("?")[0]

    def list_spaces(self, api: str = "") -> list[str]:
        """Return where workers were placed, in order; `api` is that of the game."""
        address = f"{api or self.api}/events?after=0&limit=100"
        events = requests.get(address, timeout=60).json()["events"]
        return [one["move"]["space"] for one in events if one["type"] == "move_made"]

    def touch(self, space: str) -> None:
        """Touch a place of a picture of Caylus."""
        self.page.locator(f".picture [data-space={space}] .touch").first.dispatch_event("click")

    def await_turn(self, within: float = 60) -> bool:
        """Wait until this person is asked; False when the game is over instead."""
        self.page.wait_for_selector(f"{YOUR_TURN}, {DONE}", timeout=within * 1000)
        return self.page.locator(YOUR_TURN).count() > 0

    def choose(self) -> None:
        """Choose a move with the pointer, as far as the page asks, until it can be confirmed."""
        if self.page.locator(".placing").count():
            self._lay_tile()
            return
        if self.page.locator(".following").count():
            self._pick_pin()
            return
        before = self.version
        for _ in range(8):
            if self._is_sent(before) or self.confirm.is_enabled():
                return
            if self.page.locator(".batches").count():
                self._pick_batch()
            else:
                self._pick(self._open_aspect())
        expect(self.confirm).to_be_enabled()

    def _is_sent(self, before: int) -> bool:
        """Whether the choice was a button of its own: it is sent without a confirmation."""
        return self.page.locator(".panel.sending").count() > 0 or self.version != before

    def _pick_batch(self) -> None:
        self.open_choices()
        batches = self.page.locator(".batches .batch:enabled, .batches label")
        self._draw(batches).click()

    @property
    def confirm(self) -> Locator:
        """The button that makes the move."""
        return self.page.locator(".panel [data-key=confirm]")

    def _lay_tile(self) -> None:
        """Touch a place on the board, and now and then turn the tile by touching it again."""
        places = self.page.locator(".picture rect.touch")
        if places.count() and self._random.random() < 0.5:
            self._touch(self._draw(places))
        else:
            for _ in range(self._random.randint(1, 4)):
                self.page.locator("[data-key=after]").click()
        turn = self.page.locator("[data-key=turn]")
        if turn.is_enabled() and self._random.random() < 0.5:
            turn.click()
        expect(self.confirm).to_be_enabled()
        if self._random.random() < 0.5:
            self._pick_pin()

    def _pick_pin(self) -> None:
        """Put a follower on the tile, or none, where the tile leaves the choice."""
        pins = self.page.locator(".picture .pin:not(.chosen)")
        if pins.count():
            self._touch(self._draw(pins))
        expect(self.confirm).to_be_enabled()

    def _draw(self, places: Locator) -> Locator:
        """Draw a place; the page may be drawing them again, so that it counts 0 at this moment."""
        return places.nth(self._random.randrange(max(1, places.count())))

    def _touch(self, place: Locator) -> None:
        """Touch a place on the board; what it covers is scrolled into sight first.

        The picture may be drawn again meanwhile, so the place is looked up for each step, and no
        step waits for it to stand still.
        """
        place.evaluate("one => one.scrollIntoView({ block: 'nearest', behavior: 'instant' })")
        place.dispatch_event("click")

    def _open_aspect(self) -> Locator:
        aspect = self.page.locator(".facets fieldset:not([data-away], [hidden])")
        expect(aspect).to_have_count(1)
        # else all is chosen, and nothing to confirm
        expect(aspect.locator("input:checked")).to_have_count(0)
        return aspect

    def _pick(self, aspect: Locator) -> None:
        targets = self.page.locator(".picture .touch")
        if targets.count() and self._random.random() < 0.5:
            self._touch(self._draw(targets))
            return
        self.open_choices()
        labels = aspect.locator("label")
        self._draw(labels).click()

    def open_choices(self) -> None:
        """Open the sheet of the choices: while places can be touched it is low."""
        grip = self.page.locator(".sheet.answers[data-at=peek] .grip")
        if grip.count() and grip.is_visible():
            grip.click()

    def look_at(self, tab: str) -> None:
        """Show the story or the scores: on a phone they are in a drawer."""
        drawer = self.page.locator(".open-aside[aria-expanded=false]")
        if drawer.is_visible():
            drawer.click()
        self.page.locator(f".tabs [data-tab={tab}]").click()

    def move(self) -> str:
        """Make one move; return the question that it answered."""
        question: str = self.page.locator(YOUR_TURN).inner_text()
        before = self.version
        self.choose()
        self._confirm(before)
        self.await_version_after(before)
        return question

    def _confirm(self, before: int, within: float = 60) -> None:
        """Press the button of this question, unless the client sends a move that costs nothing."""
        button = self.page.locator(
            f".table[data-version='{before}'] .panel:not(.sending) [data-key=confirm]"
        )
        deadline = time.monotonic() + within
        while not self._is_sent(before):
            assert time.monotonic() < deadline, "the chosen move is not sent"
            with suppress(PlaywrightTimeout):
                button.click(timeout=2000)

    def await_version_after(self, version: int, within: float = 60) -> None:
        """Wait until the page shows a later version."""
        self.page.wait_for_selector(
            f".table:not([data-version='{version}'])", timeout=within * 1000
        )

    def play(self, moves: int | None = None, within: float = 500) -> list[str]:
        """Play to the end, or so many moves; return the questions answered."""
        asked: list[str] = []
        deadline = time.monotonic() + within
        while (moves is None or len(asked) < moves) and self.await_turn():
            assert time.monotonic() < deadline, f"{len(asked)} moves took {within} s"
            asked.append(self.move())
        return asked

    def play_over_http(self) -> None:
        """Play to the end at random without the page, which shows the end after that.

        The page is away meanwhile: it would ask about questions that are answered already.
        """
        known = json.loads(self.page.evaluate("localStorage['cartulary.player']"))
        table = urlsplit(self.page.url)
        self.page.goto("/livez")
        player = people.Person(f"{table.scheme}://{table.netloc}", self.name, known)
        people.play_out(table.path.removeprefix("/games/"), player)
        self.page.goto(table.geturl())
