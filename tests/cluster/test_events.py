"""What holds on one server holds on a cluster: tests of `tests/events`, with another store.

A command or a script that touches keys of two slots, or keys that the other server has, fails here.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import Final

import pytest

pytestmark = pytest.mark.real

SAME: Final = (
    "analyses.test_analyses",
    "commands.table.test_branches",
    "ledger.test_idempotency",
    "commands.table.test_rematch",
    "commands.judging.test_standing_answers",
    "commands.game.test_takebacks",
    "accounts.test_deletion",
    "chat.test_talk",
)
"""Modules of `tests/events` whose tests run on a cluster as well."""

ON_ONE_SERVER: Final = {"fake_store", "real_store"}
"""The store of a test that needs none of a cluster: to repeat such a test shows nothing."""

FIXTURE: Final = type(pytest.fixture(lambda: None))

for name in SAME:
    for key, value in vars(import_module(f"tests.events.{name}")).items():
        if key.startswith("test_"):
            if ON_ONE_SERVER & signature(value).parameters.keys():
                continue
            globals()[f"{key}_{name.rpartition('.')[2]}"] = value
        elif isinstance(value, FIXTURE) and key not in ("store", "timed"):
            globals()[key] = value
