"""One picture as PNG, drawn in this process.

resvg keeps the lock of the interpreter while it draws, for up to seconds: a process that answers
requests lets a painter draw (`raster.painter`).
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from math import floor
from typing import Final

from cartulary.pictures import simplify
from cartulary.raster.letters import list_fonts, replace_missing

SERIF: Final = "Liberation Serif"
SANS: Final = "Liberation Sans"
"""The fonts behind `serif` and `sans-serif`: as wide as those of most browsers. DejaVu Sans draws
what these lack, Arabic letters for instance."""

MOST_PIXELS: Final = 48_000_000
"""Pixels of the largest picture: it takes 200 MB while it is drawn."""

_NEARLY: Final = 0.001
_HEAD: Final = re.compile(r'<svg [^>]*?viewBox="0 0 ([0-9.]+) ([0-9.]+)"[^>]*>')
_SIZE: Final = re.compile(r' (?:width|height|viewBox)="[^"]*"')


class TooLarge(ValueError):
    """A picture of this width would have more than `MOST_PIXELS`; `widest` would not."""

    def __init__(self, height: int, widest: int) -> None:
        super().__init__(f"the picture would be {height} pixels high")
        self.widest = widest


def is_installed() -> bool:
    """Return whether the extra `pictures` is installed."""
    return find_spec("resvg_py") is not None


def find_height(svg: str, width: int) -> int:
    """Return the height in pixels of a picture that is `width` pixels wide.

    Raises `TooLarge`.
    """
    return _find_height(_read_size(svg), width)


def draw_png(picture: str, width: int, theme: str = "light") -> bytes:
    """Return a picture of `pictures.draw` as PNG, `width` pixels wide.

    `theme` is `light` or `dark`, whatever the picture was drawn with. Raises `TooLarge`,
    `ValueError`.
    """
    from resvg_py import svg_to_bytes

    return svg_to_bytes(
        svg_string=_cut_to_pixels(replace_missing(simplify(picture, theme)), width),
        width=width,
        skip_system_fonts=True,
        font_files=list_fonts(),
        font_family=SERIF,
        serif_family=SERIF,
        sans_serif_family=SANS,
    )


def _read_size(svg: str) -> tuple[float, float]:
    """Return width and height of a picture in its own units. Raises `ValueError`."""
    head = _HEAD.match(svg)
    if head is None:
        raise ValueError("the picture has no view that begins at 0 0")
    return float(head[1]), float(head[2])


def _find_height(size: tuple[float, float], width: int) -> int:
    ratio = size[1] / size[0]
    height = max(1, floor(ratio * width + _NEARLY))
    if width * height > MOST_PIXELS:
        raise TooLarge(height, floor((MOST_PIXELS / ratio) ** 0.5))
    return height


def _cut_to_pixels(svg: str, width: int) -> str:
    """Return a picture of a whole number of pixels: resvg rounds sizes up, and stretches."""
    size = _read_size(svg)
    height = _find_height(size, width)
    end = svg.index(">")
    view = f'viewBox="0 0 {size[0]} {height * size[0] / width:.5f}"'
    return f'{_SIZE.sub("", svg[:end])} {view} width="{width}" height="{height}"{svg[end:]}'
