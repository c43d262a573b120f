"""Holes that a full disk leaves in the file of a Valkey are closed, and nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.embedded.errors import EmbeddedError
from cartulary.cli.embedded.holes import Hole, find_holes
from cartulary.events.server.connection import connect
from tests.support.polling import until

RECORD = b"*2\r\n$3\r\nDEL\r\n$4\r\n\r\n\0\0\r\n"
"""Its value has zeros behind an end of line, which are no hole."""


def test_zeros_between_records_are_holes_and_zeros_in_values_are_not() -> None:
    text = b"#TS:1\r\n" + RECORD + bytes(7) + RECORD + RECORD + bytes(3)
    first = len(b"#TS:1\r\n" + RECORD)
    holes = [Hole(first, first + 7), Hole(len(text) - 3, len(text))]
    assert list(find_holes(text)) == holes


@pytest.mark.parametrize("end", [b"*2\r\n$3\r\nDEL\r\n$9\r\nab", b"nonsense\r\n", b"*x\r\n"])
def test_behind_a_broken_record_there_are_no_holes(end: bytes) -> None:
    assert list(find_holes(RECORD + end + bytes(5) + RECORD)) == []


@pytest.mark.real
def test_a_server_whose_file_has_a_hole_starts_with_all_that_it_had(tmp_path: Path) -> None:
    file = make_file_with_a_hole(tmp_path)
    damaged = file.read_bytes()
    with EmbeddedValkey(tmp_path) as valkey:
        assert connect(str(valkey.url)).mget("before", "behind") == [b"1", b"2"]
    assert file.with_name(file.name + ".damaged").read_bytes() == damaged


@pytest.mark.real
def test_a_file_that_is_damaged_otherwise_is_left_alone(tmp_path: Path) -> None:
    file = make_file_with_a_hole(tmp_path)
    damaged = file.read_bytes().replace(bytes(500), b"#" * 500 + b"nonsense")
    file.write_bytes(damaged)
    with pytest.raises(EmbeddedError, match="ended at once"):
        EmbeddedValkey(tmp_path).start()
    assert file.read_bytes() == damaged


def make_file_with_a_hole(directory: Path) -> Path:
    """Write a file as Valkey does after a rewrite and a full disk."""
    valkey = EmbeddedValkey(directory)
    client = connect(valkey.start())
    client.set("old", "0")
    client.bgrewriteaof()
    until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
    until(lambda: len(list((directory / "appendonlydir").glob("*.incr.aof"))) == 1)
    client.set("before", "1")
    (file,) = (directory / "appendonlydir").glob("*.incr.aof")
    size = file.stat().st_size
    client.set("behind", "2")
    client.close()
    valkey.stop()
    text = file.read_bytes()
    file.write_bytes(text[:size] + bytes(500) + text[size:])
    assert os.path.getsize(file) == len(text) + 500
    return file
