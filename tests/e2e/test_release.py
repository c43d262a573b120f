"""A release: version, changelog, list of libraries. The build itself runs in the night."""

from __future__ import annotations

import datetime
import json
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.night import at_night

ROOT = Path(__file__).parents[2]
DAY = datetime.date(2027, 1, 2)
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n* A thing.\n"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """`script/release` as a module."""
    loader = SourceFileLoader("script_release", str(ROOT / "script" / "release"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0", "1.0.0", "0.10.0"])
def test_a_newer_version_may_be_released(script: ModuleType, version: str) -> None:
    script.check_version(version, ["v0.0.9", "other"])


@pytest.mark.parametrize(
    ("version", "said"),
    [("0.9.0", "0.9.0 is released already"), ("0.2.0", "0.9.0 is released already")]
    + [(wrong, "is no version") for wrong in ("v1.0.0", "1.0", "1.0.0rc1", "")],
)
def test_any_other_version_is_refused(script: ModuleType, version: str, said: str) -> None:
    with pytest.raises(script.ReleaseError, match=said):
        script.check_version(version, ["v0.1.0", "v0.9.0"])


def test_the_changes_get_a_heading_and_unreleased_is_empty(script: ModuleType) -> None:
    changed = script.add_heading(CHANGES, "0.1.0", DAY)
    assert changed.startswith("# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2027-01-02\n")
    assert changed.endswith("### Added\n\n* A thing.\n")
    with pytest.raises(script.ReleaseError, match="nothing under"):
        script.add_heading(changed, "0.2.0", DAY)


def test_the_changelog_of_this_tree_can_be_released(script: ModuleType) -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not text.partition(script.UNRELEASED)[2].strip().startswith("## ["):
        assert "## [99.0.0] - 2027-01-02\n" in script.add_heading(text, "99.0.0", DAY)


def test_only_the_line_with_the_version_changes(script: ModuleType) -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    changed = script.set_version(text, "99.0.0").splitlines()
    (line,) = [new for old, new in zip(text.splitlines(), changed, strict=True) if old != new]
    assert line == 'version = "99.0.0"'


@pytest.mark.slow
def test_the_list_names_each_library_with_its_licence(script: ModuleType, tmp_path: Path) -> None:
    for name, more in (("cartulary_games", "License-Expression: MIT\n"), ("click", "")):
        folder = tmp_path / f"{name}-1.2.3.dist-info"
        folder.mkdir()
        text = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.2.3\n{more}"
        (folder / "METADATA").write_text(text, encoding="utf-8")
    found = json.loads(script.list_libraries(tmp_path))
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert found["metadata"]["component"]["purl"] == "pkg:pypi/cartulary-games@1.2.3"
    assert [one["purl"] for one in found["components"]] == ["pkg:pypi/click@1.2.3"]
    assert {one["ref"]: one.get("dependsOn", []) for one in found["dependencies"]}[
        "pkg:pypi/cartulary-games@1.2.3"
    ] == ["pkg:pypi/click@1.2.3"]


@pytest.mark.process
def test_the_copy_has_every_file_with_its_links(script: ModuleType, tmp_path: Path) -> None:
    copy = script.copy_tree(tmp_path / "copy")
    assert (copy / "cartulary" / "service").is_symlink()
    assert (copy / "pyproject.toml").read_bytes() == (ROOT / "pyproject.toml").read_bytes()
    assert not (copy / ".venv").exists()


@pytest.mark.process
@pytest.mark.timeout(3600)
@at_night(
    "tests/project/test_wheel.py::test_three_lines_play_a_game_of_caylus_in_a_plain_installation"
)
def test_this_tree_can_be_released(script: ModuleType) -> None:
    version = "99.0.0"
    said = script.run(sys.executable, ROOT / "script" / "release", version, "--dry-run", cwd=ROOT)
    for form in ("pure", "compiled"):
        assert f"plays both games ({form})" in said
    assert said.endswith(f"{version} can be released (nothing is kept)\n")
