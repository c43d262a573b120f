"""Checks of the clocks of the machines: clocks of games run by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.cli.doctor.site import Site
from cartulary.events.model.clock import format_time
from cartulary.events.server.heartbeat import ROUGHLY_S

OFF_MS: Final = 5_000
"""Two web machines that differ by more than 10 s make one long outage of all the time."""

SPARE_MS: Final = 15_000
"""An outage that has just ended lasts for the margin; a clock may be off by some seconds more."""


def find_own_clock(site: Site) -> Iterator[str]:
    """See whether this machine and the servers have the same time."""
    for server in site.servers:
        if abs(server.ahead_ms) > OFF_MS:
            yield f"this machine is {_show(server.ahead_ms / 1000)} {server.name}"


def find_other_clocks(site: Site) -> Iterator[str]:
    """See whether the machines of the processes have the time of the store."""
    for one in site.signs:
        if abs(one.ahead_s) > ROUGHLY_S:
            yield f"{one.host} ({one.name}, pid {one.pid}) is {_show(one.ahead_s)} the store"


def find_outage_ahead(site: Site) -> Iterator[str]:
    """See whether an outage lies in the future, which a clock has noted that was far ahead."""
    margin_ms = 1000 * site.environment.number("OUTAGE_MARGIN")
    seconds, _ = site.store.registry.time()
    for begin, end in site.store.outages.read():
        if end > 1000 * seconds + margin_ms + SPARE_MS:
            yield f"an outage from {format_time(begin)} until {format_time(end)} ({begin}-{end})"


def _show(ahead_s: float) -> str:
    return f"{abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'}"
