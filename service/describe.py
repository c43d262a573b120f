"""Write `openapi.yaml`, check it, or store it as released.

`--check` fails when the file has drifted, and when the description breaks a client of the last
release, whose descriptions are in `api/released`. `script/release` stores them with `--release`.
"""

from __future__ import annotations

import argparse
import lzma
import shutil
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson
from redis import Redis

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.openapi.document import Description, Descriptions
from cartulary.service.openapi.openapi import describe
from cartulary.service.openapi.released.comparing import (
    Forms,
    find_breaks,
    find_version,
    is_at_least,
)
from cartulary.service.process.settings import WebSettings

COMMAND = "python -m cartulary.service.describe"

FILE = Path(__file__).parents[2] / "openapi.yaml"
RELEASED = FILE.parent / "api" / "released"
"""One folder: the version of the package, in it the two forms of its description."""


def main(arguments: list[str] | None = None) -> int:
    """Write `openapi.yaml`, check it, or store it as released; returns the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    task = parser.add_mutually_exclusive_group()
    task.add_argument("--check", action="store_true", help="only compare; exit 1 on a fault")
    task.add_argument("--release", metavar="VERSION", help="store the description as released")
    chosen = parser.parse_args(arguments)
    described = Descriptions(describe_service())
    if chosen.release:
        if faults := _find_old_version(described, chosen.release):
            return _report(faults)
        store_release(described, chosen.release)
    elif chosen.check:
        return _report([*_find_drift(described.closed), *find_faults(described)])
    else:
        FILE.write_text(described.closed.yaml, encoding="utf-8")
    return 0


def describe_service() -> Description:
    """Return the description of the whole service, without connecting to a store."""
    # A Redis client connects when it is first used, and the description never uses it.
    store = Store(Redis(), OFFERS)
    return describe(create_app(WebSettings(), store, OFFERS), store.rules)


def _report(faults: list[str]) -> int:
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _find_drift(described: Description) -> list[str]:
    if FILE.read_text(encoding="utf-8") == described.yaml:
        return []
    return [f"{FILE.name} has drifted: run {COMMAND}"]


# -- the last release ------------------------------------------------------------------------------


def find_faults(described: Descriptions) -> list[str]:
    """Return what breaks a client of the last release, and a version that has to rise."""
    name, old = read_release()
    new = Forms(_plain(described.closed), _plain(described.open))
    faults = [f"{fault} (since {name})" for fault in find_breaks(old, new, _today())]
    version, needed = new.closed["info"]["version"], find_version(old.closed, new.closed)
    # Other words alone wait for the release: each mended text would need a version otherwise.
    if needed.endswith(".0") and not is_at_least(version, needed):
        faults.append(
            f"the API has something new since {name}: raise API_VERSION from {version} to {needed}"
        )
    return faults


def _find_old_version(described: Descriptions, release: str) -> list[str]:
    """Return that the version of the API has to rise, be it only for other words."""
    name, old = read_release()
    new = _plain(described.closed)
    version, needed = new["info"]["version"], find_version(old.closed, new)
    if name == release or is_at_least(version, needed):
        return []
    return [f"the description has changed since {name}: raise API_VERSION to {needed}"]


def read_release() -> tuple[str, Forms]:
    """Return the version of the last release and the forms of its description."""
    (folder,) = RELEASED.iterdir()
    return folder.name, Forms(*(_read(folder / f"{form}.json.xz") for form in Forms._fields))


def store_release(described: Descriptions, version: str) -> None:
    """Store the description as that of the last release, in place of the one before."""
    if RELEASED.exists():
        shutil.rmtree(RELEASED)
    folder = RELEASED / version
    folder.mkdir(parents=True)
    for form in Forms._fields:
        found: Description = getattr(described, form)
        packed = lzma.compress(orjson.dumps(found.value, option=orjson.OPT_SORT_KEYS))
        (folder / f"{form}.json.xz").write_bytes(packed)


def _read(path: Path) -> Any:
    return orjson.loads(lzma.decompress(path.read_bytes()))


def _plain(description: Description) -> Any:
    """Return a description as JSON has it: texts and lists of other types become plain ones."""
    return orjson.loads(description.json)


def _today() -> date:
    return datetime.now(UTC).date()


if __name__ == "__main__":
    sys.exit(main())
