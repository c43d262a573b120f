"""`cartulary setup`: print, install, again, stopped in the middle, two at once, remove."""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.setup import setup as command_module
from cartulary.cli.setup.machine import FileStatus, SystemRoot
from cartulary.cli.setup.pieces import ChosenFile, StartedUnit
from cartulary.cli.shared.data_directory import DataDir
from tests.cli.setup.installing import (
    ENVIRONMENT,
    KEY,
    PROGRAM,
    SERVE,
    call,
    find_owner,
    install,
    make_root,
    read_all,
    read_times,
)
from tests.support.night import short_or_long

pytestmark = pytest.mark.process
ROOM = Path(command_module.__file__).parent
CHANGING = {"mkdir", "chmod", "write_text", "unlink", "rename", "rmdir", "touch", "symlink_to"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path)


@pytest.fixture
def installed(root: Path) -> Path:
    install(root)
    return root


def read_print(text: str) -> dict[str, str]:
    """Return the texts of the files that `--print` shows, by their paths."""
    files: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if named := re.match(r"file /(\S+) ", line):
            lines = files[named[1]] = []
        elif line.startswith("    ") or not line:
            lines.append(line.removeprefix("    "))
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in files.items()}


def test_what_print_shows_is_what_is_then_made_to_the_last_byte(root: Path) -> None:
    before = read_all(root)
    shown = call(root, "--print")
    assert shown.exit_code == 0
    assert read_all(root) == before
    install(root)
    texts = read_print(shown.stdout)
    made = {
        path: content.decode()
        for path, (_, _, _, content) in read_all(root).items()
        if path not in before and (root / path).is_file() and ".wants/" not in path
    }
    assert re.fullmatch(r"[0-9a-f]{64}\n", made.pop(KEY))
    assert texts.pop(KEY).startswith("(64 hexadecimal digits")
    assert texts == made
    modes = re.findall(r"^(?:file|folder) /(\S+) \((\S+), (\d{4})\)$", shown.stdout, re.MULTILINE)
    assert {
        (path, find_owner(root, path), f"{os.stat(root / path).st_mode & 0o7777:04o}")
        for path, _, _ in modes
    } == {*modes}
    enabled = re.findall(r"^run systemctl --root=\S+ enable (\S+)$", shown.stdout, re.MULTILINE)
    assert {path.name for path in root.rglob("*.wants/*")} == {*enabled}


def test_a_second_setup_changes_nothing(installed: Path) -> None:
    before, times = read_all(installed), read_times(installed)
    assert install(installed).stdout.startswith("nothing to do\n")
    assert (read_all(installed), read_times(installed)) == (before, times)
    assert call(installed, "--check").exit_code == 0
    assert call(installed, "--print").stdout == "nothing to do\n"


def test_answers_that_were_given_once_hold_until_others_are_given(root: Path) -> None:
    install(root, "--port", "9000", "--public-url", "https://games.example", "--proxies", "1")
    assert install(root).stdout.startswith("nothing to do\n")
    assert "--port 9000\n" in (root / SERVE).read_text()
    settings = root / ENVIRONMENT
    assert (
        "CARTULARY_PUBLIC_URL=https://games.example\nCARTULARY_PROXIES=1\n" in settings.read_text()
    )
    settings.write_text(settings.read_text() + "# mine\nCARTULARY_THREADS=8\n")
    install(root, "--proxies", "2")
    assert settings.read_text().endswith("# mine\nCARTULARY_THREADS=8\nCARTULARY_PROXIES=2\n")
    assert call(root, "--check").exit_code == 0


class Stopped(BaseException):
    """The process was killed here."""


def stop_at(number: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """End the process at a change; return a function that says how many changes there were."""
    made = 0

    def count(change: Callable[..., Any]) -> Callable[..., Any]:
        def change_or_stop(*given: Any, **named: Any) -> Any:
            nonlocal made
            made += 1
            if made == number:
                raise Stopped
            return change(*given, **named)

        return change_or_stop

    for owner, name in [
        *((Path, name) for name in ("mkdir", "chmod", "replace")),
        *((os, name) for name in ("chown", "fsync")),
        (SystemRoot, "run"),
    ]:
        monkeypatch.setattr(owner, name, count(getattr(owner, name)))
    return lambda: made


def test_a_setup_that_was_stopped_anywhere_is_completed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make_root(tmp_path / "whole")
    with monkeypatch.context() as patch:
        count = stop_at(0, patch)
        install(whole)
        changes = count()
    assert changes > 40
    wanted = {path: found[:3] for path, found in read_all(whole).items()}
    for number in range(1, changes + 1, short_or_long(5, 1)):
        root = make_root(tmp_path / str(number))
        with monkeypatch.context() as patch:
            stop_at(number, patch)
            with pytest.raises(Stopped):
                raise call(root, "--yes").exception or AssertionError(number)
        install(root)
        assert {path: found[:3] for path, found in read_all(root).items()} == wanted
        assert len((root / KEY).read_text()) == 65
        assert call(root, "--check").exit_code == 0


def test_a_second_setup_at_the_same_time_is_refused(root: Path) -> None:
    with SystemRoot(root).hold():
        before = read_all(root)
        for change in ("--yes", "--remove"):
            refused = call(root, change)
            assert refused.exit_code == 2
            assert f"another `cartulary setup` works on {root}" in refused.stderr
        assert read_all(root) == before
    install(root)


def test_removing_takes_all_back_but_what_cannot_be_made_again(installed: Path) -> None:
    key = (installed / KEY).read_text()
    game = installed / "var/lib/cartulary/data/archive.sqlite"
    game.write_text("games")
    done = call(installed, "--remove")
    assert done.exit_code == 0
    assert (
        "kept, with the user cartulary: /var/lib/cartulary, /var/log/cartulary, /etc/cartulary"
        in (done.stdout)
    )
    made = [*installed.rglob("*.wants/*"), *installed.glob("etc/systemd/system/cartulary*")]
    assert not [*made, *installed.glob("etc/logrotate.d/*")]
    assert "removed" not in call(installed, "--remove").stdout
    install(installed)
    assert ((installed / KEY).read_text(), game.read_text()) == (key, "games")
    assert call(installed, "--check").exit_code == 0


def test_removing_names_a_service_that_still_runs(installed: Path) -> None:
    with DataDir(installed / "var/lib/cartulary/data"):
        done = call(installed, "--remove", "--no-systemd")
    assert f"the service still runs: stop cartulary (pid {os.getpid()})" in done.stdout


@pytest.mark.parametrize("change", ["--yes", "--remove"])
def test_a_unit_that_was_changed_by_hand_is_put_aside(installed: Path, change: str) -> None:
    unit = installed / SERVE
    changed = unit.read_text().replace("RestartSec=1", "RestartSec=9")
    unit.write_text(changed)
    done = call(installed, change)
    assert done.exit_code == 0
    assert f"/{SERVE} was changed by hand" in done.output
    assert unit.with_name(unit.name + ".old").read_text() == changed
    assert unit.exists() == (change == "--yes")


def test_a_unit_of_an_earlier_release_is_written_again_and_not_put_aside(installed: Path) -> None:
    install(installed, "--port", "9000")
    assert "--port 9000" in (installed / SERVE).read_text()
    assert not [*installed.rglob("*.old")]


def test_the_key_is_made_only_before_the_first_game(installed: Path) -> None:
    (installed / KEY).unlink()
    (installed / "var/lib/cartulary/data/valkey").mkdir()
    install(installed)
    assert not (installed / KEY).exists()
    (fault,) = call(installed, "--check").stdout.splitlines()
    assert fault.startswith(f"/{KEY}: missing, but there are games")


def test_a_link_that_the_user_of_the_service_made_leads_nowhere(installed: Path) -> None:
    data = installed / "var/lib/cartulary/data"
    owner = data.stat().st_uid
    (installed / KEY).unlink()
    data.rmdir()
    data.symlink_to("/etc")
    os.lchown(data, owner, owner)
    refused = call(installed, "--yes")
    assert refused.exit_code == 1
    assert "/var/lib/cartulary/data is a link of another user than root" in refused.stderr


def test_without_a_terminal_it_asks_nothing_and_does_nothing(root: Path) -> None:
    refused = call(root)
    assert refused.exit_code == 2
    assert "there is no terminal to ask on: give --yes" in refused.stderr
    assert not (root / "etc/cartulary").exists()


def test_each_answer_has_a_default_and_a_wrong_one_is_asked_for_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_module, "has_terminal", lambda: True)
    # The program is given by an option, so it is not asked for.
    asked = call(root, asks="\nninety\n9000\n\n\n\n\n25:00\n04:00\n\n")
    assert asked.exit_code == 0, asked.output
    assert "a whole number from 1 to 65535" in asked.stderr
    assert "HH:MM, such as 03:15" in asked.stderr
    notes = (root / "etc/cartulary/setup.conf").read_text()
    assert "PORT=9000\nWORKERS=2\nDURABILITY=everysec\nBACKUP_AT=04:00\nKEEP=14\n" in notes


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--port", "0"], "--port must be a whole number from 1 to 65535, not '0'"),
        (["--durability", "often"], "--durability must be everysec or always"),
        (["--public-url", "games.example"], "--public-url must be https://HOST"),
        (["--backup-at", "3"], "--backup-at must be HH:MM"),
        (["--host", "a b; reboot"], "--host must be an address"),
        (["--program", "cartulary"], "--program must be the whole path"),
        (["--print", "--remove"], "exclude each other"),
    ],
)
def test_a_wrong_answer_is_refused_before_anything_is_made(
    root: Path, arguments: list[str], why: str
) -> None:
    refused = call(root, "--yes", *arguments)
    assert refused.exit_code == 2
    assert why in refused.stderr
    assert not (root / "etc/cartulary").exists()


def test_only_root_installs_and_every_user_may_look(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    refused = call(root, "--yes")
    assert (refused.exit_code, "only root may install" in refused.stderr) == (2, True)
    assert call(root, "--print").exit_code == 0


def test_without_systemd_it_prints_the_lines_that_would_run(root: Path) -> None:
    done = install(root, "--no-systemd", "--keep", "7")
    assert "No systemd runs here" in done.stdout
    assert not (root / SERVE).exists()
    serve, backup = [line.strip() for line in done.stdout.splitlines() if "runuser" in line]
    *as_account, line = shlex.split(serve)
    assert as_account == ["runuser", "-u", "cartulary", "--", "sh", "-c"]
    assert line == (
        f"set -a; . /{ENVIRONMENT}; exec {PROGRAM} serve --data /var/lib/cartulary/data "
        ">>/var/log/cartulary/serve.log 2>&1"
    )
    assert backup.startswith("15 3 * * * root runuser -u cartulary -- sh -c ")
    assert (
        f"{PROGRAM} backup /var/lib/cartulary/backups --data /var/lib/cartulary/data --keep 7"
        in backup
    )
    assert call(root, "--check", "--no-systemd").exit_code == 0


class Systemd(SystemRoot):
    """A machine on which systemd runs: it notes the commands, and answers from a table."""

    def __init__(self, **answers: str) -> None:
        super().__init__()
        self.answers = {"is-enabled": "enabled", "is-active": "active", "show": "no", **answers}
        self.commands: list[str] = []

    def ask(self, *command: str) -> str:
        return self.answers[command[1]]

    def run(self, *command: str) -> None:
        self.commands.append(" ".join(command))


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ({}, ""),
        ({"is-enabled": "disabled"}, "not enabled"),
        ({"is-active": "failed"}, "failed"),
        ({"show": "yes"}, "its file has changed since systemd read it"),
    ],
)
def test_a_unit_runs_when_it_is_enabled_active_and_read(
    answers: dict[str, str], fault: str
) -> None:
    machine, unit = Systemd(**answers), StartedUnit("x.service")
    assert unit.find_fault(machine) == (f"x.service: {fault}" if fault else "")
    unit.make(machine)
    assert machine.commands == [
        "systemctl daemon-reload",
        "systemctl enable x.service",
        "systemctl restart x.service",
    ]
    assert [f"run {command}" for command in machine.commands] == [*unit.describe(machine)]


@pytest.mark.parametrize("changed", [True, False])
def test_settings_that_changed_restart_what_runs(changed: bool) -> None:
    class Unchanged(Systemd):
        def read(self, path: Path) -> str | None:
            return "CARTULARY_PROXIES=1\n"

        def look(self, path: Path) -> FileStatus | None:
            return FileStatus(False, "root:root", 0o644)

        def write(self, path: Path, text: str, owner: str, mode: int) -> None:
            self.commands.append(f"write {path}")

    machine = Unchanged()
    text = "CARTULARY_PROXIES=2\n" if changed else "CARTULARY_PROXIES=1\n"
    file = ChosenFile(Path(f"/{ENVIRONMENT}"), text)
    made = command_module.make_pieces(machine, [file, StartedUnit("x.service")])
    assert made == 2 * changed
    assert ("systemctl restart x.service" in machine.commands) == changed


def find_changes(code: ast.AST) -> set[str]:
    """Return what a module uses of the functions and modules that change a machine."""
    nodes = [*ast.walk(code)]
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    imported = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    return (called & CHANGING) | (imported & {"subprocess", "shutil", "tempfile"})


def test_only_one_module_of_the_room_changes_a_machine() -> None:
    modules = {path.name: ast.parse(path.read_text("utf-8")) for path in ROOM.glob("*.py")}
    # The other writes the units of the documentation into a checkout.
    changing = {name for name, code in modules.items() if find_changes(code)}
    assert changing == {"machine.py", "shipped.py"}
