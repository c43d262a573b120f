"""The third game as a part of the project: in a copy of the tree it passes lint and all contracts.

`mypy` of the whole project takes a minute, so it stays with `script/check`: it reads the example,
which has the same code at other places.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.night import at_night
from tests.support.package_with_third_game import PLACES, merge_third_game

FILES = (
    "tests/bots/analysis/test_walking.py",
    "tests/bots/test_catalogue.py",
    "tests/cli/games/test_verify.py",
    *(f"tests/engine/test_{name}.py" for name in ("pieces", "playthroughs", "ending")),
    "tests/engine/test_contract.py",
    *(
        f"tests/engine/test_contract_{part}.py"
        for part in ("hashes", "schemas", "setup", "sharing")
    ),
    "tests/locales",
    "tests/pictures/test_every_game.py",
    "tests/service/openapi/test_examples.py",
    "tests/service/api/people/test_players.py",
    "tests/project/test_rooms.py",
    "tests/project/test_tiers.py",
)

SELECTED = (
    "tictactoe",  # a parameter
    # These go through all games themselves.
    "tiers",
    "test_every_analyst_has_the_same_levels",
    "test_every_game_has_a_random_bot",
    "test_the_cases_of_every_game_can_be_verified",
    "test_every_playthrough_has_a_test",
    "test_no_text_is_missing_unknown_filled_in_wrongly_or_too_long",
    "test_the_story_says_nothing_in_a_gender_in_russian",
    "test_no_language_tells_a_reason_that_the_engine_never_gives",
    "test_every_event_and_every_move_has_one_that_is_complete",
    "test_the_catalogue_names_every_game_with_its_bots",
    "(test_imports_point_one_way and (engine or bots or pictures or games))",
)


def run(tree: Path, *arguments: str, **environment: str) -> str:
    """Run a module in the merged tree; returns what it printed."""
    path = {"PYTHONPATH": str(tree), "PYTEST_ADDOPTS": "", **environment}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(
        command, cwd=tree, env={**os.environ, **path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return merge_third_game(tmp_path_factory.mktemp("third"))


@pytest.mark.process
def test_a_merged_game_passes_the_lint_of_the_project(tree: Path) -> None:
    files = [place for place in PLACES.values() if place.endswith(".py")]
    run(tree, "ruff", "check", "--no-cache", "--select=I", "--fix", *files)
    run(tree, "ruff", "check", "--no-cache", *files, "games")
    run(tree, "ruff", "format", "--no-cache", "--check", *files)


@at_night("tests/engine/test_contract.py::test_every_legal_move_is_listed_once_in_the_same_order")
@pytest.mark.slow
def test_a_merged_game_passes_the_tests_of_every_game(tree: Path) -> None:
    written = "".join(path.read_text("utf-8") for path in tree.glob("tests/**/test_*.py"))
    assert [
        name for name in SELECTED if name[:5] == "test_" and f"def {name}(" not in written
    ] == []
    pytest_ = ("pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    run(tree, *pytest_, *FILES, "-k", " or ".join(SELECTED), REGENERATE_PLAYTHROUGHS="1")
    assert (tree / "tests" / "playthroughs" / "tictactoe-2-seats-seed-1.txt").is_file()
    assert "tictactoe: drawn" in run(tree, "cartulary.games")
