"""`script/vulnerabilities`: what it makes of the answers of pip-audit."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "script" / "vulnerabilities"


@pytest.fixture
def script() -> Any:
    loader = SourceFileLoader("vulnerabilities", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def done(libraries: Any = None, stderr: str = "") -> subprocess.CompletedProcess[str]:
    stdout = "" if libraries is None else json.dumps({"dependencies": libraries, "fixes": []})
    return subprocess.CompletedProcess([], 1, stdout, stderr)


GOOD = {"name": "good", "version": "1", "vulns": []}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}
BAD = {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}]}


def test_a_known_vulnerability_fails_and_is_named(
    script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.judge(done([GOOD, UNKNOWN, BAD])) == 1
    assert capsys.readouterr().out == "bad 2: PYSEC-1, fixed in 3\n"


def test_libraries_without_a_vulnerability_pass(
    script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.judge(done([GOOD, UNKNOWN])) == 0
    assert "1 of 2 libraries audited" in capsys.readouterr().err


@pytest.mark.parametrize(
    "answer",
    [
        done([UNKNOWN]),
        done(stderr="…\nrequests.exceptions.ProxyError: no way"),
        done(stderr="ERROR:pip_audit._cli:Could not connect to the feed"),
    ],
)
def test_an_index_that_does_not_answer_skips_the_audit_with_a_word(
    script: Any, capsys: pytest.CaptureFixture[str], answer: subprocess.CompletedProcess[str]
) -> None:
    assert script.judge(answer) == 0
    assert "skipped: the index" in capsys.readouterr().err


@pytest.mark.parametrize("stderr", ["", "ERROR: invalid specifier at line 1"])
def test_every_other_failure_of_the_tool_is_a_failure(script: Any, stderr: str) -> None:
    assert script.judge(done(stderr=stderr)) == 1


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
@pytest.mark.slow
def test_a_missing_tool_is_a_failure_in_ci_only(
    script: Any, monkeypatch: pytest.MonkeyPatch, ci: str, code: int
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert script.main() == code
