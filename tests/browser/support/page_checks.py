"""What holds for every page: its words, no violation found by axe-core, a way by keyboard."""

from __future__ import annotations

import json
import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RAW = re.compile(r"\b(ui|terms|story)\.[a-z_]+\.|\{[a-z_]+[|}]|undefined|NaN")


def check_words(page: Page) -> None:
    text = page.locator("body").inner_text()
    assert not RAW.search(text), RAW.search(text)


def violations(page: Page) -> list[str]:
    """What axe-core objects to on the page as it stands."""
    results = Axe().run(page)
    return [
        f"{found['id']}: {found['help']}: {json.dumps([n['html'][:120] for n in found['nodes']])}"
        for found in results.response["violations"]
    ]


def press_until(page: Page, key: str, selector: str, most: int = 80) -> None:
    """Press a key until what has the focus matches."""
    for _ in range(most):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} was not reached with {key}")
