"""Complete games of an independent engine, decision by decision (tests/cases/caylus)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from cartulary.engine.canonical import canonical_json
from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json

CASES = sorted((Path(__file__).parents[2] / "cases" / "caylus").glob("*.json"))


def sha(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def seen(state: CaylusState) -> Json:
    legal = sorted(map(canonical_json, state.legal_moves()))
    return {
        "seat": state.seat,
        "kind": state.kind,
        "n_legal": len(legal),
        "legal_sha": sha(f"[{','.join(legal)}]"),
        "view_sha": sha(canonical_json(state.view())),
    }


def test_there_are_cases() -> None:
    assert len(CASES) >= 8


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_decision_agrees_with_the_independent_engine(path: Path) -> None:
    case = json.loads(path.read_text())
    state = CAYLUS.new(case["seats"], case["options"], case["setup"])
    assert len(case["moves"]) == len(case["expect"])
    for index, (entry, expected) in enumerate(zip(case["moves"], case["expect"], strict=True)):
        assert {"index": index, **seen(state)} == {"index": index, **expected}
        assert entry["seat"] == state.seat
        state.apply(entry["move"], RecordedSource([]))
    assert state.over
    result = state.final().to_json()
    assert {key: result[key] for key in ("scores", "winners")} == case["result"]
    entries = [{k: v for k, v in e.items() if k != "detail"} for e in result["breakdown"]]
    assert entries == case["breakdown"]
