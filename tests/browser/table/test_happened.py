"""What just happened: the moves of others are shown over the picture, and in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.person import YOUR_TURN, Person
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

MOST = 2000
"""Milliseconds for all that happened."""

RECORD = """
window.planned = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  const { delay = 0, duration } = typeof how === "number" ? { duration: how } : how;
  window.planned.push({ what: this.getAttribute("class") ?? this.tagName, end: delay + duration });
  return animate.call(this, frames, how);
};
"""
TOUCH = """
window.left = [];
new MutationObserver(() => {
  if (!document.querySelector(".motion")) return;
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  window.left.push(document.querySelectorAll(".motion, .sprite").length);
}).observe(document, { childList: true, subtree: true });
"""
"""Press a key as soon as something is shown, and note what is left of it."""

LISTEN = """
window.heard = [];
window.OscillatorNode = class extends OscillatorNode {
  constructor(audio, how) {
    super(audio, how);
    window.heard.push(how.frequency);
  }
};
localStorage["cartulary.prefs"] = '{"sound": true}';
"""
"""Turn the sounds on, and note the pitch of every note in Hz."""

SPRITES = "window.planned.filter(({what}) => what.startsWith('sprite'))"


def open_table(page: Page, game: str, speed: str = "", calm: bool = False) -> Person:
    """Begin a game against three bots; every animation that the page plans is recorded."""
    page.emulate_media(reduced_motion="reduce" if calm else "no-preference")
    page.add_init_script(RECORD)
    if speed:
        page.add_init_script(f"localStorage['cartulary.prefs'] = '{{\"motion\": \"{speed}\"}}'")
    person = Person(page, seed=3)
    person.open_game(game, "me", "bot:random", "bot:random", "bot:random")
    person.await_turn()
    return person


def check_nothing_is_left(page: Page) -> None:
    """No piece, no outline and no running animation is left of what was shown."""
    expect(page.locator(".motion, .sprite, .happened")).to_have_count(0)
    page.wait_for_function(
        "() => document.getAnimations().every(one => one.effect.getTiming().iterations !== 1)"
    )


@pytest.mark.parametrize(
    ("game", "size"),
    short_or_long([("carcassonne", DESKTOP)], [("carcassonne", DESKTOP), ("caylus", PHONE)]),
)
def test_the_moves_of_the_bots_are_shown_and_heard_in_two_seconds(
    served: Served, browser: Browser, game: str, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        page = opened.page
        page.add_init_script(LISTEN)
        person = open_table(page, game)
        person.play(moves=2)
        person.await_turn()  # the player does not wait for the pieces
        expect(page.locator(".table")).to_have_attribute("data-motion", re.compile(r"^[1-9]"))
        planned: list[dict[str, Any]] = page.evaluate("window.planned")
        assert max(one["end"] for one in planned) <= MOST
        assert any(one["what"] == "sprite piece" for one in planned)
        placed, built = 196, 147
        page.wait_for_function("pitch => window.heard.includes(pitch)", arg=placed)
        assert (built in page.evaluate("window.heard")) == (game == "carcassonne")
        check_nothing_is_left(page)
        shown = page.locator(".seat .score").all_inner_texts()
        view = page.request.get(f"/api/v1{page.url.removeprefix(served.url)}").json()["view"]
        scores = (
            view["scores"] if game == "carcassonne" else [p["prestige"] for p in view["players"]]
        )
        assert sorted(map(int, shown)) == sorted(scores)


def test_a_touch_or_a_key_ends_it_and_does_what_it_does(served: Served, browser: Browser) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.add_init_script(TOUCH)
        person = open_table(page, "caylus", speed="0.5")
        person.move()
        person.await_turn()
        page.wait_for_function("() => window.left.length > 0")
        assert set(page.evaluate("window.left")) == {0}
        check_nothing_is_left(page)


@pytest.mark.parametrize("by", short_or_long(["device"], ["device", "setting"]))
def test_without_motion_there_are_outlines_and_words(
    served: Served, browser: Browser, by: str
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        is_calm = by == "device"
        person = open_table(page, "caylus", speed="" if is_calm else "off", calm=is_calm)
        person.move()
        expect(page.locator(".happened").first).to_be_visible()
        person.await_turn()
        expect(page.locator(".table")).to_have_attribute("data-motion", re.compile("^0 "))
        assert page.evaluate(SPRITES) == []
        expect(page.locator(".since")).to_contain_text("Random")
        check_nothing_is_left(page)


def test_what_happened_since_my_last_move_is_shown_and_can_be_seen_again(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        person = open_table(page, "caylus", speed="4")
        person.move()
        person.await_turn()
        since = page.locator(".since")
        expect(since).to_contain_text("Since your last move: ")
        said = since.inner_text()
        assert len(re.findall(r"\w\. ", said + " ")) <= 4
        present = page.url
        since.click()
        expect(page.locator(".moment .turn")).to_have_text("It is your turn.")
        expect(page).to_have_url(present)  # it goes on to the present by itself
        expect(page.locator(YOUR_TURN)).to_be_visible()
        expect(page.locator(".replay")).to_be_hidden()
        page.locator(".menu summary").click()
        page.locator("[data-key=menu-replay]").click()
        page.locator(".replay [data-key=mine]").click()
        expect(page.locator(".replay .caption")).to_contain_text(re.compile("^Round 1 .*Ada: "))
        expect(page).not_to_have_url(present)
        page.locator(".replay [data-key=close]").click()
        expect(page.locator(YOUR_TURN)).to_be_visible()
        expect(page.locator(".replay")).to_be_hidden()


PLAN = """
async ([events, mine]) => {
  const { schedule } = await import("/js/motion/beats.js");
  return [1, 0.5, 4].map((speed) => schedule(events, mine, speed));
}
"""


def test_many_moves_are_shown_faster_and_unknown_facts_in_words_only(
    served: Served, browser: Browser
) -> None:
    placed = {"type": "worker_placed", "seat": 1, "space": "road-3"}
    home = {"type": "worker_home", "seat": 1, "space": "inn"}
    unknown = {"type": "dragon_woken", "seat": 1, "space": "road-3"}
    many = [{"type": "move_made", "seat": 1, "facts": [placed, home]} for _ in range(30)]
    with window(browser, served.url) as opened:
        opened.page.goto("/")
        for plan in opened.page.evaluate(PLAN, [many, []]):
            assert len(plan["beats"]) == 60
            assert plan["total"] <= MOST
            assert plan["beats"][-1]["at"] + plan["length"] <= MOST + 1
        (usual, *_) = opened.page.evaluate(PLAN, [many[:1], []])
        assert (len(usual["beats"]), usual["total"]) == (2, 600)
        (own, *_) = opened.page.evaluate(PLAN, [many[:1], [1]])
        assert len(own["beats"]) == 1  # one's own worker has been seen before
        none = [{"type": "never_heard_of", "facts": [unknown]}]
        assert opened.page.evaluate(PLAN, [none, []])[0]["beats"] == []
