"""The programs of the service that `serve` keeps running."""

from __future__ import annotations

from typing import NamedTuple

WEB = ("gunicorn", "--config", "python:cartulary.service.process.gunicorn_conf")


class Programs(NamedTuple):
    """What is started: `web` with its arguments, the modules of all others."""

    web: tuple[str, ...] = WEB
    dispatcher: str = "cartulary.workers.dispatcher"
    worker: str = "cartulary.workers.worker"
    notifier: str = "cartulary.workers.notices.notifier"


USUAL = Programs()
