"""The golden files. `python -m tests.pictures.golden` writes them: read the difference."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from cartulary.pictures.sheets.sheets import building_sheet, tile_sheet
from tests.pictures.positions import CARCASSONNE, CAYLUS, position, words_of

FOLDER = Path(__file__).parent / "golden"

GOLDEN: dict[str, Callable[[], str]] = {
    "tiles": lambda: tile_sheet(words_of("carcassonne")),
    "buildings": lambda: building_sheet(words_of("caylus")),
    "carcassonne-start": lambda: position(CARCASSONNE, 0).draw(),
    "carcassonne-middle-tall": lambda: position(CARCASSONNE, 71).draw(seat=1),
    "carcassonne-follower-wide": lambda: position(CARCASSONNE, 40).draw(layout="wide"),
    "carcassonne-set-aside": lambda: position("carcassonne/game-10.json", 60).draw(),
    "carcassonne-end-wide-dark": lambda: position(CARCASSONNE).draw(layout="wide", theme="dark"),
    "caylus-start-two-seats": lambda: position("caylus/game-00-2p-builder.json", 0).draw(),
    "caylus-middle-tall": lambda: position(CAYLUS, 215).draw(seat=3),
    "caylus-middle-wide": lambda: position(CAYLUS, 160).draw(layout="wide"),
    "caylus-end-wide-dark": lambda: position("caylus/game-03-4p-builder.json").draw(
        layout="wide", theme="dark"
    ),
}


def lines(svg: str) -> str:
    """Return a picture with one element a line, so that a difference can be read."""
    return re.sub(r"(>)(<[a-z])", r"\1\n\2", svg) + "\n"


def main() -> None:
    """Write every golden file."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in GOLDEN.items():
        (FOLDER / f"{name}.svg").write_text(lines(picture()), encoding="utf-8")


if __name__ == "__main__":
    main()
