"""All commands that read or write keys, in one table."""

from __future__ import annotations

from typing import Final

from simulation.store.commands import (
    hashes,
    keys,
    lists,
    sets,
    sorted_ranges,
    sorted_sets,
    stream_groups,
    streams,
    strings,
)
from simulation.store.commands.shape import Command

DATA: Final[dict[bytes, Command]] = {
    **strings.COMMANDS,
    **keys.COMMANDS,
    **hashes.COMMANDS,
    **sets.COMMANDS,
    **lists.COMMANDS,
    **sorted_sets.COMMANDS,
    **sorted_ranges.COMMANDS,
    **streams.COMMANDS,
    **stream_groups.COMMANDS,
}
