"""The page of settings: this device, the person, vacation, data; for everybody."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cartulary.locales import LANGUAGES
from tests.browser.pages.test_inbox import PLAY_AS
from tests.browser.support.account import Account
from tests.browser.support.chromium import DESKTOP, Window, window
from tests.browser.support.hearing import await_heard
from tests.browser.support.page_checks import (
    check_words,
    cut_texts,
    press_until,
    switch_language,
    violations,
    violations_in_all_looks,
)
from tests.browser.support.person import Person
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


def open_settings(opened: Window, name: str = "Ada") -> Page:
    """Open the settings of a player who has said a name there."""
    page = opened.page
    page.goto("/settings")
    page.locator("[data-key=say-name]").click()
    Person(page, name).page.locator("dialog input").fill(name)
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("[data-section=data]")).to_be_visible()
    expect(page.locator("[data-section=devices] .rows li")).to_have_count(1)
    return page


def test_axe_finds_no_violation_in_the_settings(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        opened.page.goto("/settings")
        expect(opened.page.locator("[data-section=newcomer]")).to_be_visible()
        assert violations_in_all_looks(opened.page) == []
        page = open_settings(opened)
        page.locator("[data-key=link-code]").click()
        page.locator("[data-key=recovery-codes]").click()
        expect(page.locator(".codes li")).to_have_count(10)
        expect(page.locator("svg.qr")).to_be_visible()
        assert violations_in_all_looks(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator(".bell summary").click()
        assert violations(page) == []


def test_the_settings_are_shown_in_each_language(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        page = open_settings(opened)
        page.locator("[data-key=link-code]").click()
        expect(page.locator("svg.qr")).to_be_visible()
        for lang in LANGUAGES[1:]:
            switch_language(page, lang)
            # The code of the language before goes when the page is drawn in this one.
            expect(page.locator("svg.qr")).to_have_count(0)
            page.locator("[data-key=link-code]").click()
            expect(page.locator("svg.qr")).to_be_visible()
            check_words(page)
            assert cut_texts(page) == [], lang
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_look_that_was_chosen_stays(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto("/settings")
        colour = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(colour)
        page.locator("#settings-look").select_option("dark")
        dark = page.evaluate(colour)
        assert dark != light
        page.reload()
        expect(page.locator("#settings-look")).to_have_value("dark")
        assert page.evaluate(colour) == dark
        page.locator("#settings-look").select_option("auto")
        assert page.evaluate(colour) == light


def test_when_a_move_is_asked_for_once_more_is_chosen_and_stays(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto("/settings")
        confirm = page.locator("#settings-confirm")
        expect(confirm).to_have_value("always")
        confirm.select_option("costly")
        page.reload()
        expect(confirm).to_have_value("costly")


def test_sound_is_off_until_somebody_turns_it_on_with_the_keyboard(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto("/settings")
        expect(page.locator("#settings-sound")).not_to_be_checked()
        press_until(page, "Tab", "#settings-sound")
        page.keyboard.press("Space")
        page.reload()
        expect(page.locator("#settings-sound")).to_be_checked()


def test_a_player_has_another_name_from_now_on(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        page = open_settings(opened)
        page.locator("#settings-name").fill("Adelheid")
        page.keyboard.press("Enter")
        expect(page.locator(".top .player")).to_have_text("Adelheid")
        page.locator("#settings-takebacks").select_option("never")
        expect(page.locator("#notes")).to_contain_text("Saved")
        page.reload()
        expect(page.locator("#settings-name")).to_have_value("Adelheid")
        expect(page.locator("#settings-takebacks")).to_have_value("never")


def test_who_signs_in_during_a_change_of_the_name_stays_and_finds_settings_of_its_own(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        page, held = open_settings(opened), list[Route]()
        page.route("**/players/me", lambda route: held.append(route), times=1)
        page.locator("#settings-name").fill("Adelheid")
        page.keyboard.press("Enter")
        await_heard(page, lambda: held)
        known = Account(served, "Bert").known
        page.evaluate(PLAY_AS, known)
        expect(page.locator("#settings-name")).to_have_value("Bert")
        with page.expect_response("**/players/me"):
            held[0].continue_()
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert page.evaluate("localStorage['cartulary.player']") == known
        expect(page.locator(".top .player")).to_have_text("Bert")


def test_a_vacation_is_planned_and_called_off(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        page = open_settings(opened)
        begin = datetime.now().astimezone() + timedelta(days=3)
        page.locator("#vacation-from").fill(f"{begin:%Y-%m-%d}")
        page.locator("#vacation-last").fill(f"{begin + timedelta(days=6):%Y-%m-%d}")
        page.locator("[data-key=vacation-add]").click()
        line = page.locator("[data-section=vacation] .rows li")
        expect(line).to_have_count(1)
        last = begin + timedelta(days=6)
        expect(line).to_contain_text(f"{begin.day} {begin:%B %Y} – {last.day} {last:%B %Y}")
        line.locator("button").click()
        expect(line).to_have_count(0)


def test_a_vacation_that_is_too_long_is_refused_in_words(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        page = open_settings(opened)
        opened.may_fail_to_load = True
        begin = datetime.now().astimezone() + timedelta(days=3)
        page.locator("#vacation-last").fill(f"{begin + timedelta(days=60):%Y-%m-%d}")
        page.locator("[data-key=vacation-add]").click()
        expect(page.locator("#notes")).to_contain_text("14")
        expect(page.locator("[data-section=vacation] .rows li")).to_have_count(0)


def test_a_part_of_the_settings_that_did_not_come_is_asked_for_by_a_button(
    served: Served, browser: Browser
) -> None:
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.page.route("**/me/vacations", lambda route: route.abort(), times=1)
        page = open_settings(opened)
        part = page.locator("[data-section=vacation]")
        part.get_by_role("button", name="Try again").click()
        expect(part.locator("#vacation-from")).to_be_visible()


def test_two_vacations_that_are_called_off_at_once_are_both_called_off(
    served: Served, browser: Browser
) -> None:
    account, held = Account(served, "Ada"), list[Route]()
    begin = datetime.now().astimezone() + timedelta(days=3)
    days = [begin + timedelta(days=days) for days in (0, 1, 5, 6)]
    first, second = (
        {"from": one.isoformat(), "until": end.isoformat()} for one, end in (days[:2], days[2:])
    )
    account.ask("PUT", "/players/me/vacations", {"vacations": [first, second]})

    def hold(route: Route) -> None:
        """Let no change pass, and ask for the list as usual."""
        if route.request.method == "PUT":
            held.append(route)
        else:
            route.continue_()

    with window(browser, served.url) as opened:
        page = opened.page
        account.enter(page)
        page.goto("/settings")
        lines = page.locator("[data-section=vacation] .rows li")
        expect(lines).to_have_count(2)
        page.route("**/me/vacations", hold)
        for button in lines.locator("button").all():
            button.click()
        await_heard(page, lambda: len(held) == 2)
        left = [len(json.loads(route.request.post_data or "")["vacations"]) for route in held]
        assert left == [1, 0]


def test_everything_of_a_player_comes_as_one_file(
    served: Served, browser: Browser, tmp_path: Path
) -> None:
    with window(browser, served.url) as opened:
        page = open_settings(opened)
        with page.expect_download() as download:
            page.locator("[data-key=export]").click()
        file = tmp_path / "export.ndjson"
        download.value.save_as(file)
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        assert any("Ada" in json.dumps(line) for line in lines)


def test_an_account_is_deleted_when_its_name_is_typed(served: Served, browser: Browser) -> None:
    with window(browser, served.url) as opened:
        page = open_settings(opened)
        opened.may_fail_to_load = True
        page.locator("[data-key=delete]").click()
        page.locator("dialog input").fill("Bert")
        page.locator("dialog .confirm").click()
        expect(page.locator("#notes .trouble")).to_be_visible()
        page.locator("[data-key=delete]").click()
        page.locator("dialog input").fill("Ada")
        page.locator("dialog .confirm").click()
        expect(page.locator(".home")).to_be_visible()
        expect(page.locator(".top .player")).to_have_text("Settings")
