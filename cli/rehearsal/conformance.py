"""`cartulary conformance`: judge a client by the report of a rehearsal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.rehearsal.judging import Judgement, RuleVerdict, judge
from cartulary.rehearsal.report import BadReport, read_report


@click.command()
@click.argument("report", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option("--partial", is_flag=True, help="Accept rules that the rehearsal has not tested.")
def conformance(report: Path, as_json: bool, partial: bool) -> None:
    """Judge a client by the REPORT that `serve --rehearsal` wrote.

    Prints a line for each trouble and rule: passed, failed or untested, and why. Exit 1 when a rule
    is failed, or is untested without --partial.
    """
    try:
        found = judge(read_report(report))
    except OSError as error:
        raise Unusable(f"cannot read {report}: {error.strerror}") from error
    except BadReport as error:
        raise Unusable(str(error)) from error
    if as_json:
        rows = [{**one._asdict(), "verdict": one.verdict.value} for one in found]
        click.echo(json.dumps(rows, ensure_ascii=False))
    else:
        click.echo("\n".join(_write_table(found)))
    failed = _count(found, RuleVerdict.FAILED)
    untested = 0 if partial else _count(found, RuleVerdict.UNTESTED)
    if failed or untested:
        raise Failed(f"the client does not conform: {failed} failed, {untested} untested")


def _count(found: Sequence[Judgement], verdict: RuleVerdict) -> int:
    return sum(one.verdict is verdict for one in found)


def _write_table(found: Sequence[Judgement]) -> list[str]:
    rows = [
        (one.verdict.value, one.step or "the whole rehearsal", one.rule, one.why) for one in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]
        ).rstrip()
        for row in rows
    ]
