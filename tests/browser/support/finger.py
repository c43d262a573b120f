"""A finger plays: it touches the middle of what the page offers, and counts what it hits.

It touches nothing that a person could not: a place that is out of sight is looked for with the
arrows at the edges of the board, an option of a list by scrolling the list. What a touch has done
is read from the page. Nothing is touched a second time, so each miss is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.support.boxes import measure
from tests.browser.support.chromium import PATIENT_MS
from tests.browser.support.person import DONE, YOUR_TURN
from tests.browser.support.targets import FINGER, Count, Target, names
from tests.browser.support.texts import spoilt_texts

LEAST = 0.8
"""The share of a button that has to react."""
LEAST_PIN = 0.65
"""The same of a pin, in its own middle always: two pins of one tile may overlap."""
WAIT_MS = PATIENT_MS
"""So long after a touch its effect may come: the machine may be busy."""
ARROWS = 12
"""The most arrows that lead to one place."""

SETTLED = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))"""

OPTIONS = """() => {
  const body = document.querySelector(".answers .sheet-body");
  if (!body?.checkVisibility()) return [];
  const seen = body.getBoundingClientRect();
  const list = body.querySelectorAll(
    ".facets fieldset:not([data-away], [hidden]) label, .batches .batch:enabled, .batches label");
  return [...list].filter((one) => one.checkVisibility()).map((one, at) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const isShown = y > seen.top + 2 && y < seen.bottom - 2;
    const found = document.elementFromPoint(x, y);
    return { at, name: one.innerText.trim().split("\\n")[0], x, y, width, height, isShown,
             isHit: isShown && one.contains(found) };
  });
}"""

SCROLL = """(at) => {
  const body = document.querySelector(".answers .sheet-body");
  const list = body.querySelectorAll(
    ".facets fieldset:not([data-away], [hidden]) label, .batches .batch:enabled, .batches label");
  [...list].filter((one) => one.checkVisibility())[at].scrollIntoView({ block: "center" });
}"""

STATE = """() => {
  const picture = document.querySelector(".picture").shadowRoot;
  const cell = (one) => one && `${one.dataset.x},${one.dataset.y}`;
  const spaces = [...picture.querySelectorAll(".touch.chosen")]
    .map((one) => one.closest("[data-space], [data-building]")?.id);
  const tile = picture.querySelector(".preview");
  return {
    version: document.querySelector(".table")?.dataset.version ?? "",
    laid: tile && cell(tile), turned: tile?.dataset.rotation ?? "", spaces,
    pin: picture.querySelector(".pin.chosen")?.dataset.pin ?? "",
    checked: [...document.querySelectorAll(".facets input:checked")].map((one) => one.value),
    given: document.querySelectorAll(".batch.given").length,
    pages: document.querySelectorAll(".facets fieldset:not([hidden])").length,
    away: document.querySelectorAll(".facets fieldset[data-away]").length,
    ready: document.querySelector(".panel .confirm")?.disabled === false,
    sending: Boolean(document.querySelector(".panel.sending")),
  };
}"""

State = dict[str, Any]


def _is_pinned(pin: str, now: State) -> bool:
    return bool(now["pin"] == pin)


class Option(NamedTuple):
    """An option of the list in the sheet."""

    at: int
    name: str
    x: float
    y: float
    width: float
    height: float
    isShown: bool  # noqa: N815 - as the page says it
    isHit: bool  # noqa: N815


class Tally:
    """What a finger has found in a game."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.misses: list[str] = []
        """Touches without their effect, and targets that something covers or that are too small."""
        self.texts: Counter[str] = Counter()

    def note(self, what: str, by: int = 1) -> None:
        self.counts[what] += by

    def miss(self, what: str, name: str) -> None:
        self.counts[what] += 1
        self.misses.append(f"{what}: {name}")

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.counts.items()))
        return "\n".join([counts, *self.misses, *map(str, self.texts.most_common())])


class Finger:
    """Plays at random by touch; `tally` is what it has counted."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.tally = Tally()
        self._random = random.Random(seed)

    # -- looking -----------------------------------------------------------------------------------

    def _state(self) -> State:
        state: State = self.page.evaluate(STATE)
        return state

    def _count(self) -> Count:
        self.page.evaluate(SETTLED)
        return Count(self.page)

    def look(self) -> None:
        """Count all that the page offers at this moment, and its texts."""
        counted = self._count()
        laid = self._state()["laid"]  # its pins lie over its middle
        places = counted.of("place")
        missed = [one for one in counted.missed("place", 0) if one.name != laid]
        self.tally.note("places offered", len(places))
        self.tally.note("places in sight", len(places) - len(missed))
        self.tally.note("places beyond an arrow", min(len(missed), sum(counted.beyond.values())))
        if len(missed) > sum(counted.beyond.values()):
            self.tally.miss("covered", f"{names(missed)}, arrows {counted.beyond}")
        for one in counted.hit:
            if min(one.width, one.height) < FINGER - 0.5:
                self._note_small(one)
        for kind in ("pin", "button"):
            self.tally.note(f"{kind}s offered", len(counted.of(kind)))
            for one in counted.missed(kind, LEAST_PIN if kind == "pin" else LEAST):
                self.tally.miss("covered", names([one])[0])
            for one in counted.of(kind):
                if min(one.width, one.height) < FINGER - 0.5:
                    self.tally.miss("small", names([one])[0])
        self.tally.texts.update(spoilt_texts(self.page))

    def _note_small(self, place: Target) -> None:
        """A place may be smaller than a finger where the list has the same choices.

        A row of the favour table is 36 pixels high.
        """
        options = self._options()
        if options and all(min(one.width, one.height) >= FINGER - 0.5 for one in options):
            self.tally.note("small, in the list as well")
        else:
            self.tally.miss("small", names([place])[0])

    # -- touching ----------------------------------------------------------------------------------

    def _touch(self, name: str, x: float, y: float, done: Callable[[State], bool]) -> bool:
        """Touch a point once; count whether it has the effect that was meant."""
        self.page.touchscreen.tap(x, y)
        self.tally.note("touches")
        if self._await(done):
            self.tally.note("hit at the first touch")
            return True
        self.tally.miss("missed", f"{name} at {x:.0f},{y:.0f}: {self._state()}")
        return False

    def _await(self, done: Callable[[State], bool]) -> bool:
        for _ in range(WAIT_MS // 25):
            if done(self._state()):
                return True
            self.page.wait_for_timeout(25)
        return False

    def _touch_button(self, selector: str, done: Callable[[State], bool]) -> bool:
        return self._touch(selector, *measure(self.page.locator(selector)).middle, done)

    def _find(self, kind: str, name: str) -> Target | None:
        """Bring a target of the board into sight with the arrows at its edges."""
        for _ in range(ARROWS):
            counted = self._count()
            target = next((one for one in counted.of(kind) if one.name == name), None)
            if target is None or target.middle:
                return target
            way = self._way(target, counted.beyond)
            if way is None:
                return None
            self.page.locator(f"[data-key=beyond-{way}]").tap()
            self.tally.note("arrows touched")
        return None

    def _way(self, target: Target, beyond: dict[str, int]) -> str | None:
        """Return which arrow leads to a target."""
        size = self.page.viewport_size
        assert size is not None
        far = {
            "left": -target.x,
            "right": target.x - size["width"],
            "up": -target.y,
            "down": target.y - size["height"],
        }
        shown = [way for way, number in beyond.items() if number]
        return max(shown, key=lambda way: far[way], default=None)

    def _touch_target(self, kind: str, name: str, done: Callable[[State], bool]) -> bool:
        target = self._find(kind, name)
        if target is None:
            self.tally.miss("not found", f"{kind} {name}")
            return False
        return self._touch(f"{kind} {name}", target.x, target.y, done)

    # -- playing -----------------------------------------------------------------------------------

    def play(self, moves: int = 10_000) -> int:
        """Play to the end, or so many questions; return how many were answered."""
        for answered in range(moves):
            self.page.wait_for_selector(f"{YOUR_TURN}, {DONE}", timeout=PATIENT_MS)
            if not self.page.locator(YOUR_TURN).count():
                return answered
            self._answer()
        return moves

    def _answer(self) -> None:
        before = self._state()["version"]
        self.tally.note("questions")
        self.look()
        if self.page.locator(".placing").count():
            self._lay_tile()
        elif self.page.locator(".following").count():
            self._pick_pin()
        else:
            self._choose()
        state = self._state()
        if state["version"] == before and not state["sending"]:
            self.look()
            self._touch_button(
                ".panel [data-key=confirm]",
                lambda now: now["version"] != before or now["sending"],
            )
        self._await_next(before)

    def _await_next(self, version: str) -> None:
        try:
            self.page.wait_for_selector(
                f".table:not([data-version='{version}'])", timeout=PATIENT_MS
            )
        except PlaywrightTimeout:
            self.tally.miss("stuck", f"at version {version}: {self._state()}")
            raise

    def _lay_tile(self) -> None:
        """Touch a place, turn the tile by touching it, and touch a pin."""
        places = [one.name for one in self._count().of("place")]
        place = self._random.choice(places)
        if not self._touch_target("place", place, lambda now: now["laid"] == place):
            self.page.locator("[data-key=after]").tap()
        self._await(lambda now: bool(now["ready"]))
        turn = self.page.locator("[data-key=turn]")
        if turn.is_enabled() and self._random.random() < 0.5:
            before = self._state()["turned"]
            tile = next(one for one in self._count().of("place") if one.name == place)
            if tile.middle:
                self._touch("tile", tile.x, tile.y, lambda now: now["turned"] != before)
            else:  # a pin lies over it
                self._touch_button("[data-key=turn]", lambda now: now["turned"] != before)
            self._await(lambda now: bool(now["ready"]))
        self.look()
        self._pick_pin()

    def _pick_pin(self) -> None:
        for _ in range(2):
            chosen = self._state()["pin"]
            pins = [one.name for one in self._count().of("pin") if one.name != chosen]
            if not pins:
                return
            pin = self._random.choice(pins)
            self._touch_target("pin", pin, partial(_is_pinned, pin))

    def _choose(self) -> None:
        """Answer aspect by aspect, on the board or in the list."""
        begun = self._state()["version"]
        for _ in range(8):
            state = self._state()
            if state["version"] != begun or state["sending"]:
                return
            if state["ready"] and self._random.random() < 0.8:
                return
            places = self._count().of("place")
            if places and self._random.random() < 0.6:
                self._choose_place(self._random.choice(places).name)
            else:
                self._choose_option()
            if self._state()["ready"]:
                return

    def _choose_place(self, name: str) -> None:
        before = self._state()
        if name in before["spaces"]:
            return
        self._touch_target(
            "place",
            name,
            lambda now: (
                name in now["spaces"]
                or now["checked"] != before["checked"]
                or now["sending"]
                or now["version"] != before["version"]
            ),
        )

    def _options(self) -> list[Option]:
        self.page.evaluate(SETTLED)
        return [Option(**one) for one in self.page.evaluate(OPTIONS)]

    def _choose_option(self) -> None:
        grip = self.page.locator(".sheet.answers[data-at=peek] .grip")
        if grip.count() and grip.is_visible():
            grip.tap()
            self.page.evaluate(SETTLED)
            self.look()
        options = self._options()
        self.tally.note("options offered", len(options))
        for one in options:
            if one.isShown and not one.isHit:
                self.tally.miss("covered", f"option {one.name} at {one.x:.0f},{one.y:.0f}")
            if min(one.width, one.height) < FINGER - 0.5:
                self.tally.miss("small", f"option {one.name} {one.width:.0f}x{one.height:.0f}")
        if not options:
            self.tally.miss("not found", f"an option: {self._state()}")
            return
        chosen = self._random.choice(options)
        if not chosen.isShown:
            self.page.evaluate(SCROLL, chosen.at)
            self.tally.note("lists scrolled by hand")
            chosen = self._options()[chosen.at]
        before = self._state()
        self._touch(f"option {chosen.name}", chosen.x, chosen.y, lambda now: now != before)
