"""Write `client/core/api_types.py`, the types of the Python client, from `openapi.yaml`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import yaml

from cartulary.service.openapi.client_types import write_types

COMMAND = "python -m cartulary.service.describe_types"

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "client" / "core" / "api_types.py"


def main(arguments: list[str] | None = None) -> int:
    """Write the types, or check them; returns the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 on a drift")
    text = describe_types()
    if not parser.parse_args(arguments).check:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") != text:
        print(f"{FILE.name} has drifted: run {COMMAND}", file=sys.stderr)
        return 1
    return 0


def describe_types() -> str:
    """Return the types for the description of this checkout."""
    with (ROOT / "openapi.yaml").open("rb") as file:
        return write_types(yaml.load(file, Loader=yaml.CSafeLoader))


if __name__ == "__main__":
    sys.exit(main())
