"""The tables of the archive are made ready for the games that come, apart from any request."""

from __future__ import annotations

import logging
from math import inf

from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.server.format import WITH_PARTITIONS

log = logging.getLogger(__name__)


def tend_archive(reader: ArchiveReader, level: int, now: int, largest: float = inf) -> None:
    """Make the partitions that games of the coming months need; what fails is noted in the log.

    One table of up to `largest` bytes becomes the first partition, if the format level of the store
    says that no process of an earlier release writes to it. `now` in ms since the epoch. What
    fails is tried again at the next time, and games are archived meanwhile.
    """
    try:
        reader.archive.tend(now, largest if level >= WITH_PARTITIONS else -1)
    except ArchiveError as error:
        log.warning("the tables of the archive stay as they are for now: %s", error)
