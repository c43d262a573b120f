"""Marks that no reader sees: each text of a page carries the number of its key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from playwright.sync_api import BrowserContext, Route

from cartulary.games import OFFERS
from cartulary.locales import join
from cartulary.locales.audit import flatten

EDGE: Final = "\u2060"
DIGITS: Final = "\u2063\u2064"
WIDTH: Final = 12

FIND: Final = """([edge, digits]) => {
  const mark = new RegExp(`${edge}([${digits}]+)${edge}`, "g");
  const found = {};
  const inSight = (element, { top, bottom }) => {
    if (!element.checkVisibility()) return false;
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const frame = up.getBoundingClientRect();
      const cuts = getComputedStyle(up).overflowY !== "visible";
      if (cuts && (top < frame.top - 1 || bottom > frame.bottom + 1)) return false;
    }
    return true;
  };
  const note = (text, element, box) => {
    for (const [, signs] of text.matchAll(mark)) {
      const number = parseInt([...signs].map((sign) => digits.indexOf(sign)).join(""), 2);
      if (found[number]?.shown) continue;
      const { x, y, width, height } = box;
      const shown = width > 1 && inSight(element, box);
      found[number] = { x: x + scrollX, y: y + scrollY, width, height, shown };
    }
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(text);
    note(text.data, text.parentElement, range.getBoundingClientRect());
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const { value } of one.attributes) note(value, one, one.getBoundingClientRect());
  note(document.title, document.body, new DOMRect());
  return found;
}"""
"""The numbers on a page, and where each text is first to be seen."""


def mark(number: int) -> str:
    """Return the mark of a number."""
    return EDGE + "".join(DIGITS[int(bit)] for bit in f"{number:0{WIDTH}b}") + EDGE


def collect(lang: str) -> dict[str, str]:
    """Return all texts of a language by path; those of a lesson stand under `learn.<game>`."""
    words = join(lang, {name: offer.words for name, offer in OFFERS.items()})
    texts = dict(flatten({part: words[part] for part in ("ui", "terms", "picture", "story")}))
    for name, offer in OFFERS.items():
        texts |= dict(flatten(offer.words.lesson(lang), f"learn.{name}."))
    for name, offer in OFFERS.items():
        texts |= dict(flatten(offer.words.words(lang).get("picture", {}), f"picture.{name}."))
    return texts


def put_marks(words: Any, numbers: Mapping[str, int], path: str) -> Any:
    """Return words with a mark before each text that has a number."""
    if isinstance(words, dict):
        return {key: put_marks(value, numbers, f"{path}.{key}") for key, value in words.items()}
    number = numbers.get(path.lstrip("."))
    return words if number is None or not isinstance(words, str) else mark(number) + words


def mark_words(context: BrowserContext, numbers: Mapping[str, int]) -> None:
    """Let the pages of a browser get marked words."""

    def answer(route: Route) -> None:
        lesson = re.search(r"/learn/(\w+)/", route.request.url)
        under = f"learn.{lesson[1]}" if lesson else ""
        got = route.fetch()
        marked = put_marks(json.loads(got.text()), numbers, under)
        route.fulfill(response=got, body=json.dumps(marked, ensure_ascii=False))

    context.route(re.compile(r"/locales/\w+(\.\w+)?\.json"), answer)
    context.route(re.compile(r"/learn/\w+/\w+\.json"), answer)
