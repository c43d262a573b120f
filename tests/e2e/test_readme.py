"""The README is true: its examples run; at night the one for curl plays a game to the end."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.missing_tools import missing
from tests.support.night import NIGHT
from tests.support.real_serve import Served

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "play.sh"


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of the README in a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_game_in_the_readme_is_the_example() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") in blocks("sh")


@pytest.mark.slow
def test_the_engine_plays_a_game_in_eight_lines() -> None:
    (block,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert sum(len(example.source.splitlines()) for example in test.examples) == 8
    result = doctest.DocTestRunner(verbose=False).run(test)
    assert (result.attempted, result.failed) == (len(test.examples), 0)


def test_the_readme_says_why_each_library_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    asked = [*project["dependencies"], *(line for extra in extras for line in extra)]
    names = {Requirement(line).name for line in asked} - {project["name"]}
    reasons = README.partition("## Why these libraries")[2].lower()
    assert sorted(name for name in names if not re.search(rf"\b{name}\b", reasons)) == []


DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("web/*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_file_that_a_document_links_to_exists(document: Path) -> None:
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", document.read_text(encoding="utf-8"))
    assert [path for path in linked if not (document.parent / path).exists()] == []


def test_the_readme_links_to_every_guide() -> None:
    for guide in ("CONTRIBUTING.md", "docs/developing.md", "docs/http.md", "docs/ledger.md"):
        assert f"]({guide})" in README


UNTIL_OVER = re.compile(r"^until .* = over \]; do$", re.MULTILINE)
"""The line of the example that begins its loop."""


@pytest.mark.slow
def test_the_example_plays_a_game_and_reads_it_back(shared_service: Served, tmp_path: Path) -> None:
    """By day it makes three rounds: each starts eight programs, and a game has a hundred."""
    if shutil.which("curl") is None:
        missing("the example needs curl, which is not here")
    text = EXAMPLE.read_text(encoding="utf-8")
    shorter, found = UNTIL_OVER.subn("for round in 1 2 3; do", text)
    assert found == 1
    script = tmp_path / "play.sh"
    script.write_text(text if NIGHT else shorter, encoding="utf-8")
    played = subprocess.run(
        ["sh", str(script), shared_service.url],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert played.stdout.count("'move_made'") >= (71 if NIGHT else 2)
    if NIGHT:
        assert "'winners': " in played.stdout
        assert "'game_scored', None)" in played.stdout.splitlines()[-1]
