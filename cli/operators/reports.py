"""`cartulary reports`: what players have reported, and what an operator does about it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.events.chat.complaints import Complaint
from cartulary.events.store import Store

DAY_MS = 24 * 3_600_000


@click.group()
def reports() -> None:
    """Read the reports of players, close them, and mute players.

    The service may run meanwhile.
    """


@reports.command("list")
@click.option("--all", "show_all", is_flag=True, help="Also the reports that are closed.")
@data_option
def list_reports(show_all: bool, data: Path) -> None:
    """List the open reports, the oldest first."""
    with open_store(data) as store:
        found = store.complaints.all()
    for complaint in found:
        if show_all or complaint.closed_at is None:
            click.echo(describe(complaint))


def describe(complaint: Complaint) -> str:
    """Return a report in one line."""
    state = "open" if complaint.closed_at is None else "closed"
    subject = complaint.subject
    if complaint.kind == "message":
        author = subject["player"] or {"name": "a deleted account"}
        what = f"{author['name']}: {subject['text'] or subject['phrase'] or '(deleted)'}"
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
@click.option("--note", default="", help="What to remember about the decision.")
@click.option("--delete-message", is_flag=True, help="Delete the message, a stub stays.")
@data_option
def close_report(report: str, note: str, delete_message: bool, data: Path) -> None:
    """Close REPORT. Exit 1 when there is no such report, or no message to delete."""
    with open_store(data) as store:
        found = _find(store, report)
        if delete_message:
            _delete(store, found)
        store.complaints.close(found, note)
    click.echo("closed")


def _delete(store: Store, complaint: Complaint) -> None:
    if complaint.kind != "message":
        raise Unusable(f"this report is about a {complaint.kind}, not about a message")
    subject = complaint.subject
    message = store.talk.find(subject["game"], subject["id"])
    if message is None:
        raise Failed("the room does not keep the message any more; nothing is changed")
    store.talk.remove(message)


@reports.command("mute")
@click.argument("player")
@click.option("--days", type=click.IntRange(1, 3650), help="For so many days; default: for good.")
@click.option("--reason", default="", help="Why, for the operators.")
@data_option
def mute(player: str, days: int | None, reason: str, data: Path) -> None:
    """Let PLAYER (an id) write no messages. Exit 1 when there is no such player."""
    with open_store(data) as store:
        found = store.players.by_id(player)
        if found is None:
            raise Failed(f"there is no player {player}")
        until = None if days is None else store.clock.now_ms() + days * DAY_MS
        store.mutes.silence(found.id, reason, until)
    click.echo(f"{found.name} is muted")


@reports.command("unmute")
@click.argument("player")
@data_option
def unmute(player: str, data: Path) -> None:
    """Let PLAYER (an id) write again. Exit 1 when the player was not muted."""
    with open_store(data) as store:
        if not store.mutes.release(player):
            raise Failed(f"{player} is not muted")
    click.echo("the player may write again")


@reports.command("muted")
@data_option
def list_muted(data: Path) -> None:
    """List the players who may not write now."""
    with open_store(data) as store:
        for player_id, sentence in sorted(store.mutes.silenced().items()):
            found = store.players.by_id(player_id)
            name = "a deleted account" if found is None else found.name
            until = sentence.until_text or "for good"
            click.echo(f"{player_id}  {name}  {until}  {sentence.reason}")


def _find(store: Store, report: str) -> Complaint:
    found = store.complaints.find(report)
    if found is None:
        raise Failed(f"there is no report {report}")
    return found
