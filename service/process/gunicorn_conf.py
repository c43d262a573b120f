"""Configuration of gunicorn: `gunicorn -c python:cartulary.service.process.gunicorn_conf`.

A worker is an event loop with a few threads: a thread runs one request, and streams hold no thread.
Each process makes the app after the fork, so processes share no connection and no reader thread.
"""

from __future__ import annotations

import gc
import os
import signal
from typing import Any

from cartulary.service.process.connection_shares import Shares
from cartulary.service.process.logs import REQUESTS
from cartulary.service.process.logs import configure as _configure_logs
from cartulary.service.process.settings import WebSettings
from cartulary.settings.environment import Environment, warn_of_unknown

_settings = WebSettings.from_environment()
_environment = Environment.of_process()

wsgi_app = "cartulary.service.wsgi:app"
bind = _environment.text("BIND")
worker_class = "cartulary.service.server.worker.Worker"
workers = _environment.number("WEB_PROCESSES")
threads = _settings.threads
preload_app = False
keepalive = 30
timeout = 30
graceful_timeout = 4  # less than `serve` gives its children
control_socket_disable = True  # all services of a user would share one file
backlog = 2048
if _settings.certificate:
    certfile = _settings.certificate
    keyfile = _settings.key or _settings.certificate
limit_request_line = 8190
max_requests = 0
# With a heartbeat file on a slow disk, the master can kill a healthy process.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
accesslog = None
logconfig_dict = _configure_logs(_settings.log_level)

_shares = Shares()


def on_starting(server: Any) -> None:
    """Name the variables that set nothing."""
    warn_of_unknown(server.log.warning)


def when_ready(server: Any) -> None:
    """Show the supervisor that the master works: it looks for workers that hang once a second."""
    from cartulary.events.server.heartbeat import make_beat

    beat, look_for_hanging = make_beat(), server.murder_workers

    def look() -> None:
        beat()
        look_for_hanging()

    server.murder_workers = look


def pre_fork(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Prepare, in the master, that a process ends with the master."""
    from cartulary.events.server.die_with_parent import make_end_with_parent

    worker.end_with_parent = make_end_with_parent(signal.SIGKILL)


def post_fork(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Let a process end with the master, and give it its share of the connections.

    It loads the app next, of which nothing is garbage: `post_worker_init` enables the collector.
    """
    gc.disable()
    worker.end_with_parent()
    worker.share = _shares.of(worker.age)
    worker.share.set(0)


def post_worker_init(worker: Any) -> None:
    """Prepare a process that has loaded the app."""
    from cartulary.settings.garbage import collect_garbage_less_often

    collect_garbage_less_often()
    worker.report = worker.wsgi.show_connections
    worker.pulse = worker.wsgi.start_pulse()


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Note no more heartbeats, and write the last lines about requests."""
    if (pulse := getattr(worker, "pulse", None)) is not None:
        pulse.stop()
    REQUESTS.flush()


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Forget a process that has ended: its share of the connections, and its gauges."""
    _shares.of(worker.age).leave()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
