"""One Valkey process, as a simulator makes it."""

from __future__ import annotations

from typing import ClassVar

from simulation.store.commands.data import DATA
from simulation.store.commands.shape import Command
from simulation.store.own import (
    connections,
    information,
    publishing,
    scripting,
    slots,
    transactions,
)
from simulation.store.own.cluster import ModelCluster
from simulation.store.serving.bare_server import BareServer
from simulation.store.serving.own_command import OwnCommand

__all__ = ["ModelCluster", "ModelServer"]


class ModelServer(BareServer):
    """One Valkey process. Has no clock and no thread: each call gets the time in ms.

    `appendfsync` is `always`, `everysec` or `no`. The simulator sets `is_loading`,
    `is_out_of_memory`, `is_disk_full` and `replicas_needed`, and lets the process end and begin,
    replicas follow and masters change (`serving.durability.DurableServer`).
    """

    commands: ClassVar[dict[bytes, Command | OwnCommand]] = {
        **DATA,
        **connections.COMMANDS,
        **information.COMMANDS,
        **publishing.COMMANDS,
        **scripting.COMMANDS,
        **slots.COMMANDS,
        **transactions.COMMANDS,
    }
