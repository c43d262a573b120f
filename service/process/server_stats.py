"""What a server counts, for the metrics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ServerStats:
    """The connections of a process at one moment."""

    connections: int = 0
    connections_silent: int = 0
    connections_refused: int = 0
    streams_waiting_bytes: int = 0
    streams_dropped: int = 0
