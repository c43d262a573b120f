"""The contrast of colours, by WCAG 2.2."""

from __future__ import annotations

Colour = tuple[float, ...]
"""Red, green and blue, each from 0 to 1."""


def parse_colour(text: str) -> Colour:
    """Return the colour of `#rrggbb`."""
    return tuple(int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))


def luminance(of: Colour) -> float:
    """Return the relative luminance of a colour, 0 to 1."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in of]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
