"""`cartulary config` shows every setting, and no secret."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.settings.table import SETTINGS


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CARTULARY_")]:
        monkeypatch.delenv(name)


def run(*arguments: str, **variables: str) -> Result:
    named = {f"CARTULARY_{name}": value for name, value in variables.items()}
    return CliRunner().invoke(main, ["config", *arguments], env=named)


def test_every_setting_is_shown_with_value_source_default_unit_and_meaning() -> None:
    result = run("--json", THREADS="8")
    found = json.loads(result.stdout)
    rows = {row["name"]: row for row in found["settings"]}
    assert (result.exit_code, found["unknown"], found["problems"]) == (0, [], [])
    assert list(rows) == [setting.variable for setting in SETTINGS.values()]
    assert all(row["meaning"] and row["default"] for row in rows.values())
    threads = rows["CARTULARY_THREADS"]
    assert (threads["value"], threads["source"], threads["default"]) == ("8", "environment", "4")
    assert rows["CARTULARY_MAX_BODY"]["unit"] == "bytes"


def test_no_secret_is_shown_and_of_an_address_only_the_host() -> None:
    shown = {"EVENTS_URL": "redis://:hidden@store:6379", "METRICS_TOKEN": "hidden"}
    for arguments in ((), ("--json",), ("--changed",)):
        result = run(*arguments, **shown)
        assert (result.exit_code, "hidden" in result.output) == (0, False)
        assert "host store" in result.output


def test_changed_leaves_out_what_is_as_by_default() -> None:
    result = run("--changed", WEB_PROCESSES="3", CACHE_BYTES="")
    assert [line.split()[0] for line in result.stdout.splitlines() if "[" in line] == [
        "CARTULARY_WEB_PROCESSES"
    ]


def test_invalid_values_are_named_together_and_unknown_variables_too() -> None:
    result = run(THREADS="x", HEARTBEAT="-1", TREADS="2", SMTP_URL="smtp://mail")
    assert result.exit_code == 1
    assert "CARTULARY_TREADS is no setting of this release; did you mean CARTULARY_THREADS?" in (
        result.stderr
    )
    for name in ("THREADS", "HEARTBEAT", "SMTP_FROM"):
        assert f"CARTULARY_{name} must be" in result.stderr
