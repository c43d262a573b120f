"""The file of a backup: lines of JSON under gzip, each line and the whole file with a checksum.

The file is one member of gzip (`zcat FILE` shows the lines) whose comment holds the SHA-256 of all
bytes after the comment. A line is `{"record":RECORD,"sum":"<16 hex digits>"}`: the sum is the
beginning of the SHA-256 of the sum before it and of RECORD as it is written, so lines cannot be
changed, left out, added or exchanged unnoticed, even where a person packs the file again.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, BinaryIO

import orjson

from cartulary.events.backup.errors import BackupError, DamagedBackup, NewerBackup
from cartulary.events.model.types import Json

FORMAT = 1
"""The format of the file: of the container and of the records."""

LINE_MAX = 16 * 1024 * 1024
"""Bytes of a line: no longer line is written or read. The parser takes some 14 bytes for each."""

LEVEL = 3
"""Of the compression: a higher level makes the file little smaller and takes much longer."""

_GZIP = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff"
"""The head of gzip: deflate, with a comment, without a time, of an unknown system."""
_NAME = b"cartulary-backup/"
_HEAD = _GZIP + _NAME + b"%d sha256=" % FORMAT
_HEAD_LENGTH = len(_HEAD) + 64 + 1
_CHUNK = 256 * 1024
_RECORD, _SUM, _CLOSE = b'{"record":', b',"sum":"', b'"}'
_SUM_LENGTH = 16
_TAIL_LENGTH = len(_SUM) + _SUM_LENGTH + len(_CLOSE)


class BackupWriter:
    """Writes the records of a backup to a file that can be read and sought.

    `finish` completes the file: without it no reader accepts what was written.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest, self._crc, self._size = sha256(), 0, 0
        self._deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        self._sum = b"0" * _SUM_LENGTH
        file.write(_HEAD + b"0" * 64 + b"\0")

    def write(self, record: Json) -> None:
        """Write a record; raises `BackupError` when its line is too long for a reader."""
        text = orjson.dumps(record)
        self._sum = _chain(self._sum, text)
        line = b"".join((_RECORD, text, _SUM, self._sum, _CLOSE, b"\n"))
        if len(line) > LINE_MAX:
            raise BackupError(f"the value of {record.get('key')} is too long for a backup")
        self._crc = zlib.crc32(line, self._crc)
        self._size += len(line)
        self._put(self._deflate.compress(line))

    def finish(self) -> None:
        """Write what is left, and the checksum into the head."""
        self._put(self._deflate.flush())
        self._put(self._crc.to_bytes(4, "little") + (self._size % 2**32).to_bytes(4, "little"))
        self._file.seek(len(_HEAD))
        self._file.write(self._digest.hexdigest().encode())
        self._file.flush()

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._file.write(data)


def check_whole(file: BinaryIO) -> None:
    """Compare all bytes of a file with the checksum in its head.

    Raises `DamagedBackup`, `NewerBackup`. Reads the file once, in constant memory; unpacks nothing.
    """
    expected, digest = _read_head(file), sha256()
    while data := file.read(_CHUNK):
        digest.update(data)
    if digest.hexdigest().encode() != expected:
        raise DamagedBackup("the checksum of the file does not match: the file is damaged or cut")


def read_digest(file: BinaryIO) -> str:
    """Return the checksum in the head, which names the backup. Raises as `check_whole`."""
    return _read_head(file).decode(errors="replace")


def read_records(file: BinaryIO) -> Iterator[tuple[int, Json]]:
    """Yield the number (from 1) and the record of each line, in constant memory.

    Raises `DamagedBackup` (at the end also where the file has changed since `check_whole`) and
    `NewerBackup`.
    """
    expected, digest = _read_head(file), sha256()
    before = b"0" * _SUM_LENGTH
    for number, line in enumerate(_read_lines(file, digest), start=1):
        text, stated = _split(line, number)
        before = _chain(before, text)
        if stated != before:
            raise DamagedBackup("the checksum of the line does not match", number)
        yield number, _parse(text, number)
    if digest.hexdigest().encode() != expected:
        raise DamagedBackup("the file has changed while it was read")


def _read_head(file: BinaryIO) -> bytes:
    """Return the checksum in the head; the file stands behind the head then."""
    file.seek(0)
    head = file.read(_HEAD_LENGTH)
    if not head.startswith(_GZIP + _NAME):
        raise DamagedBackup("this is no backup of cartulary")
    if not head.startswith(_HEAD):
        stated = head[len(_GZIP + _NAME) :].partition(b" ")[0]
        if stated.isdigit() and int(stated) > FORMAT:
            raise NewerBackup(
                f"a newer release has written this backup (its format is {int(stated)}, this "
                f"release knows {FORMAT}): upgrade first"
            )
        raise DamagedBackup("the head of the file is damaged")
    if len(head) < _HEAD_LENGTH or head[-1:] != b"\0":
        raise DamagedBackup("the head of the file is damaged")
    return head[len(_HEAD) : -1]


def _read_lines(file: BinaryIO, digest: Any) -> Iterator[bytes]:
    """Yield the lines without their ends, and check the trailer of gzip."""
    unpacked = _Unpacked(file, digest)
    line: list[bytes] = []
    length = crc = size = 0
    for data in unpacked:
        crc, size = zlib.crc32(data, crc), size + len(data)
        *ends, rest = data.split(b"\n")
        for end in ends:
            yield b"".join((*line, end))
            line, length = [], 0
        line.append(rest)
        length += len(rest)
        if length > LINE_MAX:
            raise DamagedBackup(f"a line is longer than {LINE_MAX} bytes")
    if length:
        raise DamagedBackup("the last line has no end")
    if unpacked.trailer != crc.to_bytes(4, "little") + (size % 2**32).to_bytes(4, "little"):
        raise DamagedBackup(
            "the trailer of gzip does not match: the file is cut, or something follows"
        )


class _Unpacked:
    """What a file unpacks to, in pieces of at most `_CHUNK` bytes; then `trailer` is the rest."""

    def __init__(self, file: BinaryIO, digest: Any) -> None:
        self._file, self._digest = file, digest
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        self.trailer = b""

    def __iter__(self) -> Iterator[bytes]:
        while packed := self._file.read(_CHUNK):
            self._digest.update(packed)
            if self._inflate.eof:
                self.trailer += packed[:_CHUNK]
                if len(self.trailer) > _CHUNK:
                    raise DamagedBackup("something follows the end of the backup")
                continue
            yield from self._unpack(packed)
        if not self._inflate.eof:
            raise DamagedBackup("the file is cut")

    def _unpack(self, packed: bytes) -> Iterator[bytes]:
        while packed and not self._inflate.eof:
            try:
                yield self._inflate.decompress(packed, _CHUNK)
            except zlib.error as error:
                raise DamagedBackup(f"the compression is damaged: {error}") from error
            packed = self._inflate.unconsumed_tail
        self.trailer = self._inflate.unused_data


def _split(line: bytes, number: int) -> tuple[memoryview, bytes]:
    """Return the record and the checksum of a line, both as written."""
    tail = line[-_TAIL_LENGTH:]
    if not (line.startswith(_RECORD) and tail.startswith(_SUM) and tail.endswith(_CLOSE)):
        raise DamagedBackup("this is no line of a backup", number)
    return memoryview(line)[len(_RECORD) : -_TAIL_LENGTH], tail[len(_SUM) : -len(_CLOSE)]


def _parse(text: memoryview, number: int) -> Json:
    """Return a record that is written exactly as `BackupWriter` writes it.

    So a key that comes twice, a number beyond 64 bits, and spaces are refused. Neither NaN nor
    surrogates nor a nesting of more than some hundred levels get through the parser.
    """
    try:
        record = orjson.loads(text)
        same = isinstance(record, dict) and orjson.dumps(record) == text
    except (ValueError, TypeError) as error:  # TypeError: nested too deeply to be written
        # The error of the parser holds the whole text, so it must not live on as the cause.
        raise DamagedBackup(f"the record cannot be read: {error}", number) from None
    if not same:
        raise DamagedBackup("the record is not written as `backup` writes it", number)
    return dict(record)


def _chain(before: bytes, text: bytes | memoryview) -> bytes:
    digest = sha256(before)
    digest.update(text)
    return digest.hexdigest()[:_SUM_LENGTH].encode()
