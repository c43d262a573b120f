"""Waiting for what listeners and routes of a test note: they run while a page is asked."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.support.polling import until

PAUSE_MS = 20


def await_heard(page: Page, heard: Callable[[], object]) -> None:
    """Wait until `heard` returns something true."""

    def look() -> bool:
        page.wait_for_timeout(PAUSE_MS)
        return bool(heard())

    until(look, every=0)
