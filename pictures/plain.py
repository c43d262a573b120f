"""A picture without a stylesheet: what a browser draws by way of CSS stands in attributes.

Renderers that know no custom properties (resvg, librsvg, Qt, Android) draw the same picture: every
`var(--…)` is resolved, what a seat colours is copied for each seat, symbols and inner documents are
groups, letters are squeezed by their size, and fonts are named by their generic family.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from re import Match, fullmatch, sub
from typing import Final

from cartulary.pictures.colours import DARK, LIGHT, SEATS, theme_colours
from cartulary.pictures.style import SANS, SERIF, list_rules
from cartulary.pictures.svg import number, text_width

Element = ElementTree.Element
Declarations = Mapping[str, str]

_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
"""The older name of `href`: every renderer knows it, some do not know the newer name."""
_OF_SEAT: Final = "var(--seat"
_BEHAVIOUR: Final = frozenset({"cursor", "pointer-events"})
_FAMILIES: Final = {SERIF: "serif", SANS: "sans-serif"}

ElementTree.register_namespace("", _SVG.strip("{}"))
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def simplify(picture: str, theme: str) -> str:
    """Return a picture of `pictures.draw` in the plain style; `auto` is the light theme."""
    root = ElementTree.fromstring(picture)
    view = _read_view_box(root)
    untouched = ElementTree.fromstring(picture)
    _Simplifier(root, untouched, theme_colours(DARK if theme == "dark" else LIGHT)).run()
    root.set("width", number(view.width))
    root.set("height", number(view.height))
    return ElementTree.tostring(root, encoding="unicode")


@dataclass(frozen=True, slots=True)
class _Box:
    """A rectangle in units of the picture."""

    x: float
    y: float
    width: float
    height: float


def _read_view_box(element: Element) -> _Box:
    return _Box(*[float(part) for part in element.get("viewBox", "0 0 0 0").split()])


class _Simplifier:
    """Rewrites one picture in its place."""

    def __init__(self, root: Element, untouched: Element, colours: Mapping[str, str]) -> None:
        """Take the picture, and the same picture again to copy from."""
        self._root, self._colours = root, colours
        self._drawn = {one.get("id", ""): one for one in untouched.iter() if one.get("id")}
        self._seated: dict[str, bool] = {}
        self._copies: dict[str, Element] = {}

    def run(self) -> None:
        """Rewrite the picture."""
        size = _read_view_box(self._root)
        self._rewrite(self._root, None, size)
        defs = ElementTree.Element(f"{_SVG}defs")
        defs.extend(self._copies.values())
        self._root.insert(0, defs)

    def _rewrite(self, element: Element, seat: int | None, size: _Box) -> None:
        seat = _find_seat(element, seat)
        _place_inner(element, size, is_root=element is self._root)
        size = _narrow(element, size)
        self._point(element, seat)
        self._dress(element, seat)
        _squeeze(element)
        for child in list(element):
            if child.tag == f"{_SVG}style":
                element.remove(child)
            else:
                self._rewrite(child, seat, size)

    # -- what a seat colours -----------------------------------------------------------------------

    def _point(self, element: Element, seat: int | None) -> None:
        """Let a `use` point at what it shows, in the colours of its seat."""
        target = element.attrib.pop("href", None)
        if target is None:
            return
        name = target.removeprefix("#")
        if seat is not None and self._is_seated(name):
            name = self._copy(name, seat)
        element.set(_HREF, f"#{name}")

    def _is_seated(self, name: str) -> bool:
        """Return whether what has this id looks different for each seat."""
        if name not in self._seated:
            self._seated[name] = False
            self._seated[name] = any(map(self._takes_seat, _list_unseated(self._drawn[name])))
        return self._seated[name]

    def _takes_seat(self, element: Element) -> bool:
        target = element.get("href")
        if target is not None and self._is_seated(target.removeprefix("#")):
            return True
        return any(_OF_SEAT in value for value in _read_declarations(element).values())

    def _copy(self, name: str, seat: int) -> str:
        """Return the id of a copy in the colours of a seat."""
        copied = f"{name}-of-{seat}"
        if copied not in self._copies:
            # Parsed from text, because a deep copy of elements takes much longer.
            text = ElementTree.tostring(self._drawn[name], encoding="unicode")
            copy = self._copies[copied] = ElementTree.fromstring(text)
            copy.set("id", copied)
            self._rewrite(copy, seat, _Box(0, 0, 0, 0))
        return copied

    # -- attributes --------------------------------------------------------------------------------

    def _dress(self, element: Element, seat: int | None) -> None:
        """Write the declarations of the classes of an element as attributes."""
        declared = _read_declarations(element)
        if element.attrib.pop("class", None) is None:
            return
        for name, value in declared.items():
            resolved = self._resolve(value, seat)
            if resolved is not None:
                element.set(name, resolved)
        if "letter-spacing" in declared:
            spacing = float(declared["letter-spacing"].removesuffix("em"))
            element.set("letter-spacing", number(spacing * float(element.get("font-size", "0"))))

    def _resolve(self, value: str, seat: int | None) -> str | None:
        """Return a value without variables and units; None for the colour of no seat."""
        if _OF_SEAT in value and seat is None:
            return None
        value = sub(r"var\(--([\w-]+)\)", lambda found: self._name_colour(found, seat), value)
        value = _FAMILIES.get(value, value)
        return "none" if value == "transparent" else value.removesuffix("px")

    def _name_colour(self, found: Match[str], seat: int | None) -> str:
        if found[1].startswith("seat") and seat is not None:
            return SEATS[seat][found[1] == "seat-ink"]
        return self._colours[found[1]]


@cache
def _declare(class_: str) -> Declarations:
    """Return what the stylesheet declares for a class, without what concerns the pointer."""
    found: dict[str, str] = {}
    for selector, declarations in list_rules():
        if selector == f".{class_}":
            for one in declarations.split(";"):
                name, _, value = one.partition(":")
                found[name] = value
    return {name: value for name, value in found.items() if name not in _BEHAVIOUR}


@cache
def _declare_all(classes: str) -> Declarations:
    """Return what holds for an element with these classes: a later rule of the sheet wins."""
    order = {selector: place for place, (selector, _) in enumerate(list_rules())}
    found: dict[str, str] = {}
    for one in sorted(classes.split(), key=lambda class_: order.get(f".{class_}", -1)):
        found |= _declare(one)
    return found


def _read_declarations(element: Element) -> Declarations:
    return _declare_all(element.get("class", ""))


def _find_seat(element: Element, around: int | None) -> int | None:
    """Return the seat whose colours hold in an element; `around`: in the element around it."""
    for one in element.get("class", "").split():
        found = fullmatch("k-s([0-9])", one)
        if found:
            return int(found[1])
    return around


def _list_unseated(element: Element) -> Iterator[Element]:
    """Yield an element and those in it, without what has the colours of a seat of its own."""
    if _find_seat(element, None) is None:
        yield element
        for child in element:
            yield from _list_unseated(child)


def _squeeze(element: Element) -> None:
    """Make letters smaller where a browser would make them narrower."""
    room = element.attrib.pop("textLength", None)
    if element.attrib.pop("lengthAdjust", None) is None or room is None:
        return
    size = float(element.get("font-size", "12"))
    width = text_width("".join(element.itertext()), size)
    element.set("font-size", number(size * min(1.0, float(room) / width)))


# -- documents in documents ------------------------------------------------------------------------


def _narrow(element: Element, size: _Box) -> _Box:
    """Return the box that an inner document fills: its own size, or its view."""
    if element.get("data-box") is None:
        return size
    return _Box(*[float(part) for part in element.attrib.pop("data-box").split()])


def _place_inner(element: Element, size: _Box, is_root: bool) -> None:
    """Make a group of a symbol, and of an inner document: moved and scaled as a browser would."""
    if element.tag == f"{_SVG}symbol":
        element.tag = f"{_SVG}g"
        element.attrib.pop("overflow", None)
    if element.tag != f"{_SVG}svg" or is_root:
        return
    element.tag = f"{_SVG}g"
    own = _Box(
        float(element.attrib.pop("x", "0")),
        float(element.attrib.pop("y", "0")),
        float(element.attrib.pop("width", size.width)),
        float(element.attrib.pop("height", size.height)),
    )
    view = _read_view_box(element) if element.attrib.get("viewBox") else None
    element.attrib.pop("viewBox", None)
    _move(element, own, view or _Box(0, 0, own.width, own.height))


def _move(element: Element, own: _Box, view: _Box) -> None:
    factor = min(own.width / view.width, own.height / view.height)
    x = own.x + (own.width - view.width * factor) / 2 - view.x * factor
    y = own.y + (own.height - view.height * factor) / 2 - view.y * factor
    element.set("transform", f"translate({number(x)} {number(y)}) scale({factor:.4f})")
    element.set("data-box", f"0 0 {view.width} {view.height}")
