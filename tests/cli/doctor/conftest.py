"""One Valkey for all tests of the doctor: some of them change its configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.doctor import key_checks, list_checks
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.connection import connect
from tests.cli.doctor.installation import Installation


@pytest.fixture(scope="package")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that no other test uses."""
    with EmbeddedValkey(tmp_path_factory.mktemp("doctor")) as server:
        assert server.url is not None
        yield server.url


@pytest.fixture
def installation(
    valkey: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installation]:
    """A healthy installation; its store is emptied, and its server as before, afterwards."""
    for module in (key_checks, list_checks):
        monkeypatch.setattr(module, "AGAIN_S", 0.001)
    server: Any = connect(valkey)
    before = server.config_get("*")
    found = Installation(valkey, tmp_path, monkeypatch)
    yield found
    found.close()
    after = server.config_get("*")
    for name in [name for name, value in before.items() if after[name] != value]:
        server.config_set(name, before[name])
    server.flushall()
    server.close()
