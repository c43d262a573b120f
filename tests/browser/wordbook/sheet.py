"""The page: key, English, the text, where it stands and what the place looks like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from tests.browser.wordbook.places import Seen

ROOT: Final = Path(__file__).parents[3]
CROP: Final = (340, 120)
"""The part of a picture that a row shows, in pixels."""

PARTS: Final = {
    "terms": "what things are called, on every page of the game",
    "story": "a sentence of the story, of a hint or of an analysis",
    "picture": "in the picture of the board",
    "learn": "the page that teaches the game, or its guide",
}

STYLE: Final = """
body { font: 15px/1.4 system-ui; margin: 1rem; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid #ccc; padding: .3rem }
td:first-child { font: 12px monospace; width: 16rem; word-break: break-all }
td { vertical-align: top; width: 22% } small { color: #555 }
[contenteditable] { background: #fffbe6 } .changed { background: #d9f2d9 }
.crop { position: relative; overflow: hidden; display: block; border: 1px solid #999 }
.crop i { position: absolute; outline: 2px solid #c00 } nav { position: sticky; top: 0;
  background: #fff; padding: .4rem; z-index: 1 } textarea { width: 100%; height: 8rem }
"""

SCRIPT: Final = """
const changed = new Map();
const out = document.querySelector("textarea");
for (const cell of document.querySelectorAll("[contenteditable]")) {
  const before = cell.textContent;
  cell.addEventListener("input", () => {
    cell.classList.toggle("changed", cell.textContent !== before);
    if (cell.textContent === before) changed.delete(cell.dataset.path);
    else changed.set(cell.dataset.path, cell.textContent);
    out.value = JSON.stringify(Object.fromEntries(changed), null, 2);
  });
}
"""


def write_sheet(
    lang: str, english: Mapping[str, str], own: Mapping[str, str], seen: Mapping[str, Seen]
) -> str:
    """Return the page; a reader changes texts in it and copies the changes from its end."""
    body = "".join(_write_groups(english, own, seen))
    count = sum(path in seen for path in own)
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{lang}</title>'
        f"<style>{STYLE}</style><nav>{len(own)} texts, {count} with a picture. Change a yellow "
        'text; the changes stand <a href="#changes">at the end</a>.</nav>'
        f'<table>{body}</table><h2 id="changes">Changes</h2><textarea></textarea>'
        f"<script>{SCRIPT}</script></html>"
    )


def _write_groups(
    english: Mapping[str, str], own: Mapping[str, str], seen: Mapping[str, Seen]
) -> Iterator[str]:
    for group, paths in groupby(own, key=lambda path: ".".join(path.split(".")[:3][:-1])):
        yield f'<tr><th colspan="4"><h2>{escape(group)}</h2></th></tr>'
        for path in paths:
            yield _write_row(path, english.get(path, ""), own[path], seen.get(path))


def _write_row(path: str, english: str, own: str, seen: Seen | None) -> str:
    edited = f'<td contenteditable data-path="{escape(path)}">{escape(own)}</td>'
    where = _show(seen) if seen else f"<small>{escape(find_use(path))}</small>"
    return f"<tr><td>{escape(path)}</td><td>{escape(english)}</td>{edited}<td>{where}</td></tr>"


def _show(seen: Seen) -> str:
    """Return the part of the picture around a text, with a frame around the text."""
    if not seen.box["shown"]:
        return f"<small>{escape(seen.place)}: read aloud, or shown on a touch</small>"
    wide, high = CROP
    left = max(0, round(seen.box["x"] + seen.box["width"] / 2 - wide / 2))
    top = max(0, round(seen.box["y"] + seen.box["height"] / 2 - high / 2))
    frame = (
        f"left:{seen.box['x'] - left:.0f}px;top:{seen.box['y'] - top:.0f}px;"
        f"width:{seen.box['width']:.0f}px;height:{seen.box['height']:.0f}px"
    )
    behind = f"background:url({seen.picture}) -{left}px -{top}px no-repeat"
    crop = f"width:{wide}px;height:{high}px;{behind}"
    return (
        f'<a class="crop" href="{seen.picture}" style="{crop}"><i style="{frame}"></i></a>'
        f"<small>{escape(seen.place)}</small>"
    )


def find_use(path: str) -> str:
    """Return where a text is used: files of the client that name it or its group."""
    names = path.split(".")
    for length in range(len(names), 1, -1):
        stem = ".".join(names[:length])
        if files := [name for name, code in _read_client().items() if stem in code]:
            return ", ".join(sorted(files)[:3])
    return PARTS.get(names[0], "in answers of the service")


@cache
def _read_client() -> Mapping[str, str]:
    files = (ROOT / "web" / "js").rglob("*.js")
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
