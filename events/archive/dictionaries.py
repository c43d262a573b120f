"""zstd and its dictionaries: each kind of game and schema has its own, trained from its games.

A dictionary holds what the texts of many games have in common, which makes a game a third smaller.
It never changes: a row names the dictionary that it was packed with, and the id of a dictionary is
the beginning of its own SHA-256.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from zstandard import (
    ZstdCompressionDict,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
    train_dictionary,
)

LEVEL: Final = 10
"""Of the compression: level 12 takes five times as long and saves a twentieth of the lines."""

LARGEST: Final = 256 * 1024 * 1024
"""Bytes that a frame may unpack to; a frame that names more was tampered with."""

SAMPLES: Final = 100
"""Games of a kind that a dictionary is trained from; games before are packed without."""

SIZES: Final = {"events": 32 * 1024, "summary": 8 * 1024}
"""Parts of a game that have dictionaries, and the largest size of such a dictionary in bytes."""


class DamagedFrame(ValueError):
    """A frame or a dictionary that is not as it was written."""


class Dictionary(NamedTuple):
    """A dictionary as its row has it; `made_at` in ms since the epoch."""

    id: str
    game: str
    schema: int
    part: str
    made_at: int
    data: bytes


def name_dictionary(data: bytes) -> str:
    """Return the id of a dictionary: it follows from the content."""
    return sha256(data).hexdigest()[:16]


def train(game: str, schema: int, part: str, samples: Sequence[bytes], at: int) -> Dictionary:
    """Train a dictionary of a kind of game from texts of this part.

    Raises `ZstdError` for texts that have too little in common.
    """
    data = train_dictionary(SIZES[part], list(samples), level=LEVEL).as_bytes()
    return Dictionary(name_dictionary(data), game, schema, part, at, data)


class Codec:
    """Packs and unpacks with one dictionary, or without any. Thread-safe."""

    def __init__(self, data: bytes | None = None) -> None:
        self._dictionary = None if data is None else ZstdCompressionDict(data)
        if self._dictionary is not None:
            self._dictionary.precompute_compress(level=LEVEL)
        self._local = threading.local()

    def pack(self, text: bytes) -> bytes:
        """Return a text as a frame of zstd with a checksum."""
        compressor = getattr(self._local, "compressor", None)
        if compressor is None:
            compressor = self._local.compressor = ZstdCompressor(
                level=LEVEL, dict_data=self._dictionary, write_checksum=True
            )
        packed: bytes = compressor.compress(text)
        return packed

    def unpack(self, packed: bytes) -> bytes:
        """Return the text of a frame; raises `DamagedFrame`."""
        decompressor = getattr(self._local, "decompressor", None)
        if decompressor is None:
            decompressor = self._local.decompressor = ZstdDecompressor(dict_data=self._dictionary)
        try:
            if not 0 <= get_frame_parameters(packed).content_size <= LARGEST:
                raise DamagedFrame("a frame names a size that no game has")
            text: bytes = decompressor.decompress(packed, allow_extra_data=False)
        except ZstdError as error:
            raise DamagedFrame(f"the compression is damaged: {error}") from error
        return text


class Codecs:
    """The codecs of an archive, made once for each dictionary. Thread-safe."""

    def __init__(self) -> None:
        self.plain = Codec()
        self._by_id: dict[str, Codec] = {}
        self._current: dict[tuple[str, int, str], str] = {}
        self._lock = threading.Lock()

    def add(self, dictionary: Dictionary) -> None:
        """Add a dictionary; the newest of a kind packs. Raises `DamagedFrame` for other content."""
        if name_dictionary(dictionary.data) != dictionary.id:
            raise DamagedFrame(f"the dictionary {dictionary.id} was changed")
        with self._lock:
            if dictionary.id not in self._by_id:
                self._by_id[dictionary.id] = Codec(dictionary.data)
            self._current[dictionary.game, dictionary.schema, dictionary.part] = dictionary.id

    def find(self, dictionary_id: str | None) -> Codec | None:
        """Return the codec of a dictionary, None for a dictionary that was not added."""
        return self.plain if dictionary_id is None else self._by_id.get(dictionary_id)

    def choose(self, game: str, schema: int, part: str) -> tuple[str | None, Codec]:
        """Return with what a part of a game is packed: the id of the dictionary and the codec."""
        dictionary_id = self._current.get((game, schema, part))
        return dictionary_id, self.plain if dictionary_id is None else self._by_id[dictionary_id]
