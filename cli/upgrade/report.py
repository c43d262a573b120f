"""What `cartulary upgrade --rehearse` says, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

from cartulary.cli.upgrade.copying import Copied
from cartulary.cli.upgrade.rehearsal import Rehearsal
from cartulary.cli.upgrade.undoing import list_levels, list_migrations
from cartulary.events.model.types import Json
from cartulary.events.server.format import ALIVE_MS, FORMAT

MIB = 1024 * 1024
_OTHERS = ("tournament", "study")
_LATER = "once no earlier process runs"


def describe(copied: Copied, found: Rehearsal) -> Json:
    """Return the whole report: `holds` is the answer, times in seconds, sizes in bytes."""
    streams, compared = found.streams, found.compared
    return {
        "of": copied.label,
        "holds": found.holds,
        "written_by": {"software": copied.software, "format": copied.level, "at": copied.at},
        "this_release": {"software": version("cartulary-games"), "format": FORMAT},
        "streams": {**streams._asdict(), "problems": len(streams.problems)},
        "archived": found.archived,
        "problems": streams.problems,
        "projections": None if compared is None else compared._asdict(),
        "takes": {
            "seconds": round(found.takes_s + copied.migration_s, 1),
            "migration_seconds": round(copied.migration_s, 1),
            "games_to_rebuild": found.to_rebuild,
            "games_per_second": round(found.rebuilt / found.rebuild_s, 1) if found.rebuild_s else 0,
            "level_rises_after_seconds": ALIVE_MS / 1000,
        },
        "bytes": {
            "copied": copied.bytes,
            "store": found.store_bytes,
            "live_store": found.live_bytes,
            "archive": found.archive_bytes,
        },
        "cannot_be_undone": {
            "levels": list_levels(copied.level),
            # A backup has what is archived, but not the tables that it was in.
            "migrations": None
            if found.archived and copied.tables is None
            else list(list_migrations(copied.tables, copied.is_file)),
        },
    }


def write_lines(report: Json) -> Iterator[str]:
    """Yield the lines of a report for people."""
    for one in report["problems"]:
        yield _write_problem(one)
    for game_id in (report["projections"] or {}).get("different", ()):
        yield f"{game_id}: its stored summary is not the one that its events make"
    then, now = report["written_by"], report["this_release"]
    yield f"read: {report['of']}, format level {then['format']}, at {then['at']}"
    yield f"with: this release, {now['software']}, format level {now['format']}"
    yield from _write_findings(report)
    yield from _write_effort(report)
    yield from _write_undoing(report["cannot_be_undone"])
    yield "nothing was changed"


def _write_problem(one: Json) -> str:
    where = one.get("game") or next(f"{kind} {one[kind]}" for kind in _OTHERS if kind in one)
    return f"{where}, version {one['version']}: {one['problem']}: {one['detail']}"


def _write_findings(report: Json) -> Iterator[str]:
    streams, compared = report["streams"], report["projections"]
    games = f"{streams['games']} games ({report['archived']} archived)"
    verdict = f"{streams['problems']} problems" if streams["problems"] else "all hashes agree"
    yield (
        f"folded: {games}, {streams['tournaments']} tournaments, {streams['studies']} studies, "
        f"{streams['events']} events: {verdict}"
    )
    if compared is None:
        yield "summaries: a backup has none to compare with"
        return
    yield (
        f"summaries: {compared['same']} as stored, {compared['aged'] + compared['missing']} to be "
        f"made again, {compared['moved_on']} of games that went on, "
        f"{len(compared['different'])} differ"
    )


def _write_effort(report: Json) -> Iterator[str]:
    takes, sizes = report["takes"], report["bytes"]
    now = "" if sizes["live_store"] is None else f"{sizes['live_store'] / MIB:.1f} MiB now, "
    yield (
        f"sizes: {sizes['copied'] / MIB:.1f} MiB to copy; of memory {now}"
        f"{sizes['store'] / MIB:.1f} MiB with this release; "
        f"archive {sizes['archive'] / MIB:.1f} MiB"
    )
    bound = "" if report["projections"] else "at most "
    yield (
        f"takes: {bound}{takes['seconds']} s on this machine while the service runs: "
        f"{takes['games_to_rebuild']} summaries at {takes['games_per_second']} a second, tables of "
        f"the archive {takes['migration_seconds']} s"
    )


def _write_undoing(found: Json) -> Iterator[str]:
    if found["migrations"] is None:
        yield (
            "cannot be undone, perhaps: a backup does not say which tables the archive has, "
            "`--rehearse live` does"
        )
    for one in found["migrations"] or ():
        since = "from the first process of this release on" if one["at_once"] else _LATER
        yield f"cannot be undone, {since}: tables {one['tables']} of the archive: {one['means']}"
    for one in found["levels"]:
        events = ", ".join(f"schema {each['schema']} of {each['type']}" for each in one["events"])
        means = f"{one['means']}{f' ({events})' if events else ''}"
        yield f"cannot be undone, {_LATER}: level {one['level']}: {means}"
    if found["migrations"] == [] and not found["levels"]:
        yield "the release before reads everything that this release writes"
