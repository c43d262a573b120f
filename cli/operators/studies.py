"""`cartulary studies`: show a study to an operator, hide it from others, let them see it again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cartulary.cli.operators.orders import find_user
from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.errors import Invalid, NotFound, StaleVersion
from cartulary.events.order.study_decisions import Command, StudyOrder
from cartulary.events.people.players import Player
from cartulary.studies.writing import write_document


@click.group()
def studies() -> None:
    """Show a study, hide it from all but its authors, and show it to others again.

    STUDY is the id that stands in its address. The service may run meanwhile.
    """


@studies.command("read")
@click.argument("study")
@data_option
def read_study(study: str, data: Path) -> None:
    """Show STUDY, private or hidden, as a study file. Exit 1 when there is no such study."""
    with open_store(data) as store:
        try:
            found = store.office.studies.read(study).study
        except NotFound as error:
            raise Failed(str(error)) from error
    click.echo(json.dumps(write_document(found), indent=2, ensure_ascii=False))


def _give_order(data: Path, study: str, order: StudyOrder) -> None:
    with open_store(data) as store:
        try:
            by = Intent(Player(find_user(), ""))
            done = store.office.studies.order(by, study, order)
        except (NotFound, StaleVersion) as error:
            raise Failed(str(error)) from error
        except Invalid as error:
            raise Unusable("; ".join(one["detail"] for one in error.errors)) from error
    is_so = "" if done.events else " (it was so)"
    click.echo(f"{done.study.title}: {_SAID[order.command]}{is_so}")


_SAID: dict[Command, str] = {"hide": "hidden", "show": "shown"}


def _make(command: Command, text: str) -> None:
    """Add the command of an order about STUDY."""

    def run(study: str, reason: str, report: str, data: Path) -> None:
        _give_order(data, study, StudyOrder(command, reason, report))

    run.__doc__ = f"{text}\n\n    Exit 1 when there is no such study, 2 without a reason.\n"
    options = (
        click.option("--report", default="", help="The id of the report that has led to it."),
        click.option("--reason", required=True, help="Why: for the log, and for the authors."),
        data_option,
        click.argument("study"),
    )
    for option in options:
        run = option(run)
    studies.command(command)(run)


_make("hide", "Let its authors alone read STUDY; they read the reason.")
_make("show", "Let others read STUDY again, from here on.")
