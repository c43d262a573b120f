"""What is built and published: the wheel, the sdist, an installation without extras, the locks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NOT_PACKAGED = (".pyc", ".md")
OF_THE_FORMAT = (".dist-info/", ".egg-info/")
THREE_LINES = """\
import cartulary
match = cartulary.play_game("caylus", ["medium", "random", "random"], seed=1)
print(match.result.winners)
"""
TYPED = """\
import cartulary
reveal_type(cartulary.new_game("caylus", seats=2).result.scores)
cartulary.chess
"""


def packaged(root: Path) -> set[str]:
    """Return the files below `cartulary/`, those behind the links included."""
    return {
        str(Path(folder, name).relative_to(root))
        for folder, _, names in os.walk(root / "cartulary", followlinks=True)
        for name in names
        if not name.endswith(NOT_PACKAGED)
    }


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what belongs to the distributions: a build leaves files where it works."""
    root = tmp_path_factory.mktemp("build") / "checkout"
    root.mkdir()
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, root)
    docs = ROOT / "docs"
    for folder in [ROOT / "cartulary", ROOT / "tests", docs, *rooms()]:
        ignored = shutil.ignore_patterns("__pycache__", "cases", "golden")
        shutil.copytree(folder, root / folder.name, symlinks=True, ignore=ignored)
    return root


def rooms() -> Iterator[Path]:
    return (link.resolve() for link in (ROOT / "cartulary").iterdir() if link.is_symlink())


def build(checkout: Path, kind: str) -> Path:
    """Build a distribution without an index and without another environment."""
    hook = f"from setuptools import build_meta; print(build_meta.build_{kind}('dist'))"
    done = subprocess.run(
        [sys.executable, "-c", hook], cwd=checkout, capture_output=True, text=True, check=True
    )
    return checkout / "dist" / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(checkout: Path) -> Path:
    return build(checkout, "wheel")


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel and click, and nothing else."""
    venv = tmp_path_factory.mktemp("plain") / "venv"
    run([sys.executable, "-m", "venv", "--without-pip", venv], venv.parent)
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        venv / "bin" / "python",
        "install",
    ]
    run([*pip, "--no-index", "--no-deps", wheel], venv.parent)
    (site_packages,) = venv.glob("lib/python*/site-packages")
    click = distribution("click")
    for file in click.files or ():
        if ".." not in file.parts:
            (site_packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(click.locate_file(file)), site_packages / file)
    return venv / "bin"


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a program without the paths of this checkout; return what it prints."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_a_distribution_holds_each_file_of_the_rooms_once_and_no_other(
    checkout: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    built = request.getfixturevalue("wheel") if kind == "wheel" else build(checkout, kind)
    if kind == "wheel":
        names = zipfile.ZipFile(built).namelist()
    else:
        with tarfile.open(built) as archive:
            members = archive.getmembers()
        assert not [member.name for member in members if member.issym() or member.islnk()]
        names = [member.name.partition("/")[2] for member in members if member.isfile()]
    files = [name for name in names if "/" in name and not any(of in name for of in OF_THE_FORMAT)]
    of_operators = {name for name in files if not name.startswith("cartulary/")}
    assert sorted({*files} - of_operators) == sorted(packaged(checkout))
    assert len({*files}) == len(files)
    shared = {re.sub(r".*\.data/data/share/", "", name) for name in of_operators}
    assert shared == (of_a_wheel() if kind == "wheel" else list_files("docs"))


def list_files(folder: str, pattern: str = "**/*") -> set[str]:
    """Return the files of a folder of this checkout, by their paths from its top."""
    found = (ROOT / folder).glob(pattern)
    return {str(path.relative_to(ROOT)) for path in found if path.is_file()}


def of_a_wheel() -> set[str]:
    """Return what an operator gets below `share/`: the units, their user, the pages."""
    units = {name.replace("docs/deploy/", "cartulary/") for name in list_files("docs/deploy")}
    pages = list_files("docs", "**/*.md")
    return units | {name.replace("docs/", "doc/cartulary/") for name in pages}


@pytest.mark.slow
def test_three_lines_play_a_game_of_caylus_in_a_plain_installation(
    plain: Path, tmp_path: Path
) -> None:
    assert run([plain / "python", "-I", "-c", THREE_LINES], tmp_path) == "[0]\n"


@pytest.mark.slow
def test_a_type_checker_knows_the_public_names_of_an_installation(
    plain: Path, tmp_path: Path
) -> None:
    (tmp_path / "typed.py").write_text(TYPED, encoding="utf-8")
    mypy: list[str | Path] = [sys.executable, "-m", "mypy", "--strict"]
    mypy += ["--python-executable", plain / "python"]
    done = subprocess.run([*mypy, "typed.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[:2] == [
        'typed.py:2: note: Revealed type is "list[int]"',
        'typed.py:3: error: Module has no attribute "chess"  [attr-defined]',
    ]
    assert "Found 1 error in 1 file" in done.stdout


@pytest.mark.slow
def test_a_plain_installation_simulates_verifies_and_draws(plain: Path, tmp_path: Path) -> None:
    program = plain / "cartulary"
    run(
        [program, "simulate", "caylus", "--seats", "2", "--players", "random", "--out", "games"],
        tmp_path,
    )
    assert "valid, " in run([program, "verify", "games/caylus-0001.json"], tmp_path)
    assert run([program, "draw", "games/caylus-0001.json"], tmp_path).startswith("<svg ")


@pytest.mark.slow
def test_a_plain_installation_has_all_that_it_asks_for_and_nothing_of_the_server(
    plain: Path, tmp_path: Path
) -> None:
    """`pip check` finds no missing requirement, so click is the only one."""
    check: list[str | Path] = [sys.executable, "-m", "pip", "--python", plain / "python"]
    assert "No broken requirements" in run([*check, "check"], tmp_path)
    installed = run([*check, "list", "--format=freeze"], tmp_path).split()
    names = {line.partition("==")[0] for line in installed}
    assert names - {"pip", "setuptools"} == {"cartulary-games", "click"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "extra"),
    [("serve", "server"), ("rebuild", "server"), ("audit", "server"), ("play", "client")],
)
def test_a_command_names_the_extra_that_it_needs(
    plain: Path, tmp_path: Path, command: str, extra: str
) -> None:
    done = subprocess.run(
        [plain / "cartulary", command, "--data", "games"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: `cartulary {command}` needs ")
    assert line.endswith(f"pip install 'cartulary-games[{extra}]'")


@pytest.mark.slow
def test_the_help_of_a_plain_installation_lists_every_command(plain: Path, tmp_path: Path) -> None:
    text = run([plain / "cartulary", "--help"], tmp_path)
    for command in ("serve", "verify", "simulate", "draw", "rebuild", "audit"):
        assert re.search(rf"^  {command} ", text, re.MULTILINE)


# -- the locks ----------------------------------------------------------------------------------


def locked(name: str) -> dict[str, str]:
    """Return the versions that a lock file pins, by name."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([^\s;]+)", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("requirements.lock", ["server", "build", "postgres"]), ("requirements-dev.lock", EXTRAS)],
)
def test_a_lock_holds_what_the_project_asks_for(lock: str, extras: Sequence[str]) -> None:
    versions = locked(lock)
    asked = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    for requirement in map(Requirement, asked):
        if requirement.name != PROJECT["name"]:
            assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)])


def test_the_locks_hold_the_same_versions_with_hashes_and_no_address_of_an_index() -> None:
    small, large = locked("requirements.lock"), locked("requirements-dev.lock")
    assert small.items() <= large.items()
    for name, versions in (("requirements.lock", small), ("requirements-dev.lock", large)):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "://" not in text
        assert text.count("--hash=sha256:") >= len(versions)
