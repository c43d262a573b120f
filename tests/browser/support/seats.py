"""How a seat is touched."""

from __future__ import annotations

from playwright.sync_api import Locator, expect


def touch_name(name: Locator) -> None:
    """Touch the name of a seat in the rail, once what a move changed no longer stands there.

    By force, because a button of the rail lies over the seat and passes the touch on.
    """
    expect(name).to_be_visible()
    name.tap(force=True)
