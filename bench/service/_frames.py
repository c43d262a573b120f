"""How steadily a table is drawn while bots move and pieces fly: CPU time of the main thread.

A frame is late when one piece of work keeps the main thread longer than the frame lasts. The trace of
Chromium has the CPU time of each piece of work, so other programs of the machine do not change the
result; what the page draws by itself (the compositor) is no part of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, Page

MOVES: Final = 12
ASKED: Final = ".panel:not([inert]):not(.sending) .question"
OVER: Final = ".ending"
PATIENCE: Final = 60_000
WORK: Final = "RunTask"
FRAMES: Final = (17, 34)
"""ms of one frame and of two, at 60 frames a second."""

Trace = list[dict[str, Any]]


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[Trace]:
    """Trace a page; the list has the events once the block is left."""
    events: Trace = []
    categories = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
    browser.start_tracing(page=page, categories=categories)
    try:
        yield events
    finally:
        events += json.loads(browser.stop_tracing())["traceEvents"]


def sum_up(events: Trace) -> dict[str, Any]:
    """Return how much work of the main thread kept a frame, or two."""
    work = [
        event["tdur"] / 1000
        for event in events
        if event.get("name", "").endswith(WORK)
        and "tdur" in event
        and (event["pid"], event["tid"]) in find_main_threads(events)
    ]
    stamps = [event["ts"] for event in events if event.get("ts")]
    frames = max(1.0, (max(stamps) - min(stamps)) / 1e6 * 60)
    late = {f"frames with work over {ms} ms": sum(w > ms for w in work) for ms in FRAMES}
    shares = {f"{name}, %": 100 * n / frames for name, n in late.items()}
    return {**late, **shares, "longest work, CPU-ms": max(work, default=0.0), "frames": frames}


def find_main_threads(events: Trace) -> set[tuple[int, int]]:
    """Return process and thread of the main threads of the pages."""
    return {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }


def play(page: Page, choose: Callable[[Page], None] | None = None) -> int:
    """Answer questions by the first choice, with all that flies afterwards; return how many."""
    for made in range(MOVES):
        page.wait_for_selector(f"{ASKED}, {OVER}", timeout=PATIENCE)
        if page.locator(OVER).count() and page.locator(OVER).is_visible():
            return made
        version = page.locator(".table").get_attribute("data-version") or ""
        (choose or choose_first)(page)
        page.wait_for_selector(f".table:not([data-version='{version}'])", timeout=PATIENCE)
    return MOVES


def choose_first(page: Page) -> None:
    """Touch places and choices until the button sends a move."""
    confirm = page.locator(".panel [data-key=confirm]:enabled")
    for _ in range(4):
        if confirm.count():
            break
        places = page.locator(".picture .touch")
        if places.count():
            places.first.dispatch_event("click")
        else:
            page.locator(".answers input").first.dispatch_event("click")
        page.wait_for_timeout(200)
    confirm.first.dispatch_event("click")
