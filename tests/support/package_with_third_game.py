"""The package with another list of games, as an author has it who registers a game of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
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


PLACES = {
    "rules.py": "engine/tictactoe/__init__.py",
    "bot.py": "bots/tictactoe/__init__.py",
    "picture.py": "pictures/tictactoe/__init__.py",
    "words/en.json": "locales/tictactoe/en.json",
    "offer.py": "games/tictactoe.py",
}
"""Where the files of the example are when the game is part of the project."""

RENAMED = {
    "examples.tictactoe.rules": "cartulary.engine.tictactoe",
    "examples.tictactoe.bot": "cartulary.bots.tictactoe",
    "examples.tictactoe.picture": "cartulary.pictures.tictactoe",
    "from pathlib import Path\n\n": "",
    "import GameWords": "import FOLDER, GameWords",
    'Path(__file__).parent / "words"': 'FOLDER / "tictactoe"',
}

LEFT_OUT = ("__pycache__", "node_modules", ".*", "*.egg-info", "build", "dist", "results")


def merge_third_game(folder: Path) -> Path:
    """Copy the project and make the example a game of the copy, as `docs/adding-a-game.md` says.

    Returns the folder of the copy.
    """
    tree = folder / "merged"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for source, place in PLACES.items():
        text = (tree / "examples" / "tictactoe" / source).read_text(encoding="utf-8")
        for old, new in RENAMED.items():
            text = text.replace(old, new)
        (tree / place).parent.mkdir(exist_ok=True)
        (tree / place).write_text(text, encoding="utf-8")
    listed = tree / "games" / "__init__.py"
    line = '    "cartulary.games.tictactoe",\n'
    text = listed.read_text(encoding="utf-8").replace(LAST_LINE, LAST_LINE + line)
    listed.write_text(text, encoding="utf-8")
    return tree
