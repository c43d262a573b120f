"""Order: a report by touch, an operator at `/admin` who decides and answers, and who reads it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from cartulary.cli.main import main
from tests.browser.support.account import Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.page_checks import check_words, cut_texts, violations
from tests.browser.support.seats import touch_name
from tests.browser.table.test_living import sit
from tests.support.night import at_night
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


def grant(served: Served, name: str = "Olga") -> str:
    """Return the token that `cartulary operator` prints for a new player.

    No other player of the service may have a name that looks like that of an operator.
    """
    operator = Account(served, name)
    done = CliRunner().invoke(main, ["operator", operator.id, f"--data={served.data}"])
    assert done.exit_code == 0, done.output
    return done.stdout.strip()


def holds(page: Page) -> None:
    """Hold what is true of every page, on a phone as it stands."""
    check_words(page)
    assert cut_texts(page) == []
    assert violations(page) == []
    small = page.evaluate(
        """() => [...document.querySelectorAll(".admin :is(button, select, summary, a, input)")]
          .filter((one) => one.checkVisibility() && one.type !== "checkbox")
          .filter((one) => one.getBoundingClientRect().height < 43.5)
          .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert small == []


def test_a_report_is_made_by_touch_answered_and_read(served: Served, browser: Browser) -> None:
    token = grant(served)
    with (
        sit(served, browser, "carcassonne", "Ada", "Bert") as (ada, bert),
        window(browser, served.url, PHONE) as office,
    ):
        phone = ada.page
        phone.bring_to_front()
        touch_name(phone.locator(".rail .seat:not(.mine) .name"))
        phone.locator(".thing-card [data-key^=report-]").tap()
        dialog = phone.locator("dialog.asking")
        dialog.locator("#report-reason").select_option("name")
        dialog.locator("#report-text").fill("An offensive name.")
        dialog.locator(".confirm").tap()
        expect(phone.locator(".note")).to_have_text("Thank you. The operators will look at it.")

        page = office.page
        page.bring_to_front()
        page.goto("/admin")
        expect(page.locator("#operator-token")).to_be_visible()
        page.goto("/")
        page.goto(f"/admin#token={token}")
        row = page.locator("[data-report]").filter(has_text="Offensive name · Bert").first
        row.locator("summary").tap()
        expect(row.get_by_text("An offensive name.")).to_be_visible()
        assert "token" not in page.url
        row.locator("textarea[id^=answer-]").fill("The player has another name now.")
        row.locator("[data-key^=rename-]").tap()
        order = page.locator("dialog.asking")
        order.locator("#order-name").fill("Bertram")
        order.locator("#order-reason").fill("Another name, please.")
        order.locator(".confirm").tap()
        expect(row.locator("[data-player] bdi").first).to_have_text("Bertram")
        with page.expect_response("**/operator/reports/*"):
            for _ in range(2):  # closed and opened again
                row.locator("summary").tap()
        row.locator("[data-key^=answer-]").tap()
        expect(row.get_by_text("Answer: The player has another name now.")).to_be_visible()
        expect(row.locator("textarea[id^=answer-]")).to_have_value("")
        holds(page)
        for part in ("players", "tables", "log"):
            page.locator(f"[data-key=desk-{part}]").tap()
            expect(page.locator(f"[data-key=desk-{part}]")).to_have_attribute(
                "aria-pressed", "true"
            )
        expect(page.locator("[data-command=rename]").first).to_contain_text(
            re.compile("Bert.? → .?Bertram")
        )
        holds(page)

        for person, what in ((ada, "report_answered"), (bert, "renamed")):
            person.page.bring_to_front()
            person.page.goto("/")
            person.page.locator(".bell summary").click()
            expect(person.page.locator(f".bell [data-what={what}]")).to_be_visible()
        check_words(bert.page)


@at_night(
    "tests/events/order/test_operators.py::test_a_token_that_is_issued_like_that_of_an_operator_operates_not"
)
def test_the_page_of_operators_asks_others_for_a_token(served: Served, browser: Browser) -> None:
    player = Account(served, "Zoe")
    with window(browser, served.url, PHONE) as shown:
        shown.may_fail_to_load = True  # the refusal
        page = shown.page
        player.enter(page)
        page.goto("/admin")
        page.locator("#operator-token").fill("x" * 43)
        page.locator("[data-key=operator-enter]").tap()
        expect(page.locator(".note")).to_contain_text("This token is not that of an operator")
        expect(page.locator("#operator-token")).to_be_visible()
        page.goto("/settings")
        expect(page.get_by_role("button", name="Zoe")).to_be_visible()
