"""How a seat is touched."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.support.polling import until


def touch_name(name: Locator) -> None:
    """Touch the screen where the name of a seat in the rail stands.

    The screen and not the element, because a button of the rail lies over the seat and passes the
    touch on, and because a move that comes meanwhile draws the rail again.
    """
    name.scroll_into_view_if_needed()
    place = until(name.bounding_box)  # null where the rail is drawn again at this moment
    name.page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
