"""The gunicorn worker: one event loop, a few threads, and the app.

The master loads this module; what is of the app is imported after the fork, as a reload is to bring
new code.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from gunicorn.workers.base import Worker as BaseWorker

from cartulary.service.process import bounds
from cartulary.service.process.certificates import Certificate
from cartulary.service.process.connection_shares import Share
from cartulary.service.process.server_stats import ServerStats
from cartulary.service.server.connection_host import ServerLimits
from cartulary.service.server.loop import READ, EventLoop, make_drain
from cartulary.service.server.server import Server
from cartulary.service.server.thread_pool import Pool

NOTICED = 1.0
"""Seconds between signs of life to the master."""
MARGIN = 0.5
"""Seconds before the end of the grace period at which the process closes what is left."""


class Worker(BaseWorker):  # type: ignore[misc]
    """gunicorn's master starts, watches and stops it; the connections are ours."""

    report: Callable[[ServerStats], None] | None = None
    """Takes the figures of the server once a second; `post_worker_init` may set it."""
    share: Share | None = None
    """The share of the connections; `post_fork` may set it."""

    def init_process(self) -> None:
        """Begin, after the fork."""
        self.descriptors = bounds.raise_descriptors()
        super().init_process()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop soon. It takes no lock: the loop notices, woken by gunicorn's pipe of signals."""
        self.alive = False

    def run(self) -> None:
        """Serve until the master says stop."""
        loop = EventLoop()
        loop.watch(self.PIPE[0], READ, make_drain(self.PIPE[0]))
        limits = self._limits()
        certificate = self._find_certificate()
        tls = None if certificate is None else certificate.context
        server = Server(
            self.wsgi, self.cfg, self.sockets, limits, Pool(self.cfg.threads), loop, tls
        )
        server.share = self.share
        server.open()
        while self.alive:
            self._show_life(server)
            if certificate is not None and (renewed := certificate.renew()) is not None:
                server.secure(renewed)
            server.serve(self, NOTICED)
        self._drain(server)

    def _show_life(self, server: Server) -> None:
        self.notify()
        if self.ppid != os.getppid():
            self.log.info("the master has ended, so the worker stops")
            self.alive = False
        if self.report is not None:
            self.report(server.read_stats())

    def _drain(self, server: Server) -> None:
        """Let requests that are under way be answered, within the grace period."""
        server.stop()
        for listener in self.sockets:
            listener.close()
        end = time.monotonic() + max(0.0, self.cfg.graceful_timeout - MARGIN)
        while server.all and time.monotonic() < end:
            self.notify()
            server.turn()
        server.close()

    def _limits(self) -> ServerLimits:
        from cartulary.service.process.settings import WebSettings

        settings = WebSettings.from_environment()
        return ServerLimits(
            patience=settings.client_timeout,
            keepalive=self.cfg.keepalive,
            keep_body=max(settings.max_body, settings.max_import) + 1,
            connections=max(1, self.descriptors - bounds.RESERVED - bounds.SPARE),
            silent_of_address=0 if settings.proxies else bounds.SILENT_OF_ADDRESS,
            line_most=self.cfg.limit_request_line,
        )

    def _find_certificate(self) -> Certificate | None:
        if not self.cfg.is_ssl:
            return None
        return Certificate(self.cfg.certfile, self.cfg.keyfile)
