"""Tools that a machine may lack."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(reason: str) -> NoReturn:
    """Skip a test whose tool is not here; where `CI` is set fail it: CI must not pass without."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
