"""Learning a game: the rules and the pieces in eight languages, and the guided first games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, Request, Route, expect

from cartulary import locales
from tests.browser.support.chromium import DESKTOP, PHONE, window
from tests.browser.support.finger import SETTLED
from tests.browser.support.hearing import await_heard
from tests.browser.support.page_checks import cut_texts, switch_language, violations_in_all_looks
from tests.browser.support.person import DONE, YOUR_TURN, Person, visit
from tests.browser.table.test_carcassonne import lay, pin
from tests.support.night import at_night, each_or_all, short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

PREPARED = Path(__file__).parents[3] / "web" / "learn"
GAMES = ("carcassonne", "caylus")
PERSON = 0
POLLING_MS = 100
"""To ask in each frame, as playwright does, takes as long as the frame."""
LETTERED = r"\b[a-z]+(_[a-z]+)+\b|\{[a-z_]+|undefined"
"""A key of the words that has no text, or a part that is not filled in."""


@contextmanager
def lesson(browser: Browser, served: Served, address: str, **how: Any) -> Iterator[Page]:
    """Open the page of a person who learns a game."""
    with window(browser, served.url, **how) as opened:
        opened.page.goto(address)
        expect(opened.page.locator(".piece-entry").first).to_be_visible()
        yield opened.page


def test_each_language_has_rules_pieces_and_a_guided_game(browser: Browser, served: Served) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.goto("/")
        for lang, game in each_or_all(locales.LANGUAGES, GAMES):
            visit(page, f"/learn/{game}")
            switch_language(page, lang)
            expect(page.locator(".piece-entry").first).to_be_visible()
            expect(page.locator("[data-key=guide]")).to_be_visible()
            text = page.locator(".learn").inner_text()
            assert not page.evaluate("([t, r]) => t.match(r)?.[0]", [text, LETTERED])
            expect(page.locator(".rule h2").nth(6)).to_be_attached()
            assert cut_texts(page) == [], lang
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE.width


def assert_that_the_last_option_wins(page: Page, edition: str) -> None:
    """Choose the other edition, whose pieces come late, then this edition again."""
    held: list[Route] = []
    options = page.locator("[data-key=option-edition]")
    other = {"first": "second", "second": "first"}[edition]
    slow = re.compile(rf"/catalogue/caylus\?.*edition={other}")
    page.route(slow, lambda route: held.append(route))
    with page.expect_request(slow) as late:
        options.select_option(other)
    with page.expect_response(re.compile(rf"/catalogue/caylus\?.*edition={edition}")):
        options.select_option(edition)
    await_heard(page, lambda: held)
    with page.expect_event("requestfinished", lambda one: one == late.value):
        held[0].continue_()
    page.evaluate(SETTLED)


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_overview_is_the_catalogue_of_the_edition(
    browser: Browser, served: Served, edition: str
) -> None:
    with lesson(browser, served, "/learn/caylus#pieces", size=DESKTOP) as page:
        page.locator("[data-key=option-edition]").select_option(edition)
        catalogue = f"{served.url}/api/v1/catalogue/caylus?edition={edition}"
        pieces = requests.get(catalogue, timeout=60).json()["pieces"]
        expect(page.locator("[data-piece=jeweller]")).to_have_count(int(edition == "second"))
        expect(page.locator(".piece-entry")).to_have_count(len(pieces))
        shown = page.locator(".piece-entry").evaluate_all(
            "all => all.map(({dataset}) => [dataset.piece, dataset.column, dataset.points])"
        )
        said = [
            [piece["id"], *(None if n is None else str(n) for n in (piece.get("column"), points))]
            for piece in pieces
            for points in [piece["points"]]
        ]
        assert sorted(shown, key=str) == sorted(said, key=str)
        assert_that_the_last_option_wins(page, edition)
        lawyer = page.locator("[data-piece=lawyer]")
        points = "3" if edition == "second" else "4"
        expect(lawyer).to_contain_text(f"{points} prestige points")
        expect(page.locator("#buildings")).to_contain_text(f"own is worth {points} points.")
        expect(page.locator("#castle")).to_contain_text("5 points in the Dungeon, 4 in the Walls")
        expect(page.locator("#over")).to_contain_text("1 point for every 4 deniers")
        assert lawyer.locator("img").evaluate("image => image.src").endswith("#lawyer")


def test_a_table_leads_to_the_rules_of_the_phase_that_is_on(
    browser: Browser, served: Served
) -> None:
    with lesson(browser, served, "/learn/caylus#bribe/bribes", size=PHONE) as page:
        expect(page.locator("#bribes")).to_be_focused()
        expect(page.locator("#bribes")).to_be_in_viewport()
        page.goto("/learn/caylus#favour_cubes/castle")
        page.reload()
        expect(page.locator("#favour")).to_be_focused()


def script(game: str) -> list[dict[str, Any]]:
    """Return the steps of a guided game, the other seat's moves left out."""
    file = json.loads((PREPARED / f"{game}.json").read_text(encoding="utf-8"))
    return [entry for entry in file["script"] if entry["seat"] == PERSON]


def press_twice(page: Page, key: str, makes: str) -> None:
    """Press a button twice at once, which makes one table and goes there."""
    made: list[str] = []

    def note(asked: Request) -> None:
        if asked.method == "POST" and asked.url.endswith(makes):
            made.append(asked.url)

    before = page.url
    page.on("request", note)
    page.locator(f"[data-key={key}]").evaluate("button => { button.click(); button.click(); }")
    expect(page).not_to_have_url(before)
    page.remove_listener("request", note)
    assert len(made) == 1, made


def begin(page: Page, game: str) -> None:
    """Start the guided game."""
    page.goto(f"/learn/{game}")
    press_twice(page, "guide", "/games/import")
    expect(page.locator(".guide .do")).to_be_visible()


SAID = {
    "pass": "Pass",
    "save": "Pass",
    "provost": "Leave the provost",
    "keep": "Leave the provost",
    "mason": "Mason",
    "favour": "Deniers",
}
"""What the sentence of a step says, as a part of the choice."""


ADVISES = "!document.querySelector('.guide .do').textContent.includes('is to move')"
"""Whether the guide speaks of the person's own question."""

LED = """({ space, building, line }) => {
  const board = document.querySelector(".picture");
  const name = space ? `[data-space="${space}"]`
    : building ? `[data-building="${building}"]` : line ? `[data-line="${line}"]` : "";
  if (!name) {
    const framed = [...document.querySelectorAll(".answers :is(label, .batch)")]
      .filter((one) => getComputedStyle(one).boxShadow.startsWith("rgb(255, 180, 84)"));
    return framed.length === 1 && framed[0].checkVisibility();
  }
  const { left, top, width, height } =
    board.shadowRoot.querySelector(name).getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === board;
}"""
"""Whether the place that a move names is in sight, else whether its choice alone is framed."""


FRAMED = ".answers :is(label, .batch)"
"""What may be framed in the list of the choices."""
FRAMES = """within => [...document.querySelectorAll(within)]
  .some((one) => getComputedStyle(one).boxShadow.startsWith("rgb(255, 180, 84)"))"""
"""Whether any choice is framed."""


def be_led(page: Page, entry: dict[str, Any]) -> None:
    """Wait until what the sentence of a step says is in sight or framed."""
    page.wait_for_function(LED, arg=entry["move"], polling=POLLING_MS)


def choose(page: Page, entry: dict[str, Any]) -> None:
    """Touch what the sentence of a step says; what is chosen already would be sent by a touch."""
    if "space" in entry["move"]:
        place = page.locator(f".picture [data-space={entry['move']['space']}]").first
        place.dispatch_event("click")
    elif entry["kind"] == "castle":
        batch = page.locator("[data-key^='batch-'][data-key*=wood][data-key*=stone]").first
        batch.dispatch_event("click")
    else:
        choice = page.locator(".answers label", has_text=SAID[entry["say"]]).first.locator("input")
        if not choice.is_checked():
            choice.dispatch_event("click")


def follow(page: Page, entry: dict[str, Any]) -> None:
    """Do what the sentence of a step of Caylus says; what costs nothing is sent by the choice."""
    expect(page.locator(".guide")).to_have_attribute("data-step", entry["say"])
    page.wait_for_selector(YOUR_TURN)
    before = page.locator(".table").get_attribute("data-version")
    later = f".table:not([data-version='{before}'])"
    confirm = page.locator(".panel .confirm[data-key=confirm]:enabled")
    choose(page, entry)
    expect(confirm.or_(page.locator(later)).first).to_be_visible()
    if not page.locator(later).count():
        confirm.click()
    page.wait_for_selector(later)


@at_night(
    "tests/browser/pages/test_learn.py::test_the_guide_goes_on_when_the_person_plays_something_else"
)
def test_somebody_new_plays_the_guided_game_of_caylus_to_the_end_on_a_phone(
    browser: Browser, served: Served
) -> None:
    """The person does what the steps say and touches what is legal after that, to the end."""
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        begin(page, "caylus")
        table = page.url
        steps = script("caylus")
        assert 10 <= len(steps) <= 15
        for entry in steps:
            expect(page.locator(".guide")).to_have_attribute("data-step", entry["say"])
            be_led(page, entry)
            follow(page, entry)
        page.locator("[data-key=guide-on]").click()
        expect(page).not_to_have_url(table)
        page.wait_for_selector(YOUR_TURN)
        expect(page.locator("[data-key=hint]")).to_be_visible()
        expect(page.locator(".guide")).to_have_count(0)
        person = Person(page)
        person.play(moves=3)
        person.play_over_http()
        expect(page.locator(DONE)).to_be_visible()


def test_somebody_new_follows_the_guide_of_carcassonne_on_a_phone(
    browser: Browser, served: Served
) -> None:
    """Each step names a tile and its follower: one gesture."""
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        begin(page, "carcassonne")
        table, steps = page.url, script("carcassonne")
        for tile, follower in zip(steps[::2], steps[1::2], strict=True):
            expect(page.locator(".guide")).to_have_attribute("data-step", tile["say"])
            page.wait_for_selector(YOUR_TURN)
            move = tile["move"]
            lay(page, move["x"], move["y"], move["rotation"])
            pin(page, follower["move"].get("segment", "none")).dispatch_event("click")
            page.locator(".panel .confirm[data-key=confirm]:enabled").click()
            expect(page.locator(f".guide[data-step={tile['say']}]")).to_have_count(0)
        press_twice(page, "guide-on", "/branches")
        assert page.url != table
        page.wait_for_selector(YOUR_TURN)


@pytest.mark.parametrize("game", short_or_long(GAMES[:1], GAMES))
def test_the_pages_to_learn_break_no_rule_of_accessibility(
    browser: Browser, served: Served, game: str
) -> None:
    with lesson(browser, served, f"/learn/{game}") as page:
        assert violations_in_all_looks(page) == []


def test_the_guide_goes_on_when_the_person_plays_something_else(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        begin(page, "caylus")
        first, second, third = script("caylus")[:3]
        follow(page, {**first, "move": {"type": "place_worker", "space": "road-2"}})
        expect(page.locator(".guide")).to_have_attribute("data-step", second["say"])
        expect(page.locator(".guide")).to_contain_text("something else")
        page.reload()
        expect(page.locator(".guide")).to_have_attribute("data-step", second["say"])
        played = {"castle": second, "inn": third}
        for space, step in played.items():
            be_led(page, step)
            follow(page, {**step, "move": {"type": "place_worker", "space": space}})
        # no step fits, but the other phases of the round are still to come
        guide = page.locator(".guide")
        expect(guide.locator(".do")).to_contain_text("no step for this moment: play what you like")
        expect(guide.locator("[data-key=guide-leave]")).to_be_visible()
        # what is missing is said where the grey button stands, and passing is named with it
        expect(page.locator(".panel .confirm")).to_have_text("Touch a place, or choose “Pass”")
        page.locator(".answers label", has_text="Pass").locator("input").dispatch_event("click")
        page.locator(".panel .confirm[data-key=confirm]:enabled").click()
        steps = {entry["say"]: entry for entry in script("caylus")}
        be_led(page, steps["provost"])
        follow(page, steps["provost"])
        person = Person(page)
        while True:
            person.await_turn()
            page.wait_for_function(ADVISES, polling=POLLING_MS)
            if guide.get_attribute("data-step"):
                break
            person.move()
        # Nothing to build, so that step never comes: the number leaps, and the guide says why.
        expect(guide).to_have_attribute("data-step", "sawmill")
        expect(guide).to_contain_text("some steps are left out")
        expect(guide).to_contain_text("Step 6 of 11")
        # The game without the guide asks the same, and frames no choice.
        page.wait_for_function(FRAMES, arg=FRAMED, polling=POLLING_MS)
        press_twice(page, "guide-leave", "/branches")
        expect(guide).to_have_count(0)
        page.wait_for_selector(YOUR_TURN)
        page.wait_for_selector(FRAMED, state="attached")
        assert not page.evaluate(FRAMES, FRAMED)


def test_the_page_of_an_unknown_game_says_that_there_is_no_such_game(
    browser: Browser, served: Served
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        opened.may_fail_to_load = True
        answer = opened.page.goto("/learn/halma")
        assert answer is not None
        assert answer.status == 404
        expect(opened.page.locator(".sorry p")).to_contain_text("There is no such game")
