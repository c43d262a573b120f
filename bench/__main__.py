"""Runs a bench by name and prints what it measured."""

from __future__ import annotations

import argparse
import importlib
import json
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any

ROOMS = (
    *("games", "training", "store", "service", "client", "notices", "company", "others"),
    "capacity",
)

BENCHES = {
    path.stem: f"bench.{path.parent.name}.{path.stem}"
    for path in sorted(Path(__file__).parent.glob("*/*.py"))
    if path.parent.name in ROOMS and not path.stem.startswith("_")
}
"""The module of each bench, by its name."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    benches = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    for name, module in BENCHES.items():
        bench = importlib.import_module(module)
        _add_arguments(benches.add_parser(name, description=bench.__doc__), bench)
    arguments = vars(parser.parse_args())
    bench = importlib.import_module(BENCHES[arguments.pop("name")])
    as_json = arguments.pop("json")
    measured: dict[str, Any] = bench.main(**arguments)
    if as_json:
        print(json.dumps(measured))
    else:
        print("\n".join(table(measured)))


def _add_arguments(parser: argparse.ArgumentParser, bench: ModuleType) -> None:
    """Add `--json`, and the arguments of the `main` of a bench, by position without a default."""
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    for name, parameter in signature(bench.main).parameters.items():
        standard = parameter.default
        about = "about how long to measure" if name == "seconds" else None
        if standard is Parameter.empty:
            parser.add_argument(name)
        elif standard is False:
            parser.add_argument(f"--{name}", action="store_true", help=about)
        else:
            parser.add_argument(f"--{name}", type=type(standard), default=standard, help=about)


def table(measured: dict[str, Any], indent: str = "") -> list[str]:
    """Return the measured values as lines for people, nested objects indented."""
    lines = []
    for key, value in measured.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}", *table(value, indent + "  ")]
        else:
            lines.append(f"{indent}{key:<24} {show(value)}")
    return lines


def show(value: Any) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
