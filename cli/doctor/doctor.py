"""The command `cartulary doctor`."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from cartulary.cli.doctor.looking import examine
from cartulary.cli.doctor.site import Site
from cartulary.cli.doctor.writing import describe_checks, summarize, write_json, write_lines
from cartulary.cli.operators.store import data_option, find_archive_url
from cartulary.cli.shared.data_directory import is_directory, url_in_use
from cartulary.cli.shared.environment import events_url
from cartulary.cli.shared.errors import Failed, Unusable


@click.command()
@data_option
@click.option("--all", "whole", is_flag=True, help="Look at each game and key, not at a sample.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", is_flag=True, help="Print the table of all findings, and look nowhere.")
def doctor(data: Path, whole: bool, as_json: bool, markdown: bool) -> None:
    """Say what is wrong with an installation, and what to do.

    Looks at the settings, the store, the clocks, the processes, what waits, the archive and the
    backups. Changes and starts nothing. Exit 1 when something is wrong.
    """
    if markdown:
        click.echo(describe_checks(), nl=False)
        return
    site = Site(data, _find_url(data), _find_archive(data), whole)
    try:
        report = examine(site)
    finally:
        site.close()
    if as_json:
        click.echo(orjson.dumps(write_json(report, whole)).decode())
    else:
        for line in write_lines(report):
            click.echo(line)
    if not report.healthy:
        raise Failed(summarize(report))


def _find_url(data: Path) -> str:
    """Return the address of the store, '' where it is unknown or `setting_invalid` names it.

    Raises `Unusable` where there is neither an address nor a directory to look at.
    """
    try:
        url = events_url() or url_in_use(data)
    except Unusable:
        return ""
    if not url and not is_directory(data):
        raise Unusable(
            f"there is no data directory {data}; name it with --data or set CARTULARY_EVENTS_URL"
        )
    return url or ""


def _find_archive(data: Path) -> str:
    """Return the address of the archive, '' for none; `setting_invalid` names an unreadable one."""
    try:
        return find_archive_url(data)
    except Unusable:
        return ""
