"""Placing: a month appears whole or not at all, whatever happens to the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.events.dumps.placing import DumpBusy, DumpExists, place_month

MONTH = "2026-10"

WAITING = """
import sys
from pathlib import Path
from cartulary.events.dumps.placing import place_month
with place_month(Path(sys.argv[1]), "2026-10", again=True) as part:
    (part / "half").write_text("half")
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process in the middle of a dump of the same month."""
    command = [sys.executable, "-c", WAITING, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        yield process
        process.kill()


def place(folder: Path, text: str, again: bool = False) -> None:
    with place_month(folder, MONTH, again) as part:
        (part / "file").write_text(text)


def list_names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_month_that_is_there_is_replaced_when_asked(tmp_path: Path) -> None:
    place(tmp_path, "one")
    with pytest.raises(DumpExists):
        place(tmp_path, "two")
    place(tmp_path, "three", again=True)
    assert (tmp_path / MONTH / "file").read_text() == "three"
    assert list_names(tmp_path) == [MONTH]


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    place(tmp_path, "one")
    with pytest.raises(OSError, match="full"), place_month(tmp_path, MONTH, again=True):
        raise OSError("full")
    assert (tmp_path / MONTH / "file").read_text() == "one"
    assert list_names(tmp_path) == [MONTH]


@pytest.mark.process
def test_one_dump_is_written_at_a_time_and_a_killed_one_is_swept_away(
    tmp_path: Path, waiting: subprocess.Popen[str]
) -> None:
    with pytest.raises(DumpBusy, match="another process"):
        place(tmp_path, "two")
    assert list_names(tmp_path) == [f".{MONTH}.part"]
    waiting.kill()
    waiting.wait()
    assert list_names(tmp_path) == [f".{MONTH}.part"]
    place(tmp_path, "three")
    assert list_names(tmp_path) == [MONTH]
    assert list_names(tmp_path / MONTH) == ["file"]


def test_a_month_whose_place_was_being_taken_is_back(tmp_path: Path) -> None:
    place(tmp_path, "one")
    (tmp_path / MONTH).rename(tmp_path / f".{MONTH}.old")  # killed between the two names
    (tmp_path / "2026-09").mkdir()
    with pytest.raises(DumpExists), place_month(tmp_path, "2026-09"):
        pass
    assert (tmp_path / MONTH / "file").read_text() == "one"
    (tmp_path / f".{MONTH}.old").mkdir()  # killed before the old one was removed
    place(tmp_path, "two", again=True)
    assert list_names(tmp_path) == ["2026-09", MONTH]
