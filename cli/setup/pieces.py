"""What an installation consists of: each piece says what is wrong with it, and makes itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from cartulary.cli.setup.machine import FileStatus, SystemRoot
from cartulary.cli.setup.places import OWN, STATE

_SIGNED: Final = "# Written by `cartulary setup`, which puts changes aside. SHA-256 of the rest: "


class InstalledPiece(Protocol):
    """A part of an installation."""

    def find_fault(self, machine: SystemRoot) -> str:
        """Return what is missing or differs, '' when nothing does."""

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield the lines that `--print` shows: what is made, to the last byte."""

    def make(self, machine: SystemRoot) -> str:
        """Make it as it should be; return what the operator should know, usually ''."""

    def remove(self, machine: SystemRoot) -> str:
        """Take it back; return what the operator should know, '' when nothing was there."""


class Account(NamedTuple):
    """The user of the service, and its group."""

    name: str

    def find_fault(self, machine: SystemRoot) -> str:
        """Return whether the user or the group is missing."""
        return "" if machine.has_account(self.name) else f"user {self.name}: missing"

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield the command."""
        yield f"run {' '.join(self._command(machine))}"

    def make(self, machine: SystemRoot) -> str:
        """Make user and group."""
        machine.run(*self._command(machine))
        return ""

    def remove(self, machine: SystemRoot) -> str:
        """Keep the user: without it another user may get its number, and so its data."""
        return ""

    def _command(self, machine: SystemRoot) -> list[str]:
        prefix = [] if machine.is_running else ["--prefix", str(machine.root)]
        options = ["--system", "--user-group", "--no-create-home", "--home-dir", str(STATE)]
        return ["useradd", *prefix, *options, "--shell", "/usr/sbin/nologin", self.name]


class Folder(NamedTuple):
    """A folder; it is kept when the rest is removed."""

    path: Path
    owner: str
    mode: int

    def find_fault(self, machine: SystemRoot) -> str:
        """Return whether it is missing, or has another owner or mode."""
        return _compare(self.path, machine.look(self.path), FileStatus(True, self.owner, self.mode))

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield a line."""
        yield f"folder {self.path} ({self.owner}, {self.mode:04o})"

    def make(self, machine: SystemRoot) -> str:
        """Make it, or give it its owner and mode."""
        machine.make_folder(self.path, self.owner, self.mode)
        return ""

    def remove(self, machine: SystemRoot) -> str:
        """Keep it."""
        return ""


class OwnFile(NamedTuple):
    """A file of which the first line says by a checksum whether it was changed by hand."""

    path: Path
    body: str
    owner: str = "root:root"
    mode: int = 0o644

    @property
    def text(self) -> str:
        """The whole text."""
        return f"{_SIGNED}{_hash(self.body)}\n{self.body}"

    def find_fault(self, machine: SystemRoot) -> str:
        """Return whether it is missing, differs, or has another owner or mode."""
        found = machine.read(self.path)
        if found is None or found == self.text:
            wanted = FileStatus(False, self.owner, self.mode)
            return _compare(self.path, machine.look(self.path), wanted)
        if is_changed_by_hand(found):
            return f"{self.path}: changed by hand; `cartulary setup` puts the change aside"
        return f"{self.path}: of other answers or another release; run `cartulary setup`"

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield its text below a line with its name."""
        yield from _show(self.path, self.owner, self.mode, self.text)

    def make(self, machine: SystemRoot) -> str:
        """Write it; a file that was changed by hand is put aside first."""
        found = machine.read(self.path)
        said = ""
        if found is not None and found != self.text and is_changed_by_hand(found):
            aside = machine.set_aside(self.path)
            said = f"{self.path} was changed by hand: the changed file is {aside}"
        machine.write(self.path, self.text, self.owner, self.mode)
        return said

    def remove(self, machine: SystemRoot) -> str:
        """Delete it; a file that was changed by hand is put aside."""
        found = machine.read(self.path)
        if found is None:
            return ""
        if is_changed_by_hand(found):
            return f"{self.path} was changed by hand: it is {machine.set_aside(self.path)} now"
        machine.delete(self.path)
        return f"removed {self.path}"


class ChosenFile(NamedTuple):
    """A file that follows from the answers, and which the operator may edit as well."""

    path: Path
    text: str
    owner: str = "root:root"
    mode: int = 0o644

    def find_fault(self, machine: SystemRoot) -> str:
        """Return whether it is missing, differs, or has another owner or mode."""
        found = machine.read(self.path)
        if found is not None and found != self.text:
            return f"{self.path}: has other answers"
        return _compare(
            self.path, machine.look(self.path), FileStatus(False, self.owner, self.mode)
        )

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield its text below a line with its name."""
        yield from _show(self.path, self.owner, self.mode, self.text)

    def make(self, machine: SystemRoot) -> str:
        """Write it."""
        machine.write(self.path, self.text, self.owner, self.mode)
        return ""

    def remove(self, machine: SystemRoot) -> str:
        """Keep it: a later setup begins with what it says."""
        return ""


class FirstFile(NamedTuple):
    """A file that is written where it is missing, and then belongs to the service or the operator.

    `make_text` returns what it begins with; `hidden` is what `--print` shows in place of a secret.
    """

    path: Path
    make_text: Callable[[], str]
    owner: str = OWN
    mode: int = 0o600
    hidden: str = ""

    def find_fault(self, machine: SystemRoot) -> str:
        """Return whether it is missing, or has another owner or mode."""
        return _compare(
            self.path, machine.look(self.path), FileStatus(False, self.owner, self.mode)
        )

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield its text below a line with its name."""
        yield from _show(self.path, self.owner, self.mode, self.hidden or self.make_text())

    def make(self, machine: SystemRoot) -> str:
        """Write it, or give the file that is there its owner and mode."""
        if machine.look(self.path) is None:
            machine.write(self.path, self.make_text(), self.owner, self.mode)
        else:
            machine.own(self.path, self.owner, self.mode)
        return ""

    def remove(self, machine: SystemRoot) -> str:
        """Keep it."""
        return ""


class StartedUnit(NamedTuple):
    """A unit that systemd starts with the machine, and that runs now."""

    unit: str

    def find_fault(self, machine: SystemRoot) -> str:
        """Return whether it is not enabled, not active, or runs as an earlier file says."""
        if machine.ask(*_systemctl(machine), "is-enabled", self.unit) != "enabled":
            return f"{self.unit}: not enabled"
        if not machine.is_running:
            return ""
        outdated = ("systemctl", "show", "--value", "-p", "NeedDaemonReload", self.unit)
        if machine.ask(*outdated) == "yes":
            return f"{self.unit}: its file has changed since systemd read it"
        state = machine.ask("systemctl", "is-active", self.unit)
        return "" if state == "active" else f"{self.unit}: {state or 'unknown to systemd'}"

    def describe(self, machine: SystemRoot) -> Iterator[str]:
        """Yield the commands."""
        yield from (f"run {' '.join(command)}" for command in self._list_commands(machine))

    def make(self, machine: SystemRoot) -> str:
        """Enable it, and start it where systemd runs."""
        for command in self._list_commands(machine):
            machine.run(*command)
        return ""

    def remove(self, machine: SystemRoot) -> str:
        """Stop it, and start it with the machine no more."""
        if machine.ask(*_systemctl(machine), "is-enabled", self.unit) != "enabled":
            return ""
        machine.run(*_systemctl(machine), "disable", self.unit)
        if machine.is_running:
            machine.run("systemctl", "stop", self.unit)
        return f"disabled {self.unit}"

    def _list_commands(self, machine: SystemRoot) -> list[tuple[str, ...]]:
        enable = (*_systemctl(machine), "enable", self.unit)
        if not machine.is_running:
            return [enable]
        return [("systemctl", "daemon-reload"), enable, ("systemctl", "restart", self.unit)]


def is_changed_by_hand(text: str) -> bool:
    """Return whether a file has other lines than those that a `setup` wrote."""
    head, _, body = text.partition("\n")
    return not (found := re.fullmatch(re.escape(_SIGNED) + r"([0-9a-f]{64})", head)) or (
        found[1] != _hash(body)
    )


def _hash(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _systemctl(machine: SystemRoot) -> tuple[str, ...]:
    return ("systemctl",) if machine.is_running else ("systemctl", f"--root={machine.root}")


def _compare(path: Path, found: FileStatus | None, wanted: FileStatus) -> str:
    if found is None:
        return f"{path}: missing"
    if found.is_folder != wanted.is_folder:
        return f"{path}: is {'a folder' if found.is_folder else 'no folder'}"
    if found.owner != wanted.owner:
        return f"{path}: belongs to {found.owner}, not to {wanted.owner}"
    if found.mode != wanted.mode:
        return f"{path}: has the mode {found.mode:04o}, not {wanted.mode:04o}"
    return ""


def _show(path: Path, owner: str, mode: int, text: str) -> Iterator[str]:
    yield f"file {path} ({owner}, {mode:04o})"
    yield from (f"    {line}".rstrip() for line in text.splitlines())
