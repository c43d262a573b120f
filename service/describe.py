"""Write `openapi.yaml`, or check it: `python -m cartulary.service.openapi [--check]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from redis import Redis

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.openapi.document import Description
from cartulary.service.openapi.openapi import describe
from cartulary.service.process.settings import WebSettings

COMMAND = "python -m cartulary.service.describe"

FILE = Path(__file__).parents[2] / "openapi.yaml"


def main(arguments: list[str] | None = None) -> int:
    """Write `openapi.yaml`, or check it; returns the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 on a drift")
    text = describe_service().yaml
    if not parser.parse_args(arguments).check:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") != text:
        print(f"{FILE.name} has drifted: run {COMMAND}", file=sys.stderr)
        return 1
    return 0


def describe_service() -> Description:
    """Return the description of the whole service, without connecting to a store."""
    # A Redis client connects when it is first used, and the description never uses it.
    store = Store(Redis(), OFFERS)
    return describe(create_app(WebSettings(), store, OFFERS), store.rules)


if __name__ == "__main__":
    sys.exit(main())
