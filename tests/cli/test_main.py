"""The program as a whole: help, versions, the Procfile, progress."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from cartulary.cli.main import COMMANDS, main
from cartulary.cli.shared.progress import progress
from cartulary.engine.form import FORM

ROOT = Path(__file__).parents[2]
SMALL_CITY = ROOT / "tests/cases/carcassonne/scenario-small-city.json"
SYSUSERS = ROOT / "docs/deploy/sysusers.d/cartulary.conf"
SERVE = "cartulary-serve.service"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: main {command} ")


def test_the_readme_says_with_which_extra_each_command_comes() -> None:
    rows = re.findall(r"^\| `pip install .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    named = {name for row in rows for name in re.findall("`(?:cartulary )?([a-z-]+)`", row)}
    assert named == set(COMMANDS)


def test_the_version_is_that_of_the_package_with_the_form_of_the_engine() -> None:
    shown = CliRunner().invoke(main, ["--version"]).stdout
    assert shown == f"cartulary, version {version('cartulary-games')} (engine: {FORM})\n"


def test_an_unknown_command_exits_2() -> None:
    assert CliRunner().invoke(main, ["play"]).exit_code == 2


@pytest.mark.process
@pytest.mark.parametrize("arguments", [[], ["--trace"]])
def test_a_disk_that_is_full_is_no_verdict(arguments: list[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "cartulary.cli", "verify", *arguments, SMALL_CITY],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr == "Error: cannot write: No space left on device\n"


@pytest.mark.parametrize(
    "arguments",
    [
        *(["simulate", "beans", "--leave", "nan"], ["simulate", "beans", "--takeback", "nan"]),
        *(["backup", "--full-every", "nan"], ["top", "--every", "nan"]),
    ],
)
def test_an_option_that_is_not_a_number_exits_2(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "'nan' is not a number." in result.stderr


def test_the_procfile_names_processes_that_exist() -> None:
    lines = (ROOT / "Procfile").read_text().splitlines()
    commands = dict(line.split(": ", 1) for line in lines)
    assert commands.keys() == {"web", "dispatcher", "fast", "worker", "notifier"}
    assert commands["web"].split()[0] == "gunicorn"
    assert commands["fast"] == f"{commands['worker']} --fast"
    for name in ("dispatcher", "worker", "notifier"):
        python, dash_m, wanted = commands[name].split()
        assert (python, dash_m) == ("python", "-m")
        assert find_spec(wanted)


def test_the_units_run_as_a_user_and_in_directories_that_something_makes() -> None:
    (made,) = re.findall(r"^u (\S+) - \"[^\"]+\" (\S+)$", SYSUSERS.read_text(), re.MULTILINE)
    assert made == ("cartulary", "/var/lib/cartulary")
    for unit in (ROOT / "docs/deploy/systemd").glob("*.service"):
        words = unit.read_text()
        assert "\nUser=cartulary\n" in words
        assert "\nStateDirectory=cartulary\n" in words, "systemd makes /var/lib/cartulary"
    assert "systemd-sysusers" in (ROOT / "docs/operations.md").read_text()
    assert SERVE in (ROOT / "docs/operating/one-box.md").read_text()


def test_serve_and_each_line_of_the_procfile_are_units_of_systemd_and_nothing_else_is() -> None:
    lines = (ROOT / "Procfile").read_text().splitlines()
    units = {
        path.name: path.read_text() for path in (ROOT / "docs/deploy/systemd").glob("*.service")
    }
    serve = units.pop(SERVE)
    assert "ExecStart=/opt/cartulary/bin/cartulary serve --data /var/lib/cartulary/data\n" in serve
    started = [
        re.findall("^ExecStart=/opt/cartulary/bin/(.*)$", text, re.MULTILINE)
        for text in units.values()
    ]
    commands = [line.split(": ", 1)[1] for line in lines]
    assert sorted(started) == sorted([command] for command in commands)
    page = (ROOT / "docs/operations.md").read_text()
    assert [command for command in commands if f"`{command}`" not in page] == []
    wanted = re.findall(
        r"cartulary-[^ ]*\.service", (ROOT / "docs/deploy/systemd/cartulary.target").read_text()
    )
    assert {re.sub("@1", "@", name) for name in wanted} == units.keys()


@pytest.mark.parametrize("unit", sorted((ROOT / "docs/deploy/systemd").glob("*.service")), ids=str)
def test_systemd_starts_a_process_again_however_often_it_dies(unit: Path) -> None:
    text = unit.read_text()
    assert "Restart=always" in text
    # Else systemd gives up after five starts within ten seconds.
    assert re.search(r"\[Unit\][^[]*^StartLimitIntervalSec=0$", text, re.MULTILINE)


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("counting") as show:
        for done in range(1, 5):
            show(done, 4)
    assert "counting" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


def test_progress_is_a_line_now_and_then_otherwise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr("cartulary.cli.shared.progress.time.monotonic", lambda: now[0])
    with progress("counting") as show:
        for done in range(1, 13):
            now[0] += 1.0
            show(done, 12)
    captured = capsys.readouterr()
    assert captured.err.splitlines() == ["counting: 5 of 12", "counting: 10 of 12"]
    assert captured.out == ""


def test_short_work_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("counting") as show:
        show(1, 1)
    assert capsys.readouterr().err == ""
