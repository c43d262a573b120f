"""The stylesheet inside every picture.

It is the same text for every picture of a theme, so a page with a strict Content-Security-Policy
can allow it by its hash (`source`), and a page that shows pictures inline can carry it once
(`draw(..., style=False)`). No element has a `style` attribute.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Final, TypeAlias

from cartulary.pictures.colours import DARK, LIGHT, SEATS, THEMES, variables

ROOT: Final = "cartulary"
SERIF: Final = (
    "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',Georgia,'DejaVu Serif',serif"
)
SANS: Final = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans','Helvetica Neue',Arial,sans-serif"
)

Rules: TypeAlias = tuple[tuple[str, str], ...]
"""Selector and declarations.

Selectors are single classes with the prefix `k-`: what is drawn by way of `<use>` lives in a tree
of its own, where a selector that names an ancestor outside of it finds nothing.
"""

_COMMON: Final[Rules] = (
    (".k-sans", f"font-family:{SANS}"),
    (".k-soft", "fill:var(--soft)"),
    (".k-accent", "fill:var(--accent)"),
    (".k-b", "font-weight:700"),
    (".k-m", "text-anchor:middle"),
    (".k-e", "text-anchor:end"),
    (".k-t11", "font-size:11px"),
    (".k-t12", "font-size:12px"),
    (".k-t13", "font-size:13px"),
    (".k-t20", "font-size:20px"),
    (".k-sc", "letter-spacing:.06em"),
    (".k-page", "fill:var(--page)"),
    (".k-panel", "fill:var(--panel);stroke:var(--rule);stroke-width:1"),
    (".k-well", "fill:var(--well)"),
    (".k-rule", "fill:none;stroke:var(--rule);stroke-width:1"),
    (".k-orn", "fill:var(--accent)"),
    (".k-now", "fill:none;stroke:var(--mark);stroke-width:2"),
    (".k-hit", "fill:transparent;stroke:none;cursor:pointer"),
    (".k-rim", "fill:var(--white);stroke:var(--white);stroke-width:5;stroke-linejoin:round"),
    (".k-seal", "fill:var(--seat);stroke:var(--line);stroke-width:1.5;stroke-linejoin:round"),
    (".k-si", "fill:var(--seat-ink)"),
)  # fmt: skip

_CARCASSONNE: Final[Rules] = (
    (".k-cell", "fill:var(--panel);fill-opacity:.45;stroke:var(--rule);stroke-width:2;"
     "stroke-dasharray:6 7;stroke-linecap:round"),
    (".k-hr", "fill:none;stroke:transparent;stroke-width:22;pointer-events:stroke;cursor:pointer"),
    (".k-edge", "fill:none;stroke:var(--line);stroke-opacity:.18;stroke-width:1"),
    (".k-shade", "fill:var(--line);fill-opacity:.22"),
    (".k-last", "fill:none;stroke:var(--mark);stroke-width:5;stroke-linejoin:round"),
    (".k-lt", "fill:none;stroke:var(--seat);stroke-width:5;stroke-linejoin:round"),
    (".k-last2", "fill:none;stroke:var(--white);stroke-width:8;stroke-opacity:.8"),
    (".k-f", "fill:var(--field)"),
    (".k-g", "fill:none;stroke:var(--grass);stroke-width:1.6;stroke-linecap:round"),
    (".k-wh", "fill:var(--wheat)"),
    (".k-ta", "fill:var(--tree)"),
    (".k-tb", "fill:var(--tree2)"),
    (".k-tr", "fill:none;stroke:var(--trunk);stroke-width:2"),
    (".k-wo", "fill:var(--wool);stroke:var(--trunk);stroke-width:.8"),
    (".k-rv", "fill:none;stroke:var(--verge);stroke-width:13"),
    (".k-rs", "fill:none;stroke:var(--road);stroke-width:9.5"),
    (".k-rd", "fill:none;stroke:var(--verge);stroke-width:1;stroke-dasharray:3 5;opacity:.55"),
    (".k-pl", "fill:var(--road);stroke:var(--verge);stroke-width:1.8"),
    (".k-st", "fill:var(--merlon);stroke:var(--wall_edge);stroke-width:1.2"),
    (".k-sd", "fill:var(--wall_edge)"),
    (".k-c", "fill:var(--paving);stroke:var(--paving);stroke-width:1"),
    (".k-we", "fill:none;stroke:var(--wall_edge);stroke-width:8"),
    (".k-ww", "fill:none;stroke:var(--wall);stroke-width:5.6"),
    (".k-wm", "fill:none;stroke:var(--merlon);stroke-width:5.6;stroke-dasharray:3 2.5"),
    (".k-to", "fill:var(--merlon);stroke:var(--wall_edge);stroke-width:1.2"),
    (".k-hw", "fill:var(--house);stroke:var(--wall_edge);stroke-width:.7"),
    (".k-ra", "fill:var(--roof)"),
    (".k-rb", "fill:var(--roof2)"),
    (".k-sa", "fill:var(--slate)"),
    (".k-sb", "fill:var(--slate2)"),
    (".k-ro", "fill:none;stroke:var(--wall_edge);stroke-width:.7;stroke-linejoin:round"),
    (".k-pn", "fill:var(--gold);stroke:var(--wall_edge);stroke-width:1.2"),
    (".k-pc", "fill:var(--favour)"),
    (".k-ln", "fill:none;stroke:var(--wall_edge);stroke-width:1.6;stroke-linecap:round"),
    (".k-fg", "fill:var(--seat-ink);stroke:none"),
    (".k-fl", "fill:none;stroke:var(--seat-ink);stroke-width:2.4;stroke-linecap:round"),
    (".k-fs", "fill:var(--seat)"),
    (".k-pip", "fill:var(--seat);stroke:var(--ink);stroke-width:.8"),
    (".k-gone", "fill:none;stroke:var(--rule);stroke-width:1"),
    (".k-th", "stroke-width:.8"),
)  # fmt: skip

_CAYLUS: Final[Rules] = (
    (".k-i", "stroke:var(--line);stroke-width:.9;stroke-linejoin:round"),
    (".k-il", "fill:none;stroke:var(--line);stroke-width:.9;stroke-linecap:round"),
    (".k-iw", "fill:none;stroke:var(--white);stroke-width:1;stroke-linecap:round;opacity:.75"),
    (".k-food", "fill:var(--food)"),
    (".k-wood", "fill:var(--wood)"),
    (".k-stone", "fill:var(--stone)"),
    (".k-cloth", "fill:var(--cloth)"),
    (".k-gold", "fill:var(--gold)"),
    (".k-coin", "fill:var(--coin)"),
    (".k-laurel", "fill:var(--laurel)"),
    (".k-crown", "fill:var(--favour)"),
    (".k-white", "fill:var(--white)"),
    (".k-dark", "fill:var(--dark)"),
    (".k-pic", "fill:none;stroke:var(--ink);stroke-width:1.2;stroke-linejoin:round;"
     "stroke-linecap:round;opacity:.8"),
    (".k-op", "fill:none;stroke:var(--ink);stroke-width:1.3;stroke-linecap:round;"
     "stroke-linejoin:round"),
    (".k-neutral", "fill:var(--neutral)"),
    (".k-special", "fill:var(--fixed)"),
    (".k-fixed", "fill:var(--fixed)"),
    (".k-cwood", "fill:var(--craft_wood)"),
    (".k-cstone", "fill:var(--craft_stone)"),
    (".k-residence", "fill:var(--residence)"),
    (".k-prestige", "fill:var(--prestige)"),
    (".k-neutral2", "fill:var(--neutral2)"),
    (".k-special2", "fill:var(--fixed2)"),
    (".k-fixed2", "fill:var(--fixed2)"),
    (".k-cwood2", "fill:var(--craft_wood2)"),
    (".k-cstone2", "fill:var(--craft_stone2)"),
    (".k-residence2", "fill:var(--residence2)"),
    (".k-prestige2", "fill:var(--prestige2)"),
    (".k-card", "stroke:var(--line);stroke-opacity:.55;stroke-width:.9"),
    (".k-plot", "fill:var(--well);stroke:var(--rule);stroke-width:1.2;"
     "stroke-dasharray:4 4"),
    (".k-way", "fill:none;stroke:var(--verge);stroke-width:23;stroke-linejoin:round"),
    (".k-way2", "fill:none;stroke:var(--way);stroke-width:20;stroke-linejoin:round"),
    (".k-way3", "fill:none;stroke:var(--verge);stroke-width:.8;stroke-dasharray:5 6;opacity:.6"),
    (".k-mile", "fill:var(--merlon);stroke:var(--wall_edge);stroke-width:1"),
    (".k-slot", "fill:var(--page);stroke:var(--soft);stroke-width:1;stroke-dasharray:2.5 2"),
    (".k-cw", "fill:var(--merlon);stroke:var(--wall_edge);stroke-width:1.1;"
     "stroke-linejoin:round"),
    (".k-hole", "fill:var(--wall_edge);fill-opacity:.55"),
    (".k-roofc", "fill:var(--slate);stroke:var(--wall_edge);stroke-width:1.1;"
     "stroke-linejoin:round"),
    (".k-flag", "fill:var(--favour);stroke:var(--wall_edge);stroke-width:.8"),
    (".k-river", "fill:var(--river)"),
    (".k-wave", "fill:none;stroke:var(--white);stroke-width:1;opacity:.45;stroke-linecap:round"),
    (".k-hs", "fill:var(--seat);stroke:var(--ink);stroke-width:1;stroke-linejoin:round"),
    (".k-bar", "fill:none;stroke:var(--trunk);stroke-width:5;stroke-linecap:round"),
    (".k-done", "fill:none;stroke:var(--laurel);stroke-width:2"),
    (".k-hi", "fill:none;stroke:var(--mark);stroke-width:2.2"),
    (".k-hi2", "fill:none;stroke:var(--white);stroke-width:4.4;stroke-opacity:.8"),
)  # fmt: skip


@cache
def list_rules() -> Rules:
    """Return the rules of every theme, in the order of the stylesheet."""
    root = (f".{ROOT}", f"font-family:{SERIF};fill:var(--ink)")
    return (root, *_COMMON, *_CARCASSONNE, *_CAYLUS)


@cache
def stylesheet(theme: str = "auto") -> str:
    """Return the CSS of a theme: `auto` (as the reader prefers), `light` or `dark`."""
    if theme not in THEMES:
        raise ValueError(f"theme is one of {list(THEMES)}, not {theme!r}")
    base = list_rules()[0][1]
    css = [f".{ROOT}{{{base};{variables(DARK if theme == 'dark' else LIGHT)}}}"]
    if theme == "auto":
        css.append(f"@media(prefers-color-scheme:dark){{.{ROOT}{{{variables(DARK)}}}}}")
    for seat, (colour, ink) in enumerate(SEATS):
        css.append(f".k-s{seat}{{--seat:{colour};--seat-ink:{ink}}}")
    for selector, declarations in list_rules()[1:]:
        css.append(f"{selector}{{{declarations}}}")
    return "".join(css)


def source(theme: str) -> str:
    """Return the `style-src` source expression that allows the stylesheet of a theme."""
    digest = hashlib.sha256(stylesheet(theme).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
