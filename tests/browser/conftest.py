"""A Chromium and a real `cartulary serve` for the browser tests; skipped where there is none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser import chromium
from tests.e2e.served import Served


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    path = chromium.find(playwright)
    if path is None:
        reason = "no Chromium found: install one, or name it in CARTULARY_CHROMIUM"
        # CI must not pass without having looked at a single page.
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    launched = playwright.chromium.launch(executable_path=path, args=list(chromium.ARGUMENTS))
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service for all tests that do not stop it; not started when there is no browser."""
    data: Path = tmp_path_factory.mktemp("served") / "data"
    with Served(data) as service:
        yield service
