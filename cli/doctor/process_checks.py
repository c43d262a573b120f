"""Checks of the processes by their signs of life: which are missing, and which do not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.cli.doctor.site import OF_JOBS, Site
from cartulary.events.draws.keyring import MARK
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT
from cartulary.events.server.heartbeat import Sign, read_release

REPORTS_WITHIN_S: Final = 10.0
"""A dispatcher reports once a second; `/readyz` is 503 without a report for so long."""


def _has(site: Site, *names: str) -> bool:
    return any(one.name in names for one in site.signs)


def find_no_web(site: Site) -> Iterator[str]:
    """See whether a web process works."""
    if not _has(site, "web"):
        yield "no web process has shown itself within the last 15 s"


def find_no_dispatcher(site: Site) -> Iterator[str]:
    """See whether a dispatcher works."""
    age = None if site.backlog is None else site.backlog.age
    if age is None or age > REPORTS_WITHIN_S or not _has(site, "dispatcher"):
        last = "there has never been one" if age is None else f"the last is {age:.0f} s old"
        yield f"no dispatcher reports: {last}"


def find_no_worker(site: Site) -> Iterator[str]:
    """See whether a worker takes jobs."""
    if not _has(site, *OF_JOBS):
        yield "no worker is registered at the server of the queues"


def find_no_thinker(site: Site) -> Iterator[str]:
    """See whether a worker takes the jobs of bots that think."""
    if _has(site, "fast") and not _has(site, "worker"):
        yield "each worker runs with `--fast`"


def find_no_notifier(site: Site) -> Iterator[str]:
    """See whether a notifier works, unless the settings want no notifier."""
    if site.environment.flag("NOTICES") and not _has(site, "notifier"):
        yield "no notifier has shown itself within the last 15 s"


def find_other_releases(site: Site) -> Iterator[str]:
    """See whether all processes are of the release of this command."""
    own = read_release()
    for one in site.signs:
        if (one.release, one.format) != (own, FORMAT):
            yield (
                f"{_name(one)} is of release {one.release or 'unknown'} with format level "
                f"{one.format or 'unknown'}; this command is of {own} with {FORMAT}"
            )


def find_other_keys(site: Site) -> Iterator[str]:
    """See whether the processes have the key that the store notes."""
    noted = site.store.registry.get(keys.key_check())
    if noted is None:
        return
    mark = bytes(noted)[:MARK].decode(errors="replace")  # type: ignore[arg-type]
    for one in site.signs:
        if one.key and one.key != mark:
            yield f"{_name(one)} encrypts with the key {one.key}…, the store notes {mark}…"


def _name(one: Sign) -> str:
    return f"{one.name} (pid {one.pid} on {one.host})"
