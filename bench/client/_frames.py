"""How steadily a table is drawn: CPU time of each piece of work of the main thread.

A frame is late when one piece of work keeps the main thread longer than the frame lasts. The trace
of Chromium has the CPU time of each piece of work, so other programs of the machine change the
result little; what the compositor draws by itself is no part of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Page

WORK: Final = "ThreadControllerImpl::RunTask"
MAIN: Final = "CrRendererMain"
FRAMES: Final = (17, 34)
"""ms of one frame and of two, at 60 frames a second."""
PATIENCE_S: Final = 60
_TRACED: Final = {"includedCategories": ["toplevel"], "excludedCategories": ["*"]}

Trace = list[dict[str, Any]]


@contextmanager
def traced(page: Page) -> Iterator[Trace]:
    """Trace the browser of a page; the list has the events once the block is left."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    events: Trace = []
    ended: list[Any] = []
    session.on("Tracing.dataCollected", lambda event: events.extend(event["value"]))
    session.on("Tracing.tracingComplete", lambda event: ended.append(event))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": _TRACED})
    yield events
    session.send("Tracing.end")
    limit = time.monotonic() + PATIENCE_S
    while not ended and time.monotonic() < limit:
        page.wait_for_timeout(100)
    if not ended:
        raise TimeoutError("the browser did not hand over its trace")


def sum_up(events: Trace, seconds: float) -> dict[str, float]:
    """Return how much work kept the main thread longer than a frame, or two, in so many seconds."""
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == MAIN
    }
    work = [
        event["tdur"] / 1000
        for event in events
        if event["name"] == WORK and "tdur" in event and (event["pid"], event["tid"]) in main
    ]
    frames = seconds * 60
    shares = {
        f"of 60 frames a second, % with work over {ms} ms": 100 * sum(w > ms for w in work) / frames
        for ms in FRAMES
    }
    return {**shares, "longest work, CPU-ms": max(work, default=0.0), "seconds": seconds}
