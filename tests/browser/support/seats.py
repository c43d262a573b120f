"""The seats of a table as a finger meets them."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.browser.support.boxes import bring


def touch_name(name: Locator) -> None:
    """Touch the screen where the name of a seat in the rail stands.

    The screen and not the element, because a button of the rail lies over the seat and passes the
    touch on, and because a move that comes meanwhile draws the rail again.
    """
    name.page.touchscreen.tap(*bring(name).middle)
