"""A league over days: a host invites six by name, they find common times, an operator decides."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.people.test_order import grant
from tests.browser.people.test_tournaments import LANDSCAPE, TARGETS, Evening
from tests.browser.support.account import Account
from tests.browser.support.chromium import window
from tests.browser.support.page_checks import check_page
from tests.support.night import at_night
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NAMES = ("Liga Ada", "Liga Bert", "Liga Cleo", "Liga Dora", "Liga Emil", "Liga Fritz")


def announce_league(page: Page, invited: list[Account]) -> str:
    """Announce a league of invited players, by touch and one name; return its id."""
    page.goto("/tournaments/new")
    page.locator("#tour-table").select_option("3")
    page.locator("#tour-pace").select_option("daily")
    page.locator("#tour-who").select_option("invited")
    page.locator("[data-key=announce]").tap()
    # Without those who are missing it is not announced.
    field = page.locator("#tour-invite")
    expect(field).to_have_js_property("validationMessage", "Still missing: 2 players")
    page.locator("#tour-invite").fill("liga")
    page.keyboard.press("Enter")
    for one in invited:
        page.locator(f"[data-key='invite-{one.id}']").tap()
        expect(page.locator(f"[data-key='uninvite-{one.id}']")).to_be_visible()
    page.locator(".new-tournament details summary").tap()
    expect(page.locator("#tour-seen option[value=private]")).to_have_count(1)
    page.locator("#tour-seen").select_option("unlisted")
    page.locator("[data-key=up-margin]").tap()
    page.locator("label[for=tie-head_to_head]").tap()
    check_page(page, TARGETS)
    page.locator("[data-key=announce]").tap()
    expect(page.locator(".tournament[data-status=open] .qr")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def state_week(page: Page) -> None:
    """Say in the browser that one could play every evening."""
    page.locator("[data-key=my-times]").tap()
    for day in DAYS:
        page.locator(f"label[for=week-{day}]").tap()
    page.locator("dialog .confirm").tap()


def read_calendar(page: Page, served: Served) -> list[str]:
    """Return when the appointments begin that calendar programs find at the address of the page."""
    page.locator("[data-key=calendar]").tap()
    address = page.locator("dialog code").inner_text()
    assert address.startswith(served.url)
    page.locator("dialog > .buttons .confirm").tap()
    return re.findall(r"^DTSTART:(\S+)", requests.get(address, timeout=60).text, re.MULTILINE)


def test_a_league_of_six_finds_its_times_and_an_operator_decides_a_table(
    served: Served, browser: Browser
) -> None:
    people = [Account(served, name) for name in NAMES]
    ada, *others = people
    with (
        window(browser, served.url) as hosts,
        window(browser, served.url, LANDSCAPE, touch=True) as seconds,
    ):
        page = hosts.page
        page.bring_to_front()
        hosts.may_fail_to_load = seconds.may_fail_to_load = True  # games come after their round
        ada.enter(page)
        league = Evening(announce_league(page, others), people)
        terms = league.ask()
        assert terms["tiebreaks"] == ["margin", "opponents", "draw"]
        assert terms["entrants"]["by_invitation"]
        assert terms["visibility"] == "unlisted"

        week = {"timezone": "UTC", "days": {day: [["19:00", "22:00"]] for day in DAYS}}
        for one in others:
            one.ask("POST", f"/tournaments/{league.id}/entry", {})
            one.ask("PUT", "/players/me/availability", {"availability": week})
        expect(page.locator(".tour-people li")).to_have_count(len(people))
        page.locator("[data-key=start]").tap()
        page.locator("dialog .confirm").tap()
        expect(page.locator(".tour-when")).to_contain_text("Not yet stated by")
        state_week(page)
        times = page.locator(".tour-times button")
        expect(times.first).to_be_visible()
        check_page(page, TARGETS)

        # Each at the table accepts the first time with one touch; the last one over HTTP.
        tables = league.tables()
        own = next(table for table in tables if ada in league.seated(table))
        second, third = (one for one in league.seated(own) if one is not ada)
        times.first.tap()
        expect(times.first).to_have_attribute("aria-pressed", "true")
        other = seconds.page
        other.bring_to_front()
        second.enter(other)
        other.goto(f"/tournaments/{league.id}")
        expect(other.locator(".tour-times")).to_contain_text("Liga Ada")
        other.locator(".tour-times button").first.tap()
        path = f"/tournaments/{league.id}/tables/{own['table']}/times"
        accepted = third.ask("GET", path)["accepted"]
        third.ask("POST", path, {"time": accepted[0]["time"]})
        expect(other.locator(".tour-agreed")).to_be_visible()
        check_page(other, TARGETS)
        page.bring_to_front()
        expect(page.locator(".tour-agreed")).to_be_visible()
        agreed = datetime.fromisoformat(third.ask("GET", path)["agreed"])
        assert f"{agreed:%Y%m%dT%H%M%SZ}" in read_calendar(page, served)

        # Two leave the table, so it ends; an operator decides that it counts for no player.
        for seat, one in enumerate(league.seated(own)):
            if one is not ada:
                one.ask("POST", f"/games/{own['game']}/resignation", {"seat": seat})
        operator_decides(page, grant(served, "Nora"), own["table"])
        found = ada.ask("GET", f"/tournaments/{league.id}/rounds/1")["tables"]
        decided = next(one for one in found if one["table"] == own["table"])
        assert (decided["ranks"], decided["scores"]) == ([1, 1, 3], [21, 21, 7])
        assert decided["reason"] == "Both were in the right."
        operator_orders(page, others[-1].id)
        listed = ada.ask("GET", f"/tournaments/{league.id}/events?limit=1000")["events"]
        orders = ("entrant_removed", "reinstated")
        reasons = [one["reason"] for one in listed if one["type"] in orders]
        assert reasons == ["Two accounts.", "It was a brother."]
        checked_by_the_reader(page, league.id)


def operator_decides(page: Page, token: str, table: int) -> None:
    """Decide a table on a device of an operator: two share the first place."""
    button = page.locator(f"[data-key=decide-{table}]")
    expect(page.locator(f"#table-{table} .won")).to_be_visible()
    expect(button).to_have_count(0)  # the token makes an operator's device of it
    page.evaluate(f"localStorage['cartulary.operator'] = '{token}'")
    page.reload()
    button.tap()
    for seat, place in enumerate("112"):
        page.locator(f"#decide-place-{seat}").select_option(place)
    fields = page.locator("dialog input[type=number]").all()
    for field, points in zip(fields, (21, 21, 7), strict=True):
        field.fill(str(points))
    page.locator("dialog .confirm").tap()
    # The reason is missing: the window comes again, with what was chosen.
    expect(page.locator("#decide-reason")).to_have_attribute("aria-invalid", "true")
    page.locator("#decide-reason").fill("Both were in the right.")
    check_page(page, "dialog :is(button, select, input, label.check)")
    page.locator("dialog .confirm").tap()
    expect(page.locator(f"#table-{table} .tour-decided")).to_have_text(
        re.compile("Decided by the operators: .?Both were in the right")
    )


def operator_orders(page: Page, player: str) -> None:
    """Remove an entrant who plays, and let the player back in."""
    gone = page.locator(f"#standing-{player}.gone")
    orders = (("remove", "Two accounts.", 1), ("reinstate", "It was a brother.", 0))
    for command, reason, count in orders:
        page.locator(f"[data-key=order-{command}]").tap()
        page.locator("#order-player").select_option(player)
        page.locator("#decide-reason").fill(reason)
        check_page(page, "dialog :is(button, select, input)")
        page.locator("dialog .confirm").tap()
        expect(gone).to_have_count(count)
    check_page(page, TARGETS)


def checked_by_the_reader(page: Page, tournament: str) -> None:
    """Let the service check the tournament, and find the line that does it elsewhere."""
    page.locator(".tour-proof summary").tap()
    page.locator("[data-key=verify]").tap()
    expect(page.locator(".tour-proof [data-valid=true]")).to_be_visible()
    expect(page.locator(".tour-found")).to_contain_text("Pairings: hidden for now")
    command = page.locator(".tour-proof code").inner_text()
    assert command.startswith("cartulary verify --fair --tournament http")
    assert command.endswith(f"/tournaments/{tournament}")
    check_page(page, TARGETS)


@at_night(
    "tests/browser/people/test_leagues.py::"
    "test_a_league_of_six_finds_its_times_and_an_operator_decides_a_table"
)
@pytest.mark.parametrize(
    ("entrants", "words"),
    [
        ({"invited": None}, "Only players whom the host has invited can enter."),
        ({"rating": [9_000, 10_000]}, "Your rating does not fit this tournament."),
    ],
)
def test_a_refused_entry_says_for_whom_the_tournament_is(
    served: Served, browser: Browser, entrants: dict[str, Any], words: str
) -> None:
    host, guest = (Account(served, name) for name in ("Hedda", "Gustav"))
    if "invited" in entrants:
        entrants = {"invited": [host.id]}
    terms = {
        "name": "Closed company",
        "game": "carcassonne",
        "options": {},
        "table": [2],
        "format": "swiss",
        "pace": {"mode": "correspondence", "delay": 86_400, "bank": 259_200},
        "entrants": entrants,
        "start": {"by_host": True},
    }
    tournament = host.ask("POST", "/tournaments", terms)["id"]
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True  # the refusal
        guest.enter(opened.page)
        opened.page.goto(f"/tournaments/{tournament}")
        opened.page.locator("[data-key=enter]").tap()
        expect(opened.page.locator(".note")).to_have_text(words)
