"""Write a page with every text of a language and a picture of the place where it stands.

    python -m tests.browser.wordbook LANG FOLDER      # then open FOLDER/index.html

It starts a service and a Chromium. docs/words.md says what a reader does with the page.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from bench.service._chromium import ARGUMENTS, find
from cartulary.locales import DEFAULT
from tests.browser.support.chromium import PHONE
from tests.browser.wordbook.marks import collect, mark_words
from tests.browser.wordbook.places import Seen, Walk
from tests.browser.wordbook.sheet import write_sheet
from tests.support.real_serve import Served


def walk(lang: str, folder: Path) -> dict[str, Seen]:
    """Return where each text stands, by path; the pictures lie in the folder."""
    paths = list(collect(lang))
    with (
        TemporaryDirectory() as data,
        Served(Path(data) / "data") as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find(playwright), args=ARGUMENTS)
        context = browser.new_context(
            viewport={"width": PHONE.width, "height": PHONE.height},
            locale=lang,
            reduced_motion="reduce",
            service_workers="block",
        )
        mark_words(context, {path: number for number, path in enumerate(paths)})
        walked = Walk(served, context.new_page(), folder)
        walked.go()
        browser.close()
    return {paths[number]: seen for number, seen in walked.seen.items()}


def main() -> None:
    """Write the page and its pictures."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lang, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    seen = walk(lang, folder)
    page = write_sheet(lang, collect(DEFAULT), collect(lang), seen)
    (folder / "index.html").write_text(page, encoding="utf-8")
    print(f"{folder / 'index.html'}: {len(collect(lang))} texts, {len(seen)} seen")


if __name__ == "__main__":
    main()
