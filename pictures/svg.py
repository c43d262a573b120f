"""A small writer of SVG: escaping, numbers, elements.

Whatever comes from outside (names of players above all) passes through `escape`. Numbers are
written with at most two decimals, so that the same picture is the same text on every machine.
Leaves are remembered: most of a picture is the same in every position of a game.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

NAMES: Final = 2048
"""Leaves with words that are remembered: with names of 64 characters they take 1 KiB each."""
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # not characters of XML 1.0
    "|[\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # would turn the text around it
)
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
    | {"\n": " ", "\r": " ", "\t": " "}
)


def escape(value: object) -> str:
    """Return `value` as text that is safe in content and in a quoted attribute."""
    return _FORBIDDEN.sub("", str(value)).translate(_ESCAPES)


@lru_cache(maxsize=8192)
def number(value: float) -> str:
    """Write a number with at most two decimals, without trailing zeros and without `-0`."""
    if type(value) is int:
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def shorten(value: object, length: int) -> str:
    """Return the first `length` characters, the last one an ellipsis where something was cut."""
    text = _FORBIDDEN.sub("", str(value)).strip()
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def attributes(values: dict[str, object]) -> str:
    """Write attributes, each with a blank before it; None is left out, `class_` is `class`.

    A name may be given with underscores for hyphens: `data_space`, `aria_label`.
    """
    parts = []
    for name, value in values.items():
        if value is None:
            continue
        shown = number(value) if isinstance(value, (int, float)) else escape(value)
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{shown}"')
    return "".join(parts)


def tag(name: str, *content: str, **values: object) -> str:
    """Return an element; `content` is SVG already, attribute values are escaped."""
    inside = "".join(content)
    head = f"<{name}{attributes(values)}"
    return f"{head}>{inside}</{name}>" if inside else f"{head}/>"


def group(*content: str, **values: object) -> str:
    """Return a `<g>`."""
    return tag("g", *content, **values)


def at(x: float, y: float, *content: str, **values: object) -> str:
    """Return a `<g>` whose origin is moved to (x, y)."""
    return tag("g", *content, transform=f"translate({number(x)} {number(y)})", **values)


def scale(x: float, y: float, factor: float, *content: str, **values: object) -> str:
    """Return a `<g>` moved to (x, y) and scaled by `factor`."""
    place = f"translate({number(x)} {number(y)}) scale({factor:.4f})"
    return tag("g", *content, transform=place, **values)


@lru_cache(maxsize=8192)
def rect(x: float, y: float, width: float, height: float, **values: object) -> str:
    """Return a `<rect>`."""
    return tag("rect", x=x, y=y, width=width, height=height, **values)


@lru_cache(maxsize=8192)
def circle(x: float, y: float, radius: float, **values: object) -> str:
    """Return a `<circle>`."""
    return tag("circle", cx=x, cy=y, r=radius, **values)


@lru_cache(maxsize=8192)
def path(d: str, **values: object) -> str:
    """Return a `<path>`."""
    return tag("path", d=d, **values)


@lru_cache(maxsize=8192)
def use(href: str, **values: object) -> str:
    """Return a `<use>` of the element with the id `href`."""
    return tag("use", href=f"#k-{href}", **values)


@lru_cache(maxsize=NAMES)
def text(x: float, y: float, content: object, **values: object) -> str:
    """Return a `<text>` with escaped content."""
    return tag("text", escape(content), x=x, y=y, **values)


def title(content: object) -> str:
    """Return a `<title>`: the text alternative of the element it stands in."""
    return tag("title", escape(content))


# Widths of characters as parts of the font size, for the widest font of the stack, in bold.
_NARROW: Final = dict.fromkeys("iljI.,:;'|! ()[]ftr", 0.42) | dict.fromkeys("mwMW@—", 1.05)


def text_width(content: str, size: float) -> float:
    """Estimate the width of `content` at a font size, on the side of too wide."""
    return size * sum(_NARROW.get(c, 0.84 if c.isupper() else 0.7) for c in content)


@lru_cache(maxsize=NAMES)
def fit(x: float, y: float, content: str, size: float, room: float, **values: object) -> str:
    """Return a `<text>` that is squeezed to `room` where it might be wider."""
    if text_width(content, size) > room:
        values |= {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return text(x, y, content, **values)
