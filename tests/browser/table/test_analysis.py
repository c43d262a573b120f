"""The analysis of a finished game, and hints at the questions of a practice game."""

from __future__ import annotations

import random
import re

import pytest
import requests
from playwright.sync_api import Browser, Page, Route, expect

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json
from cartulary.engine.transcript import RecordedMove, record
from cartulary.games import GAMES, OFFERS
from cartulary.locales import LANGUAGES, join
from tests.browser.support.account import BOT, ME, Account
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.page_checks import check_words, violations
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

BAG = {"D": 2, "E": 2, "L": 1, "U": 2, "V": 2}


def play_badly(seed: int) -> Json:
    """A transcript of a game of a few tiles, with moves at random."""
    rng, rules = random.Random(seed), GAMES["carcassonne"]
    setup = {"bag": BAG}
    state = rules.new(2, rules.check(2, {}), setup)
    source = RandomSource(rng)
    draws, moves = state.settle(source), []
    while not state.over:
        seat, move = state.seat, rng.choice(state.legal_moves())
        draws += state.apply(move, source).chance
        moves.append(RecordedMove(seat, move))
    return record(rules, state, setup, draws, moves, players=["Wanda", "Konrad"]).to_json()


@pytest.fixture(scope="module")
def short(served: Served) -> str:
    """The id of a finished game of a few tiles."""
    account = Account(served, "Ada")
    return str(account.ask("POST", "/games/import", play_badly(3))["id"])


def open_analysis(page: Page, game: str) -> None:
    """Open the analysis from the sheet of the end, and wait until it is done."""
    page.goto(f"/games/{game}")
    page.locator(".ending [data-key=analyse]").click()
    expect(page.locator(".judged tbody tr")).to_have_count(2)


def test_the_analysis_shows_the_graph_the_mistakes_and_what_is_better(
    served: Served, browser: Browser, short: str
) -> None:
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        Account(served, "Bea").enter(page)
        open_analysis(page, short)
        expect(page.locator(".analysis .chart").get_by_role("slider")).to_have_attribute(
            "aria-label", re.compile(r"^Expected share of wins: Wanda: \d+ %, Konrad: \d+ %$")
        )
        expect(page.locator(".analysis .tiles")).to_have_text(
            re.compile(
                r"^(Wanda|Konrad) won by \d+ points?; of that, [+−]?[\d.]+ was luck with the"
            )
        )
        assert violations(page) == []
        page.locator("[data-key=mistakes]").click()
        note = page.locator(".replay .judgement")
        expect(note.locator(".mark")).to_have_text(
            re.compile(r"^\?[!?]?(inaccuracy|mistake|blunder)$")
        )
        expect(note).to_contain_text(re.compile(r"Better: .+\. [A-Z].+\."))
        expect(page.locator(".picture .shaded")).to_have_count(1)
        first = page.locator(".replay .count").inner_text()
        page.locator("[data-key=mistake-after]").click()
        expect(page.locator(".replay .count")).not_to_have_text(first)
        expect(page.locator(".picture .shaded")).to_have_count(1)
        assert violations(page) == []
        check_words(page)


SAY_LOSSES = """async ({ lang, losses }) => {
  const { speak, t } = await import("/js/platform/i18n.js");
  await speak(lang); // the page may run the built file, which has modules of its own
  const { amount, lossOf, withSign } = await import("/js/analysis/wording.js");
  const worth = t("ui.analysis.worth", { value: amount(losses[0], withSign), win: "50 %" });
  return [worth, ...losses.map((loss) => lossOf({ loss, error: 0 }))];
}"""


LOSSES = {
    "en": ["+1 point, 50 % wins", "loses 1 point", "loses 1.5 points", "loses 2 points"],
    "de": ["+1 Punkt, 50 % Siege", "verliert 1 Punkt", "verliert 1,5 Punkte"],
    "es": ["+1 punto, 50 % de victorias", "pierde 1 punto", "pierde 1,5 puntos"],
    "fr": ["+1 point, 50 % de victoires", "perd 1 point", "perd 1,5 point", "perd 2 points"],
    "hr": ["+1 bod., 50 % pobjeda", "gubi 1 bod.", "gubi 1,5 bod.", "gubi 2 bod."],
    "nl": ["+1 punt, 50 % overwinningen", "verliest 1 punt", "verliest 1,5 punten"],
    "pl": ["+1 pkt, 50 % zwycięstw", "traci 1 pkt", "traci 1,5 pkt", "traci 2 pkt"],
    "ru": ["+1 оч., 50 % побед", "теряет 1 оч.", "теряет 1,5 оч.", "теряет 2 оч."],
}


def test_a_loss_of_one_point_has_the_singular(served: Served, browser: Browser) -> None:
    with window(browser, served.url, PHONE) as opened:
        opened.page.goto("/")
        for lang in LANGUAGES:
            found = opened.page.evaluate(SAY_LOSSES, {"lang": lang, "losses": [1.04, 1.5, 2]})
            assert found[: len(LOSSES[lang])] == LOSSES[lang]


def test_a_spectator_reads_an_analysis_without_becoming_a_player(
    served: Served, browser: Browser, short: str
) -> None:
    address = f"{served.url}/api/v1/games/{short}/analysis"
    Account(served, "Gus").ask("POST", f"/games/{short}/analysis")
    until(lambda: requests.get(address, timeout=60).json()["status"] == "done")
    with window(browser, served.url, PHONE) as opened:
        page, sent = opened.page, list[str]()
        page.on("request", lambda request: sent.append(request.method))
        open_analysis(page, short)
        assert set(sent) == {"GET"}


def test_a_line_that_is_cut_after_the_start_delays_the_analysis_only(
    served: Served, browser: Browser, short: str
) -> None:
    lost: list[str] = []

    def lose_first_look(route: Route) -> None:
        if route.request.method != "GET" or lost:
            route.continue_()
            return
        lost.append(route.request.url)
        route.abort()

    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        Account(served, "Eve").enter(page)
        page.route(re.compile(r"/analysis$"), lose_first_look)
        open_analysis(page, short)
        assert lost


def test_a_moment_that_could_not_be_loaded_is_asked_for_again(
    served: Served, browser: Browser, short: str
) -> None:
    with window(browser, served.url, PHONE) as opened:
        opened.may_fail_to_load = True
        page = opened.page
        Account(served, "Fay").enter(page)
        open_analysis(page, short)
        looks = requests.get(f"{served.url}/api/v1/games/{short}/analysis", timeout=60).json()
        loud = [
            one["version"]
            for one in looks["decisions"]
            if one["mark"] in ("inaccuracy", "mistake", "blunder")
        ]
        before = re.compile(rf"/states/{loud[0] - 1}$")
        page.route(before, lambda route: route.abort())
        page.locator("[data-key=mistakes]").click()
        note = page.locator(".replay .judgement")
        expect(note.locator(".mark")).to_be_visible()
        expect(page.locator(".note")).to_contain_text("cannot be reached")
        page.unroute(before)
        page.locator("[data-key=mistake-after]").click()
        expect(page.locator(".picture .shaded")).to_have_count(1)
        page.locator("[data-key=mistake-before]").click()
        expect(note).to_contain_text("Better:")
        expect(page.locator("[data-key=mistake-before]")).to_be_focused()


@pytest.mark.parametrize("lang", short_or_long(["ru"], ["pl", "ru"]))
def test_the_story_marks_mistakes_in_the_language_of_the_reader(
    served: Served, browser: Browser, short: str, lang: str
) -> None:
    own = join(lang, {name: offer.words for name, offer in OFFERS.items()})["ui"]["analysis"]
    with window(browser, served.url, DESKTOP, locale=lang) as opened:
        page = opened.page
        Account(served, "Cy").enter(page)
        open_analysis(page, short)
        check_words(page)
        answer = requests.get(f"{served.url}/api/v1/games/{short}/analysis", timeout=60).json()
        loud = {
            str(one["version"]): one["mark"]
            for one in answer["decisions"]
            if one["mark"] in ("inaccuracy", "mistake", "blunder")
        }
        marked = page.locator(".lines li:has(.mark)")
        expect(marked).to_have_count(len(loud))
        for line in marked.all():
            mark = loud[line.get_attribute("data-version") or ""]
            expect(line.locator(".mark")).to_contain_text(own["marks"][mark])


def test_a_hint_is_drawn_on_the_board_and_says_why(served: Served, browser: Browser) -> None:
    with window(browser, served.url, PHONE) as opened:
        page, account = opened.page, Account(served, "Dan")
        account.enter(page)
        measured = {"kind": "bot", "bot": "easy"}
        page.goto(f"/games/{account.open(ME, measured, hints=True, shuffle_seats=False)}")
        page.locator("[data-key=hint]").click()
        expect(page.locator("dialog")).to_contain_text("practice rating")
        page.locator("dialog .confirm").click()
        expect(page.locator(".hinted")).to_have_text(re.compile(r"^Hint: .+\. [A-Z].+\.$"))
        expect(page.locator(".picture .shaded")).to_have_count(1)
        assert violations(page) == []
        page.goto(f"/games/{account.open(ME, BOT, shuffle_seats=False)}")
        expect(page.locator(".panel .question")).to_be_visible()
        expect(page.locator("[data-key=hint]")).to_be_hidden()


def open_with_hint(account: Account) -> tuple[str, Json] | None:
    """Open a game with a hint for a place; None where the lot of the first places says to pass."""
    game = account.open(ME, BOT, game="caylus", hints=True, shuffle_seats=False)
    until(lambda: (account.ask("GET", f"/games/{game}")["decision"] or {}).get("seat") == 0)
    account.ask("POST", f"/games/{game}/hints", {})
    move: Json = account.ask("GET", f"/games/{game}/hint")["move"]
    return (game, move) if "space" in move else None


@pytest.mark.parametrize("size", short_or_long([PHONE], [PHONE, Size(844, 390)]), ids=str)
def test_a_hint_frames_its_choice_in_the_list_and_leaves_the_chips_free(
    served: Served, browser: Browser, size: Size
) -> None:
    with window(browser, served.url, size, touch=True) as opened:
        page, account = opened.page, Account(served, "Dan")
        account.enter(page)
        game, move = until(lambda: open_with_hint(account))
        page.goto(f"/games/{game}")
        page.locator("[data-key=hint]").click()
        expect(page.locator(".hinted")).to_contain_text("Hint: ")
        chosen = page.locator(f".answers label:has(> input[value='{move['space']}'])")
        expect(chosen).not_to_have_css("box-shadow", "none")
        others = page.locator(f".answers label:has(> input:not([value='{move['space']}']))")
        expect(others.first).to_have_css("box-shadow", "none")
        chips, hint = (measure(page.locator(part)) for part in (".chips", ".hinted"))
        assert hint.y >= chips.bottom - 1


def test_the_wish_for_hints_stays_when_the_seats_change(served: Served, browser: Browser) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto("/new?game=carcassonne")
        page.locator("details.options summary").click()
        hints = page.locator("input[name=hints]")
        expect(hints).to_be_checked()  # the default of a game against bots
        hints.uncheck()
        page.locator("[data-key=more]").click()
        expect(page.locator("[data-key=more]")).to_be_focused()
        expect(hints).not_to_be_checked()
