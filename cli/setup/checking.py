"""`setup --check`: what is missing, differs, or cannot work. It changes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cartulary.cli.operators.config import find_problems
from cartulary.cli.setup import places
from cartulary.cli.setup.answers import Answers
from cartulary.cli.setup.environment_file import find_bad_lines, parse_variables
from cartulary.cli.setup.layout import list_pieces
from cartulary.cli.setup.machine import SystemRoot
from cartulary.cli.shared.key_file import NAME as KEY
from cartulary.settings.environment import find_unknown
from cartulary.settings.settings import PREFIX

HIDDEN_BY_UNITS: Final = ("/home/", "/root/", "/run/user/")
"""Folders that no unit with `ProtectHome=yes` sees."""

OPEN_HOSTS: Final = ("0.0.0.0", "::")


def find_faults(machine: SystemRoot, answers: Answers) -> Iterator[str]:
    """Yield a sentence for each thing that is not as `setup` would leave it."""
    for piece in list_pieces(machine, answers):
        if fault := piece.find_fault(machine):
            yield fault
    yield from _check_key(machine)
    yield from check_program(machine, Path(answers["program"]))
    yield from _check_environment(machine.read(places.ENVIRONMENT) or "")
    if not machine.has_program("logrotate"):
        yield f"logrotate is not installed: {places.LOG} grows for ever"
    if answers["host"] in OPEN_HOSTS and answers["proxies"] != "0":
        yield (
            "CARTULARY_PROXIES is set while the service listens on all addresses: a client that "
            "reaches it without the proxy chooses its address; give --host 127.0.0.1"
        )


def check_program(machine: SystemRoot, program: Path) -> Iterator[str]:
    """Yield why the units or their user cannot run the program."""
    if machine.has_systemd and str(program).startswith(HIDDEN_BY_UNITS):
        yield (
            f"{program}: units see no folder of a user; install into /opt/cartulary "
            "(python3 -m venv /opt/cartulary)"
        )
    elif fault := _find_closed(machine, program):
        yield f"{program}: {fault}"


def _find_closed(machine: SystemRoot, program: Path) -> str:
    """Return why a user who owns none of the folders cannot run a program."""
    for folder in reversed(program.parents):
        found = machine.look(folder)
        if found is not None and not found.mode & stat.S_IXOTH:
            return f"the user {places.ACCOUNT} may not enter {folder} ({found.mode:04o})"
    found = machine.look(program)
    if found is None:
        return "missing"
    return "" if found.mode & stat.S_IXOTH else f"the user {places.ACCOUNT} may not run it"


def _check_key(machine: SystemRoot) -> Iterator[str]:
    file = places.DATA / KEY
    settings = machine.read(places.ENVIRONMENT) or ""
    if PREFIX + "SECRET" in settings or machine.look(file) is not None:
        return
    if not machine.is_empty(places.DATA):
        yield f"{file}: missing, but there are games: put the key back from its copy"


def _check_environment(text: str) -> Iterator[str]:
    variables = parse_variables(text)
    file = places.ENVIRONMENT
    yield from (f"{file}: the line {line!r} is no NAME=VALUE" for line in find_bad_lines(text))
    yield from (f"{file}: {unknown}" for unknown in find_unknown(variables))
    with _use(variables):
        yield from (f"{file}: {problem}" for problem in find_problems())


@contextmanager
def _use(variables: Mapping[str, str]) -> Iterator[None]:
    """Let this process see the settings of the service, and none of this shell's."""
    before = dict(os.environ)
    for name in [name for name in before if name.startswith(PREFIX)]:
        del os.environ[name]
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
