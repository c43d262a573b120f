"""A bucket of S3, or of a server that speaks its protocol, as the target of backups.

The keys, the region and the address of another server than that of AWS come from the usual
variables: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any, BinaryIO, Final

from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import S3Store

from cartulary.events.backup.targets.scratch import open_scratch
from cartulary.events.backup.targets.target import SCHEME, MissingFile, TargetBusy, TargetError

LOCK: Final = "backup.lock"

STALE: Final = timedelta(seconds=120)
"""A lock that was not renewed for so long is that of a killed process."""

RENEW_S: Final = 30.0

TIMEOUT: Final = timedelta(seconds=10)
"""For a connection, and for the next bytes of an answer."""

PIECE: Final = 4 * 1024 * 1024
"""Bytes in memory while a file is read."""

_ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")


class S3Bucket:
    """A prefix in a bucket, `s3://BUCKET/PREFIX`. Raises `TargetError` for another address."""

    def __init__(self, url: str) -> None:
        self.name = url.rstrip("/")
        bucket, _, prefix = self.name.removeprefix(SCHEME).partition("/")
        if not self.name.startswith(SCHEME) or not bucket:
            raise TargetError(f"{url} is no address of a bucket: s3://BUCKET/PREFIX")
        with self._refuse():
            self._store: Any = _open(bucket, prefix)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the prefix by an object that is renewed, and stale when its process was killed.

        An upload that was cut off leaves no object, so there is nothing to remove.
        """
        ended = Event()
        with self._refuse():
            self._take_lock()
        thread = Thread(target=self._renew, args=(ended,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self.remove(LOCK)

    def _take_lock(self) -> None:
        """Write the lock where it is missing, or where that of another process is stale."""
        try:
            self._put_lock("create")
        except AlreadyExistsError:
            busy = TargetBusy(f"another process makes a backup to {self.name} now")
            found = self._store.head(LOCK)
            if self._read_time() - found["last_modified"] < STALE:
                raise busy from None
            try:
                self._put_lock({"e_tag": found["e_tag"]})
            except PreconditionError:
                raise busy from None

    def _read_time(self) -> Any:
        """Return the time of the server, by which objects have their times."""
        probe = f"{LOCK}.{os.urandom(8).hex()}"
        self._store.put(probe, b"")
        try:
            return self._store.head(probe)["last_modified"]
        finally:
            self._store.delete(probe)

    def _put_lock(self, mode: Any = "overwrite") -> None:
        self._store.put(LOCK, os.urandom(16).hex().encode(), mode=mode)

    def _renew(self, ended: Event) -> None:
        while not ended.wait(RENEW_S):
            try:
                self._put_lock()
            except BaseError:  # the next renewal is due soon
                continue

    @contextmanager
    def open_work(self) -> Iterator[Path]:
        """Yield a temporary folder (`TMPDIR`)."""
        with open_scratch() as work:
            yield work

    def list_names(self, prefix: str = "") -> Iterator[str]:
        """Yield the names that begin with a prefix, in order."""
        with self._refuse():
            folder = prefix.rpartition("/")[0] or None
            found = [one["path"] for some in self._store.list(folder) for one in some]
        yield from sorted(n for n in found if n.startswith(prefix) and not n.startswith(LOCK))

    def put(self, name: str, file: Path) -> None:
        """Store a file; a large one in parts, which become an object at the end."""
        with self._refuse():
            self._store.put(name, file)

    def get(self, name: str, into: BinaryIO) -> None:
        """Write a file into another file."""
        with self._refuse():
            into.writelines(self._store.get(name).stream(min_chunk_size=PIECE))

    def rename(self, name: str, new: str) -> None:
        """Copy a file within the bucket, and remove it under the old name."""
        with self._refuse():
            self._store.copy(name, new)
            self._store.delete(name)

    def remove(self, name: str) -> None:
        """Remove a file."""
        with self._refuse():
            self._store.delete(name)

    @contextmanager
    def _refuse(self) -> Iterator[None]:
        try:
            yield
        except BaseError as error:
            raise TargetError(f"{self.name}: {_first_line(error)}") from error
        except FileNotFoundError as error:
            raise MissingFile(f"{self.name}: {_first_line(error)}") from error
        except OSError as error:
            raise TargetError(f"{error.filename or self.name}: {error.strerror}") from error


def _open(bucket: str, prefix: str, environment: Mapping[str, str] = os.environ) -> S3Store:
    endpoint = next((environment[one] for one in _ENDPOINTS if one in environment), "")
    given: Any = {"endpoint": endpoint} if endpoint else {}
    return S3Store(
        bucket,
        prefix=prefix or None,
        client_options={
            "allow_http": endpoint.startswith("http://"),
            "connect_timeout": TIMEOUT,
            "read_timeout": TIMEOUT,
            "timeout": timedelta(hours=1),
        },
        retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=20)},
        **given,
    )


def _first_line(error: Exception) -> str:
    """Return what has happened without the details of the library, which fill a page."""
    return str(error).partition("\n")[0].removesuffix(":")
