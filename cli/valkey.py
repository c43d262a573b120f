"""The embedded Valkey of a data directory."""

from __future__ import annotations

from pathlib import Path

from cli.errors import Unusable
from events.embedded import EmbeddedValkey
from events.errors import EmbeddedError


def start_valkey(data: Path) -> EmbeddedValkey:
    """Start the server that keeps its data below `data`; raises `Unusable` when that cannot be."""
    valkey = EmbeddedValkey(data / "valkey")
    try:
        valkey.start()
    except EmbeddedError as error:
        raise Unusable(str(error)) from error
    return valkey
