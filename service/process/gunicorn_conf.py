"""Configuration of gunicorn: `gunicorn -c python:cartulary.service.process.gunicorn_conf`.

Threads (gthread), because a stream of events holds one and the rest of a request is short. The
app is made in each process after the fork: no connection and no reader thread is ever shared.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from types import FrameType
from typing import Any

from cartulary.service.process.logs import REQUESTS
from cartulary.service.process.logs import config as _log_config
from cartulary.service.process.settings import Settings

_settings = Settings.from_environment()

wsgi_app = "cartulary.service.wsgi:app"
bind = os.environ.get("CARTULARY_BIND", "127.0.0.1:8000")
worker_class = "cartulary.service.process.gateway.Worker"
workers = int(os.environ.get("CARTULARY_WEB_PROCESSES", "2"))
threads = _settings.threads
preload_app = False
keepalive = 30
timeout = 30
graceful_timeout = 4  # less than `serve` gives its children
control_socket_disable = True  # it would be one file for all services of a user
backlog = 2048
limit_request_line = 8190
max_requests = 0
# A heartbeat file on a disk that is slow can make the master kill a healthy process.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
accesslog = None
logconfig_dict = _log_config(_settings.log_level)


def post_worker_init(worker: Any) -> None:
    """Settle a process that has loaded the app."""
    _look_for_cycles_less_often()
    _close_streams_on_stop(worker)


def _look_for_cycles_less_often() -> None:
    """Spare the garbage collector the code, and the hundreds of positions that are remembered.

    None of that is garbage, and walking over it took a tenth of the time and most of the 99th
    percentile.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _close_streams_on_stop(worker: Any) -> None:
    """Close the streams when the process is told to stop: they would outlast the grace period."""
    from cartulary.service.http.context import parts

    app = worker.wsgi
    with app.app_context():
        hub = parts().store.hub
    stop = signal.getsignal(signal.SIGTERM)

    def close_streams(number: int, frame: FrameType | None) -> None:
        # Not in the handler itself: the hub takes locks that a thread may hold just now.
        threading.Thread(target=hub.close, daemon=True).start()
        if callable(stop):
            stop(number, frame)

    signal.signal(signal.SIGTERM, close_streams)


def worker_exit(_server: Any, _worker: Any) -> None:
    """Write the last lines about requests."""
    REQUESTS.flush()


def child_exit(_server: Any, worker: Any) -> None:
    """Take the gauges of a process that has gone out of the metrics."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
