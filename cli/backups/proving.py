"""The proof of a backup: it is restored into a scratch store, and all its games are audited."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from functools import partial
from typing import BinaryIO

from redis import RedisError

from cartulary.cli.operators.store import open_by_url
from cartulary.cli.processes.valkey import start_valkey
from cartulary.cli.shared.environment import ARCHIVE_FILE
from cartulary.events.archive.archive_backup import Carrier
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.backup import load as loading
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.targets.scratch import open_scratch
from cartulary.events.store import Store
from cartulary.events.upkeep.auditing import audit_all, verify_studies, verify_tournaments
from cartulary.events.upkeep.rebuild import rebuild

SHOWN = 5
"""Problems that a refusal names."""


class Refuted(BackupError):
    """A backup that does not restore to a store whose audit finds nothing."""


def prove(file: BinaryIO, jobs: int = 1) -> loading.Contents:
    """Restore a backup into a scratch store and audit it; return what the backup contains.

    The scratch store is an embedded Valkey with an archive in a temporary folder (`TMPDIR`), which
    takes about the room of the store. Raises `Refuted` when the backup does not hold, and
    `RedisError`, `OSError`, `click.ClickException` when the proof itself was not possible.
    """
    try:
        contents = loading.check_file(file)
    except BackupError as error:
        raise Refuted(str(error)) from error
    with open_scratch() as folder:
        valkey = start_valkey(folder)
        try:
            archive = f"sqlite:///{folder}/{ARCHIVE_FILE}" if contents.archived else ""
            broken = _restore(str(valkey.url), archive, file, contents)
            _audit(str(valkey.url), archive, jobs, broken)
        finally:
            valkey.stop()
    return contents


def _restore(url: str, archive: str, file: BinaryIO, contents: loading.Contents) -> list[str]:
    """Restore a backup into an empty store; return the games that cannot be rebuilt."""
    store = open_by_url(url, archive)
    try:
        loading.begin(store.redis, contents, "proof")
        if contents.archived:
            store.archive_state.claim(store.archive.archive.identify())
        carrier = Carrier(store.archive)
        loading.load(store.redis, file, contents, put_archived=carrier.add)
        carrier.finish()
        broken = rebuild(store)
        loading.end(store.redis)
    except (BackupError, ArchiveError) as error:
        raise Refuted(f"it cannot be restored: {error}") from error
    finally:
        store.close()
    return broken


def _audit(url: str, archive: str, jobs: int, broken: list[str]) -> None:
    """Raise `Refuted` where a game, tournament or study does not hold, or cannot be rebuilt."""
    faults = list[str]()
    try:
        for report in audit_all(partial(open_by_url, url, archive), jobs):
            faults += [f"game {report.game_id}: {one['problem']}" for one in report.problems[:1]]
    except BrokenExecutor as error:
        raise RedisError("a process that audits was killed") from error
    store = open_by_url(url, archive)
    try:
        faults += _verify_others(store)
    finally:
        store.close()
    faults = faults or [f"game {game_id} cannot be rebuilt" for game_id in broken]
    if faults:
        raise Refuted(f"{len(faults)} do not hold: {'; '.join(faults[:SHOWN])}")


def _verify_others(store: Store) -> list[str]:
    """Return what does not hold of tournaments and studies, the first problem of each."""
    tournaments = ((id_, report.problems) for id_, report in verify_tournaments(store))
    kinds = (("tournament", tournaments), ("study", verify_studies(store)))
    return [
        f"{kind} {id_}: {problems[0]['problem']}"
        for kind, found in kinds
        for id_, problems in found
        if problems
    ]
