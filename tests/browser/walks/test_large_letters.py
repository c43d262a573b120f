"""Letters of 200 % in each language: no page is too wide, no text is cut, all is reached."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.locales import LANGUAGES
from tests.browser.conftest import CASES, NAMES
from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import PHONE, Scheme, Size, window
from tests.browser.support.games_cut_at_a_question import Question, find
from tests.browser.support.page_checks import violations
from tests.browser.support.person import YOUR_TURN
from tests.browser.support.positions import Json, cut
from tests.browser.support.texts import spoilt_texts
from tests.support.night import at_night, short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1500)]

LYING: Final = Size(844, 390)
SHORT: Final = ["home", "settings", "ending", "batch", "analysis"]

LARGE: Final = """document.addEventListener("readystatechange", () => {
  document.documentElement.style.fontSize = "200%";
});"""

OPEN_ALL: Final = """() => {
  const pages = document.querySelectorAll("main > :not(.table) details");
  for (const one of pages) one.open = true;
}"""

UNREACHED: Final = """() => {
  const over = document.querySelector(".sheet.over:not([hidden])");
  const list = (over ?? document).querySelectorAll(
    "button, a, select, summary, label.choice, input:not(label input)");
  const found = [];
  for (const one of list) {
    const isSeen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isSeen || one.disabled || one.closest(".spoken, .away, [inert], [data-away]")) continue;
    one.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = one.getClientRects()[0];
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    const isReached = at && (one.contains(at) || (at.matches("label") && at.contains(one)));
    if (width > 1 && !isReached)
      found.push(`${one.className || one.id} ${one.innerText} under ${at?.className}`);
  }
  scrollTo(0, 0);
  return found;
}"""
"""Scrolls to each target in turn; returns those whose middle does not answer then."""


def late(question: Question) -> bool:
    return bool(question.view["round"] > 1)


class Pages:
    """One page of each kind, and what has to stand there."""

    def __init__(self, served: Served) -> None:
        self.owner = Account(served, "Ada")
        token = self.owner.ask("POST", "/players/me/tokens", {"label": "test"})["token"]
        over = json.loads((CASES / "caylus" / "game-01-3p-builder.json").read_text())
        over = {name: value for name, value in over.items() if not name.startswith("expect")}
        table = find("place_worker", late)
        self.kinds = {
            "home": ("/", ".offer"),
            "lobby": ("/lobby", "main h1"),
            "new": ("/new?game=caylus", ".fields select"),
            "new, other game": ("/new?game=carcassonne", ".fields select"),
            "settings": ("/settings", "[data-section=data]"),
            "lesson": ("/learn/caylus", ".piece-entry"),
            "lesson, other game": ("/learn/carcassonne", ".piece-entry"),
            "local": ("/local", "main h1"),
            "analysis": ("/analysis", "[data-key=board-caylus]"),
            "notices": ("/settings?notices", "main h1"),
            "ending": (self._import({**over, "players": NAMES}), ".ending .tally"),
            "tile": (self._import(cut("carcassonne", "game-05", 60)), YOUR_TURN),
            "worker": (table.open(served.url, token), YOUR_TURN),
            "building": (find("build").open(served.url, token), YOUR_TURN),
            "batch": (find("castle").open(served.url, token), YOUR_TURN),
            "lounge": (f"/games/{self.owner.open(ME, OPEN, game='caylus')}", ".invitation"),
        }

    def _import(self, transcript: Json) -> str:
        return f"/games/{self.owner.ask('POST', '/games/import', transcript)['id']}"

    def visit(self, page: Page, languages: list[str], kinds: Iterable[str]) -> Iterator[str]:
        """Open pages of these kinds in each language; yield which it is."""
        self.owner.enter(page)
        page.goto("/livez")
        for language in languages:
            page.evaluate("tag => localStorage.setItem('cartulary.language', tag)", language)
            for kind in kinds:
                path, shown = self.kinds[kind]
                page.goto(path)
                expect(page.locator(shown).first).to_be_visible()
                expect(page.locator("html")).to_have_attribute("lang", language)
                page.evaluate(OPEN_ALL)
                yield f"{language}, {kind}"


@at_night("tests/browser/pages/test_everybody.py::test_axe_finds_no_violation")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_any_language(
    served: Served, browser: Browser, scheme: Scheme
) -> None:
    """Home and a table of each game."""
    languages = list(LANGUAGES)
    with window(browser, served.url, PHONE, scheme=scheme) as opened:
        found = []
        for where in Pages(served).visit(opened.page, languages, ["home", "tile", "worker"]):
            found += [f"{where}: {one}" for one in violations(opened.page)]
        assert not found, "\n".join(found)


@pytest.mark.parametrize(("size", "short"), [(PHONE, SHORT), (LYING, ["building"])], ids=str)
def test_letters_of_200_percent_cut_nothing(
    served: Served, browser: Browser, size: Size, short: list[str]
) -> None:
    languages = short_or_long(["de"], list(LANGUAGES))
    with window(browser, served.url, size, touch=True) as opened:
        page = opened.page
        page.add_init_script(LARGE)
        pages, found = Pages(served), []
        kinds = short_or_long(short, [*pages.kinds])
        for where in pages.visit(page, languages, kinds):
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            spoilt = [*spoilt_texts(page, whole=True), *page.evaluate(UNREACHED)]
            found += [f"{where}: {one}" for one in spoilt]
            found += [f"{where}: {wide} px too wide"] if wide > 0 else []
        assert not found, "\n".join(found)
