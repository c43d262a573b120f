"""Packing: any texts come back byte for byte, and what is computed again is not stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.events.archive.dictionaries import Codec, Codecs, DamagedFrame, train
from cartulary.events.archive.errors import ArchiveDamaged
from cartulary.events.archive.packing import (
    Apart,
    Misfitting,
    find_rules_version,
    find_schema,
    put_together,
    take_apart,
)
from cartulary.events.archive.rows import pack_row, unpack_row
from cartulary.events.model.chain import GENESIS, hash_or_none
from tests.events.archive.material import STREAMS, make_game, make_texts


def pieces() -> st.SearchStrategy[bytes]:
    """What a text may hold that looks like what packing takes out or puts in."""
    return st.one_of(
        st.binary(max_size=8),
        st.sampled_from(
            [b'"', b"\n", b"\\", b"\x01", b"\x02", b"\x03", b"\x04", b"\x1b", b"\x1bA"]
        ),
        st.sampled_from([b'"prev":"', b'"version":1', b'{"schema":2,', b'"version":12', b"\x1b"]),
        st.sampled_from([b'"prev":"%b"' % GENESIS.encode(), GENESIS.encode()]),
        st.binary(min_size=32, max_size=32).map(lambda found: b'"%b"' % found.hex().encode()),
        st.binary(min_size=8, max_size=8).map(lambda found: b'"%b"' % found.hex().encode()),
        st.text(max_size=4).map(lambda text: text.encode(errors="surrogatepass")),
    )


@given(st.lists(st.lists(pieces(), max_size=6).map(b"".join), max_size=5))
@pytest.mark.slow
def test_any_texts_come_back(texts: list[bytes]) -> None:
    apart = take_apart(texts)
    found, last = put_together(apart, len(texts))
    assert found == tuple(texts)
    assert last == (hash_or_none(texts[-1]) if texts else None)


@given(
    st.lists(st.lists(pieces(), max_size=4).map(b"".join), min_size=1, max_size=3),
    st.dictionaries(st.text(max_size=3), st.binary(max_size=9), max_size=3),
    st.binary(max_size=20),
)
@pytest.mark.slow
def test_a_row_of_any_game_comes_back(
    texts: list[bytes], side_keys: dict[str, bytes], summary: bytes
) -> None:
    game = make_game(texts=tuple(texts), side_keys=side_keys, summary=summary)
    codecs = Codecs()
    assert unpack_row(pack_row(game, codecs), codecs) == game


@pytest.mark.parametrize("stream", STREAMS, ids=lambda path: path.stem)
def test_neither_prev_nor_digits_of_hashes_are_left_in_the_lines(stream: Path) -> None:
    texts = stream.read_bytes().splitlines()
    lines, hashes = take_apart(texts)
    chained = sum(b'"prev"' in text for text in texts)
    assert lines.count(b"\x01") == chained
    assert b'"prev"' not in lines
    assert len(hashes) == 32 * lines.count(b"\x02") + 8 * lines.count(b"\x03")


def test_a_changed_event_changes_every_prev_after_it() -> None:
    texts = make_texts(3)
    lines, hashes = take_apart(texts)
    found, last = put_together(Apart(lines.replace(b'"beans":0', b'"beans":5', 1), hashes), 5)
    assert found[:2] == texts[:2]
    assert b'"beans":5' in found[2]
    assert last != hash_or_none(texts[-1])


def damages() -> Iterator[tuple[str, Apart, int]]:
    lines, hashes = take_apart(make_texts(3))
    yield "5 events, and 6", Apart(lines, hashes), 6
    yield "hashes of 304 digits, and 240", Apart(lines, hashes + hashes[:32]), 5
    yield "hashes of 176 digits, and 240", Apart(lines, hashes[:-32]), 5
    yield "that cannot be read", Apart(b"no event\n" + lines, hashes), 6


@pytest.mark.parametrize(("said", "apart", "count"), list(damages()))
def test_lines_and_hashes_that_do_not_belong_together_are_refused(
    said: str, apart: Apart, count: int
) -> None:
    with pytest.raises(Misfitting, match=said):
        put_together(apart, count)


def test_schema_and_rules_are_read_from_the_texts() -> None:
    assert find_schema(make_texts(2)) == 2
    assert find_rules_version(make_texts(2)) == 3
    assert find_schema([b"nothing"]) == 0
    assert find_rules_version([b'{"schema":1}']) is None


@given(st.binary(max_size=200))
def test_an_invalid_frame_is_damaged_and_not_a_crash(packed: bytes) -> None:
    with pytest.raises(DamagedFrame):
        Codec().unpack(packed)


def test_a_frame_that_names_a_huge_size_takes_no_memory() -> None:
    frame = b"\x28\xb5\x2f\xfd\xe0" + (2**50).to_bytes(8, "little") + b"\x01\x00\x00"
    with pytest.raises(DamagedFrame, match="a size that no game has"):
        Codec().unpack(frame)


def test_a_dictionary_is_named_by_its_content() -> None:
    samples = [b"".join(make_texts(9, seed)) for seed in range(40)]
    dictionary = train("beans", 2, "events", samples, at=1)
    codecs = Codecs()
    codecs.add(dictionary)
    name, codec = codecs.choose("beans", 2, "events")
    assert name == dictionary.id
    assert codec.unpack(codec.pack(samples[0])) == samples[0]
    assert len(codec.pack(samples[0])) < len(codecs.plain.pack(samples[0])) / 2
    assert codecs.choose("beans", 3, "events") == (None, codecs.plain)
    with pytest.raises(DamagedFrame, match="was changed"):
        codecs.add(dictionary._replace(data=dictionary.data + b"!"))


def test_a_missing_dictionary_is_named() -> None:
    codecs = Codecs()
    row = pack_row(make_game(), codecs)
    row.columns["summary_dictionary"] = "0123456789abcdef"
    with pytest.raises(ArchiveDamaged, match="the dictionary 0123456789abcdef is missing"):
        unpack_row(row, codecs)
