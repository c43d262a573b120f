"""A Chromium and a real `cartulary serve` for the browser tests; skipped without a Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from bench.service._chromium import ARGUMENTS, find
from tests.browser.support.chromium import PATIENT_MS
from tests.support.missing_tools import missing
from tests.support.night import short_or_long
from tests.support.real_serve import Served

# For what never comes: a busy machine takes ten times as long as a quiet one.
expect.set_options(timeout=PATIENT_MS)
WITHOUT = (
    # Each window starts a page of its own for these, which takes as long as a page of the client.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # Playwright's: of two options `--disable-features` the last one counts.
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    # A process that waits for the next site costs a start, and each window has one site.
    *("SpareRendererForSitePerProcess", "ThirdPartyStoragePartitioning"),
)
"""Features of Chromium that no test needs."""
LAUNCHED_WITH = [
    *ARGUMENTS,
    f"--disable-features={','.join(WITHOUT)}",
    # The pages of a browser share a process, also those of one test after the other.
    "--process-per-site",
    # The engine in a page runs for seconds: to compile its WebAssembly a second time, into quicker
    # code, takes a third of the time of such a test.
    "--js-flags=--liftoff-only",
]
NAMES = ["Wanda", "Konrad", "Zofia"]
CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    path = find(playwright)
    if path is None:
        missing("no Chromium found: install one, or name it in CARTULARY_CHROMIUM")
    launched = playwright.chromium.launch(executable_path=path, args=LAUNCHED_WITH)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def served(browser: Browser, request: pytest.FixtureRequest) -> Served:
    """The service that all tests share; not started for them when there is no browser."""
    shared: Served = request.getfixturevalue("shared_service")
    return shared


FINISHED = ("carcassonne", "caylus")
"""The games that `finished` may be."""


OF_ONE = short_or_long(("caylus",), FINISHED)
one_finished = pytest.mark.parametrize("finished", OF_ONE, indirect=True)
"""For a test of what is the same for every game: it takes one of `FINISHED`, at night each."""


@pytest.fixture(scope="session", params=OF_ONE)
def finished(request: pytest.FixtureRequest, served: Served) -> str:
    """The id of a finished game, made from a transcript; `NAMES` are those who played it."""
    folder = CASES / str(request.param)
    name = "game-00.json" if request.param == "carcassonne" else "game-01-3p-builder.json"
    transcript = json.loads((folder / name).read_text())
    api = f"{served.url}/api/v1"
    token = requests.post(f"{api}/players", json={"name": "Ada"}, timeout=60).json()["token"]
    answer = requests.post(
        f"{api}/games/import",
        json={
            **{key: value for key, value in transcript.items() if not key.startswith("expect")},
            "players": NAMES[: transcript["seats"]],
        },
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    assert answer.status_code == 201, answer.text
    game_id: str = answer.json()["id"]
    return game_id
