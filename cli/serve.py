"""`cartulary serve`: run the whole service in the foreground."""

from __future__ import annotations

import http.client
import os
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import click
from redis import RedisError

from cartulary.cli.datadir import DEFAULT, DataDir
from cartulary.cli.environment import EVENTS_URL, check_addresses
from cartulary.cli.errors import Failed, Unusable
from cartulary.cli.supervisor import Child, Supervisor
from cartulary.cli.valkey import start_valkey
from cartulary.events.connection import connect
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.errors import EmbeddedError, NewerStore, StopRequested
from cartulary.events.format import check_format

READY_WITHIN_S = 60.0
"""Seconds that the start may take."""

VALKEY_GRACE_S = 2.5
"""Seconds that the embedded server may take to write everything to disk when it stops."""

WEB = ("gunicorn", "--config", "python:cartulary.service.process.gunicorn_conf")


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
    help="Number of job workers: bots and scoring.",
)
def serve(host: str, port: int, data: Path, workers: int) -> None:
    """Run the whole service until Ctrl-C.

    Starts the embedded Valkey (unless CARTULARY_EVENTS_URL is set), the web processes, the
    dispatcher and the job workers, and prints `ready on http://HOST:PORT` when the service answers.
    """
    check_addresses()
    supervisor = Supervisor()
    supervisor.heed_signals()
    with (
        DataDir(data) as data_dir,
        listen(host, port) as listener,
        suppress(StopRequested),
        ExitStack() as stack,
    ):
        environment = _environment(data_dir)
        if not os.environ.get(EVENTS_URL):
            valkey = start_valkey(data_dir.path, supervisor.stop_requested)
            say(f"valkey runs (pid {valkey.pid})")
            stack.callback(valkey.stop, timeout=VALKEY_GRACE_S)
            supervisor.also(lambda: _keep(valkey, supervisor, environment))
            environment[EVENTS_URL] = str(valkey.url)
            data_dir.note(str(valkey.url))
        _refuse_newer_store(environment.get(EVENTS_URL) or os.environ[EVENTS_URL])
        stack.callback(supervisor.stop_children)
        for child in children(environment, listener, workers):
            supervisor.start(child)
        _announce(supervisor, host, listener.getsockname()[1])
        supervisor.run()
        say("stopping")
    say("stopped")


def say(line: str) -> None:
    """Write a line for the operator."""
    click.echo(f"serve: {line}", err=True)


def listen(host: str, port: int) -> socket.socket:
    """Return the listening socket; all web processes share it, and it outlives each of them.

    Raises `Unusable` when the address is invalid or in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError) as error:  # UnicodeError: the name is invalid in DNS
        raise Unusable(
            f"cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}; "
            "choose another address with --host or --port"
        ) from error


def _environment(data_dir: DataDir) -> dict[str, str]:
    """Return the variables that the children get besides the environment of the supervisor."""
    metrics = os.environ.get("PROMETHEUS_MULTIPROC_DIR") or str(data_dir.fresh("metrics"))
    return {"PROMETHEUS_MULTIPROC_DIR": metrics, "PYTHONUNBUFFERED": "1"}


def _refuse_newer_store(url: str) -> None:
    """Raise `Unusable` when a newer release has written to the store."""
    redis = connect(url)
    try:
        check_format(redis)
    except NewerStore as error:
        raise Unusable(str(error)) from error
    except RedisError as error:
        say(f"the events server does not answer yet: {error}")
    finally:
        redis.close()


def _keep(valkey: EmbeddedValkey, supervisor: Supervisor, environment: dict[str, str]) -> None:
    """Restart the embedded server when it has died; its data is on disk.

    Raises `Failed` when the restart fails, because nothing works without the server, and
    `StopRequested`.
    """
    if valkey.running():
        return
    say("valkey died; restarting it")
    valkey.stop()
    try:
        url = valkey.start(stop_requested=supervisor.stop_requested)
    except EmbeddedError as error:
        raise Failed(str(error)) from error
    say(f"valkey runs (pid {valkey.pid})")
    if url != environment[EVENTS_URL]:
        environment[EVENTS_URL] = url
        supervisor.restart_children()


def children(environment: Mapping[str, str], listener: socket.socket, workers: int) -> list[Child]:
    """Return the processes of the service, in the order in which they start."""
    python = sys.executable
    descriptor = listener.fileno()
    listening = ["--bind", f"fd://{descriptor}"]
    web = Child("web", [python, "-m", *WEB, *listening], say, environment, pass_fds=[descriptor])
    dispatcher = Child(
        "dispatcher", [python, "-m", "cartulary.workers.dispatcher"], say, environment
    )
    jobs = [
        Child(f"worker {number}", [python, "-m", "cartulary.workers.worker"], say, environment)
        for number in range(1, workers + 1)
    ]
    return [web, dispatcher, *jobs]


def _announce(supervisor: Supervisor, host: str, port: int) -> None:
    """Print the address on stdout once the service answers; raises `Failed` when it does not."""
    shown = f"[{host}]" if ":" in host else host
    # A service on all addresses answers on the loopback address as well.
    asked = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    deadline = time.monotonic() + READY_WITHIN_S
    supervisor.run(until=lambda: is_ready(asked, port) or time.monotonic() > deadline)
    if supervisor.stop_requested():
        return
    if time.monotonic() > deadline:
        raise Failed(f"the service did not become ready within {READY_WITHIN_S:.0f} s")
    click.echo(f"ready on http://{shown}:{port}")


def is_ready(host: str, port: int) -> bool:
    """Return whether `/readyz` answers 200 within a second."""
    connection = http.client.HTTPConnection(host, port, timeout=1)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
