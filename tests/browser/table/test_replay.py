"""Watching a game again: every moment by the slider, by steps, by the story, by the address."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import FINISHED, NAMES, one_finished
from tests.browser.support.boxes import measure
from tests.browser.support.chromium import DESKTOP, PHONE, Size, window
from tests.support.night import each_or_all
from tests.support.polling import until
from tests.support.real_serve import Served

pytestmark = pytest.mark.browser


def shown(page: Page) -> str:
    """The moment that the slider says."""
    return page.locator(".replay .count").inner_text().split(" / ")[0]


def story_of(served: Served, game: str, lang: str = "en") -> dict[int, str]:
    """What the service tells, by version."""
    found: dict[int, list[str]] = {}
    answer = requests.get(
        f"{served.url}/api/v1/games/{game}/story?limit=500",
        headers={"Accept-Language": lang},
        timeout=60,
    )
    for line in answer.json()["lines"]:
        found.setdefault(line["version"], []).append(line["text"])
    return {version: " ".join(texts) for version, texts in found.items()}


@pytest.mark.parametrize(
    ("finished", "size"), each_or_all(FINISHED, [DESKTOP, PHONE]), ids=str, indirect=["finished"]
)
def test_a_replay_is_scrubbed(served: Served, browser: Browser, finished: str, size: Size) -> None:
    with window(browser, served.url, size) as opened:
        page = opened.page
        page.goto(f"/games/{finished}")
        expect(page.locator(".ending .tally")).to_be_visible()
        expect(page.locator(".replay")).to_be_hidden()  # not opened unasked
        page.locator("[data-key=review]").click()
        expect(page.locator(".ending")).to_have_count(0)
        slider = page.locator(".replay input[type=range]")
        last = int(slider.get_attribute("max") or 0)
        assert last > 60
        picture = page.locator(".scroller svg").first
        pictures = {picture.inner_html()}
        for moment in (3, last // 2, last - 2):
            slider.fill(str(moment))
            expect(page).to_have_url(re.compile(rf"\?v={moment}$"))
            with page.expect_response(re.compile(rf"board\.svg\?version={moment + 1}\b")):
                page.locator(".replay [data-key=forward]").click()
            expect(page).to_have_url(re.compile(rf"\?v={moment + 1}$"))
            for seen in pictures:
                expect(picture).not_to_have_js_property("innerHTML", seen)
            pictures.add(picture.inner_html())
        page.locator(".replay [data-key=first]").click()
        # the first event only sets the table up
        expect(page.locator(".replay .count")).to_have_text(re.compile("^2 / "))


@one_finished
def test_the_story_and_the_address_lead_to_a_moment(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto(f"/games/{finished}?v=57")
        expect(page.locator(".replay .count")).to_have_text(re.compile("^57 / "))
        line = page.locator(".lines li[data-version='30']")
        line.locator("button").click()
        expect(page.locator(".lines li[aria-current]")).to_have_attribute("data-version", "30")
        expect(page).to_have_url(re.compile(r"\?v=30$"))
        page.locator("[data-tab=scores]").click()
        chart = page.locator(".tab-scores .chart").get_by_role("slider")
        expect(chart).to_be_visible()
        expect(chart.locator("path.line").nth(1)).to_be_attached()
        expect(chart).to_have_attribute("aria-label", re.compile("Scores over time"))


@one_finished
def test_what_was_before_the_start_leads_to_the_start(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        opened.may_fail_to_load = True  # of the address only the events say that it is too early
        page = opened.page
        page.goto(f"/games/{finished}?v=1")
        for _ in range(2):
            expect(page).to_have_url(re.compile(r"\?v=2$"))
            expect(page.locator(".replay .count")).to_have_text(re.compile("^2 / "))
            expect(page.locator(".scroller svg").first).to_be_visible()
            page.locator(".lines li[data-version='30'] button").click()
            expect(page).to_have_url(re.compile(r"\?v=30$"))
            page.locator(".lines li[data-version='1'] button").click()


@one_finished
def test_the_replay_plays_and_pauses(served: Served, browser: Browser, finished: str) -> None:
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto(f"/games/{finished}?v=10")
        expect(page.locator(".replay .count")).to_have_text(re.compile("^10 / "))
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(".replay .count")).to_have_text(
            re.compile(r"^(1[2-9]|[2-9]\d|\d{3}) / ")
        )
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_an_imported_game_has_the_names_of_its_players_and_a_story_without_raw_words(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        opened.page.goto(f"/games/{finished}")
        expect(opened.page.locator(".lines li").nth(50)).to_be_attached()
        told = opened.page.locator(".lines").inner_text()
        assert "{" not in told
        assert "undefined" not in told
        assert not re.search(r"\b(story|terms|ui)\.\w", told)
        assert not re.search(r"\b\w+_\w+\b", told)
        names = opened.page.locator(".seats .name").all_inner_texts()
        assert sorted(names) == sorted(NAMES[: len(names)])
        assert len(names) > 1


LEAVE_WHILE_IT_FLIES = """() => new Promise((done) => {
  new MutationObserver((_, watching) => {
    if (!document.querySelector(".motion")) return;
    watching.disconnect();
    document.querySelector("[data-key=present]").click();
    const { shadowRoot } = document.querySelector(".picture");
    setTimeout(() => done(shadowRoot.querySelectorAll(".happened").length));
  }).observe(document.body, { childList: true });
  document.querySelector(".replay [data-key=forward]").click();
})"""
"""Go a move forward, and to the present as soon as its pieces fly; how many places are marked."""


def test_a_replay_says_which_move_it_is_and_marks_what_has_changed(
    served: Served, browser: Browser, finished: str
) -> None:
    """No reader has to count moments: the caption names the move, round and phase."""
    with window(browser, served.url) as opened:
        page = opened.page
        page.goto(f"/games/{finished}?v=5")
        lines = story_of(served, finished)
        caption, marks = page.locator(".replay .caption"), page.locator(".happened")
        slider = page.locator(".replay input[type=range]")
        for moment in (6, 7):
            page.locator(".replay [data-key=forward]").click()
            expect(caption).to_contain_text(lines[moment])
            expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(lines[moment])))
            if re.search("tile|worker", lines[moment]):
                expect(marks.first).to_be_visible()
        expect(page.locator(".middle")).not_to_contain_text("moment", use_inner_text=True)
        before = shown(page)
        page.locator(".replay [data-key=roundOn]").click()
        expect(page.locator(".replay .count")).not_to_have_text(re.compile(f"^{before} /"))
        if page.locator(".game-caylus").count():
            expect(caption).to_contain_text("Round 2 · ")
        page.locator(".replay [data-key=roundBack]").click()
        expect(page.locator(".replay .count")).to_have_text(re.compile("^[2-7] /"))
        flies = next(one for one in (6, 7) if re.search("tile|worker", lines[one]))
        slider.fill(str(flies - 1))
        expect(page.locator(".replay .count")).to_have_text(re.compile(f"^{flies - 1} /"))
        page.emulate_media(reduced_motion="no-preference")
        assert page.evaluate(LEAVE_WHILE_IT_FLIES) == 0
        expect(page.locator(".ending .tally")).to_be_visible()
        expect(marks).to_have_count(0)


@one_finished
def test_the_graph_of_the_scores_is_a_slider(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url, DESKTOP) as opened:
        page = opened.page
        page.goto(f"/games/{finished}?v=30")
        page.locator("[data-tab=scores]").last.click()
        graph = page.locator(".tab-scores").get_by_role("slider")
        expect(graph).to_have_attribute("aria-valuenow", "30")
        graph.focus()
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(r"\?v=31$"))
        expect(graph).to_be_focused()
        expect(graph).to_have_attribute("aria-valuetext", re.compile(r"\w+: \w+"))
        page.keyboard.press("Home")
        expect(page).to_have_url(re.compile(r"\?v=2$"))
        page.mouse.click(*measure(graph.locator("svg").first).middle)
        expect(page).not_to_have_url(re.compile(r"\?v=2$"))
        middle = int(page.locator(".replay input[type=range]").get_attribute("max") or 0) / 2
        until(lambda: abs(int(shown(page)) - middle) < 0.1 * middle)


def test_the_client_and_the_service_tell_the_same_story(
    served: Served, browser: Browser, finished: str
) -> None:
    with window(browser, served.url, DESKTOP, locale="pl") as opened:
        opened.page.goto(f"/games/{finished}")
        lines = story_of(served, finished, "pl")
        told = opened.page.locator(".lines li")
        expect(told).to_have_count(len(lines))
        found = told.evaluate_all(
            "all => all.map(one => [one.dataset.version, one.querySelector('p').textContent])"
        )
        assert {int(version): text for version, text in found} == lines
