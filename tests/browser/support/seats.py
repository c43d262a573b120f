"""How a seat is touched."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.support.polling import until

#: Brings the element into view and says where its middle is; null where it was drawn again since
#: it was looked up. Both in one turn of the page, so that no move comes in between.
MIDDLE = """element => {
  element.scrollIntoView({block: "nearest"});
  const {x, y, width, height} = element.getBoundingClientRect();
  return element.isConnected ? [x + width / 2, y + height / 2] : null;
}"""


def touch_name(name: Locator) -> None:
    """Touch the screen where the name of a seat in the rail stands.

    The screen and not the element, because a button of the rail lies over the seat and passes the
    touch on, and because a move that comes meanwhile draws the rail again.
    """
    x, y = until(lambda: name.evaluate(MIDDLE))
    name.page.touchscreen.tap(x, y)
