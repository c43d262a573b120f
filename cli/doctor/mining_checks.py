"""Checks of the job that mines the archive for puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.cli.doctor.site import Site
from cartulary.events.mining.log import MiningLog
from cartulary.settings.settings import SettingsError

WAITS_MS: Final = 3_600_000
"""A slice gives way to everything else; workers that have no quarter of a second for so long have
none to spare."""


def find_stuck_mining(site: Site) -> Iterator[str]:
    """See whether mining goes on where the settings ask for it."""
    try:
        wanted = site.environment.number("MINING_SECONDS")
    except SettingsError:
        return  # `setting_invalid` names it
    if not wanted:
        return
    if not site.store.archive.is_set:
        yield "there is no archive that could be mined"
        return
    now = site.clock.now_ms()
    report = MiningLog(site.store.registry).read_report(now)
    waits_ms = now - report.waits_since if report.waits_since else 0
    if report.allowed_s != wanted:
        yield (
            f"the dispatcher allows {report.allowed_s} s of CPU a day, and CARTULARY_MINING_SECONDS"
            f" is {wanted}"
        )
    elif report.state.error:
        yield f"the archive has failed: {report.state.error}"
    elif waits_ms > WAITS_MS:
        yield f"no worker has mined for {waits_ms / 3_600_000:.1f} hours"
