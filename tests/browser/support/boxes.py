"""Where an element stands: looked up and measured in one turn of the page.

Playwright's own `bounding_box` and `scroll_into_view_if_needed` look an element up, and ask about
it in another turn: what was drawn again in between has no box any more, and cannot be scrolled to.
"""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Locator

from tests.support.polling import until

MEASURE = """(element, isBrought) => {
  if (isBrought) element.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.checkVisibility() ? [x, y, width, height] : null;
}"""
"""Null where the element is hidden, or was drawn again since it was looked up."""


class Box(NamedTuple):
    """What an element covers, in pixels of the window."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def meets(self, other: Box) -> bool:
        """Return whether two boxes have a part in common."""
        is_beside = self.x >= other.right or other.x >= self.right
        return not (is_beside or self.y >= other.bottom or other.y >= self.bottom)


def measure(element: Locator) -> Box:
    """Return where an element stands; waits until it is shown."""
    return Box(*until(lambda: element.evaluate(MEASURE, False)))


def bring(element: Locator) -> Box:
    """Scroll an element into sight, and return where it stands then."""
    return Box(*until(lambda: element.evaluate(MEASURE, True)))
