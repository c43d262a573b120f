"""`cartulary operator`: make a player an operator, and take that back."""

from __future__ import annotations

from pathlib import Path

import click

from cartulary.cli.operators.orders import find_player
from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.events.model.errors import Invalid, QuotaExceeded
from cartulary.events.store import Store


@click.command()
@click.argument("player", required=False)
@click.option(
    "--days",
    default=90,
    show_default=True,
    type=click.IntRange(1, 3650),
    help="For so many days the token is valid.",
)
@click.option("--revoke", is_flag=True, help="Make PLAYER an operator no more.")
@data_option
def operator(player: str | None, days: int, revoke: bool, data: Path) -> None:
    """Make PLAYER an operator and print a token for the page `/admin`; without PLAYER list all.

    PLAYER is an id, or the name if one player alone has it. The token is shown this once; it may
    read and operate, nothing else. Exit 1 when there is no such player.
    """
    with open_store(data) as store:
        if player is None:
            if revoke:
                raise Unusable("say whose right to revoke")
            for player_id, name in store.office.operators.list_all().items():
                click.echo(f"{player_id}  {name}")
            return
        if revoke:
            _revoke(store, player)
        else:
            _grant(store, player, days)


def _grant(store: Store, player: str, days: int) -> None:
    found = find_player(store, player)
    try:
        issued = store.office.operators.grant(found, days)
    except (Invalid, QuotaExceeded) as error:
        raise Failed(str(error)) from error
    click.echo(f"{found.name} ({found.id}) is an operator", err=True)
    click.echo(issued.secret)


def _revoke(store: Store, player: str) -> None:
    found = find_player(store, player)
    if not store.office.operators.revoke(found.id):
        raise Failed(f"{found.name} is not an operator")
    click.echo(f"{found.name} is an operator no more")
