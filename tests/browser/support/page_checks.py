"""What holds for every page: its words, no violation found by axe-core, a way by keyboard."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.support.chromium import DESKTOP, PHONE
from tests.support.night import each_or_all

Json = dict[str, Any]
RAW = re.compile(r"\b(ui|terms|story)\.[a-z_]+\.|\{[a-z_]+[|}]|undefined|NaN")


def check_words(page: Page) -> None:
    text = page.locator("body").inner_text()
    assert not RAW.search(text), RAW.search(text)


CUT = """() => [...document.querySelectorAll(
  "button, summary, h1, h2, h3, label, legend, th, dt, select, .question, .badge"
)].filter((one) => one.checkVisibility() && one.clientWidth > 1
  && !one.closest(".name")
  && one.scrollWidth > one.clientWidth + 1
).map((one) => `${one.className}: ${one.innerText.trim()}`)"""
"""Texts of controls and titles that are wider than their place."""


def cut_texts(page: Page) -> list[str]:
    """Return what does not fit into its button, title or label as the page stands."""
    found: list[str] = page.evaluate(CUT)
    return found


def switch_language(page: Page, lang: str) -> None:
    """Choose a language in the list of the page; wait until the client shows the page in it."""
    page.wait_for_selector("main > *", state="attached")  # a client that starts has no page yet
    before = page.evaluate_handle("() => document.querySelector('main > *')")
    page.locator("#language").select_option(lang, force=True)
    expect(page.locator("html")).to_have_attribute("lang", lang)
    page.wait_for_function("before => !before.isConnected", arg=before)


def speak(page: Page, lang: str) -> None:
    """Read the page again in a language, as a person who has chosen it before."""
    page.evaluate("lang => localStorage.setItem('cartulary.language', lang)", lang)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", lang)


RUN_AXE = "async () => (await axe.run({ resultTypes: ['violations'] })).violations"


def violations(page: Page) -> list[str]:
    """What axe-core objects to on the page as it stands."""
    if not page.evaluate("'axe' in window"):  # to read it takes as long as half a run
        page.evaluate(AXE_SCRIPT)
    found: list[Json] = page.evaluate(RUN_AXE)
    return [
        f"{one['id']}: {one['help']}: {json.dumps([node['html'][:120] for node in one['nodes']])}"
        for one in found
    ]


LOOKS: Final = each_or_all([PHONE, DESKTOP], ["dark", "light"])
"""The windows and themes in which a page is looked at."""


def violations_in_all_looks(page: Page) -> list[str]:
    """As `violations`, in each look without another start; the page stays in the first one."""
    found = []
    for size, scheme in [*LOOKS[1:], LOOKS[0]]:
        page.set_viewport_size({"width": size.width, "height": size.height})
        page.emulate_media(color_scheme=scheme)
        found += [f"{size} {scheme}: {one}" for one in violations(page)]
    return found


SMALL = """within => [...document.querySelectorAll(within)]
  .filter((one) => one.checkVisibility() && !one.matches("label input"))
  .map((one) => [one.textContent.trim() || one.id, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.5 || height < 43.5)
  .map(([text, { width, height }]) => `${text}: ${width} x ${height}`)"""
"""What is too small for a finger."""

WIDER = "() => document.documentElement.scrollWidth > innerWidth"
"""Whether a page has to be moved sideways."""


def check_page(page: Page, targets: str) -> None:
    """Hold the page as it stands to all rules; `targets` selects what a finger touches."""
    assert violations(page) == []
    assert page.evaluate(SMALL, targets) == []
    assert cut_texts(page) == []
    assert not page.evaluate(WIDER)
    check_words(page)


def press_until(page: Page, key: str, selector: str, most: int = 80) -> None:
    """Press a key until what has the focus matches."""
    for _ in range(most):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} was not reached with {key}")
