"""A game of Caylus at the client of a real Chromium: what a move costs the browser.

One person plays three seats, on a quick line and a CPU that is not slowed. The person touches the
first place on the board that can be touched and confirms; a question without such a place is
answered over the API, as on another device, and the page follows.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping
from typing import Any

import requests
from playwright.sync_api import CDPSession, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

MOVES = 60
PATIENCE = 20_000
ASKED = ".panel:not([inert]):not(.sending) .question"
WATCH = """() => {
  window.bench = { began: 0, redraws: [], tasks: [] };
  const parse = DOMParser.prototype.parseFromString;
  DOMParser.prototype.parseFromString = function (text, kind) {
    if (kind === "image/svg+xml") window.bench.began = performance.now();
    return parse.call(this, text, kind);
  };
  document.querySelector(".picture").addEventListener("pictured", () => {
    document.querySelector(".picture").getBoundingClientRect();
    window.bench.redraws.push(performance.now() - window.bench.began);
  });
  new PerformanceObserver((list) => {
    window.bench.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });
}"""
"""A redraw: from the text of the picture to a picture whose style and layout are known."""
CONFIRM = """() => new Promise((done) => {
  const table = document.querySelector(".table");
  const began = performance.now();
  new MutationObserver((_, watch) => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  }).observe(table, { attributeFilter: ["data-version"] });
  document.querySelector(".panel [data-key=confirm]").click();
})"""
"""From the touch of Confirm to the frame that shows the next version."""


def measure_play(page: Page, url: str, person: Mapping[str, Any], game: str) -> dict[str, Any]:
    """Play on at a table on which moves were made; return what a move costs."""
    page.add_init_script(f"localStorage['cartulary.player'] ??= {json.dumps(json.dumps(person))}")
    page.add_init_script("localStorage['cartulary.prefs'] ??= JSON.stringify({motion: 'off'})")
    page.goto(f"{url}/games/{game}")
    page.wait_for_selector(ASKED)
    page.evaluate(WATCH)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before, confirmed = _read(session), []
    for _ in range(MOVES):
        version = int(page.locator(".table").get_attribute("data-version") or 0)
        if (took := play_by_hand(page)) is None:
            play_over_api(f"{url}/api/v1/games/{game}", person)
        else:
            confirmed.append(took)
        await_next(page, version)
    return _sum_up(page, confirmed, before, _read(session))


def play_by_hand(page: Page) -> float | None:
    """Touch a place and confirm; return the milliseconds to the next version, None: no place."""
    places = page.locator(".picture .touch")
    if not places.count():
        return None
    places.first.dispatch_event("click")
    try:
        page.wait_for_selector(".panel [data-key=confirm]:enabled", timeout=2000)
    except PlaywrightTimeout:  # the place alone does not make a move
        return None
    return float(page.evaluate(CONFIRM))


def play_over_api(address: str, person: Mapping[str, Any]) -> None:
    move = requests.get(f"{address}/moves", timeout=10).json()["moves"][0]
    caller = {"Authorization": f"Bearer {person['token']}"}
    answer = requests.post(f"{address}/moves", json={"move": move}, headers=caller, timeout=10)
    answer.raise_for_status()


def await_next(page: Page, version: int) -> None:
    page.wait_for_selector(f".table:not([data-version='{version}'])", timeout=PATIENCE)
    page.wait_for_selector(ASKED, timeout=PATIENCE)


def _read(session: CDPSession) -> dict[str, float]:
    session.send("HeapProfiler.collectGarbage")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics}


def _sum_up(
    page: Page, confirmed: list[float], before: dict[str, float], after: dict[str, float]
) -> dict[str, Any]:
    seen = page.evaluate("window.bench")
    tasks = seen["tasks"]
    return {
        "moves": {"all": MOVES, "by hand": len(confirmed)},
        "Confirm to the next version, ms": _describe(confirmed),
        "redraw, ms": _describe(seen["redraws"]),
        "work of a move, ms": {
            what: (after[name] - before[name]) * 1000 / MOVES for what, name in _WORK.items()
        },
        "long tasks": {"number": len(tasks), "longest, ms": max(tasks, default=0.0)},
        **{
            what: {"before": before[name] / unit, "after": after[name] / unit}
            for what, (name, unit) in _KEPT.items()
        },
    }


_WORK = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}
_KEPT = {
    "heap, MB": ("JSHeapUsedSize", 1e6),
    "nodes": ("Nodes", 1),
    "listeners": ("JSEventListeners", 1),
}


def _describe(values: list[float]) -> dict[str, float]:
    last = statistics.quantiles(values, n=20)[-1]
    return {"median": statistics.median(values), "p95": last, "least": min(values)}
