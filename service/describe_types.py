"""Write the types of the clients from `openapi.yaml`.

`client/core/api_types.py` is for Python, `clients/typescript/types/api.d.ts` for browsers and node.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from cartulary.service.openapi.client_types import write_types
from cartulary.service.openapi.client_types_typescript import write_typescript

COMMAND = "python -m cartulary.service.describe_types"

ROOT = Path(__file__).resolve().parents[1]
FILES: Final[Mapping[Path, Callable[[Mapping[str, Any]], str]]] = {
    ROOT / "client" / "core" / "api_types.py": write_types,
    ROOT / "clients" / "typescript" / "types" / "api.d.ts": write_typescript,
}


def main(arguments: list[str] | None = None) -> int:
    """Write the types, or check them; returns the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 on a drift")
    texts = describe_types()
    if not parser.parse_args(arguments).check:
        for file, text in texts.items():
            file.write_text(text, encoding="utf-8")
        return 0
    drifted = [f for f, text in texts.items() if f.read_text(encoding="utf-8") != text]
    for file in drifted:
        print(f"{file.name} has drifted: run {COMMAND}", file=sys.stderr)
    return 1 if drifted else 0


def describe_types() -> dict[Path, str]:
    """Return the files of types for the description of this checkout, by their paths."""
    with (ROOT / "openapi.yaml").open("rb") as file:
        document = yaml.load(file, Loader=yaml.CSafeLoader)
    return {file: write(document) for file, write in FILES.items()}


if __name__ == "__main__":
    sys.exit(main())
