"""The end of a game: one sheet with the winners and where their points came from."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import FINISHED, NAMES, one_finished
from tests.browser.support.chromium import DESKTOP, PHONE, Size, Window, window
from tests.browser.support.page_checks import violations
from tests.support.night import each_or_all
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser

GROUPS = {
    **dict.fromkeys(("castle", "no_batch", "no_house"), "castle"),
    **dict.fromkeys(("favour", "simplified_favour"), "favour"),
    **dict.fromkeys(("gold", "cubes", "deniers"), "goods"),
    "construction": "building",
    "farm": "field",
}
"""The source of the reasons that share a row."""

PAINTED_MS = 120_000
"""So long the painting of a picture may take."""

LETTERS = """texts => Math.min(...texts.map((text) =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
FITS = "won => won.getBoundingClientRect().height <= won.closest('.panel').clientHeight"


def expected(served: Served, game: str) -> dict[str, dict[int, int]]:
    """The points of each seat by source, from the facts and the result of the service."""
    api = f"{served.url}/api/v1/games/{game}"
    result = requests.get(api, timeout=60).json()["result"]
    events = requests.get(f"{api}/events?limit=500", timeout=60).json()["events"]
    facts = [fact for event in events for fact in event.get("facts", [])]
    entries = [fact for fact in facts if fact["type"] == "points"] + result["breakdown"]
    rows: dict[str, dict[int, int]] = {"total": dict(enumerate(result["scores"]))}
    for entry in entries:
        row = rows.setdefault(GROUPS.get(entry["reason"], entry["reason"]), {})
        row[entry["seat"]] = row.get(entry["seat"], 0) + entry["points"]
    return {source: row for source, row in rows.items() if any(row.values())}


def shown(page: Page) -> dict[str, dict[int, int]]:
    """The matrix of the sheet, without zeros."""
    seats = page.locator(".tally thead [data-of]").evaluate_all("all => all.map(e => e.dataset.of)")
    rows = page.locator(".tally tbody tr, .tally tfoot tr").evaluate_all(
        "all => all.map(tr => [tr.dataset.source ?? 'total',"
        " [...tr.querySelectorAll('td')].map(td => Number(td.textContent.replace('−', '-')))])"
    )
    return {source: dict(zip(map(int, seats), points, strict=True)) for source, points in rows}


SHARE = """() => {
  navigator.canShare = () => true;
  navigator.share = async ({ files }) => {
    document.body.dataset.handed = `${files[0].type} ${files[0].name}`;
  };
}"""
"""Another program that takes what the page shares, in place of that of a phone."""


def check_pictures(opened: Window, game: str) -> None:
    """The picture is kept as PNG; as SVG where the service paints none; else it is handed on."""
    page = opened.page
    opened.may_fail_to_load = True
    button = page.locator("[data-key=picture]")
    # A busy machine paints for longer than the client waits, and remembers what it has painted.
    version = page.request.get(f"/api/v1/games/{game}").json()["version"]
    wish = f"version={version}&layout=share&width=1200"
    painted_before = page.request.get(f"/api/v1/games/{game}/board.png?{wish}", timeout=PAINTED_MS)
    assert painted_before.ok, painted_before.text()
    with page.expect_download() as kept:
        button.click()
    assert kept.value.suggested_filename.endswith(f"-{game}.png")
    painted = kept.value.path().read_bytes()
    assert [int.from_bytes(painted[at : at + 4]) for at in (16, 20)] == [1200, 630]
    page.evaluate(SHARE)
    button.click()
    expect(page.locator("body")).to_have_attribute(
        "data-handed", re.compile(rf"^image/png \w+-{game}\.png$")
    )
    page.evaluate("() => { navigator.canShare = undefined; }")
    refused = {"code": "not_installed", "title": "not installed", "status": 404}
    page.route("**/board.png?*", lambda route: route.fulfill(status=404, json=refused))
    with page.expect_download() as drawn:
        button.click()
    assert drawn.value.suggested_filename.endswith(f"-{game}.svg")
    assert "<svg" in drawn.value.path().read_text()
    page.unroute("**/board.png?*")
    opened.may_fail_to_load = False


@pytest.mark.parametrize(
    ("finished", "size"),
    each_or_all(FINISHED, [PHONE, DESKTOP]),
    ids=str,
    indirect=["finished"],
)
def test_the_matrix_of_the_end_is_what_the_service_says(
    served: Served, browser: Browser, finished: str, size: Size
) -> None:
    with window(browser, served.url, size) as opened:
        page = opened.page
        page.goto(f"/games/{finished}")
        expect(page.locator(".tally")).to_be_visible()
        wanted = expected(served, finished)
        found = shown(page)
        assert found.keys() == wanted.keys()
        for source, points in found.items():
            assert {seat: n for seat, n in points.items() if n} == {
                seat: n for seat, n in wanted[source].items() if n
            }, source
        winner = page.locator(".ending .winner .who").inner_text()
        assert winner in NAMES
        expect(page.locator(".ending .won")).to_contain_text(f"Won by {winner} with ")
        assert page.locator(".tally").evaluate("t => t.scrollWidth <= t.parentElement.clientWidth")
        expect(page.locator("table:visible")).to_have_count(1)
        assert violations(page) == []


@one_finished
def test_the_sheet_of_the_end_is_closed_and_opened_again(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto(f"/games/{finished}")
        sheet = page.locator(".sheet.over")
        expect(sheet.locator(".tally")).to_be_visible()
        assert page.locator(".sheet .chart .axis").evaluate_all(LETTERS) >= 11
        page.locator(".sheet.over .sheet-close").click()
        expect(sheet).to_be_hidden()
        expect(page.locator("[data-key=result]")).to_be_focused()
        assert page.locator(".ended .winners").evaluate(FITS), "who has won is cut off"
        page.set_viewport_size({"width": 844, "height": 390})  # what is drawn again
        page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
        expect(page.locator(".scroller svg").first).to_be_visible()
        expect(sheet).to_be_hidden()
        page.locator("[data-key=result]").click()
        expect(sheet.locator(".fairness")).to_be_attached()
        page.keyboard.press("Escape")
        page.locator("[data-key=result]").click()
        check_pictures(opened, finished)
        page.locator("[data-key=review]").click()
        expect(sheet).to_be_hidden()
        expect(page.locator(".replay")).to_be_visible()
