"""Makes the checks of the table, and says what was found and what was not looked at."""

from __future__ import annotations

from collections.abc import Iterable

from redis import RedisError

from cartulary.cli.doctor.rows import Check, Diagnosis, Finding, Needs
from cartulary.cli.doctor.site import Site
from cartulary.cli.doctor.table import CHECK_FAILED, CHECKS
from cartulary.cli.shared.errors import Unusable
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.server.servers import find_missing
from cartulary.settings.settings import SettingsError

NO_SERVER = "no store answers"
NOT_OURS = "this release may not work on the store"
NO_ARCHIVE = "there is no archive"
HOLES = "slots of the cluster are missing"


def examine(site: Site, checks: Iterable[Check] = CHECKS) -> Diagnosis:
    """Make all checks whose needs are there; never raises for what a server or the archive says."""
    report = Diagnosis([], [], {}, site.looked_at)
    for check in checks:
        try:
            _make(site, check, report)
        except SettingsError as error:
            report.skipped[check.code] = str(error)  # `setting_invalid` names it
        except RedisError as error:
            _note_refusal(site, check, report, error)
        except (ArchiveError, Unusable, OSError, ValueError) as error:
            report.findings.append(Finding(CHECK_FAILED, f"`{check.code}`: {error}"))
    return report._replace(level=_read_level(site))


def _read_level(site: Site) -> int | None:
    """Return the format level of the store, and note that it was looked at; None without one."""
    try:
        level = None if site.trouble else site.level or None
    except RedisError:
        return None  # what the registry refuses the checks have named
    if level is not None:
        site.looked_at["store"] = f"format level {level}"
    return level


def _make(site: Site, check: Check, report: Diagnosis) -> None:
    """Make a check, or note what it lacks. Raises what the check raises."""
    if why := _find_lack(site, check.needs):
        report.skipped[check.code] = why
        return
    report.findings.extend(Finding(check, seen) for seen in check.look(site))
    report.made.append(check.code)


def _note_refusal(site: Site, check: Check, report: Diagnosis, error: RedisError) -> None:
    """Note that a server has refused what a check asked for, unless it is known to be away."""
    if "store" in site.__dict__ and find_missing(site.store.redis):
        report.skipped[check.code] = HOLES
    else:
        report.findings.append(Finding(CHECK_FAILED, f"`{check.code}`: {error}"))


def _find_lack(site: Site, needs: Needs) -> str:
    """Return what is missing that a check needs, '' for nothing. Raises `RedisError`."""
    if needs is Needs.NOTHING:
        return ""
    if site.trouble:
        return NO_SERVER
    if needs is Needs.SERVERS:
        return ""
    if site.unusable is not None:
        return NOT_OURS
    if needs is Needs.ARCHIVE and not site.store.archive.is_set:
        return NO_ARCHIVE
    return ""
