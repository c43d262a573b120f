"""`cartulary setup`: install the service on this machine, check the installation, take it back."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from cartulary.cli.setup import places
from cartulary.cli.setup.answers import QUESTIONS, Answers, ask_answers, give_answers, read_answers
from cartulary.cli.setup.checking import check_program, find_faults
from cartulary.cli.setup.layout import list_commands, list_pieces
from cartulary.cli.setup.machine import SystemRoot
from cartulary.cli.setup.pieces import ChosenFile, InstalledPiece, StartedUnit
from cartulary.cli.shared.data_directory import read_note
from cartulary.cli.shared.errors import Failed, Unusable

NO_SYSTEMD = """\
No systemd runs here. Let the init system of this machine run the first line at each start, and cron
the second (in /etc/cron.d/cartulary):"""


def _add_answers(command: Callable[..., Any]) -> Callable[..., Any]:
    for question in reversed(QUESTIONS):
        help_text = f"{question.text}. Default: {question.default() or 'empty'}."
        if question.name == "program":
            help_text = f"{question.text}. Default: the one that runs now."
        command = click.option(question.option, metavar="TEXT", help=help_text)(command)
    return command


@click.command()
@click.option("--yes", is_flag=True, help="Ask nothing: what no option says is as by default.")
@click.option("--print", "only_print", is_flag=True, help="Show what would be done; do nothing.")
@click.option("--check", is_flag=True, help="Say what is missing or differs; change nothing.")
@click.option("--remove", is_flag=True, help="Take it back; games, backups and settings stay.")
@click.option(
    "--root",
    default="/",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Install into another root, for example of an image; nothing is started.",
)
@click.option(
    "--systemd/--no-systemd",
    "with_systemd",
    default=None,
    help="Whether systemd starts the service; by default, where it runs.",
)
@_add_answers
def setup(
    yes: bool,
    only_print: bool,
    check: bool,
    remove: bool,
    root: Path,
    with_systemd: bool | None,
    **given: str | None,
) -> None:
    """Install the service on this machine.

    Makes the user `cartulary`, the folders, the key of the draws, units of systemd for `serve` and
    a nightly backup, and the rotation of the logs; then starts them. What is there already stays,
    so that it may be run again at any time. With --check: exit 1 when something is missing or
    differs.
    """
    if only_print + check + remove > 1:
        raise Unusable("--print, --check and --remove exclude each other")
    if sys.platform != "linux":
        raise Unusable("`cartulary setup` works on Linux only; elsewhere run `cartulary serve`")
    machine = SystemRoot(root, with_systemd)
    noted, environment = machine.read(places.ANSWERS), machine.read(places.ENVIRONMENT)
    answers = give_answers(read_answers(noted, environment), given)
    if only_print:
        _print(machine, answers)
    elif check:
        _check(machine, answers)
    elif remove:
        _refuse_user()
        _remove(machine, answers)
    else:
        _refuse_user()
        if not yes:
            answers = _ask(answers, given)
        _install(machine, answers)


def _refuse_user() -> None:
    if os.geteuid() != 0:
        raise Unusable("only root may install: run it with sudo, or see --print")


def has_terminal() -> bool:
    """Return whether a person can answer."""
    return sys.stdin.isatty()


def _ask(answers: Answers, given: dict[str, str | None]) -> dict[str, str]:
    if not has_terminal():
        raise Unusable("there is no terminal to ask on: give --yes, and options for what differs")
    return ask_answers(answers, given)


def _print(machine: SystemRoot, answers: Answers) -> None:
    """Print the pieces that would be made, with the texts of files and the commands."""
    todo = [piece for piece in list_pieces(machine, answers) if piece.find_fault(machine)]
    for piece in todo:
        for line in piece.describe(machine):
            click.echo(line)
    if not todo:
        click.echo("nothing to do")
    _print_commands(machine, answers)


def _check(machine: SystemRoot, answers: Answers) -> None:
    faults = list(find_faults(machine, answers))
    for fault in faults:
        click.echo(fault)
    if faults:
        raise Failed(f"{len(faults)} things are not as they should be")
    click.echo("everything is as it should be")


def _install(machine: SystemRoot, answers: Answers) -> None:
    faults = list(check_program(machine, Path(answers["program"])))
    # The program may come into an image later.
    if faults and machine.is_running:
        raise Unusable("; ".join(faults))
    with machine.hold():
        made = make_pieces(machine, list_pieces(machine, answers))
    click.echo(f"installed; {made} things were made or changed" if made else "nothing to do")
    _print_commands(machine, answers)
    click.echo(f"Copy {places.DATA}/secret.key to a safe place: no backup has it.")


def make_pieces(machine: SystemRoot, pieces: Sequence[InstalledPiece]) -> int:
    """Make the pieces that are missing or differ; return how many."""
    made: list[InstalledPiece] = []
    for piece in pieces:
        fault = piece.find_fault(machine)
        if not fault and isinstance(piece, StartedUnit) and _have_changed(made):
            fault = f"{piece.unit}: its settings have changed"
        if fault:
            said = piece.make(machine)
            click.echo(f"{fault}; done" if not said else f"{fault}; {said}", err=True)
            made.append(piece)
    return len(made)


def _have_changed(made: Sequence[InstalledPiece]) -> bool:
    """Return whether settings are among what was made: a process reads them when it starts."""
    return any(isinstance(one, ChosenFile) and one.path == places.ENVIRONMENT for one in made)


def _print_commands(machine: SystemRoot, answers: Answers) -> None:
    if not machine.has_systemd:
        click.echo(NO_SYSTEMD)
        for command in list_commands(answers):
            click.echo(f"    {command}")


def _remove(machine: SystemRoot, answers: Answers) -> None:
    with machine.hold():
        pieces = list_pieces(machine, answers)
        # What runs is stopped before its files go.
        said = [line for piece in reversed(pieces) if (line := piece.remove(machine))]
        if said and machine.has_systemd and machine.is_running:
            machine.run("systemctl", "daemon-reload")
    for line in said:
        click.echo(line)
    # Without systemd the operator has started it, and stops it.
    if note := read_note(machine.place(places.DATA)):
        click.echo(f"the service still runs: stop {note.holder}")
    kept = [str(folder) for folder in places.KEPT if machine.look(folder) is not None]
    if kept:
        click.echo(f"kept, with the user {places.ACCOUNT}: {', '.join(kept)}")
        click.echo(f"To delete all games: rm -r {' '.join(kept)} && userdel {places.ACCOUNT}")
    elif not said:
        click.echo("nothing to do")
