"""The page of a player: ratings with curves, figures, opponents, what one may do; leaderboards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.cli.operators.store import open_store
from cartulary.events.ratings.reading import PAGE
from cartulary.events.store import Store
from cartulary.locales import LANGUAGES
from cartulary.ratings.results import Bucket, Entrant, GameResult
from tests.browser.pages.test_home import import_finished
from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import DESKTOP, PHONE, Scheme, Size, window
from tests.browser.support.page_checks import (
    WIDER,
    check_page,
    check_words,
    cut_texts,
    switch_language,
)
from tests.browser.support.seats import touch_name
from tests.events.support.finished_games import MINUTE, FinishedGame, follower, move, points
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

LANDSCAPE = Size(844, 390)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

TARGETS = ".profile :is(a, button, summary, select)"


def count(store: Store, game_id: str, players: Sequence[str], scores: Sequence[int]) -> None:
    game = FinishedGame(game_id, players, scores)
    game.add(
        move(2, 0, MINUTE, follower(0, "field"), points(0, scores[0] - 9, "city")),
        move(3, 1, 2 * MINUTE, follower(1, "road"), points(1, scores[1], "road")),
    )
    game.result["breakdown"] = [{"seat": 0, "reason": "farm", "points": 9, "detail": {}}]
    assert store.statistics.count(game.summary(), game.events)


def rate(store: Store, bucket: Bucket, game_id: str, *entrants: Entrant) -> None:
    """Let the entrants end a game in their order, after all games before."""
    at = store.clock.now_ms() - 10_000 + store.rating_reader.count_results(bucket)
    store.ratings.note(GameResult(at, game_id, bucket, entrants, (1, 2)))


def fill(store: Store, ada: str, bert: str, game: str) -> None:
    """Let Bert win games against Ada, Ada practise, and many others be on a leaderboard."""
    practice = Bucket("practice", "carcassonne", "2")
    people = Bucket("people", "caylus", "many")
    count(store, game, [bert, ada], [70, 41])
    rate(store, people, game, Entrant(bert), Entrant(ada))
    for number in range(3):
        count(store, f"{ada}{number}", [bert, ada, "bot:medium"], [60 + number, 50, 40])
        rate(store, people, f"{ada}{number}", Entrant(bert), Entrant(ada))
    rate(store, practice, f"{ada}p", Entrant(ada), Entrant(None, 1500))
    others = [store.players.create(f"Player {number}")[0].id for number in range(PAGE)]
    for number, other in enumerate(others):
        rate(store, people, f"{other}{number}", Entrant(other), Entrant(None, 1500))
    store.ratings.fold_all()


def test_a_player_is_found_by_name_with_ratings_figures_and_opponents(
    served: Served, browser: Browser
) -> None:
    ada, bert = Account(served, "Ada"), Account(served, "Bert")
    game = import_finished(ada)
    with open_store(served.data) as store:
        fill(store, ada.id, bert.id, game)
    table = bert.open(ME, OPEN)
    with window(browser, served.url) as opened:
        page = opened.page
        ada.enter(page)
        # The name at a table leads to the player.
        page.goto(f"/games/{table}")
        page.locator(".sitting").get_by_role("link", name="Bert").tap()
        expect(page.locator(".profile h1")).to_have_text("Bert")
        expect(page.locator(".shelf-hosting .card")).to_have_count(1)
        expect(page.locator(".reliability")).to_contain_text("4 of 4 games")
        figures = page.locator(".figures[data-game=carcassonne]")
        expect(figures.locator(".facts")).to_contain_text("4 games")
        expect(figures.get_by_role("table", name="Points by source")).to_contain_text("Cities")
        expect(figures.get_by_role("table", name="Where followers stand")).to_contain_text("Farms")
        against = figures.get_by_role("table", name="Against players")
        expect(against.locator("tbody tr")).to_have_text(
            re.compile("Ada 4400".replace(" ", r"\s*"))
        )
        page.locator("#profile-tables").select_option("2")
        expect(figures.locator(".facts")).to_contain_text("1 game")

        # The curve says what each game has changed, and opens it.
        curve = page.locator(".rating").first.locator(".curve")
        expect(curve.locator(".point")).to_contain_text("+")
        curve.get_by_role("slider").press("Home")
        expect(curve.locator(".point a")).to_have_attribute("href", f"/games/{game}")
        check_page(page, TARGETS)
        for lang in short_or_long(["ru", "de"], LANGUAGES):
            switch_language(page, lang)
            expect(page.locator(".figures")).to_have_count(1)
            check_words(page)
            assert cut_texts(page) == []
            assert not page.evaluate(WIDER)
        switch_language(page, "en")

        follow = page.locator("[data-key=follow]")
        follow.tap()
        expect(follow).to_have_text("Stop following")
        page.locator("[data-key=block]").tap()
        page.locator("dialog .confirm").tap()
        expect(page.locator("[data-key=block]")).to_have_text("Unblock")
        page.locator("[data-key=block]").tap()
        page.locator("[data-key=together]").tap()
        expect(page.locator("#seat-1")).to_have_value(f"invite:{bert.id}")

        # One's own page, from the name at the top.
        page.locator(".top .player").tap()
        page.locator("dialog").get_by_role("link", name="My profile").tap()
        expect(page.locator(".profile h1")).to_have_text("Ada")
        practice = page.locator(".rating[data-ladder=practice]")
        practice.locator("summary").tap()
        expect(practice).to_contain_text(re.compile(r"You play like \d+ ± \d+\. A match for you"))
        check_page(page, TARGETS)

        page.locator(".rating[data-ladder=people]").get_by_role("link", name="place").tap()
        check_leaderboard(page, ada)

        # The card of a seat leads to its player as well.
        ada.ask("POST", f"/games/{table}/seats", {})
        page.goto(f"/games/{table}")
        touch_name(page.locator(".seat[data-seat='0'] .name"))
        expect(page.locator("[data-key=card-profile]")).to_have_attribute(
            "href", f"/players/{bert.id}"
        )

        bert.ask("PATCH", "/players/me", {"preferences": {"visibility": "hidden"}})
        page.goto(f"/players/{bert.id}")
        expect(page.locator(".profile")).to_contain_text("shows no figures")
        expect(page.locator(".figures")).to_have_count(0)


def check_leaderboard(page: Page, ada: Account) -> None:
    """My own row is shown on whatever page it stands; pages follow each other."""
    rows = page.locator(".board-rows tbody tr")
    expect(rows).to_have_count(PAGE + 1)
    expect(rows.last).to_have_class("own")
    check_page(page, TARGETS)
    page.locator("[data-key=board-more]").tap()
    expect(rows).to_have_count(PAGE + 2)
    expect(page.locator("[data-key=board-more]")).to_be_hidden()
    own = page.locator(".board-rows .own")
    expect(own.get_by_role("link")).to_have_attribute("href", f"/players/{ada.id}")
    page.locator("#board-game").select_option("carcassonne")
    expect(page.locator(".leaderboard h1")).to_have_text("Leaderboard: Carcassonne")
    assert page.url.split("?")[0].endswith("/leaderboards/carcassonne")


@pytest.mark.parametrize(
    ("size", "scheme"),
    short_or_long([(LANDSCAPE, "dark")], [*product((PHONE, LANDSCAPE, DESKTOP), SCHEMES)]),
)
def test_a_page_of_a_player_fits_every_screen(
    served: Served, browser: Browser, size: Size, scheme: Scheme
) -> None:
    ada, bert = Account(served, "Ada of the long and winding name"), Account(served, "Bert")
    with open_store(served.data) as store:
        count(store, f"{ada.id}f", [ada.id, bert.id], [70, 41])
        rate(store, Bucket("people", "carcassonne", "2"), ada.id, Entrant(ada.id), Entrant(bert.id))
        store.ratings.fold_all()
    with window(browser, served.url, size, scheme=scheme, touch=True) as opened:
        page = opened.page
        page.goto(f"/players/{ada.id}")
        expect(page.locator(".curve .point")).to_contain_text("+")
        expect(page.locator(".figures")).to_have_count(1)
        check_page(page, TARGETS)
