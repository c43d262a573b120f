"""The stage of a rehearsal: what is refused, the temporary store, the edge before the service."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from click.core import ParameterSource

from cartulary.cli.processes.programs import WEB, Programs
from cartulary.cli.processes.supervisor import Child
from cartulary.cli.rehearsal.staged_store import FOLDER
from cartulary.cli.shared.environment import ARCHIVE_URL, EVENTS_URL, QUEUE_URL, read_setting
from cartulary.cli.shared.errors import Unusable
from cartulary.rehearsal.scripts import BadScript, read_script
from cartulary.rehearsal.settable import set_seed

STAGED = Programs(
    (*WEB, "cartulary.cli.rehearsal.staged_wsgi:app"),
    "cartulary.cli.rehearsal.staged_dispatcher",
    "cartulary.cli.rehearsal.staged_worker",
    "cartulary.cli.rehearsal.staged_notifier",
)
"""What runs in a rehearsal: the usual programs, on a store with a clock and draws that are set."""

SEED = 1
"""The draws of a rehearsal until others are chosen: each rehearsal deals the same games."""


def rehearsal_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a rehearsal to `serve`."""
    file = click.Path(dir_okay=False, path_type=Path)
    for option in (
        click.option(
            "--report",
            type=file,
            help="Rehearsal: the file for the report. [default: rehearsal.ndjson]",
        ),
        click.option("--script", type=file, help="Rehearsal: which trouble comes when (JSON)."),
        click.option(
            "--rehearsal",
            is_flag=True,
            help="Run on a temporary store and make trouble on purpose, for authors of clients.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Stage:
    """A rehearsal that is about to begin: its directory, its script, its report."""

    folder: Path
    script: Path | None
    report: Path

    @property
    def environment(self) -> dict[str, str]:
        """The variables of its processes. One web process opens all games, in one order of draws.

        The store is temporary, so it has no archive that outlives it.
        """
        return {FOLDER: str(self.folder), "CARTULARY_WEB_PROCESSES": "1"}

    def make_edge(self, say: Callable[[str], None], listener: socket.socket, port: int) -> Child:
        """Return the process that the clients talk to; the service listens on `port`."""
        command = [sys.executable, "-m", "cartulary.rehearsal.edge", f"--fd={listener.fileno()}"]
        command += [f"--port={port}", f"--folder={self.folder}", f"--report={self.report}"]
        command += [] if self.script is None else [f"--script={self.script}"]
        return Child("edge", command, say, pass_fds=[listener.fileno()])


@contextmanager
def open_stage(rehearsal: bool, script: Path | None, report: Path | None) -> Iterator[Stage | None]:
    """Check what a rehearsal needs and yield its stage; its directory is deleted in the end.

    Yields None where no rehearsal is asked for. Raises `Unusable`.
    """
    if not rehearsal:
        _refuse_lone_options(script, report)
        yield None
        return
    _refuse_real_store()
    try:
        read_script(script)
    except (BadScript, OSError) as error:
        raise Unusable(f"the script of the rehearsal: {error}") from error
    file = (report or Path("rehearsal.ndjson")).absolute()
    try:
        file.touch()
    except OSError as error:
        raise Unusable(f"cannot write the report {file}: {error.strerror}") from error
    with TemporaryDirectory(prefix="cartulary-rehearsal-") as folder:
        set_seed(Path(folder), SEED)
        yield Stage(Path(folder), script and script.absolute(), file)


def _refuse_real_store() -> None:
    """Raise `Unusable` where the command would rehearse on a store that games live on."""
    context = click.get_current_context()
    if context.get_parameter_source("data") is not ParameterSource.DEFAULT:
        raise Unusable(
            "--rehearsal makes trouble on purpose and never runs on a real store: leave --data out"
        )
    for name in (EVENTS_URL, QUEUE_URL, ARCHIVE_URL):
        if os.environ.get(name):
            raise Unusable(f"--rehearsal never runs on a real store: unset {name}")
    if context.params["certificate"] or read_setting("CERTIFICATE"):
        raise Unusable("--rehearsal speaks plain HTTP: leave the certificate out")
    host = context.params["host"]
    if host != "localhost" and not _is_loopback(host):
        raise Unusable(f"--rehearsal listens on this machine only: {host} is no loopback address")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse_lone_options(script: Path | None, report: Path | None) -> None:
    """Raise `Unusable` for options of a rehearsal without one."""
    for name, value in (("--script", script), ("--report", report)):
        if value is not None:
            raise Unusable(f"{name} needs --rehearsal")
