"""Lines from bytes, however they are cut."""

from __future__ import annotations

import pytest

from cartulary.outside.lines import LOGGED, LONGEST, SHOWN, ErrorLines, LineBuffer, LineTooLong


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_the_same_however_the_bytes_are_cut(size: int) -> None:
    data = b'{"a": 1}\n\n  \r\n{"b": 2}\r\nhalf'
    buffer = LineBuffer()
    found = []
    for at in range(0, len(data), size):
        buffer.take(data[at : at + size])
        while (line := buffer.pop()) is not None:
            found.append(line)
    assert found == [b'{"a": 1}', b'{"b": 2}']


def test_a_line_has_a_bound_with_and_without_its_end() -> None:
    LineBuffer().take(b"x" * LONGEST + b"\n")
    for end in (b"", b"\n"):
        with pytest.raises(LineTooLong):
            LineBuffer().take(b"x" * (LONGEST + 1) + end)
    slow = LineBuffer()
    for _ in range(LONGEST // 1024):
        slow.take(b"x" * 1024)
    with pytest.raises(LineTooLong):
        slow.take(b"x")


def test_only_the_first_lines_of_a_thought_are_logged_and_the_others_counted() -> None:
    lines = ErrorLines()
    assert lines.take(b"one\ntwo\nth") == ["one", "two"]
    assert lines.take(b"ree\n" + b"more\n" * LOGGED) == ["three"] + ["more"] * (LOGGED - 3)
    assert lines.finish() == ["… and 3 more lines"]
    assert lines.take(b"next\nno end") == ["next"]
    assert lines.finish() == ["no end"]
    assert lines.finish() == []


def test_a_long_line_of_stderr_is_cut_and_holds_nothing_that_moves_a_terminal() -> None:
    lines = ErrorLines()
    assert lines.take(b"\x1b[2J\xff" + b"x" * 10_000) == []
    assert lines.take(b"y" * 10_000) == []
    (line,) = lines.take(b"\n")
    assert line.startswith("·[2J")
    assert len(line) == SHOWN + 1
    assert line.endswith("…")
