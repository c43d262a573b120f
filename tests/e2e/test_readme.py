"""The README is true: its example is the one that runs, and it plays a game to the end."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.served import Served
from tests.missing import missing

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "play.sh"


def test_the_game_in_the_readme_is_the_example() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", readme, flags=re.DOTALL)
    assert EXAMPLE.read_text(encoding="utf-8") in blocks


def test_every_file_that_the_readme_links_to_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", readme)
    assert linked
    assert [path for path in linked if not (ROOT / path).exists()] == []


@pytest.mark.slow
def test_the_example_plays_a_game_to_the_end_and_reads_it_back(tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        missing("the example needs curl, which is not here")
    with Served(tmp_path / "data") as served:
        played = subprocess.run(
            ["sh", str(EXAMPLE), served.url],
            capture_output=True,
            text=True,
            timeout=240,
            check=True,
        )
    assert "'winners': " in played.stdout
    assert played.stdout.count("'move_made'") >= 71
    assert "'game_scored', None)" in played.stdout.splitlines()[-1]
