"""What the embedded server cannot do."""

from __future__ import annotations

from cartulary.events.model.errors import LedgerError


class EmbeddedError(LedgerError):
    """The embedded server cannot do what was asked."""


class DataDirInUse(EmbeddedError):
    """Another process is serving this data directory."""


class NoServer(EmbeddedError):
    """There is neither the bundled server nor one of version 7 or later on PATH."""


class StopRequested(LedgerError):
    """The caller cancelled the start of the embedded server."""
