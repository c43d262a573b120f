"""The code and the style of the client as `script/bundle` builds them, and their sources.

`web/built` holds the code that home and a table need at once, the code that other pages and parts
load later, that of the tournaments, of the puzzles and of the studies, the style, the code that
stands in the page itself, and `built.json`, which names them and records the digest of the sources.
Running the service needs no node: the built files are committed.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

WEB = Path(__file__).parents[3] / "web"
FOLDER = "built"
_STYLES = re.compile(r'(?: *<link rel="stylesheet" href="/css/[^"]+">\n)+')
_SCRIPT = re.compile(r'src="/js/main\.js"')


@dataclass(frozen=True, slots=True)
class Built:
    """What `built.json` says: the names of the files, and the digests of what they come from.

    `early` is the code that asks before `script` is there: it stands in the page. `later` is what
    `script` loads when a part is opened that few visits open, `tournaments`, `puzzles` and
    `studies` what their pages need besides.
    """

    script: str
    later: str
    tournaments: str
    puzzles: str
    studies: str
    style: str
    early: str
    sources: str
    bundler: str


@cache
def read_built() -> Built:
    """Return the record of the built files; raises `RuntimeError` without them."""
    try:
        return Built(**json.loads((WEB / FOLDER / "built.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise RuntimeError(f"{WEB / FOLDER} is missing: run script/bundle") from None


@cache
def is_stale() -> bool:
    """Return whether the sources are others than those that the built files come from."""
    try:
        return read_built().sources != digest_sources()
    except RuntimeError:
        return True


def digest_sources() -> str:
    """Return the digest of the modules, the stylesheets and the page, as `script/bundle` does."""
    files = [*(WEB / "js").rglob("*.js"), *(WEB / "css").rglob("*.css"), WEB / "index.html"]
    return digest_files(WEB, files)


def digest_files(root: Path, files: list[Path]) -> str:
    """Return a digest of files: of the name, the length and the bytes of each, by name."""
    digest = sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in files):
        body = path.read_bytes()
        digest.update(f"{name}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()


def name_built(page: str) -> str:
    """Return the page with the built files in place of the modules and the stylesheets.

    The code that asks first stands before the style: a browser runs no code of a page while it
    waits for a stylesheet that stands before the code.
    """
    built = read_built()
    later = "".join(
        f'    <link rel="later" data-below="{below}" href="/{FOLDER}/{name}">\n'
        for below, name in (
            *(("/", built.later), ("/tournaments", built.tournaments)),
            *(("/puzzles", built.puzzles), ("/studies", built.studies)),
        )
    )
    style = f'    <link rel="stylesheet" href="/{FOLDER}/{built.style}">\n'
    head = f"{later}    <script>{read_early()}</script>\n{style}"
    named = _STYLES.sub(lambda _: head, page, count=1)
    return _SCRIPT.sub(f'src="/{FOLDER}/{built.script}"', named)


@cache
def read_early() -> str:
    """Return the code that stands in the page."""
    return (WEB / FOLDER / read_built().early).read_text(encoding="utf-8").strip()


@cache
def digest_early() -> str:
    """Return the source expression that allows this code, and no other, in a policy of a page."""
    digest = sha256(read_early().encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def find_built(name: str) -> tuple[Path, bool]:
    """Return the built file for a name, and whether it is the file of exactly this name.

    A page of an earlier release asks for `app.<another hash>.js`: it gets the file of today.
    Raises `LookupError` for a name that no release has used, and for later code of another
    release: it would not fit the code that asks, which says so and offers to load the page again.
    """
    built = read_built()
    if name in (built.later, built.tournaments, built.puzzles, built.studies):
        return WEB / FOLDER / name, True
    found = re.fullmatch(r"app\.[0-9A-Z]{8}\.(js|css)", name)
    if found is None:
        raise LookupError(name)
    today = built.script if found[1] == "js" else built.style
    return WEB / FOLDER / today, name == today
