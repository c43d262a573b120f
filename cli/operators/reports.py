"""`cartulary reports`: what players have reported, and how an operator answers."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cartulary.cli.operators.orders import find_user
from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.events.chat.complaint_lists import ALL, OPEN
from cartulary.events.chat.complaints import Complaint
from cartulary.events.model.errors import Invalid
from cartulary.events.order.answers import OperatorReply
from cartulary.events.store import Store


@click.group()
def reports() -> None:
    """Read the reports of players, answer them, and read the log of all decisions.

    The service may run meanwhile.
    """


@reports.command("list")
@click.option("--all", "show_all", is_flag=True, help="Also the reports that are closed.")
@data_option
def list_reports(show_all: bool, data: Path) -> None:
    """List the open reports, the oldest first."""
    with open_store(data) as store:
        for complaint in store.complaints.walk(ALL if show_all else OPEN):
            click.echo(describe(complaint))


def describe(complaint: Complaint) -> str:
    """Return a report in one line."""
    state = "open" if complaint.closed_at is None else "closed"
    subject = complaint.subject
    if complaint.kind == "message":
        author = subject["player"] or {"name": "a deleted account"}
        what = f"{author['name']}: {subject['text'] or subject['phrase'] or '(deleted)'}"
    elif complaint.study is not None:
        what = f"{subject['player']['name']}: {subject['title']} (/studies/{subject['id']})"
    else:
        what = subject["name"] if complaint.kind == "player" else subject
    by = complaint.by["name"]
    return f"{complaint.id}  {complaint.at}  {state}  {by}: {complaint.reason}: {what}"


@reports.command("show")
@click.argument("report")
@data_option
def show_report(report: str, data: Path) -> None:
    """Show everything about REPORT, as JSON. Exit 1 when there is no such report."""
    with open_store(data) as store:
        found = _find(store, report)
    click.echo(json.dumps(found._asdict(), indent=2, ensure_ascii=False))


@reports.command("close")
@click.argument("report")
@click.option("--answer", "text", default="", help="What the player who has reported reads.")
@click.option("--note", default="", help="What to remember about the decision.")
@click.option("--delete-message", is_flag=True, help="Delete the message, a stub stays.")
@data_option
def close_report(report: str, text: str, note: str, delete_message: bool, data: Path) -> None:
    """Close REPORT, with an answer. Exit 1 when there is no such report, 2 without a message."""
    with open_store(data) as store:
        _find(store, report)
        answer = OperatorReply(find_user(), text, note, delete_message)
        try:
            store.office.answers.answer(report, answer)
        except Invalid as error:
            raise Unusable("; ".join(one["detail"] for one in error.errors)) from error
    click.echo("closed")


@reports.command("players")
@data_option
def list_players(data: Path) -> None:
    """List the players who are muted or suspended now."""
    with open_store(data) as store:
        for what, sentences in (
            ("muted", store.office.muted),
            ("suspended", store.office.suspended),
        ):
            for player_id, sentence in sorted(sentences.list_all().items()):
                found = store.players.by_id(player_id)
                name = "a deleted account" if found is None else found.name
                until = sentence.until_text or "for good"
                click.echo(f"{player_id}  {name}  {what}  {until}  {sentence.reason}")


@reports.command("log")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@data_option
def show_log(limit: int, data: Path) -> None:
    """Show what operators have decided, the newest first, a line of JSON each."""
    with open_store(data) as store:
        for entry in store.office.log.read(limit=limit).entries:
            click.echo(json.dumps(entry._asdict(), ensure_ascii=False))


def _find(store: Store, report: str) -> Complaint:
    found = store.complaints.find(report)
    if found is None:
        raise Failed(f"there is no report {report}")
    return found
