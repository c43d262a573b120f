"""Letters of 200 % in each language: no page is too wide, no text is cut, all is reached."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from cartulary.locales import LANGUAGES
from tests.browser.conftest import CASES, NAMES
from tests.browser.support.account import ME, OPEN, Account
from tests.browser.support.chromium import PHONE, window
from tests.browser.support.games_cut_at_a_question import Question, find
from tests.browser.support.person import YOUR_TURN
from tests.browser.support.positions import Json, cut
from tests.browser.support.texts import spoilt_texts
from tests.support.night import short_or_long
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1500)]

LARGE: Final = """document.addEventListener("readystatechange", () => {
  document.documentElement.style.fontSize = "200%";
});"""

OPEN_ALL: Final = """() => {
  for (const one of document.querySelectorAll("main details")) one.open = true;
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
        self.list = {
            "/": ".offer",
            "/lobby": "main h1",
            "/new?game=caylus": ".fields select",
            "/new?game=carcassonne": ".fields select",
            "/settings": "[data-section=data]",
            "/learn/carcassonne": ".piece-entry",
            "/learn/caylus": ".piece-entry",
            "/local": "main h1",
            self._import({**over, "players": NAMES}): ".ending .tally",
            self._import(cut("carcassonne", "game-05", 60)): YOUR_TURN,
            find("place_worker", late).open(served.url, token): YOUR_TURN,
            find("build").open(served.url, token): YOUR_TURN,
            find("castle").open(served.url, token): YOUR_TURN,
            f"/games/{self.owner.open(ME, OPEN, game='caylus')}": ".invitation",
        }

    def _import(self, transcript: Json) -> str:
        return f"/games/{self.owner.ask('POST', '/games/import', transcript)['id']}"

    def visit(self, page: Page, languages: list[str]) -> Iterator[str]:
        """Open each page in each language; yield which it is."""
        self.owner.enter(page)
        page.goto("/livez")
        for language in languages:
            page.evaluate("tag => localStorage.setItem('cartulary.language', tag)", language)
            for path, shown in self.list.items():
                page.goto(path)
                expect(page.locator(shown).first).to_be_visible()
                expect(page.locator("html")).to_have_attribute("lang", language)
                page.evaluate(OPEN_ALL)
                yield f"{language} {path} ({shown})"


def test_letters_of_200_percent_cut_nothing(served: Served, browser: Browser) -> None:
    languages = short_or_long(["de"], list(LANGUAGES))
    with window(browser, served.url, PHONE) as opened:
        page = opened.page
        page.add_init_script(LARGE)
        found: list[str] = []
        for where in Pages(served).visit(page, languages):
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            spoilt = [*spoilt_texts(page, whole=True), *page.evaluate(UNREACHED)]
            found += [f"{where}: {one}" for one in spoilt]
            found += [f"{where}: {wide} px too wide"] if wide > 0 else []
        assert not found, "\n".join(found)
