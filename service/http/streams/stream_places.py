"""Where a reader stands in a stream of many games, and the cursor that says so.

A cursor is the places of all games and of the inbox with a seal of this service. The seal is bound
to the player and to the list, so a cursor of another player or of another list is refused, and a
client cannot make one. The numbers are written as in LEB128: seven bits in a byte.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self

from cartulary.events.draws.keyring import SEAL_BYTES, Keyring
from cartulary.service.http.wire.problems import Problem


class StreamList(NamedTuple):
    """What one stream follows, and for whom ('': a visitor); the games sorted, without repeats."""

    player_id: str
    games: tuple[str, ...]
    inbox: bool

    def bind(self) -> str:
        """Return a text that no other list of any player has."""
        return "\n".join((self.player_id, "inbox" if self.inbox else "", *self.games))


class GamePlace(NamedTuple):
    """The version up to which a reader has a game, and whether the stream has closed it."""

    version: int = 0
    is_closed: bool = False


class StreamPlaces:
    """The places of one reader; not thread-safe."""

    def __init__(self, keyring: Keyring, followed: StreamList) -> None:
        """Begin before the first event of each game, and without a place in the inbox."""
        self._keyring = keyring
        self._bound = b"stream cursor\n" + followed.bind().encode() + b"\n"
        self._games = dict.fromkeys(followed.games, b"\0")
        self._inbox = b"\0"

    @classmethod
    def at(cls, keyring: Keyring, followed: StreamList, versions: Mapping[str, int]) -> Self:
        """Return the places after these versions; before all events of a game without one."""
        made = cls(keyring, followed)
        for game_id, version in versions.items():
            made.move(game_id, GamePlace(version))
        return made

    @classmethod
    def read(cls, keyring: Keyring, followed: StreamList, cursor: str) -> Self:
        """Return the places that a cursor names.

        Raises `Problem` 400 `bad_cursor` for what is no cursor of this list and this player.
        """
        made = cls(keyring, followed)
        raw = _decode(cursor)
        seal, text = raw[:SEAL_BYTES], raw[SEAL_BYTES:]
        if not keyring.has_sealed(made._bound + text, seal):
            raise Problem(
                "bad_cursor",
                "the cursor is not of this list of games, or not of this player: take it from "
                "this stream, or begin without a cursor",
            )
        numbers = list(_read_numbers(text))
        made._games = {
            game_id: _write_number(number)
            for game_id, number in zip(followed.games, numbers, strict=False)
        }
        made._inbox = b"".join(map(_write_number, numbers[len(followed.games) :]))
        return made

    def find(self, game_id: str) -> GamePlace:
        """Return the place of a game of the list."""
        (number,) = _read_numbers(self._games[game_id])
        return GamePlace(number >> 1, bool(number & 1))

    def move(self, game_id: str, place: GamePlace) -> None:
        """Note the place of a game of the list."""
        self._games[game_id] = _write_number(place.version << 1 | place.is_closed)

    @property
    def inbox(self) -> str:
        """The cursor in the inbox, '' before the first item."""
        present, *place = _read_numbers(self._inbox)
        return f"{place[0]}-{place[1]}" if present else ""

    def move_inbox(self, cursor: str) -> None:
        """Note the cursor in the inbox, the id of an entry."""
        ms, _, number = cursor.partition("-")
        self._inbox = b"\1" + _write_number(int(ms)) + _write_number(int(number or 0))

    def write(self) -> bytes:
        """Return the cursor: letters, digits, `-` and `_`."""
        text = b"".join(self._games.values()) + self._inbox
        return _encode(self._keyring.seal(self._bound + text) + text)


def _encode(raw: bytes) -> bytes:
    return urlsafe_b64encode(raw).rstrip(b"=")


def _decode(cursor: str) -> bytes:
    """Return the bytes of a cursor; none for one in which the decoder would skip characters."""
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        return b""
    return raw if _encode(raw) == cursor.encode() else b""


def _write_number(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def _read_numbers(text: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in text:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
