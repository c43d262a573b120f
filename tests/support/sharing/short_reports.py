"""What the processes of pytest-xdist report to the one that shows it.

A process sends six messages for each test: its begin, three steps, its end, its time. To pack,
send, read and unpack them takes longer than half of the tests. Nothing shows the begin, and a step
before or after the test is worth a message when it fails, is skipped, has an output or takes long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

LONG_S = 0.1
"""A step that takes so long is reported: it may be among the `--durations`."""


def shorten_reports(config: pytest.Config) -> None:
    """Let a process of pytest-xdist send only the messages that say something."""
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = partial(send_if_needed, plugin.sendevent)


def send_if_needed(send: Callable[..., None], name: str, **more: Any) -> None:
    """Send a message of a process, unless it says nothing."""
    if name == "logstart" or (name == "testreport" and says_nothing(more["data"])):
        return
    send(name, **more)


def says_nothing(report: Mapping[str, Any]) -> bool:
    """Return whether a report is of a step around the test that went well, quietly and quickly."""
    is_quiet = report["outcome"] == "passed" and not report["sections"]
    return report["when"] != "call" and is_quiet and report["duration"] < LONG_S
