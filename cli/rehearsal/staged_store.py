"""The store of a rehearsal: its clock and its draws can be set from outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from cartulary.events.model.offers import Offers
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.events.time.outages import OutageLimits
from cartulary.rehearsal.settable import SettableClock, SettableDraws

FOLDER: Final = "CARTULARY_REHEARSAL_FOLDER"
"""The variable that names the directory of the rehearsal to its processes, and to no others."""

NEVER_MS: Final = 10**14
"""A clock that is set forward is no outage in a rehearsal: the time of the players shall run."""


def open_staged(settings: StoreSettings, offers: Offers) -> Store:
    """Open the store of a rehearsal; raises `KeyError` in a process that belongs to none."""
    folder = Path(os.environ[FOLDER])
    store = Store.open(settings, offers, SettableClock(folder), SettableDraws(folder))
    store.outages.limits = OutageLimits(NEVER_MS, 0)
    return store
