"""The files of the client: the page names the styles, the manifest names what is there."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web"


def test_every_stylesheet_is_named_in_the_page() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'href="/css/([^"]+)"', page)
    # The style of the board belongs into the shadow root of the picture, not into the page.
    assert {*named, "board.css"} == {path.name for path in WEB.glob("css/*.css")}
    assert re.findall(r'src="([^"]+)"', page) == ["/js/main.js"]


def test_modules_import_only_modules_that_are_there() -> None:
    for module in WEB.rglob("*.js"):
        for target in re.findall(r'(?:from |import |import\()"([^"]+)"', module.read_text("utf-8")):
            assert target.startswith("."), module
            assert (module.parent / target).resolve().is_file(), f"{module}: {target}"


def test_nothing_in_the_page_needs_a_looser_policy() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*src=)|https?://", page)


def test_the_manifest_names_icons_of_the_sizes_that_it_says() -> None:
    manifest = json.loads((WEB / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert {"name", "start_url", "display", "icons"} <= manifest.keys()
    for icon in manifest["icons"]:
        body = (WEB / icon["src"].lstrip("/")).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", body[16:24])
            assert icon["sizes"] == f"{width}x{height}"
