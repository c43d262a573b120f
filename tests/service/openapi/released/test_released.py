"""The descriptions of the last release that are stored, and the check of this tree against them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cartulary.service import describe
from cartulary.service.openapi.document import Description, Descriptions
from cartulary.service.openapi.texts import API_VERSION


@pytest.mark.slow
def test_nothing_of_this_tree_breaks_a_client_of_the_last_release(
    described: dict[str, Any],
) -> None:
    assert describe.find_faults(Descriptions(Description(described))) == []


def test_the_major_version_never_rises_within_v1() -> None:
    assert API_VERSION.startswith("1.")


@pytest.mark.slow
def test_a_break_is_reported_with_the_release(
    described: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(describe, "RELEASED", tmp_path / "released")
    later = {**described, "paths": {**described["paths"], "/new": described["paths"]["/livez"]}}
    describe.store_release(Descriptions(Description(later)), "0.9.0")
    faults = describe.find_faults(Descriptions(Description(described)))
    assert "GET /new is gone (since 0.9.0)" in faults


@pytest.mark.slow
def test_something_new_asks_for_a_version(
    described: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(describe, "RELEASED", tmp_path / "released")
    paths = {path: found for path, found in described["paths"].items() if path != "/livez"}
    info = {**described["info"], "version": API_VERSION}
    describe.store_release(Descriptions(Description({**described, "paths": paths})), "0.9.0")
    now = Descriptions(Description({**described, "info": info}))
    (fault,) = describe.find_faults(now)
    assert fault.startswith("the API has something new since 0.9.0: raise API_VERSION from ")


@pytest.mark.slow
def test_a_release_takes_the_place_of_the_one_before(
    described: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(describe, "RELEASED", tmp_path / "released")
    descriptions = Descriptions(Description(described))
    for version in ("0.9.0", "0.10.0"):
        describe.store_release(descriptions, version)
    name, forms = describe.read_release()
    assert name == "0.10.0"
    assert forms.closed["paths"].keys() == described["paths"].keys()
