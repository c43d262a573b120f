"""The code and the style of the client as `script/bundle` builds them, and their sources.

`web/built` holds one file of code, one of style, and `built.json`, which names both and records the
digest of the sources. To run the service nobody needs node: the built files are committed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web"
FOLDER = "built"
_STYLES = re.compile(r'(?: *<link rel="stylesheet" href="/css/[^"]+">\n)+')
_SCRIPT = re.compile(r'src="/js/main\.js"')


@dataclass(frozen=True, slots=True)
class Built:
    """What `built.json` says: the names of both files, and the digests of what they come from."""

    script: str
    style: str
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
    """Return the page with the two built files in place of the modules and the stylesheets."""
    built = read_built()
    style = f'    <link rel="stylesheet" href="/{FOLDER}/{built.style}">\n'
    return _SCRIPT.sub(f'src="/{FOLDER}/{built.script}"', _STYLES.sub(style, page, count=1))


def find_built(name: str) -> tuple[Path, bool]:
    """Return the built file for a name, and whether it is the file of exactly this name.

    A page of an earlier release asks for `app.<another hash>.js`: it gets the file of today.
    Raises `LookupError` for a name that no release has used.
    """
    found = re.fullmatch(r"app\.[0-9A-Z]{8}\.(js|css)", name)
    if found is None:
        raise LookupError(name)
    built = read_built()
    today = built.script if found[1] == "js" else built.style
    return WEB / FOLDER / today, name == today
