"""People play whole games through the client."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.browser.support.person import Person
from tests.browser.table.test_keys import import_almost_finished
from tests.support.night import at_night, short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def finish(person: Person) -> None:
    """The end of a game: the counting is shown, and adds up to the score of each seat."""
    page = person.page
    page.wait_for_selector(
        ".table[data-status=over]",
    )
    tally = page.locator(".ending .tally")
    expect(tally).to_be_visible()
    totals = tally.locator("tfoot td").all_inner_texts()
    for column, total in enumerate(totals, 2):
        points = tally.locator(f"tbody td:nth-child({column})").all_inner_texts()
        assert sum(int(entry.replace("−", "-")) for entry in points) == int(total)
    shown = page.locator(".seat .score").all_inner_texts()
    assert sorted(shown) == sorted(totals)
    expect(page.locator(".ending .winner")).not_to_have_count(0)


def play_to_the_end(served: Served, person: Person, moves: int) -> list[str]:
    """Make so many moves, and the last ones of another game; at night all moves of one game.

    `test_carcassonne` answers each kind of question on the page.
    """
    asked = person.play(moves=short_or_long(moves, None))
    if len(asked) == moves:
        known = json.loads(person.page.evaluate("localStorage['cartulary.player']"))
        person.page.goto(f"/games/{import_almost_finished(served, 'carcassonne', known['token'])}")
        person.play()
    return asked


# At night the other size as well.
CARCASSONNE_SIZES = short_or_long([PHONE], [PHONE, DESKTOP])


@pytest.mark.parametrize("size", CARCASSONNE_SIZES, ids=str)
def test_a_complete_game_of_carcassonne_against_bots(
    served: Served, browser: Browser, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        person = Person(opened.page)
        thinker = short_or_long("bot:random", "bot:medium")
        person.set_up_game("carcassonne", "me", thinker, "bot:random", "bot:random")
        asked = play_to_the_end(served, person, moves=2)
        # 71 tiles for four seats: at least 17 turns each (fewer only by tiles that fit nowhere)
        tiles = [question for question in asked if "tile" in question]
        assert len(tiles) >= short_or_long(1, 16)
        finish(person)


@at_night(
    "tests/browser/table/test_caylus.py"
    "::test_every_kind_of_question_can_be_answered_and_the_button_names_the_act"
)
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_a_complete_three_player_game_of_caylus_against_bots(
    served: Served, browser: Browser, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        person = Person(opened.page, seed=7)
        person.set_up_game("caylus", "me", "bot:random", "bot:random")
        asked = person.play()
        assert len(set(asked)) >= 4
        finish(person)


DRAWN = "uses => uses.every((use) => use.getBoundingClientRect().width > 20)"


def test_what_is_chosen_is_shown_on_the_board_before_it_is_confirmed(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "bot:random")
        person.await_turn()
        opened.page.locator("[data-key=after]").click()
        for place in (".picture .preview use", ".piece svg > use"):
            tile = opened.page.locator(place)
            expect(tile).to_have_count(1)
            assert tile.evaluate_all(DRAWN)
        # the picture waits for the server, the sign of the seat does not
        person.open_game("caylus", "me", "bot:random")
        person.await_turn()
        opened.page.locator(".picture .touch").first.dispatch_event("click")
        opened.page.route("**/moves?*", lambda route: None)
        person.confirm.click()
        stamp = opened.page.locator(".picture .stamp")
        expect(stamp).to_have_count(1)
        assert stamp.evaluate_all("uses => uses[0].getBoundingClientRect().width > 5")


def test_the_server_says_what_a_chosen_move_leads_to(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        person.open_game("caylus", "me", "bot:random")
        person.await_turn()
        opened.page.locator(".picture .touch").first.dispatch_event("click")
        would = opened.page.locator(".would li")
        said = would.filter(has_text="Ada: ")
        expect(said).to_contain_text(["worker to the"])
        expect(said).to_contain_text(["pays "])
        opened.page.locator(".quiet input").click()
        expect(said).to_contain_text(["Ada: passes"])
        expect(would.filter(has_text="worker to the")).to_have_count(0)


def test_a_move_is_made_although_no_preview_comes(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.page.route("**/preview", lambda route: route.abort())
        person = Person(opened.page)
        person.open_game("carcassonne", "me", "bot:random")
        person.play(moves=2)


@at_night("tests/browser/table/test_living.py::test_a_misclick_is_undone_in_one_tap")
def test_two_browsers_play_each_other(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as first, window(browser, served.url, DESKTOP) as second:
        ada, bert = Person(first.page, "Ada"), Person(second.page, "Bert", seed=2)
        link = ada.open_game("carcassonne", "me", "open")
        bert.register()
        second.page.goto(link)
        second.page.locator(".lounge .confirm").click()
        # the lot decides who begins
        expect(first.page.locator(".seat.playing")).to_have_count(1)
        ada_begins = first.page.locator(".seat.mine.playing").count() == 1
        in_turn = (ada, bert) if ada_begins else (bert, ada)
        for _ in range(3):
            for person, other in (in_turn, in_turn[::-1]):
                while person.await_turn() and person.page.locator(".placing").count() == 0:
                    person.move()
                person.move()
                while person.page.locator(".seat.mine.playing").count():
                    person.await_turn()
                    person.move()
                # what one does the other sees without doing anything
                expect(other.page.locator(".table")).to_have_attribute(
                    "data-version", str(person.version)
                )
        assert ada.version == bert.version
        expect(second.page.locator(".seat .name")).to_contain_text(["Ada"])
        second.page.locator("[data-tab=story]").click()
        expect(second.page.locator(".lines")).to_contain_text("Ada: lays a tile")


def test_a_player_finds_the_game_that_waits_for_him_in_the_lobby(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        person = Person(opened.page)
        link = person.open_game("caylus", "me", "bot:random")
        person.await_turn()
        opened.page.locator(".home-link").click()
        waiting = opened.page.locator(".card.mine").first
        expect(waiting).to_contain_text("Your turn")
        waiting.click()
        expect(opened.page.locator(".table[data-version]")).to_be_visible()
        assert opened.page.url == link
        opened.page.go_back()
        expect(opened.page.locator(".home")).to_be_visible()
    with window(browser, served.url) as stranger:
        stranger.page.goto("/")
        expect(stranger.page.locator(".offer").first).to_be_visible()
        expect(stranger.page.locator(".card.mine")).to_have_count(0)


def test_a_question_that_is_answered_takes_no_second_answer_until_the_next_picture(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        person = Person(page)
        person.open_game("caylus", "me", "bot:random")
        person.await_turn()
        person.choose()
        before = person.version
        sent: list[str] = []
        page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
        page.route("**/board.svg?*", lambda route: None)  # the picture after the bot's move is late
        person.confirm.click()
        person.await_version_after(before)
        expect(person.confirm).not_to_have_attribute("aria-busy", "true")
        person.confirm.evaluate("button => button.click()")
        expect(person.confirm).to_be_disabled()
        assert len([url for url in sent if "/moves" in url]) == 1


def test_no_preview_is_asked_of_a_move_that_is_sent_at_once(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        page.add_init_script("localStorage['cartulary.prefs'] = '{\"confirm\": \"never\"}'")
        person = Person(page)
        person.open_game("caylus", "me", "bot:random")
        person.await_turn()
        before = person.version
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        page.locator(".picture .touch").first.dispatch_event("click")
        person.await_version_after(before)
        assert any("/moves?" in url for url in asked)
        assert not any(url.endswith("/preview") for url in asked)
