"""The package with another list of games, as an author has it who registers a game of their own."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
LAST_LINE = '    "cartulary.games.caylus",\n'
REGISTERED = '    "examples.tictactoe.offer",\n'
"""The one line that a new game needs."""


def register_third_game(folder: Path, more: str = "") -> Path:
    """Make a package `cartulary` in which one line more stands in the list of games.

    Everything else is a link to this checkout. `more` are further lines. Returns the folder to
    start Python in.
    """
    package = folder / "cartulary"
    games = package / "games"
    games.mkdir(parents=True)
    for name in ("examples", "tests"):
        (folder / name).symlink_to(ROOT / name)
    link(ROOT / "cartulary", package, but="games")
    link(ROOT / "games", games, but="__init__.py")
    listed = (ROOT / "games" / "__init__.py").read_text(encoding="utf-8")
    assert listed.count(LAST_LINE) == 1
    (games / "__init__.py").write_text(
        listed.replace(LAST_LINE, LAST_LINE + REGISTERED + more), "utf-8"
    )
    return folder


def link(source: Path, target: Path, but: str) -> None:
    """Link to everything in a folder, except one name."""
    for path in source.iterdir():
        if path.name not in (but, "__pycache__"):
            (target / path.name).symlink_to(path.resolve())
