"""How long the client takes to its first board, on a slow line and a slow CPU, in a real Chromium.

Fast 3G (562 ms latency, 1.44 Mbit/s) and a CPU four times slower, by the DevTools protocol; with
`--slow` a line of 400 kbit/s and 2 s latency. First visit: an empty cache; second visit: the same
browser again. "Play a bot now": from the touch on home, by a person who has no player yet, to the
first word, the board and the question or who is to move. With `--table` also what a move costs
(`bench/client/_playing.py`), with `--frames` how steadily moves are drawn, those of local bots as
well (`bench/client/_drawn_moves.py`). Needs a Chromium, as `tests/browser`.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

import requests
from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, sync_playwright

from bench.client._drawn_moves import measure_frames
from bench.client._playing import measure_play
from bench.service._chromium import ARGUMENTS, find
from bench.service._served import CONFIGURATION, run_service
from cartulary.cli.embedded.embedded import EmbeddedValkey


class Line(NamedTuple):
    """A line: ms from a request to its answer, bytes a second."""

    latency: int
    throughput: float


FAST_3G: Final = Line(562, 1.44e6 / 8)
SLOW: Final = Line(2000, 400e3 / 8)
SLOWER = 4
MOVES = 40
SIZE: ViewportSize = {"width": 390, "height": 844}
SHOWN = {
    "home": "document.querySelector('.home .offer, .home .card')",
    "table": "document.querySelector('.picture')?.shadowRoot?.querySelector('svg')",
}
SAID = "document.querySelector('.table .what')"
ASKED = "document.querySelector('.panel .question, .panel .waiting')"
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def main(
    seconds: float = 20.0,
    url: str = "",
    runs: int = 5,
    built: bool = False,
    table: bool = False,
    slow: bool = False,
    frames: bool = False,
) -> dict[str, Any]:
    """Measure a service of its own, or the one at `url`; `built`: refuse stale built files.

    `table`: play as well. `slow`: on the slow line. `frames`: the frames and nothing else.
    """
    del seconds
    line = SLOW if slow else FAST_3G
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find(playwright), args=list(ARGUMENTS))

        def measure(address: str) -> dict[str, Any]:
            if frames:
                return measure_frames(browser, address)
            return _measure(browser, address, line, runs, built, table)

        if url:
            return measure(url)
        with EmbeddedValkey(Path(folder)) as valkey:
            environment = {"CARTULARY_EVENTS_URL": str(valkey.url), "CARTULARY_LOG_REQUESTS": "0"}
            with run_service(["-c", CONFIGURATION], environment) as port:
                return measure(f"http://127.0.0.1:{port}")


def _measure(
    browser: Browser, url: str, line: Line, runs: int, built: bool, plays: bool
) -> dict[str, Any]:
    person, game = _open_table(url)
    measured: dict[str, Any] = {}
    for name, path in (("home", "/"), ("table", f"/games/{game}")):
        visits = [_visit_twice(browser, url + path, SHOWN[name], line, built) for _ in range(runs)]
        for at, visit in enumerate(("first", "second")):
            measured[f"{name}, {visit} visit"] = {
                "s (median)": statistics.median(both[at]["s"] for both in visits),
                "s (slowest)": max(both[at]["s"] for both in visits),
                "requests": statistics.median(both[at]["requests"] for both in visits),
                "KB": statistics.median(both[at]["KB"] for both in visits),
            }
    begun = [_begin(browser, url, line) for _ in range(runs)]
    measured["Play a bot now, s (median)"] = {
        what: statistics.median(one[what] for one in begun) for what in begun[0]
    }
    if plays:
        context = browser.new_context(viewport=SIZE, locale="en-GB", has_touch=True)
        measured["play"] = measure_play(context.new_page(), url, person, game)
    return measured


def _open_table(url: str) -> tuple[dict[str, Any], str]:
    """Return a player, and a public game of Caylus of this player with some moves made."""
    api = f"{url}/api/v1"
    made = requests.post(f"{api}/players", json={"name": "bench"}, timeout=10).json()
    caller = {"Authorization": f"Bearer {made['token']}"}
    wanted = {"game": "caylus", "seats": [{"kind": "me"}] * 3}
    game = requests.post(f"{api}/games", json=wanted, headers=caller, timeout=10).json()
    path = f"{api}/games/{game['id']}/moves"
    for _ in range(MOVES):
        move = requests.get(path, timeout=10).json()["moves"][0]
        requests.post(path, json={"move": move}, headers=caller, timeout=10).raise_for_status()
    return made, str(game["id"])


def _begin(browser: Browser, url: str, line: Line) -> dict[str, float]:
    """Begin a game with one touch on home; return the seconds to what is shown in turn."""
    context = browser.new_context(viewport=SIZE, locale="en-GB", has_touch=True)
    try:
        page = context.new_page()
        page.goto(url)
        start = page.locator("[data-key=bot-carcassonne]")
        start.wait_for()
        _slow_down(page, line)
        began = time.monotonic()
        start.dispatch_event("click")
        found = {}
        for what, shown in (("a word", SAID), ("board", SHOWN["table"]), ("question", ASKED)):
            page.wait_for_function(f"() => Boolean({shown})", polling="raf", timeout=60_000)
            found[what] = time.monotonic() - began
        return found
    finally:
        context.close()


def _visit_twice(
    browser: Browser, address: str, shown: str, line: Line, built: bool
) -> list[dict[str, float]]:
    context = browser.new_context(viewport=SIZE, locale="en-GB", has_touch=True)
    try:
        visits = []
        for _ in range(2):
            page = context.new_page()
            visits.append(_visit(page, address, shown, line))
            if built and not page.locator("script[src*='/built/']").count():
                raise SystemExit("the built files are stale: run script/bundle")
            page.close()
        return visits
    finally:
        context.close()


def _visit(page: Page, address: str, shown: str, line: Line) -> dict[str, float]:
    """Open an address; return the seconds until something is shown, requests and bytes by then."""
    session = page.context.new_cdp_session(page)
    counted = {"requests": 0.0, "bytes": 0.0}

    def count(what: str, by: float) -> None:
        counted[what] += by

    session.on("Network.loadingFinished", lambda e: count("bytes", e["encodedDataLength"]))
    session.on("Network.responseReceived", lambda e: count("requests", _is_sent(e)))
    _slow_down(page, line, session)
    began = time.monotonic()
    page.goto(address, wait_until="commit")
    page.wait_for_function(f"() => Boolean({shown})", polling="raf", timeout=60_000)
    page.evaluate(FRAMES)
    took = time.monotonic() - began
    found = {"s": took, "requests": counted["requests"], "KB": counted["bytes"] / 1000}
    page.wait_for_timeout(3000)  # what follows the first picture is not part of it
    return found


def _slow_down(page: Page, line: Line, session: CDPSession | None = None) -> None:
    """Give a page a slow line and a slow CPU."""
    session = session or page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": line.latency,
            "downloadThroughput": line.throughput,
            "uploadThroughput": line.throughput,
        },
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def _is_sent(event: dict[str, Any]) -> int:
    """Return 1 for an answer that came over the line, 0 for one that the browser had."""
    kept = ("fromDiskCache", "fromPrefetchCache", "fromServiceWorker")
    return 0 if any(event["response"].get(name) for name in kept) else 1
