"""How large the letters of a picture are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from tests.pictures.positions import SVG


def sizes(element: Element, scale: float = 1.0) -> Iterator[tuple[float, str]]:
    """Yield the size of every text in units of the picture."""
    found = re.search(r"scale\(([\d.]+)\)", element.get("transform") or "")
    scale *= float(found[1]) if found else 1.0
    if element.tag == f"{SVG}text":
        size = re.search(r"k-t(\d+)", element.get("class") or "")
        yield float(size[1] if size else 0) * scale, element.text or ""
    for child in element:
        yield from sizes(child, scale)
