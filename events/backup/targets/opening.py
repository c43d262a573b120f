"""Opening the target that an address names."""

from __future__ import annotations

from pathlib import Path

from cartulary.events.backup.targets.folder import BackupFolder
from cartulary.events.backup.targets.target import SCHEME, BackupTarget, TargetError


def is_target(address: str) -> bool:
    """Return whether an address names a target: a bucket, a folder, or what ends with a slash."""
    return address.startswith(SCHEME) or address.endswith("/") or Path(address).is_dir()


def open_target(address: str) -> BackupTarget:
    """Return the target of an address; raises `TargetError`, also where its library is missing."""
    if not address.startswith(SCHEME):
        return BackupFolder(Path(address))
    try:
        # Loaded for buckets only: its library is an extra.
        from cartulary.events.backup.targets.s3 import S3Bucket
    except ModuleNotFoundError as error:
        raise TargetError(
            f"a bucket needs {error.name}: pip install 'cartulary-games[backup]'"
        ) from error
    return S3Bucket(address)
