"""Checks of what the store holds: whether it is complete, and may be worked on."""

from __future__ import annotations

from collections.abc import Iterator

from cartulary.cli.doctor.site import Site
from cartulary.events.model.failures import NewerRelease
from cartulary.events.server.format import FORMAT, HalfRestored


def find_newer_format(site: Site) -> Iterator[str]:
    """See whether a newer release has written to the store."""
    if isinstance(site.unusable, NewerRelease):
        yield str(site.unusable)


def find_half_restored(site: Site) -> Iterator[str]:
    """See whether a restore was interrupted."""
    if isinstance(site.unusable, HalfRestored):
        yield str(site.unusable)


def find_low_format(site: Site) -> Iterator[str]:
    """See whether the format level is held back although no process of an earlier release works."""
    if 0 < site.level < FORMAT and any(one.format == FORMAT for one in site.signs):
        yield f"the store has format level {site.level}, this release writes {FORMAT}"
