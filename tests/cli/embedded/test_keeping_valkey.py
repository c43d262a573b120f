"""The embedded server of `serve`: it may die at any moment, also while it starts."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cartulary.cli.embedded import embedded
from cartulary.cli.embedded.embedded import EmbeddedValkey, find_server
from cartulary.cli.embedded.loading import LoadingProgress
from cartulary.cli.processes import valkey as keeping
from cartulary.cli.processes.valkey import Keeper
from cartulary.cli.shared.errors import Unusable
from cartulary.events.server.connection import connect
from tests.cli.embedded.test_holes import make_file_with_a_hole
from tests.support.polling import until

pytestmark = pytest.mark.real


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    server = EmbeddedValkey(tmp_path / "data")
    yield server
    server.stop()


@pytest.fixture
def keeper(valkey: EmbeddedValkey, lines: list[str]) -> Keeper:
    return Keeper(valkey, lines.append, lambda: False)


def kill(valkey: EmbeddedValkey) -> None:
    assert valkey.pid is not None
    os.kill(valkey.pid, signal.SIGKILL)
    until(lambda: not valkey.running())


def look_until(keeper: Keeper, holds: Callable[[], bool]) -> None:
    def look() -> bool:
        keeper.look_after()
        return holds()

    until(look, every=0.02)  # a keeper that looks seldom gives a server more time


def look_until_loaded(keeper: Keeper) -> None:
    look_until(keeper, lambda: not keeper.loading)


def test_a_server_killed_again_while_it_restarts_is_restarted_with_growing_pauses(
    keeper: Keeper, valkey: EmbeddedValkey, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.start(10)
    assert not keeper.loading
    # The restarted server loads for ever as far as the keeper can see.
    monkeypatch.setattr(
        embedded, "read_progress", lambda client: LoadingProgress(loaded=1, total=2)
    )
    for _ in range(3):
        kill(valkey)
        look_until(keeper, valkey.running)
        keeper.look_after()
        assert keeper.loading
    monkeypatch.undo()
    look_until_loaded(keeper)
    pauses = [re.findall("restarting it in (.*) s", line) for line in lines]
    assert [pause for found in pauses for pause in found] == ["0.2", "0.5", "1"]
    connect(str(valkey.url)).ping()


def test_a_server_that_cannot_be_restarted_is_tried_again(
    keeper: Keeper, valkey: EmbeddedValkey, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.start(10)
    kill(valkey)

    def fail() -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(embedded, "find_server", fail)
    look_until(keeper, lambda: any("cannot be restarted" in line for line in lines))
    monkeypatch.undo()
    look_until_loaded(keeper)
    connect(str(valkey.url)).ping()


def test_a_loading_that_stands_still_is_killed_and_restarted(
    keeper: Keeper, valkey: EmbeddedValkey, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        embedded, "read_progress", lambda client: LoadingProgress(loaded=1, total=2)
    )
    monkeypatch.setattr(keeping, "STUCK_S", 0.3)
    keeper.start(0.1)
    first = valkey.pid
    assert keeper.loading
    look_until(keeper, lambda: valkey.pid not in (None, first))
    assert any("has loaded nothing" in line for line in lines)
    monkeypatch.undo()
    look_until_loaded(keeper)


def test_progress_of_the_loading_is_reported(
    keeper: Keeper, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mib = 1024 * 1024
    monkeypatch.setattr(keeping, "REPORT_EVERY", 0.0)
    monkeypatch.setattr(
        embedded,
        "read_progress",
        lambda client: LoadingProgress(loaded=3 * mib, total=7 * mib, eta_s=5),
    )
    keeper.start(0.1)
    assert "valkey loads its data: 3 of 7 MiB loaded, about 5 s to go" in lines


def test_a_first_start_that_fails_is_refused(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert find_server() != broken
    monkeypatch.setattr(embedded, "find_server", lambda: broken)
    with pytest.raises(Unusable, match="ended at once"):
        keeper.start(5)


def test_a_server_that_hangs_is_killed_and_restarted(
    keeper: Keeper, valkey: EmbeddedValkey, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "SILENT_S", 2.5)
    monkeypatch.setattr(keeping, "ASK_EVERY_S", 0.1)
    keeper.start(10)
    first = valkey.pid
    connect(str(valkey.url)).set("kept", "1")
    os.kill(first or 0, signal.SIGSTOP)
    look_until(keeper, lambda: valkey.pid not in (None, first))
    assert any("has not answered for" in line for line in lines)
    look_until_loaded(keeper)
    assert connect(str(valkey.url)).get("kept") == b"1"


def test_a_server_that_waits_for_its_disk_is_left_alone(
    keeper: Keeper, valkey: EmbeddedValkey, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "SILENT_S", 0.3)
    monkeypatch.setattr(keeping, "ASK_EVERY_S", 0.1)
    keeper.start(10)
    first = valkey.pid
    assert valkey.answers()
    assert not valkey.waits_for_disk()
    monkeypatch.setattr(valkey, "answers", lambda: False)
    monkeypatch.setattr(valkey, "waits_for_disk", lambda: True)
    look_until(keeper, lambda: any("for its disk" in line for line in lines))
    assert valkey.running()
    assert valkey.pid == first


def test_a_server_is_given_time_when_the_keeper_itself_did_not_run(
    keeper: Keeper, valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "SILENT_S", 0.6)
    monkeypatch.setattr(keeping, "ASK_EVERY_S", 0.1)
    keeper.start(10)
    monkeypatch.setattr(valkey, "answers", lambda: False)
    time.sleep(1.0)
    keeper.look_after()
    assert valkey.running()


CLOSED = "valkey's file had 1 holes from a full disk; they are closed"


def test_a_server_that_cannot_load_because_of_a_hole_is_mended_and_restarted(
    keeper: Keeper, valkey: EmbeddedValkey, lines: list[str]
) -> None:
    file = make_file_with_a_hole(valkey.data_dir)
    keeper.start(10)
    look_until_loaded(keeper)
    assert connect(str(valkey.url)).mget("before", "behind") == [b"1", b"2"]
    assert CLOSED in lines
    kill(valkey)
    text = file.read_bytes()
    file.write_bytes(text + bytes(100) + text)
    look_until(
        keeper,
        lambda: lines.count(CLOSED) == 2,
    )
    look_until_loaded(keeper)
    assert connect(str(valkey.url)).get("behind") == b"2"
