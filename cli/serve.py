"""`cartulary serve`: run the whole service in the foreground."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import click

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.embedded.errors import StopRequested
from cartulary.cli.operators.rotate_secret import prepare_store
from cartulary.cli.operators.store import find_archive_url, find_explorer_url
from cartulary.cli.processes.memory_directory import open_memory_dir
from cartulary.cli.processes.programs import USUAL, Programs
from cartulary.cli.processes.readiness import is_ready
from cartulary.cli.processes.serve_state import ServeState
from cartulary.cli.processes.supervisor import Child, SignOfLife, Supervisor
from cartulary.cli.processes.valkey import Keeper
from cartulary.cli.rehearsal.stage import STAGED, open_stage, rehearsal_options
from cartulary.cli.shared.certificate import choose_certificate
from cartulary.cli.shared.data_directory import DEFAULT, DataDir
from cartulary.cli.shared.environment import (
    ARCHIVE_URL,
    EVENTS_URL,
    EXPLORER_URL,
    MAIL_URL,
    check_addresses,
    events_url,
)
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.key_file import (
    PUSH_VARIABLE,
    VARIABLE,
    find_or_make_keys,
    find_or_make_push_key,
)
from cartulary.events.settings import REPLICATED
from cartulary.settings.environment import warn_of_unknown

READY_WITHIN_S = 60.0
"""Seconds that the start may take."""

SILENT_S = 25.0
"""Seconds without a sign of life after which a child is killed: a silent store takes 10 of them."""

SILENT_IN_JOB_S = 90.0
"""The same for a job worker: a job may take 30 s, and a worker asks a silent store four times."""

TAKE_OVER_S = 10.0
"""Seconds for which a start waits for the port of a `serve` that was killed on the directory."""

LOADED_AT_ONCE_S = 3.0
"""Seconds for which the start waits until the store has loaded its data."""

VALKEY_GRACE_S = 2.5
"""Seconds that the embedded server may take to write everything to disk when it stops."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes any free one.",
)
@click.option(
    "--data",
    default=DEFAULT,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory that stores everything.",
)
@click.option(
    "--workers",
    default=2,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of job workers: bots and scoring. The first of several takes quick jobs only.",
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with the certificate (PEM): the service then speaks HTTPS.",
)
@click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with the key of the certificate (PEM); left out: it is in the same file.",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT",
    help="Address that serves the metrics apart, without a token.",
)
@click.option(
    "--durability",
    type=click.Choice(["everysec", "always", "replicated"]),
    show_default="everysec",
    help="When an answer is on the disk: within a second, or always before it is given; "
    "replicated: when a replica of the server of CARTULARY_EVENTS_URL has it.",
)
@click.option(
    "--notices/--no-notices",
    default=True,
    show_default=True,
    envvar="CARTULARY_NOTICES",
    help="Whether a process sends push messages, webhooks and e-mails.",
)
@rehearsal_options
@click.option(
    "--renew-draws",
    is_flag=True,
    help="Give running games whose secret is lost a new secret, so that they go on.",
)
def serve(
    host: str,
    port: int,
    data: Path,
    workers: int,
    certificate: Path | None,
    key: Path | None,
    metrics: str | None,
    durability: str | None,
    notices: bool,
    renew_draws: bool,
    rehearsal: bool,
    script: Path | None,
    report: Path | None,
) -> None:
    """Run the whole service until Ctrl-C.

    Starts the embedded Valkey (unless CARTULARY_EVENTS_URL is set), the web processes, the
    dispatcher, the job workers and the notifier, and prints `ready on http://HOST:PORT` when the
    service answers.
    """
    check_addresses()
    warn_of_unknown(say)
    _refuse_durability_of_others(durability)
    os.umask(0o077)  # whatever the service writes is for its own user only
    secured = choose_certificate(certificate, key)
    metrics_address = _read_metrics_address(metrics)
    supervisor = Supervisor()
    supervisor.heed_signals()
    with (
        open_stage(rehearsal, script, report) as stage,
        DataDir(stage.folder / "data" if stage else data) as data_dir,
        listen(host, port, TAKE_OVER_S if data_dir.left_behind else 0.0) as listener,
        suppress(StopRequested),
        ExitStack() as stack,
    ):
        memory = stack.enter_context(open_memory_dir())
        data_dir.note_memory(memory)
        keys = find_or_make_keys(data_dir.path)
        given = {**secured, **(stage.environment if stage else {})}
        environment = _list_variables(data_dir.path, memory, given, keys, notices)
        prepare = partial(prepare_store, keys=keys, renew=renew_draws, say=say)
        if (store_url := events_url()) is None:
            keeper = _start_valkey(
                data_dir, environment, supervisor, stack, durability or "everysec", prepare
            )
        else:
            keeper = None
            if durability == REPLICATED:
                environment["CARTULARY_DURABILITY"] = REPLICATED
            prepare(store_url)
        state = ServeState(memory, supervisor, keeper.find_pid if keeper else lambda: None)
        supervisor.add_duty(state.write)
        stack.callback(supervisor.stop_children)
        heard, programs = listener, USUAL
        if stage is not None:
            heard, programs = stack.enter_context(listen("127.0.0.1", 0)), STAGED
            supervisor.start(stage.make_edge(say, listener, heard.getsockname()[1]))
        for child in children(environment, heard, workers, memory, metrics_address, programs):
            supervisor.start(child)
        if notices:
            supervisor.start(make_notifier(environment, memory, programs))
        _announce(supervisor, host, listener.getsockname()[1], keeper, bool(secured), state)
        supervisor.run()
        say("stopping")
    say("stopped")


def say(line: str) -> None:
    """Write a line for the operator, where that is possible."""
    # The log has no other place to go, and where its disk is full games can still be read.
    with suppress(OSError):
        click.echo(f"serve: {line}", err=True)


def listen(host: str, port: int, within: float = 0.0) -> socket.socket:
    """Return the listening socket; all web processes share it, and it outlives each of them.

    Tries for `within` seconds: the processes of a `serve` that was killed may still be ending.
    Raises `Unusable` when the address is invalid or in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + within
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=2048)
        except (OSError, UnicodeError) as error:  # UnicodeError: the name is invalid in DNS
            taken = getattr(error, "errno", None) == errno.EADDRINUSE
            if not taken or time.monotonic() > deadline:
                raise Unusable(
                    f"cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}; "
                    "choose another address with --host or --port"
                ) from error
        time.sleep(0.05)


def _refuse_durability_of_others(durability: str | None) -> None:
    """Raise `Unusable` when `--durability` is to choose for a store that `serve` does not start."""
    if durability == REPLICATED:
        if not events_url():
            raise Unusable(
                f"--durability replicated needs a server with a replica: set {EVENTS_URL}"
            )
    elif durability is not None and events_url():
        raise Unusable(
            "--durability chooses for the embedded Valkey only: the store of "
            f"{EVENTS_URL} promises what it is configured for, and /readyz shows it; leave "
            "--durability out, or choose replicated"
        )


def _read_metrics_address(text: str | None) -> tuple[str, int] | None:
    """Return host and port of `HOST:PORT`; raises `Unusable` for an invalid or used address."""
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (host and port.isdecimal() and 0 < int(port) < 65536):
        raise Unusable(f"--metrics must be HOST:PORT, not {text!r}")
    listen(host, int(port)).close()
    return host, int(port)


def _list_variables(
    data: Path, memory: Path, given: Mapping[str, str], keys: str, notices: bool
) -> dict[str, str]:
    """Return the variables that the children get besides the environment of the supervisor."""
    return {
        **_list_metrics_variables(memory),
        **given,
        VARIABLE: keys,
        ARCHIVE_URL: find_archive_url(data, make=True),
        EXPLORER_URL: find_explorer_url(data),
        # Without a notifier pages offer no push messages and no e-mail.
        PUSH_VARIABLE: find_or_make_push_key(data) if notices else "",
        **({} if notices else {MAIL_URL: ""}),
    }


def _list_metrics_variables(memory: Path) -> dict[str, str]:
    """Return the variables of the children about the metrics, and that they write at once."""
    metrics = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if metrics is None:
        (memory / "metrics").mkdir()
        metrics = str(memory / "metrics")
    return {"PROMETHEUS_MULTIPROC_DIR": metrics, "PYTHONUNBUFFERED": "1"}


def _start_valkey(
    data_dir: DataDir,
    environment: dict[str, str],
    supervisor: Supervisor,
    stack: ExitStack,
    durability: str,
    prepare: Callable[[str], None],
) -> Keeper:
    """Start the embedded server and note its address; `supervisor` keeps the server alive.

    Where loading takes longer than `LOADED_AT_ONCE_S` the children start meanwhile, and `/readyz`
    says that the store loads. Raises `Unusable` when the server cannot start, `StopRequested`.
    """
    valkey = EmbeddedValkey(data_dir.path / "valkey", durability)
    keeper = Keeper(valkey, say, supervisor.stop_requested)
    environment["CARTULARY_DURABILITY"] = durability

    def note_address() -> None:
        environment[EVENTS_URL] = str(valkey.url)
        data_dir.note(str(valkey.url))

    def move(_url: str) -> None:
        note_address()
        supervisor.restart_children()

    keeper.on_loaded = lambda: prepare(str(valkey.url))
    keeper.on_moved = move
    stack.callback(valkey.stop, timeout=VALKEY_GRACE_S)
    keeper.start(LOADED_AT_ONCE_S)
    note_address()
    supervisor.add_duty(keeper.look_after)
    return keeper


def children(
    environment: Mapping[str, str],
    listener: socket.socket,
    workers: int,
    memory: Path,
    metrics: tuple[str, int] | None = None,
    programs: Programs = USUAL,
) -> list[Child]:
    """Return the processes of the service, in the order in which they start.

    `memory` is the directory for their signs of life, `programs` are what they run.
    """
    python = sys.executable
    descriptor = listener.fileno()
    listening = ["--bind", f"fd://{descriptor}"]
    web = Child(
        "web",
        [python, "-m", *programs.web, *listening],
        say,
        environment,
        pass_fds=[descriptor],
        life=SignOfLife(memory / "web", SILENT_S),
    )
    dispatcher = Child(
        "dispatcher",
        [python, "-m", programs.dispatcher],
        say,
        environment,
        life=SignOfLife(memory / "dispatcher", SILENT_S),
    )
    jobs = [
        Child(
            f"worker {number}",
            [python, "-m", programs.worker, *_choose_jobs(number, workers)],
            say,
            environment,
            life=SignOfLife(memory / f"worker-{number}", SILENT_IN_JOB_S),
        )
        for number in range(1, workers + 1)
    ]
    if metrics is None:
        return [web, dispatcher, *jobs]
    command = [python, "-m", "cartulary.service.process.metrics_port", metrics[0], str(metrics[1])]
    life = SignOfLife(memory / "metrics-port", SILENT_S)
    return [web, dispatcher, *jobs, Child("metrics", command, say, environment, life=life)]


def make_notifier(environment: Mapping[str, str], memory: Path, programs: Programs) -> Child:
    """Return the process that sends push messages, webhooks and e-mails."""
    command = [sys.executable, "-m", programs.notifier]
    life = SignOfLife(memory / "notifier", SILENT_S)
    return Child("notifier", command, say, environment, life=life)


def _choose_jobs(number: int, workers: int) -> list[str]:
    """Return the arguments of a worker (1, 2, …): the first of several takes quick jobs only."""
    return ["--fast"] if workers > 1 and number == 1 else []


def _announce(
    supervisor: Supervisor,
    host: str,
    port: int,
    keeper: Keeper | None,
    secure: bool,
    state: ServeState,
) -> None:
    """Print the address on stdout once the service answers.

    Waits for as long as the embedded server loads its data; raises `Failed` when the service does
    not answer `READY_WITHIN_S` after that, or the loading makes no progress for so long.
    """
    shown = f"[{host}]" if ":" in host else host
    # A service on all addresses answers on the loopback address as well.
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    began = time.monotonic()

    def late() -> bool:
        since = began if keeper is None else max(began, keeper.progressed)
        return time.monotonic() > since + READY_WITHIN_S

    def is_over() -> bool:
        if keeper is not None and keeper.loading:
            return late()
        return is_ready(local, port, secure) or late()

    supervisor.run(until=is_over)
    if supervisor.stop_requested():
        return
    if late():
        raise Failed(f"the service did not become ready within {READY_WITHIN_S:.0f} s")
    scheme = "https" if secure else "http"
    state.announce(f"{scheme}://[{local}]:{port}" if ":" in local else f"{scheme}://{local}:{port}")
    click.echo(f"ready on {scheme}://{shown}:{port}")
