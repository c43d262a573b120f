"""The table of the pieces of an installation, in the order in which they are made."""

from __future__ import annotations

import shlex
from typing import Final

from cartulary.cli.setup import places
from cartulary.cli.setup.answers import QUESTIONS, Answers, read_answers, write_answers
from cartulary.cli.setup.environment_file import HEAD, set_variables
from cartulary.cli.setup.machine import SystemRoot
from cartulary.cli.setup.pieces import (
    Account,
    ChosenFile,
    FirstFile,
    Folder,
    InstalledPiece,
    OwnFile,
    StartedUnit,
)
from cartulary.cli.setup.units import (
    BACKUP,
    SERVE,
    TIMER,
    make_backup,
    make_serve,
    make_timer,
    render,
)
from cartulary.cli.shared.key_file import NAME as KEY
from cartulary.cli.shared.key_file import make_key
from cartulary.settings.settings import PREFIX

LOGROTATE: Final = f"""\
{places.LOG} {places.BACKUP_LOG} {{
    daily
    rotate 14
    maxsize 100M
    missingok
    notifempty
    compress
    delaycompress
    # The processes keep the file open.
    copytruncate
}}
"""

ARGUMENTS: Final = (
    ("host", "--host", "127.0.0.1"),
    ("port", "--port", "8000"),
    ("workers", "--workers", "2"),
    ("durability", "--durability", "everysec"),
)
"""The answers that `serve` takes as options, with the value that it has without the option."""


def list_pieces(machine: SystemRoot, answers: Answers) -> list[InstalledPiece]:
    """Return everything that belongs to an installation on this machine."""
    common: list[InstalledPiece] = [
        Account(places.ACCOUNT),
        Folder(places.SETTINGS, places.ROOT, 0o755),
        Folder(places.STATE, places.OWN, 0o700),
        Folder(places.DATA, places.OWN, 0o700),
        Folder(places.BACKUPS, places.OWN, 0o700),
        Folder(places.LOGS, places.SHARED, 0o750),
        ChosenFile(places.ANSWERS, write_answers(answers)),
        _make_environment(machine, answers),
        *_make_key(machine),
        FirstFile(places.LOG, str, places.OWN, 0o640),
        FirstFile(places.BACKUP_LOG, str, places.OWN, 0o640),
        OwnFile(places.LOGROTATE, LOGROTATE),
    ]
    return common + (_list_units(answers) if machine.has_systemd else [])


def _list_units(answers: Answers) -> list[InstalledPiece]:
    serve = render(make_serve(write_serve(answers), places.LOG))
    return [
        OwnFile(places.UNITS / SERVE, serve),
        OwnFile(places.UNITS / BACKUP, render(make_backup(write_backup(answers)))),
        OwnFile(places.UNITS / TIMER, render(make_timer(answers["backup_at"]))),
        StartedUnit(SERVE),
        StartedUnit(TIMER),
    ]


def write_serve(answers: Answers) -> str:
    """Return the command line that runs the service."""
    options = [
        word
        for name, option, default in ARGUMENTS
        if answers[name] != default
        for word in (option, answers[name])
    ]
    return shlex.join([answers["program"], "serve", "--data", str(places.DATA), *options])


def write_backup(answers: Answers) -> str:
    """Return the command line of the nightly backup."""
    options = ["--data", str(places.DATA), "--keep", answers["keep"]]
    return shlex.join([answers["program"], "backup", str(places.BACKUPS), *options])


def list_commands(answers: Answers) -> list[str]:
    """Return the command lines that do without systemd what its units do."""
    settings = f"set -a; . {places.ENVIRONMENT}; exec"
    as_account = f"runuser -u {places.ACCOUNT} -- sh -c"
    hour, _, minute = answers["backup_at"].partition(":")
    serve = f"{settings} {write_serve(answers)} >>{places.LOG} 2>&1"
    backup = f"{settings} {write_backup(answers)} >>{places.BACKUP_LOG} 2>&1"
    return [
        f"{as_account} {shlex.quote(serve)}",
        f"{int(minute)} {int(hour)} * * * root {as_account} {shlex.quote(backup)}",
    ]


def _make_environment(machine: SystemRoot, answers: Answers) -> InstalledPiece:
    text = machine.read(places.ENVIRONMENT)
    before = read_answers(None, text)
    chosen = {
        PREFIX + one.setting: answers[one.name]
        for one in QUESTIONS
        if one.setting and answers[one.name] != before[one.name]
    }
    text = set_variables(HEAD if text is None else text, chosen)
    return ChosenFile(places.ENVIRONMENT, text, places.SHARED, 0o640)


def _make_key(machine: SystemRoot) -> list[InstalledPiece]:
    """Return the key of the draws: a new one only before the first game is stored.

    `serve` refuses another key than that of the store, and the settings may name a key.
    """
    file = places.DATA / KEY
    settings = machine.read(places.ENVIRONMENT) or ""
    if machine.look(file) is None and (
        PREFIX + "SECRET" in settings or not machine.is_empty(places.DATA)
    ):
        return []
    hidden = "(64 hexadecimal digits from the random generator of the system)"
    return [FirstFile(file, lambda: make_key() + "\n", hidden=hidden)]
