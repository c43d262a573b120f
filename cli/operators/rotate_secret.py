"""`cartulary rotate-secret`, and what `serve` checks about the key of the secrets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from redis import RedisError

from cartulary.cli.operators.store import data_option, open_by_url
from cartulary.cli.processes.valkey import start_valkey
from cartulary.cli.shared.data_directory import DataDir
from cartulary.cli.shared.environment import events_url, read_setting
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.key_file import (
    NAME,
    find_keys,
    make_key,
    make_keyring,
    write_keys,
)
from cartulary.events.model.failures import WrongKey
from cartulary.events.server.format import UnusableStore, check_format
from cartulary.events.store import Store
from cartulary.events.upkeep.renewal import renew_lost
from cartulary.settings.settings import SettingsError

Say = Callable[[str], None]


def prepare_store(url: str, keys: str, renew: bool, say: Say) -> None:
    """Check that this release and the keys can work with the store; renew draws where asked.

    Raises `Unusable` for a store of a newer release, of an interrupted restore, or with secrets
    under another key.
    """
    try:
        store = open_by_url(url, keyring=make_keyring(keys))
    except SettingsError as error:
        raise Unusable(str(error)) from error
    try:
        check_format(store.registry)
        check_keys(store, renew, say)
    except UnusableStore as error:
        raise Unusable(str(error)) from error
    except RedisError as error:
        if renew:
            raise Unusable(f"the draws cannot be renewed, no answer: {error}") from error
        say(f"the events server does not answer yet: {error}")
    finally:
        store.close()


def check_keys(store: Store, renew: bool, say: Say) -> None:
    """Check that the keys of `store` decrypt what is stored; `renew` replaces lost secrets.

    Raises `Unusable` for other keys, unless they are to be adopted by renewing. `RedisError`.
    """
    if renew:
        done = renew_lost(store)
        say(f"{len(done.renewed)} games go on with a new secret")
        if done.lost:
            say(f"{len(done.lost)} games wait for their score and end without their secret")
        return
    vault = store.vault
    if not vault.fits():
        raise Unusable(
            f"the key does not decrypt the secrets of this store ({vault.count()} unfinished "
            f"games). Put the right key into CARTULARY_SECRET or {NAME}. When the key is lost, "
            "start once with --renew-draws: these games go on, and their events say that the draws "
            "were renewed"
        )


@click.command("rotate-secret")
@data_option
def rotate_secret(data: Path) -> None:
    """Change the key that encrypts the secrets of the draws.

    Where the data directory holds the key: makes a new one, while no `serve` runs there. Where
    CARTULARY_SECRET holds it: set it to `NEW,OLD` for all processes, restart them, run this
    command, and set it to `NEW`. It may be repeated. Exit 1 when no key decrypts some secrets.
    """
    keys, url = find_keys(data), events_url()
    if not keys:
        raise Unusable(f"there is no key in {data}: start `cartulary serve` there first")
    if url is not None:
        _rotate(url, keys)
        return
    with DataDir(data) as data_dir:
        if read_setting("SECRET"):
            _rotate_directory(data_dir.path, keys)
        else:
            _change_file(data_dir.path, keys)


def _change_file(data: Path, old: str) -> None:
    """Change the key in the file of a data directory.

    The file has both keys until all secrets are encrypted with the new key: a rotation that is
    interrupted loses nothing.
    """
    new = make_key()
    _rotate_directory(data, write_keys(data, [new, *old.split(",")]))
    write_keys(data, [new])


def _rotate_directory(data: Path, keys: str) -> None:
    valkey = start_valkey(data)
    try:
        _rotate(str(valkey.url), keys)
    finally:
        valkey.stop()


def _rotate(url: str, keys: str) -> None:
    """Encrypt all secrets of a store with the first key; raises `Unusable`, `Failed`."""
    store = open_by_url(url, keyring=make_keyring(keys))
    try:
        vault = store.vault
        if not vault.fits():
            raise Unusable("CARTULARY_SECRET holds no key that fits the secrets of this store")
        # First: after `vault.rotate` the store says that all is under the new key.
        of_notices, lost = store.notices.rotate(store.keyring)
        done, unreadable = vault.rotate()
    except WrongKey as error:
        raise Unusable(str(error)) from error
    finally:
        store.close()
    click.echo(f"{done + of_notices} secrets are encrypted with the new key")
    if lost:
        click.echo(
            f"no key decrypts the secrets of {len(lost)} webhooks or addresses: {lost}", err=True
        )
    if unreadable:
        raise Failed(f"no key decrypts the secrets of {len(unreadable)} games: {unreadable}")
