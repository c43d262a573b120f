"""A backup in which anything was changed is refused, whatever it is."""

from __future__ import annotations

import gzip
import io
import random
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.events.backup import container
from cartulary.events.backup.container import FORMAT, LINE_MAX, BackupWriter
from cartulary.events.backup.dump import Counts
from cartulary.events.backup.errors import BackupError, DamagedBackup, NewerBackup
from cartulary.events.backup.load import check_file
from tests.events.backup.files import COUNTS, EVENTS, HEAD, PLAYER, TOKEN, pack, whole

GOOD = whole()


def check(data: bytes) -> None:
    check_file(io.BytesIO(data))


def repack(lines: bytes) -> bytes:
    """Return lines as a file whose checksum as a whole is right: that of each line may be wrong."""
    deflate = zlib.compressobj(3, zlib.DEFLATED, -15)
    body = deflate.compress(lines) + deflate.flush()
    body += zlib.crc32(lines).to_bytes(4, "little") + (len(lines) % 2**32).to_bytes(4, "little")
    head = GOOD[: GOOD.index(b"sha256=") + len(b"sha256=")]
    return head + sha256(body).hexdigest().encode() + b"\0" + body


LINES = gzip.decompress(GOOD).splitlines(keepends=True)


def test_a_backup_is_whole() -> None:
    contents = check_file(io.BytesIO(GOOD))
    assert contents.counts._asdict() == COUNTS
    assert (contents.software, contents.at) == (HEAD["software"], HEAD["at"])
    assert check_file(io.BytesIO(repack(b"".join(LINES)))).counts == contents.counts


def test_only_the_stream_of_a_game_has_events_that_count() -> None:
    signals = EVENTS._replace(key=b"outbox:0")
    assert Counts().add(signals) == Counts(keys=1)
    assert Counts().add(EVENTS) == Counts(keys=1, games=1, events=2)


def test_gzip_unpacks_a_backup_into_lines_of_json() -> None:
    assert len(LINES) == 5
    assert all(line.startswith(b'{"record":{') and line.endswith(b'"}\n') for line in LINES)


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_a_changed_byte_is_refused(at: int, by: int) -> None:
    changed = bytearray(GOOD)
    changed[at] ^= by
    with pytest.raises((DamagedBackup, NewerBackup)):
        check(bytes(changed))


def test_each_single_bit_is_noticed() -> None:
    for at in range(8 * len(GOOD)):
        changed = bytearray(GOOD)
        changed[at // 8] ^= 1 << at % 8
        with pytest.raises((DamagedBackup, NewerBackup)):
            check(bytes(changed))


@given(st.integers(0, len(GOOD) - 1))
def test_a_cut_file_is_refused(length: int) -> None:
    with pytest.raises(DamagedBackup):
        check(GOOD[:length])


@given(st.integers(0, len(GOOD)), st.binary(min_size=1, max_size=100))
def test_bytes_put_in_are_refused(at: int, more: bytes) -> None:
    with pytest.raises((DamagedBackup, NewerBackup)):
        check(GOOD[:at] + more + GOOD[at:])


@given(st.binary(max_size=300))
def test_any_other_file_is_refused(data: bytes) -> None:
    with pytest.raises(DamagedBackup):
        check(data)


def test_a_file_of_a_newer_format_names_the_upgrade() -> None:
    newer = GOOD.replace(b"cartulary-backup/%d " % FORMAT, b"cartulary-backup/%d " % (FORMAT + 1))
    with pytest.raises(NewerBackup, match="upgrade"):
        check(newer)


# -- packed again: the checksum of the file is right -------------------------------------------


@given(st.permutations(range(len(LINES))))
def test_lines_in_another_order_are_refused(order: list[int]) -> None:
    lines = b"".join(LINES[at] for at in order)
    if order == sorted(order):
        check(repack(lines))
        return
    with pytest.raises(DamagedBackup):
        check(repack(lines))


@pytest.mark.slow
@given(st.sets(st.integers(0, len(LINES) - 1), min_size=1))
def test_lines_left_out_are_refused(without: set[int]) -> None:
    with pytest.raises(DamagedBackup):
        check(repack(b"".join(line for at, line in enumerate(LINES) if at not in without)))


@given(st.integers(0, len(LINES)), st.sampled_from([*LINES, b"\n", b"{}\n", b"null\n"]))
def test_a_line_put_in_is_refused(at: int, line: bytes) -> None:
    with pytest.raises(DamagedBackup) as refusal:
        check(repack(b"".join([*LINES[:at], line, *LINES[at:]])))
    assert refusal.value.line is not None, "the line is named"


@pytest.mark.slow
@given(st.data())
def test_a_changed_character_of_a_line_is_refused(data: st.DataObject) -> None:
    lines = bytearray(b"".join(LINES))
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[at]))
    with pytest.raises(DamagedBackup):
        check(repack(bytes(lines)))


# -- hostile: every checksum is right ----------------------------------------------------------


def pack_line(text: bytes) -> bytes:
    """Return a file whose second line has this text as its record, with right checksums."""
    head = LINES[0]
    before = head[-19:-3]
    total = sha256(before + text).hexdigest()[:16].encode()
    return repack(head + b'{"record":' + text + b',"sum":"' + total + b'"}\n')


@dataclass
class Peak:
    """What a block has taken: the most bytes at a time, and seconds of CPU time."""

    bytes: int = 0
    seconds: float = 0.0


@contextmanager
def traced() -> Iterator[Peak]:
    peak, began = Peak(), time.process_time()
    tracemalloc.start()
    try:
        yield peak
    finally:
        peak.bytes, peak.seconds = tracemalloc.get_traced_memory()[1], time.process_time() - began
        tracemalloc.stop()


HOSTILE = {
    "depth": b"[" * 10_000_000,
    "closed depth": b'{"key":' + b"[" * 900 + b"]" * 900 + b"}",
    "keys twice": b'{"key":"token:aa","key":"token:bb","type":"string","value":["a"]}',
    "a number beyond 64 bits": b'{"key":"token:aa","type":"string","value":[1' + b"0" * 400 + b"]}",
    "a number without end": b'{"end":{"keys":' + b"9" * 10_000_000 + b"}}",
    "infinity": b'{"end":{"keys":1e999}}',
    "NaN": b'{"end":{"keys":NaN}}',
    "minus zero": b'{"end":{"keys":-0,"games":0,"events":0,"players":0,"unknown":0}}',
    "false for zero": b'{"end":{"keys":false,"games":0,"events":0,"players":0,"unknown":0}}',
    "a float for zero": b'{"end":{"keys":0.0,"games":0,"events":0,"players":0,"unknown":0}}',
    "half a surrogate": b'{"key":"\\ud800","type":"string","value":["a"]}',
    "no UTF-8": b'{"key":"\xff","type":"string","value":["a"]}',
    "a space": b'{"key": "token:aa","type":"string","value":["a"]}',
    "an escape that is not needed": b'{"key":"token:\\u0061a","type":"string","value":["a"]}',
    "a list": b"[]",
    "null": b"null",
    "nothing": b"",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_json_is_refused_soon_and_in_little_memory(text: bytes) -> None:
    data = pack_line(text)
    with traced() as peak, pytest.raises(DamagedBackup) as refusal:
        check(data)
    assert peak.bytes < 20 * len(text) + 8 * 2**20
    assert peak.seconds < 5
    assert refusal.value.line == 2


@pytest.mark.slow
def test_a_line_without_end_is_refused_before_it_fills_the_memory() -> None:
    data = repack(LINES[0] + b"x" * (8 * LINE_MAX))
    assert len(data) < 2**21, "the file is small"
    with traced() as peak, pytest.raises(DamagedBackup, match="longer than"):
        check(data)
    assert peak.bytes < 2 * LINE_MAX


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@pytest.mark.slow
def test_any_record_with_right_checksums_is_refused_cleanly(value: object) -> None:
    for record in (
        {"key": value, "type": "string", "value": ["a"]},
        {"key": "token:aa", "type": value, "value": ["a"]},
        {"key": "token:aa", "type": "string", "value": value},
        {"key": "token:aa", "type": "hash", "value": [value]},
        {"key": "token:aa", "type": "string", "value": ["a"], "expires_at": value},
        {"key": "{01KAB}:events", "type": "stream", "value": [["1-0", "a", value]], "last": value},
        {"key": "token:aa", "type": "string", "value": ["a"], "more": value},
        {"end": value},
        {"other": value},
    ):
        with pytest.raises(DamagedBackup):
            check(pack([HEAD, record]))


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([EVENTS, PLAYER, TOKEN], "not in order"),
        ([EVENTS, EVENTS], "not in order, or comes twice"),
        ([EVENTS._replace(more=True, last=None), PLAYER], "the rest of a value is missing"),
        ([EVENTS._replace(more=True, last=None)], "the rest of a value is missing"),
        ([EVENTS._replace(more=True, last=None), EVENTS], "not in order"),
        ([EVENTS._replace(more=True)], "do not fit together"),
        ([EVENTS._replace(last="1-0")], "before the last id"),
        ([EVENTS._replace(items=EVENTS.items[::-1])], "does not follow"),
        ([EVENTS._replace(items=[(b"01-0", b"a", b"b")])], "id of a stream is invalid"),
        ([EVENTS._replace(items=[(b"1-18446744073709551616", b"a", b"b")])], "is invalid"),
        ([EVENTS._replace(type="string", last=None, items=[b"a"])], "is a stream, not a string"),
        ([TOKEN._replace(items=[])], "the value is empty"),
        ([TOKEN._replace(key=b"outbox:1")], "carries no key"),
        ([TOKEN._replace(key=b"rq:job:1")], "carries no key"),
        ([TOKEN._replace(key=b"{projections}:due")], "carries no key"),
        ([TOKEN._replace(key=b"restoring")], "carries no key"),
        ([TOKEN._replace(key=b"format", items=[b"one"])], "is no number"),
        ([TOKEN._replace(key=b"odd", type="zset", items=[(b"a", b"nan")])], "a score is invalid"),
    ],
)
def test_keys_that_no_backup_contains_are_refused(records: list[object], problem: str) -> None:
    with pytest.raises(DamagedBackup, match=problem):
        check(whole(records))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", COUNTS)
def test_an_end_that_says_something_else_is_refused(name: str) -> None:
    with pytest.raises(DamagedBackup, match="does not contain what its end says"):
        check(whole(counts={**COUNTS, name: COUNTS[name] + 1}))


def test_nothing_may_follow_the_end() -> None:
    end = {"end": COUNTS}
    written = [dict(HEAD), *[end, end]]
    with pytest.raises(DamagedBackup):
        check(pack(written))
    empty = {"end": dict.fromkeys(COUNTS, 0)}
    check(pack([HEAD, empty]))
    with pytest.raises(DamagedBackup, match="something follows"):
        check(pack([HEAD, empty, empty]))


def test_a_line_that_no_reader_accepts_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "LINE_MAX", 1000)
    with pytest.raises(BackupError, match="too long"):
        BackupWriter(io.BytesIO()).write({"key": "x" * 1000})


def test_a_long_file_is_read_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    monkeypatch.setattr(container, "_CHUNK", 64)  # every border of a piece falls somewhere
    tokens = [
        TOKEN._replace(key=b"token:%05d" % number, items=[rng.randbytes(rng.randrange(90) + 1)])
        for number in range(300)
    ]
    data = whole(tokens, {**dict.fromkeys(COUNTS, 0), "keys": 300})
    assert check_file(io.BytesIO(data)).counts.keys == 300
