"""The certificate of the service: loaded from its files, and loaded again when they change."""

from __future__ import annotations

import logging
import os
import ssl

log = logging.getLogger("cartulary.service")

Mark = tuple[tuple[int, int, int], ...]
"""What changes when a file is written or replaced: of each file the inode, the time, the size."""


class Certificate:
    """A certificate and its key, in PEM."""

    def __init__(self, certificate: str, key: str) -> None:
        """Load the files; raises `OSError` for files that are no certificate and key."""
        self._files = (certificate, key)
        self._mark = self._read_mark()
        self.context = self._load()

    def renew(self) -> ssl.SSLContext | None:
        """Return a context with the new certificate, None when nothing usable is new.

        A renewal may replace one file after the other. Files that do not fit together yet are
        loaded again when they change again, and the earlier certificate serves meanwhile.
        """
        mark = self._read_mark()
        if mark == self._mark:
            return None
        self._mark = mark
        try:
            self.context = self._load()
        except OSError as error:  # errors of ssl are errors of the system, too
            log.warning("the new certificate is not usable, the earlier serves on: %s", error)
            return None
        log.info("a new certificate is in use")
        return self.context

    def _read_mark(self) -> Mark:
        return tuple(map(_mark_file, self._files))

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self._files)
        context.set_alpn_protocols(["http/1.1"])
        return context


def _mark_file(name: str) -> tuple[int, int, int]:
    try:
        found = os.stat(name)
    except OSError:  # a renewal is under way
        return 0, 0, 0
    return found.st_ino, found.st_mtime_ns, found.st_size
