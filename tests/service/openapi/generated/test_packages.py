"""The packages of npm that our scripts install are the same everywhere."""

from __future__ import annotations

import json

import pytest

from tests.service.openapi.generated.making import ROOT


@pytest.mark.parametrize("folder", ["checker", "bundler"])
def test_the_packages_of_the_scripts_are_pinned_and_name_no_registry(folder: str) -> None:
    wanted = json.loads((ROOT / "script" / folder / "package.json").read_text(encoding="utf-8"))
    lock = (ROOT / "script" / folder / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    for name, version in wanted["devDependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert all("integrity" in package for path, package in packages.items() if path)
    assert "resolved" not in lock
