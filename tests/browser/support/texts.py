"""Which texts of a page are cut, broken within a word, or stand out of the window."""

from __future__ import annotations

from playwright.sync_api import Page

FIND = """(isWhole) => {
  const found = new Set();
  const LEAST = 2; // px of a rounded edge
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".spoken, svg, option, select, code, .name, .who, .player, [data-away], .away");
  const cutting = (one, way) => {
    for (let at = one; at && at !== document.documentElement; at = at.parentElement) {
      const { display, [way]: how } = getComputedStyle(at);
      if (display === "contents") continue;
      if (how === "auto" || how === "scroll") return null;
      if (how === "hidden" || how === "clip") return at.getBoundingClientRect();
    }
    return null;
  };
  const range = document.createRange();
  /* of a letter after a soft hyphen the hyphen is a box as well, and the first one */
  const lineOf = (node, at) => {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return Math.round([...range.getClientRects()].at(-1)?.top ?? 0);
  };
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || !isSeen(one)) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const isAway = !isWhole && (box.bottom < 0 || box.top > innerHeight);
    if (isAway || !box.width || one.clientWidth === 1) continue;
    const where = one.className || one.tagName;
    const say = (what) => found.add(`${what}: ${where}: ${node.data.trim()}`);
    const wide = cutting(one, "overflowX");
    if (wide && (box.right > wide.right + LEAST || box.left < wide.left - LEAST)) say("cut");
    const high = cutting(one, "overflowY");
    if (high && box.bottom > high.bottom + 3 * LEAST && box.top < high.bottom) say("cut below");
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth && box.right > innerWidth + LEAST) say("out of the window");
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\u00ad\\u200b/–—-]+/g)) {
      const ends = [index, index + word.length - 1].map((at) => lineOf(node, at));
      if (ends[0] !== ends[1]) say("broken in a word");
    }
  }
  return [...found];
}"""
"""Names of players are left out, which are cut with an ellipsis, and what can be scrolled to."""


def spoilt_texts(page: Page, whole: bool = False) -> list[str]:
    """Return the texts that are cut, broken within a word, or out of the window.

    They are looked for where the window is, and on the `whole` page.
    """
    found: list[str] = page.evaluate(FIND, whole)
    return found
