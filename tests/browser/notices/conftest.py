"""A service that sends push messages, and a Chromium that shows notices."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from bench.service._chromium import ARGUMENTS
from cartulary.notices.web_push import PushServerKey
from tests.support.real_serve import Served

FULL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="package")
def telling(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with a key of push messages, which may send to one port of this machine."""
    folder = tmp_path_factory.mktemp("telling")
    key = folder / "push.pem"
    key.write_bytes(PushServerKey.make("mailto:operator@example.org").pem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARTULARY_PUSH_KEY", str(key))
        patch.setenv("CARTULARY_EGRESS_ALLOW", "127.0.0.1/32:8443")
        with Served(folder / "data") as service:
            yield service


@pytest.fixture(scope="package")
def full_browser(playwright: Playwright) -> Iterator[Browser]:
    """A whole Chromium: the headless shell denies all pages to show notices."""
    found = next(filter(None, map(shutil.which, FULL)), None)
    if found is None:
        pytest.skip("a whole Chromium is needed: the headless shell shows no notices")
    launched = playwright.chromium.launch(executable_path=found, args=[*ARGUMENTS])
    yield launched
    launched.close()
