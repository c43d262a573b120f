"""Writes what the doctor has found: for people, for programs, and the page about all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from cartulary.cli.doctor.rows import Check, Diagnosis, Finding, Severity
from cartulary.cli.doctor.table import CHECK_FAILED, CHECKS
from cartulary.events.model.types import Json
from cartulary.events.server.format import FORMAT
from cartulary.events.server.heartbeat import read_release


def write_json(report: Diagnosis, whole: bool) -> Json:
    """Return a report for programs."""
    return {
        "healthy": report.healthy,
        "software": read_release(),
        "format": FORMAT,
        "level": report.level,
        "whole": whole,
        "findings": [_write_finding(one) for one in report.findings],
        "made": report.made,
        "skipped": report.skipped,
        "looked_at": report.looked_at,
    }


def _write_finding(one: Finding) -> Json:
    check = one.check
    return {
        "code": check.code,
        "severity": check.severity.value,
        "section": check.section,
        "seen": one.seen,
        "fault": check.fault,
        "remedy": check.remedy,
        "page": f"docs/{check.page}",
    }


def write_lines(report: Diagnosis) -> Iterator[str]:
    """Yield the lines of a report for people: each finding, then what was looked at."""
    for one in report.findings:
        check = one.check
        yield f"{check.severity.value.upper()} {check.code}: {one.seen}"
        yield f"  {_plain(check.fault)}"
        yield f"  do:  {_plain(check.remedy)}"
        yield f"  see: docs/{check.page}"
        yield ""
    yield from _write_sections(report)


def _write_sections(report: Diagnosis) -> Iterator[str]:
    wrong = Counter(one.check.section for one in report.findings)
    for section, rows in groupby(CHECKS, lambda check: check.section):
        codes = [check.code for check in rows]
        made = sum(code in report.made for code in codes)
        skipped = {why for code in codes if (why := report.skipped.get(code))}
        state = f"{wrong[section]} found" if wrong[section] else "well" if made else "not looked at"
        more = f"; {len(codes) - made} not made: {', '.join(sorted(skipped))}" if skipped else ""
        seen = f", {report.looked_at[section]}" if section in report.looked_at else ""
        yield f"{section:<10} {state} ({made} checks{seen}{more})"


def summarize(report: Diagnosis) -> str:
    """Return what was found in a few words."""
    found = Counter(one.check.severity for one in report.findings)
    return f"{found[Severity.ERROR]} errors and {found[Severity.WARNING]} warnings"


def _plain(text: str) -> str:
    return text.replace("`", "")


def describe_checks() -> str:
    """Return the table of all findings, in Markdown, for `docs/operating/doctor.md`."""
    lines = []
    for section, rows in groupby((*CHECKS, CHECK_FAILED), lambda check: check.section):
        lines += [f"### {section.capitalize()}", ""]
        lines += ["| code | | what is wrong | what to do |", "|---|---|---|---|"]
        lines += [*map(_describe, rows), ""]
    return "\n".join(lines)


def _describe(check: Check) -> str:
    link = f"[more](../{check.page})"
    return f"| `{check.code}` | {check.severity.value} | {check.fault} | {check.remedy} {link} |"
