"""The end of a game says whether its draws are proved fair, and what that does not prove."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES, join
from tests.browser.conftest import one_finished
from tests.browser.support.chromium import DESKTOP, window
from tests.browser.support.page_checks import check_words, switch_language
from tests.browser.support.person import Person, visit
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

FAIR = {
    "scheme": "cartulary-fair/1",
    "commitment": "0" * 64,
    "given": 0,
    "draws": 71,
    "state": "proved",
    "renewed_at": [],
}


def say(page: Page, fair: dict[str, Any] | None, problems: list[Any] | None = None) -> None:
    """Let the service answer the verification with this."""
    found = problems or []
    answer = {
        "valid": not found,
        "version": 57,
        "problems": found,
        "head": "0" * 64,
        "chained_from": 1,
        "masked": 2,
        "fair": fair,
    }
    page.route("**/verification", lambda route: route.fulfill(json=answer))


def test_the_end_says_what_is_proved_in_each_language(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        say(opened.page, {**FAIR, "given": 3, "renewed_at": [41]})
        opened.page.goto(f"/games/{finished}")
        section = opened.page.locator(".ending .fairness[data-state=proved]")
        for lang in short_or_long(LANGUAGES[::4], LANGUAGES):
            words = join(lang, {name: offer.words for name, offer in OFFERS.items()})["ui"]["fair"]
            switch_language(opened.page, lang)
            expect(section.locator("h2")).to_have_text(words["proved"])
            expect(section.locator("h3")).to_have_text([words["not_proved"]])
            expect(section.locator("ul").first.locator("li")).to_have_count(2)
            expect(section.locator("ul").first).to_contain_text("71")
            expect(section.locator("ul").last.locator("li")).to_have_count(6)
            check_words(opened.page)
        # Without gifts and renewals only what always remains is named.
        opened.page.unroute("**/verification")
        visit(opened.page, "/settings")
        say(opened.page, FAIR)
        visit(opened.page, f"/games/{finished}")
        expect(section.locator("ul").last.locator("li")).to_have_count(4)


NOT_PROVED: tuple[tuple[Any, str | None, str], ...] = (
    ({**FAIR, "state": "failed"}, "draw", "failed"),
    ({**FAIR, "state": "failed"}, "result", "failed"),
    ({**FAIR, "state": "failed"}, None, "lost"),
    (FAIR, "chain", "failed"),
    (None, None, "unknown"),
)
"""What the service says of the draws, its problem, and what the end shows."""


@one_finished
def test_the_end_says_when_the_draws_are_not_proved(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url) as opened:
        page, path = opened.page, f"/games/{finished}"
        for fair, problem, state in NOT_PROVED:
            problems = [{"version": 9, "problem": problem, "detail": "x"}] if problem else []
            say(page, fair, problems)
            if page.url == "about:blank":
                page.goto(path)
            else:
                visit(page, path)
            section = page.locator(f".ending .fairness[data-state={state}]")
            expect(section, f"{problem}: {state}").to_be_visible()
            expect(section.locator("ul")).to_have_count(0)
            page.unroute("**/verification")
            visit(page, "/settings")


@one_finished
def test_a_check_that_fails_to_come_is_no_proof_and_disturbs_nothing(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.page.route("**/verification", lambda route: route.abort())
        opened.page.goto(f"/games/{finished}")
        expect(opened.page.locator(".ending .fairness[data-state=unavailable]")).to_be_visible()
        expect(opened.page.locator(".ending .tally").first).to_be_visible()


@one_finished
def test_the_end_leads_to_how_anybody_checks_the_game(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url) as opened:
        opened.page.goto(f"/games/{finished}")
        link = opened.page.locator(".ending .fairness a")
        with opened.context.expect_page() as shown:
            link.click()
        expect(shown.value.locator("h1")).to_have_text("Check a game yourself")
        expect(shown.value.locator("pre")).to_contain_text("import hashlib")


@pytest.mark.slow
def test_a_game_played_in_the_client_ends_with_draws_proved_fair(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        asked: list[str] = []
        opened.page.on("request", lambda one: asked.append(f"{one.method} {one.url}"))
        person = Person(opened.page)
        person.set_up_game("caylus", "me", "bot:random")
        posted = [one.split("/api/v1")[1] for one in asked if one.startswith("POST ")]
        assert posted.index("/fair/commitments") < posted.index("/games")
        person.play(moves=short_or_long(1, 3))
        person.play_over_http()
        section = opened.page.locator(".ending .fairness[data-state=proved]")
        expect(section.locator("ul").first).to_contain_text(
            "10"
        )  # 2 seats by lot, 2 turns, 6 tiles


def test_the_client_says_when_the_server_breaks_its_commitment(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        promise = {"id": "x", "commitment": "0" * 64, "expires_at": "2026-11-22T10:00:00.000Z"}
        made = "**/fair/commitments"
        opened.page.route(made, lambda route: _answer_another(route, promise))
        opened.page.goto("/new?game=caylus")
        opened.page.locator("button[type=submit]").click()
        expect(opened.page.locator("body")).to_contain_text("has not kept its commitment")


def _answer_another(route: Route, promise: dict[str, str]) -> None:
    """Answer with the id of a real commitment, and with another commitment."""
    real = route.fetch().json()
    route.fulfill(status=201, json={**promise, "id": real["id"]})
