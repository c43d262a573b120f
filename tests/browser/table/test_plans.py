"""A planned answer: made when the turn comes as expected, else dropped, and never made twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cartulary.engine.caylus.phase_2_placing import legal_placements, payable_places
from cartulary.engine.chance import RandomSource
from cartulary.games import GAMES
from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import PHONE, Size, window
from tests.browser.support.page_checks import cut_texts, violations
from tests.browser.support.person import YOUR_TURN
from tests.browser.support.texts import spoilt_texts
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

Json = dict[str, Any]

LYING = Size(844, 390)
TOUCH = 44
LARGE = "size => { document.documentElement.style.fontSize = size; }"
PLACE, OTHER, TAKEN = "road-3", "road-2", "road-1"
"""Free at the beginning: where Ada plans to go, where Bob goes, where Ada has been before."""


class Table:
    """Two people at Caylus: Ada in a browser, and Bob, whose turn it is."""

    def __init__(self, served: Served, page: Page, ada: Account, game: str = "caylus") -> None:
        self.page, self.ada, self.bob = page, ada, Account(served, "Bob")
        self.id = ada.open(ME, OPEN, game=game, shuffle_seats=False)
        self.bob.ask("POST", f"/games/{self.id}/seats", {"seat": 1})
        while self.asked["seat"] == 0:
            self.move(self.ada, self.ada.ask("GET", f"/games/{self.id}/moves")["moves"][:2][-1])
        page.goto(f"/games/{self.id}")
        expect(page.locator(".picture svg")).to_be_visible()
        expect(page.locator(".waiting")).to_contain_text("Bob")

    @property
    def asked(self) -> Json:
        found: Json = self.ada.ask("GET", f"/games/{self.id}")["decision"]
        return found

    def move(self, player: Account, move: Json) -> None:
        player.ask("POST", f"/games/{self.id}/moves", {"move": move})

    def place(self, space: str) -> None:
        """Bob places a worker."""
        self.move(self.bob, {"type": "place_worker", "space": space})

    def moves_of_ada(self) -> list[Json]:
        events = self.ada.ask("GET", f"/games/{self.id}/events?limit=500")["events"]
        return [one["move"] for one in events if one["type"] == "move_made" and one["seat"] == 0]

    @property
    def button(self) -> Locator:
        return self.page.locator("[data-key=plan]")

    @property
    def chip(self) -> Locator:
        return self.page.locator(".planned")

    def plan(self, space: str = PLACE) -> None:
        """Plan a worker by touch; nothing is sent."""
        before = self.moves_of_ada()
        self.button.tap()
        expect(self.page.locator(".question")).to_contain_text("Plan: ")
        self.page.locator(f".picture [data-space={space}] .touch").first.dispatch_event("click")
        confirm = self.page.locator(".panel [data-key=confirm]")
        expect(confirm).to_contain_text("Plan: ")
        confirm.tap()
        expect(self.chip).to_contain_text("Planned: ")
        expect(self.button).to_be_hidden()
        assert self.moves_of_ada() == before

    def await_note(self, text: str) -> None:
        expect(self.page.locator("#notes .note").last).to_contain_text(text)

    def check_dropped(self, reason: str) -> None:
        """The plan is dropped for this reason, and Ada is asked herself."""
        before = self.moves_of_ada()
        self.await_note(reason)
        expect(self.page.locator(YOUR_TURN)).not_to_contain_text("Plan")
        expect(self.chip).to_be_hidden()
        assert self.moves_of_ada() == before


@pytest.fixture(scope="module")
def ada(served: Served) -> Account:
    return Account(served, "Ada")


@pytest.fixture(scope="module")
def page(served: Served, browser: Browser, ada: Account) -> Iterator[Page]:
    """One window for all tables."""
    with window(browser, served.url, PHONE) as opened:
        ada.enter(opened.page)
        yield opened.page


@pytest.fixture
def table(served: Served, page: Page, ada: Account) -> Table:
    return Table(served, page, ada)


def has_room(button: Locator) -> bool:
    box = measure(button)
    return min(box.width, box.height) >= TOUCH


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, LYING]), ids=str)
def test_a_plan_is_made_once_when_the_turn_comes_as_expected(
    served: Served, page: Page, ada: Account, size: Size
) -> None:
    page.set_viewport_size({"width": size.width, "height": size.height})
    table = Table(served, page, ada)
    before = table.moves_of_ada()
    until(lambda: has_room(table.button))
    table.button.tap()
    until(lambda: has_room(table.button))  # it leaves the plan now
    assert cut_texts(page) == []
    table.button.tap()
    expect(page.locator(".waiting")).to_contain_text("Bob")
    table.plan()
    until(lambda: has_room(page.locator("[data-key=drop-plan]")))
    assert cut_texts(page) == []
    if size is PHONE:
        assert violations(page) == []
    key = page.evaluate("game => JSON.parse(localStorage[`cartulary.plan.${game}`]).key", table.id)
    with page.expect_request("**/moves?*") as sent:
        table.place(OTHER)
    assert sent.value.headers["idempotency-key"] == key
    table.await_note("Played as planned")
    assert table.moves_of_ada() == [*before, {"type": "place_worker", "space": PLACE}]
    expect(table.chip).to_be_hidden()
    expect(table.button).to_be_visible()  # Bob's turn again
    page.evaluate(LARGE, "200%")
    assert spoilt_texts(page) == []  # what happened, on the line over the board
    page.evaluate(LARGE, "")
    page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})


def test_a_plan_is_dropped_when_another_player_takes_the_place(table: Table) -> None:
    table.plan()
    table.place(PLACE)
    table.check_dropped("not possible any more")


def test_a_plan_is_dropped_when_its_price_has_changed(table: Table) -> None:
    table.plan()
    table.move(table.bob, {"type": "pass"})
    table.check_dropped("costs or brings has changed")


def test_a_plan_for_the_castle_is_dropped_when_another_player_is_there_first(table: Table) -> None:
    table.plan("castle")
    table.place("castle")
    table.check_dropped("costs or brings has changed")


def test_a_plan_is_dropped_when_moves_are_taken_back(table: Table) -> None:
    if not table.moves_of_ada():
        table.place(OTHER)
        table.move(table.ada, {"type": "place_worker", "space": TAKEN})
        expect(table.button).to_be_visible()
    table.plan()
    before = table.moves_of_ada()
    table.ada.ask("POST", f"/games/{table.id}/proposals", {"kind": "takeback"})  # free: Bob waits
    assert table.asked["seat"] == 0
    table.check_dropped("taken back")
    assert table.moves_of_ada() == before


def test_a_plan_waits_over_a_reload_and_is_withdrawn_by_touch(table: Table) -> None:
    table.plan()
    table.page.reload()
    expect(table.chip).to_contain_text("Planned: ")
    table.page.locator("[data-key=drop-plan]").tap()
    expect(table.chip).to_be_hidden()
    before = table.moves_of_ada()
    table.place(OTHER)
    expect(table.page.locator(YOUR_TURN)).to_be_visible()
    assert table.moves_of_ada() == before


def test_a_plan_whose_turn_came_while_the_table_was_closed_is_not_made(table: Table) -> None:
    table.plan()
    table.page.goto("/settings")
    table.place(OTHER)
    table.page.goto(f"/games/{table.id}")
    table.check_dropped("while this table was closed")


def test_two_tabs_make_a_plan_once(table: Table) -> None:
    other = table.page.context.new_page()
    other.goto(f"/games/{table.id}")
    expect(other.locator("[data-key=plan]")).to_be_visible()
    table.page.bring_to_front()
    table.plan()
    expect(other.locator(".planned")).to_contain_text("Planned: ")
    before = table.moves_of_ada()
    table.place(OTHER)
    until(lambda: len(table.moves_of_ada()) > len(before))
    now = table.ada.ask("GET", f"/games/{table.id}")["version"]
    for tab in (table.page, other):
        expect(tab.locator(f".table[data-version='{now}']")).to_be_visible()
        expect(tab.locator(".planned")).to_be_hidden()
        expect(tab.locator(".waiting")).to_contain_text("Bob")
        expect(tab.locator(".note.trouble")).to_have_count(0)
    assert table.moves_of_ada() == [*before, {"type": "place_worker", "space": PLACE}]
    other.close()


def test_where_the_next_question_is_unknown_nothing_is_planned(
    served: Served, page: Page, ada: Account
) -> None:
    """In Carcassonne the tile is drawn when the turn begins."""
    table = Table(served, page, ada, "carcassonne")
    expect(table.button).to_be_hidden()


# -- what is foreseen ------------------------------------------------------------------------------

FORESEE = """async (cases) => {
  const { loadTable, gameModule } = await import("/js/play/game_module.js");
  await loadTable({ game: "caylus", options: {} });
  return cases.map(({ view, decision, seat }) =>
    gameModule("caylus").foresee(view, decision, seat)?.moves ?? null);
}"""


def foreseeable(games: int) -> Iterator[tuple[Json, list[Json] | None]]:
    """Yield cases for the client, and the moves that each seat would have if it were asked."""
    rng = random.Random(5)
    rules = GAMES["caylus"]
    for number in range(games):
        seats = 2 + number % 4
        state: Any = rules.new(seats, {}, rules.draw_setup(seats, {}, rng))
        source = RandomSource(rng)
        state.settle(source)
        while not state.over:
            decision, view = state.decision.to_json(), state.view()
            for seat in range(seats):
                if seat == decision["seat"] or rng.random() < 0.9:
                    continue
                case = {"view": view, "decision": decision, "seat": seat}
                yield case, foresee(state, view, decision, seat)
            state.apply(rng.choice(state.legal_moves()), source)


def foresee(state: Any, view: Json, decision: Json, seat: int) -> list[Json] | None:
    is_known = view["inn"]["right"] != decision["seat"]  # else the client does not know the price
    if decision["kind"] != "place_worker" or seat in view["passed"] or not is_known:
        return None
    if not payable_places(state, seat):
        return None
    return [state.move_json(move) for move in legal_placements(state, seat)]


def test_what_can_be_planned_is_what_the_rules_would_allow_now(page: Page) -> None:
    cases, wanted = zip(*foreseeable(6), strict=True)
    assert sum(moves is not None for moves in wanted) > 50
    page.goto("/settings")
    order = str
    for case, moves, found in zip(cases, wanted, page.evaluate(FORESEE, cases), strict=True):
        assert (moves is None) == (found is None), case
        assert sorted(moves or [], key=order) == sorted(found or [], key=order), case
