"""Goes over every target of a table and counts how much of each a finger hits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from playwright.sync_api import Page

FINGER = 44
"""Pixels that a finger needs."""

COUNT = """() => {
  const GRID = 5;
  const ROWS = [".zoom button", ".edges button", ".acts button", ".bar :is(button, a, summary)",
    ".steps button", ".answers .grip", ".since", ".chips button"];
  const shadow = document.querySelector(".picture").shadowRoot;
  const at = ([x, y]) => {
    const found = document.elementFromPoint(x, y);
    return found?.shadowRoot?.elementFromPoint(x, y) ?? found;
  };
  const cell = (one) => {
    const { x, y } = one.closest("[data-x][data-y]")?.dataset ?? {};
    return x === undefined ? null : `${x},${y}`;
  };
  const isPlace = (one, found) => one === found ||
    (cell(one) !== null && cell(one) === cell(found) && !found.closest(".pin"));
  const isPart = (one, found) => one.contains(found);
  /* outside of a round corner a touch means something else */
  const isCut = (x, y, width, height, round) => {
    const [rx, ry] = [Math.min(round, width / 2), Math.min(round, height / 2)];
    const into = (radius, way, size) => Math.max(0, radius - Math.min(way, size - way)) / radius;
    return rx > 0 && ry > 0 && Math.hypot(into(rx, x, width), into(ry, y, height)) > 0.9;
  };
  const grid = ({ left, top, width, height }, round) => {
    const list = [];
    for (let row = 0; row < GRID; row += 1)
      for (let column = 0; column < GRID; column += 1) {
        const [x, y] = [((column + 0.5) / GRID) * width, ((row + 0.5) / GRID) * height];
        if (!isCut(x, y, width, height, round)) list.push([left + x, top + y]);
      }
    return list;
  };
  const judge = (kind, name, means) => (one) => {
    const box = one.getBoundingClientRect();
    const { left, top, width, height } = box;
    const [x, y] = [left + width / 2, top + height / 2];
    const radius = parseFloat(getComputedStyle(one).borderTopLeftRadius) || 0;
    const points = grid(box, kind === "pin" ? width : radius);
    const hits = (point) => {
      const found = at(point);
      return found !== null && means(one, found);
    };
    return { kind, name: name(one), x, y, width, height, middle: hits([x, y]),
             share: points.filter(hits).length / points.length };
  };
  const called = (one) => one.dataset.key ?? one.dataset.chip ?? one.ariaLabel ?? one.className;
  const placed = (one) =>
    cell(one) ?? one.closest("[data-space], [data-building]")?.id ?? one.tagName;
  const isAway = (one) => one.matches(".chip") && one.getBoundingClientRect().right > innerWidth;
  const buttons = [...document.querySelectorAll(ROWS)].filter((one) => !one.disabled &&
    one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]") && !isAway(one));
  return [
    ...[...shadow.querySelectorAll(".touch")].map(judge("place", placed, isPlace)),
    ...[...shadow.querySelectorAll(".pin")].map(judge("pin", (one) => one.dataset.pin, isPart)),
    ...buttons.map(judge("button", called, isPart)),
  ];
}"""

OUT = """() => [...document.querySelectorAll(".edges button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.dataset.key.replace("beyond-", ""), Number(one.dataset.count)])"""


class Target(NamedTuple):
    """A place, a pin or a button, and how much of it answers a touch."""

    kind: str
    name: str
    x: float
    y: float
    width: float
    height: float
    middle: bool
    """Whether a touch on its middle hits it."""
    share: float
    """The share of a grid over its area that hits it."""


class Count:
    """All targets of a page as it stands."""

    def __init__(self, page: Page) -> None:
        found: list[dict[str, Any]] = page.evaluate(COUNT)
        self.targets = [Target(**one) for one in found]
        self.beyond: dict[str, int] = dict(page.evaluate(OUT))
        """How many places each arrow at the edge of the board says are out of sight."""

    def of(self, kind: str) -> list[Target]:
        """Return the targets of a kind: `place`, `pin`, `button`."""
        return [one for one in self.targets if one.kind == kind]

    @property
    def hit(self) -> list[Target]:
        """The places that a touch on their middle hits."""
        return [one for one in self.of("place") if one.middle]

    def missed(self, kind: str, least: float) -> list[Target]:
        """Return the targets of a kind of which the middle or too little of the area is hit."""
        return [one for one in self.of(kind) if not one.middle or one.share < least]


def names(targets: Iterable[Target]) -> list[str]:
    """Return what to show of targets when a test fails."""
    return [
        f"{one.kind} {one.name} at {one.x:.0f},{one.y:.0f} of {one.width:.0f}x{one.height:.0f}: "
        f"{one.share:.0%}{'' if one.middle else ', not its middle'}"
        for one in targets
    ]
