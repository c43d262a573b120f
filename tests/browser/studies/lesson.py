"""A study that asks a question, and what the tests of its page do with it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.support.account import Account
from tests.browser.support.chromium import Size
from tests.studies.examples import make_line, make_start

LANDSCAPE = Size(844, 390)
TARGETS = "main :is(a, button, summary, select, textarea, input)"

MISSED = """() => [...document.querySelectorAll(".study-tools :is(button, summary, select)")]
  .filter((one) => one.checkVisibility() && !one.disabled)
  .filter((one) => {
    one.scrollIntoView({ block: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return !one.contains(hit);
  }).map((one) => one.dataset.key ?? one.textContent)"""
"""The controls of an author whose middle a finger does not hit."""


def write_lesson() -> dict[str, Any]:
    """A study of Carcassonne that asks at its start where the tile goes, then for a follower."""
    start = make_start()
    line = make_line(start, 2)
    other = make_line(start, 1, choose=1)[0]
    place = {name: line[0]["move"][name] for name in ("x", "y")}
    question = {
        "ask": "Where does the tile go?",
        "right": [[line[0]["move"]]],
        "wrong": [{"moves": [other["move"]], "text": "Not **there**."}],
        "otherwise": "Elsewhere.",
        "hints": ["Look at the *marks*."],
    }
    line[0] |= {"text": "Now the follower.\n\n- or none", "marks": [{"kind": "good", "at": place}]}
    line[0]["instead"] = [[other]]
    chapter = {"title": "A tile", "start": start, "text": "A first **tile**.", "question": question}
    study = {"format": "cartulary-study/1", "title": "Your first tile", "language": "en"}
    return {**study, "chapters": [{**chapter, "line": line}]}


def begin(author: Account, lesson: dict[str, Any] | None = None) -> str:
    """Begin the study, or another one, and share it by its link; returns its path."""
    study = author.ask("POST", "/studies", lesson or write_lesson())["id"]
    change(author, f"/studies/{study}", {"type": "visibility_set", "visibility": "link"})
    return f"/studies/{study}"


def change(author: Account, path: str, *changes: dict[str, Any]) -> None:
    """Change a study over HTTP."""
    author.ask("POST", f"{path}/changes", {"changes": changes})


def read_nodes(author: Account, path: str) -> dict[int, Any]:
    """Return the nodes of the main line of the first chapter by their numbers."""
    chapter = author.ask("GET", path)["document"]["chapters"][0]
    return {one["node"]: one for one in (chapter, *chapter["line"])}


def unfold(page: Page, part: str) -> None:
    """Open a part of the tools of an author."""
    page.locator(f"[data-part={part}] > summary").click()
    expect(page.locator(f"[data-part={part}]")).to_have_attribute("open", "")


def press(page: Page, key: str) -> None:
    page.locator(f"[data-key='{key}']").click()
