"""`cartulary mute`, `unmute`, `suspend`, `unsuspend`, `rename`, `close`: decide about a player."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.key_file import find_keys, make_keyring
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.model.errors import Invalid, NotFound
from cartulary.events.model.failures import DrawsUnavailable
from cartulary.events.order.log import LogEntry
from cartulary.events.order.orders import MOST_DAYS, Command, Order
from cartulary.events.people.players import Player
from cartulary.events.store import Store

Option = Callable[[Callable[..., Any]], Callable[..., Any]]

_REASON = click.option(
    "--reason",
    required=True,
    help="Why: for the log, and for the player to read.",
)
_REPORT = click.option("--report", default="", help="The id of the report that has led to it.")
_DAYS = click.option(
    "--days", type=click.IntRange(1, MOST_DAYS), help="For so many days; default: for good."
)
_NAME = click.option("--name", help="The new name; default: one that says nothing.")


def find_user() -> str:
    """Return who works at this terminal, as the log names them."""
    try:
        return f"cli:{getpass.getuser()}"
    except (KeyError, OSError):  # a container whose user has no name
        return f"cli:{os.getuid()}"


def find_player(store: Store, text: str) -> Player:
    """Return the player with an id or a name; raises `Failed` unless there is exactly one."""
    found = store.office.standings.find_exactly(text)
    if len(found) > 1:
        listed = "\n".join(f"  {one.id}  since {one.created_at}" for one in found)
        raise Failed(f"{len(found)} players have the name {text}; name one by id:\n{listed}")
    try:
        return store.office.orders.find(found[0].id if found else text)
    except NotFound as error:
        raise Failed(str(error)) from error


def give_order(data: Path, command: Command, player: str, **more: Any) -> LogEntry:
    """Carry out an order about a player named by id or name. Raises `Failed`, `Unusable`."""
    # A game that waits for players ends when its host is taken out: its secret is disclosed then.
    with open_store(data, keyring=make_keyring(find_keys(data))) as store:
        found = find_player(store, player)
        try:
            done = store.office.orders.give(Order(command, found.id, by=find_user(), **more))
        except Invalid as error:
            raise Unusable("; ".join(one["detail"] for one in error.errors)) from error
        except (ArchiveError, DrawsUnavailable) as error:
            raise Failed(f"not done, give the order again: {error}") from error
    until = "" if done.until is None else f" until {done.until}"
    name = f"{done.names[0]} is now {done.names[1]}" if done.names else f"{found.name}: {command}"
    click.echo(f"{name}{until}")
    return done


def _make(command: Command, text: str, *options: Option) -> click.Command:
    """Return the command of an order about PLAYER."""

    def run(player: str, data: Path, **more: Any) -> None:
        give_order(data, command, player, **more)

    run.__doc__ = (
        f"{text}\n\n    PLAYER is an id, or the name if one player alone has it. The service may "
        "run meanwhile. Exit 1\n    without such a player, 2 where the order makes no sense.\n"
    )
    for option in (*options, _REPORT, _REASON, data_option, click.argument("player")):
        run = option(run)
    return click.command(command)(run)


mute = _make("mute", "Let PLAYER write no messages.", _DAYS)
unmute = _make("unmute", "Let PLAYER write messages again.")
suspend = _make(
    "suspend", "Let PLAYER read only, and take the player out of all games and seeks.", _DAYS
)
unsuspend = _make("unsuspend", "Let PLAYER play again; seats that were left stay left.")
rename = _make("rename", "Give PLAYER another name, and take the name of before away.", _NAME)
close = _make("close", "Delete the account of PLAYER for good.")
