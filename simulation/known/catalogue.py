"""All known faults, by name."""

from __future__ import annotations

from typing import Final

from simulation.known import faults_of_processes, faults_of_streams
from simulation.known.known_fault import KnownFault
from simulation.known.patches import apply_patch

KNOWN: Final[dict[str, KnownFault]] = {
    fault.name: fault for fault in (*faults_of_streams.FAULTS, *faults_of_processes.FAULTS)
}


def put_back(name: str) -> KnownFault:
    """Put a past fault into the code of this interpreter. Raises `KeyError`, `PatchOutdated`."""
    fault = KNOWN[name]
    for patch in fault.patches:
        apply_patch(patch)
    return fault
