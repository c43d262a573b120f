"""How Caylus is asked: every kind of question, what is at stake, and how many touches it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from cartulary.engine.caylus.tables import NO_BATCH_PENALTY, SECTIONS
from tests.browser.support.boxes import bring, measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, Window, window
from tests.browser.support.games_cut_at_a_question import Json, Question, find
from tests.browser.support.person import YOUR_TURN, Person, visit
from tests.browser.table.test_controls import KINDS
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


def at_sizes(by_day: Size) -> pytest.MarkDecorator:
    """Open the table at one size by day, at night at both."""
    sizes = short_or_long([by_day], [PHONE, DESKTOP])
    return pytest.mark.parametrize("table", sizes, ids=str, indirect=True)


class Seated:
    """A person who sits on every seat of a game that is cut off at a question."""

    def __init__(self, opened: Window, url: str) -> None:
        self.window = opened
        self.page = page = opened.page
        self.api = f"{url}/api/v1"
        self._url = url
        player = requests.post(f"{self.api}/players", json={"name": "Ada"}, timeout=60).json()
        self.token = player["token"]
        page.goto("/livez")
        page.evaluate("kept => localStorage.setItem('cartulary.player', kept)", json.dumps(player))

    def ask(self, question: Question) -> Person:
        """Open a table that asks this question."""
        self.path = question.open(self._url, self.token)
        # A start of the client takes longer than a table: one for all questions of a test.
        (visit if "/games/" in self.page.url else Page.goto)(self.page, self.path)
        expect(self.page.locator(YOUR_TURN)).to_be_visible()
        return Person(self.page)

    def moves(self, after: int) -> list[Json]:
        """Return the moves that were made since a version."""
        address = f"{self.api}{self.path}/events?after={after}"
        events = requests.get(address, timeout=60).json()["events"]
        return [event["move"] for event in events if event["type"] == "move_made"]

    def prefer(self, confirm: str) -> None:
        """Choose when a move is asked for once more."""
        self.page.evaluate(
            "confirm => localStorage.setItem('cartulary.prefs', JSON.stringify({ confirm }))",
            confirm,
        )


@pytest.fixture
def table(request: pytest.FixtureRequest, served: Served, browser: Browser) -> Iterator[Seated]:
    size: Size = getattr(request, "param", PHONE)
    with window(browser, served.url, size) as opened:
        yield Seated(opened, served.url)


def board(page: Page, place: str) -> None:
    """Touch a place of the picture."""
    page.locator(f".picture {place}").first.dispatch_event("click")


COUNT = """() => {
  const isCounting = "taps" in window;
  window.taps = 0;
  if (isCounting) return;
  const isTap = (event) => event.composedPath()[0].tagName !== "INPUT"; // a label clicks its input
  addEventListener("click", (event) => isTap(event) && (window.taps += 1), true);
}"""

MOST = {"build_prestige": 5, "favour_cubes": 5, "favour_buildings": 5, "castle": 6}
"""Taps of a person who answers at random; all other kinds take at most 4."""


CAYLUS = sorted(KINDS["caylus"])
OTHERS = [kind for kind in CAYLUS if kind not in ("bribe", "castle", "place_worker", "produce")]


@pytest.mark.parametrize(
    ("table", "kinds"),
    # By day every second kind of those that no other test of this file answers; `test_controls`
    # chooses each move of each kind.
    short_or_long(
        [(PHONE, OTHERS[::4]), (DESKTOP, OTHERS[2::4])], [(PHONE, CAYLUS), (DESKTOP, CAYLUS)]
    ),
    ids=["phone", "desktop"],
    indirect=["table"],
)
def test_every_kind_of_question_can_be_answered_and_the_button_names_the_act(
    table: Seated, kinds: list[str]
) -> None:
    for kind in kinds:
        person = table.ask(find(kind))
        table.page.evaluate(COUNT)
        before = person.version
        person.move()
        assert table.moves(before), kind
        assert table.page.evaluate("window.taps") <= MOST.get(kind, 4), kind
        assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), kind


CUT = """() => {
  const real = window.fetch;
  const cut = async () => { throw new TypeError("Failed to fetch"); };
  window.fetch = (address, how) => (how?.method === "POST" ? cut() : real(address, how));
}"""
"""Nothing that is sent arrives, until the page is loaded again."""


@at_sizes(PHONE)
def test_a_bribe_is_declined_with_one_touch_from_now_on_when_the_line_is_back(
    table: Seated,
) -> None:
    person = table.ask(find("bribe"))
    expect(table.page.locator(".prompt")).to_contain_text("1 denier a space")
    expect(person.confirm).to_have_text("Leave the provost where he is")
    expect(table.page.locator("[data-key=standing-round]")).to_be_visible()
    before = person.version
    table.page.locator("[data-key=standing-round]").check()
    table.window.may_fail_to_load = True  # the preview of a move that is made by then is refused
    table.page.evaluate(CUT)
    person.confirm.click()
    expect(table.page.locator(".unsent")).to_be_visible()
    table.page.reload()
    person.await_version_after(before)
    assert table.moves(before)[0] == {"type": "decline"}
    address = f"{table.api}{table.path}/standing_answers"
    expect(table.page.locator(".standing")).to_be_visible()
    headers = {"Authorization": f"Bearer {table.token}"}
    answers = requests.get(address, headers=headers, timeout=60).json()["answers"]
    assert [(one["kind"], one["until"]) for one in answers] == [("bribe", "round")]


def test_the_bridge_is_touched_to_pass_and_touched_again_to_confirm(table: Seated) -> None:
    person = table.ask(find("place_worker"))
    board(table.page, "[data-bridge] .touch")
    expect(person.confirm).to_have_text("Pass")
    before = person.version
    board(table.page, "[data-bridge] .touch")
    person.await_version_after(before)
    assert table.moves(before)[0] == {"type": "pass"}


def test_the_button_of_a_worker_names_the_price_and_what_is_left(table: Seated) -> None:
    question = find("place_worker")
    person = table.ask(question)
    board(table.page, "[data-space=castle] .touch")
    price = question.context["price"]
    left = question.view["players"][question.seat]["deniers"] - price
    expect(person.confirm).to_have_text(f"Castle, {price} denier → {left} left")
    expect(table.page.locator(".picture .ghost")).to_have_count(1)


@at_sizes(DESKTOP)
def test_the_provost_is_dragged_and_the_price_grows(table: Seated) -> None:
    question = find("bribe", lambda one: len(one.moves) == 7)
    person = table.ask(question)
    page = table.page
    grab = bring(page.locator(".picture .grab"))
    step = {move["steps"]: move for move in question.moves if "steps" in move}
    target = f"[data-space=road-{question.view['provost'] + 1}]"
    spot = measure(page.locator(f".picture {target}").first)
    assert 1 in step
    page.mouse.move(*grab.middle)
    page.mouse.down()
    page.mouse.move(*spot.middle, steps=4)
    expect(page.locator(".picture .dragged-provost .price")).to_have_text("−1")
    page.mouse.up()
    expect(page.locator(".picture .dragged-provost")).to_have_count(0)
    expect(person.confirm).to_contain_text("1 denier →")


def rich(question: Question) -> bool:
    """Whether two batches can be given."""
    cubes = question.view["players"][question.seat]["cubes"]
    return bool(cubes["food"] > 1 and sum(cubes.values()) > 7)


def walk_through_the_batches(page: Page) -> None:
    """Give a batch with the keys as often as possible, then none; the focus stays in the list."""
    batch = page.locator(".batches .batch:not(.given)").first
    none = page.locator(".batches label input")
    batch.focus()
    while batch.is_enabled():
        expect(batch).to_be_focused()
        page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".batches .given").last).to_be_focused()
    none.focus()
    for is_none in (True, False):
        page.keyboard.press("Space")
        expect(none).to_be_checked(checked=is_none)
        expect(none).to_be_focused()


@at_sizes(PHONE)
def test_the_castle_says_what_is_at_stake_and_takes_all_batches_at_once(table: Seated) -> None:
    question = find("castle", rich)
    person = table.ask(question)
    section = next(one for one in SECTIONS if one.id == question.context["section"])
    stakes = table.page.locator(".stakes")
    for houses, favours in section.favours[:1]:
        expect(stakes).to_contain_text(f"{houses} houses → {favours} royal favour")
    expect(stakes).to_contain_text(f"no batch: {NO_BATCH_PENALTY} prestige points less")
    expect(stakes).to_contain_text(f"no house at the scoring: {section.penalty} prestige points")
    expect(stakes).to_contain_text("no batch this round yet")
    walk_through_the_batches(table.page)
    batches = table.page.locator(".batches .batch:not(.given):enabled")
    previews: list[str] = []
    table.page.on(
        "response", lambda got: previews.append(got.url) if "/preview" in got.url else None
    )
    with table.page.expect_response("**/preview"):
        batches.first.click()
    expect(person.confirm).to_contain_text("Give 1 food")
    batches.first.click()
    expect(person.confirm).to_have_text("Give 2 batches, then no more")
    # The preview of the service is about one move: the seat shows what both batches cost.
    table.page.wait_for_timeout(300)
    assert len(previews) == 1
    food = table.page.locator(f"[data-seat='{question.seat}'] .full [data-what=food] .delta")
    expect(food).to_have_text(f"→ {question.view['players'][question.seat]['cubes']['food'] - 2}")
    before = person.version
    person.confirm.click()
    person.await_version_after(before)
    expect(table.page.locator(".panel.sending")).to_have_count(0)
    types = [move["type"] for move in table.moves(before)]
    assert types[:2] == ["offer_batch"] * 2


def test_a_favour_for_building_shows_the_discount_before_the_choice(table: Seated) -> None:
    table.ask(find("favour_buildings"))
    expect(table.page.locator(".building .discount").first).to_contain_text("−1 wood")


def test_an_exchange_of_everything_for_the_same_is_one_question(table: Seated) -> None:
    """The Marketplace gives money for any cube: it does not ask what is wanted."""
    table.ask(find("trade", lambda one: "marketplace" in one.context["building"]))
    expect(table.page.locator(".facets fieldset:visible")).to_have_count(1)
    expect(table.page.locator(".facets .exchange").first).to_be_visible()


def test_a_question_of_two_answers_is_one_touch(table: Seated) -> None:
    person = table.ask(find("produce"))
    before = person.version
    table.page.locator(".facets label").first.click()
    person.await_version_after(before)
    assert len(table.moves(before)) == 1


def test_a_choice_is_sent_at_once_when_the_setting_says_never(table: Seated) -> None:
    table.prefer("never")
    person = table.ask(find("place_worker"))
    before = person.version
    board(table.page, "[data-space=castle] .touch")
    person.await_version_after(before)
    expect(table.page.locator(".takeback.fresh")).to_be_visible()


def test_walking_through_the_choices_with_the_keyboard_sends_nothing(table: Seated) -> None:
    table.prefer("never")
    person = table.ask(find("produce"))
    before = person.version
    table.page.locator(".facets input").first.focus()
    table.page.keyboard.press("ArrowDown")
    expect(person.confirm).to_be_enabled()
    expect(person.confirm).to_contain_text("Take")
    assert person.version == before
    table.page.keyboard.press("Enter")
    person.await_version_after(before)
    assert len(table.moves(before)) == 1


def test_only_a_costly_choice_is_asked_for_once_more(table: Seated) -> None:
    table.prefer("costly")
    person = table.ask(find("place_worker"))
    board(table.page, "[data-bridge] .touch")
    expect(person.confirm).to_have_text("Pass")
    expect(table.page.locator(".would li").first).to_be_visible()
    before = person.version
    board(table.page, "[data-space=castle] .touch")
    person.await_version_after(before)
    assert table.moves(before)[0] == {"type": "place_worker", "space": "castle"}
