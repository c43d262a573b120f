"""Writes the units that come with the documentation: `python -m cartulary.cli.setup.shipped`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cartulary.cli.setup.units import list_shipped

FOLDER: Final = Path("docs/deploy/systemd")
"""Their folder in a checkout; a wheel has them below `share/cartulary/systemd`."""


def main() -> None:
    """Write each unit into the folder of this checkout."""
    for name, text in list_shipped().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
