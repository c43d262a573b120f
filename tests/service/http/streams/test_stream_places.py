"""Cursors of streams of many games: what they hold, and whose they are."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as some

from cartulary.events.draws.keyring import KEY_BYTES, SEAL_BYTES, Keyring
from cartulary.service.http.streams.stream_places import GamePlace, StreamList, StreamPlaces
from cartulary.service.http.wire.problems import Problem

KEY, OTHER_KEY = b"k" * KEY_BYTES, b"o" * KEY_BYTES
KEYRING = Keyring([KEY])
LIST = StreamList("ada", ("a", "b"), True)


def write(places: StreamPlaces) -> str:
    return places.write().decode()


def a_cursor(keyring: Keyring = KEYRING, followed: StreamList = LIST) -> str:
    return write(StreamPlaces.at(keyring, followed, {"a": 7}))


@pytest.mark.slow
@given(
    some.lists(some.builds(GamePlace, some.integers(0, 2**31 - 1), some.booleans()), max_size=50),
    some.none() | some.tuples(some.integers(0, 2**53), some.integers(0, 2**33)),
)
def test_a_cursor_names_the_places_that_it_was_written_for(
    given_places: list[GamePlace], inbox: tuple[int, int] | None
) -> None:
    followed = StreamList("ada", tuple(map(str, range(len(given_places)))), True)
    places = StreamPlaces(KEYRING, followed)
    for game_id, place in zip(followed.games, given_places, strict=True):
        places.move(game_id, place)
    cursor = "" if inbox is None else f"{inbox[0]}-{inbox[1]}"
    if cursor:
        places.move_inbox(cursor)
    read = StreamPlaces.read(KEYRING, followed, write(places))
    assert [read.find(game_id) for game_id in followed.games] == given_places
    assert read.inbox == cursor
    assert write(read) == write(places)


@pytest.mark.parametrize(
    "other",
    [
        LIST._replace(player_id="bob"),
        LIST._replace(player_id=""),
        LIST._replace(games=("a", "c")),
        LIST._replace(games=("a",)),
        LIST._replace(inbox=False),
    ],
)
def test_a_cursor_of_another_player_or_list_is_refused(other: StreamList) -> None:
    with pytest.raises(Problem) as caught:
        StreamPlaces.read(KEYRING, other, a_cursor())
    assert (caught.value.code, caught.value.status) == ("bad_cursor", 400)


@pytest.mark.parametrize("cursor", ["x", "!", "é", "A" * 16, "A" * 999, " "])
def test_garbage_is_refused(cursor: str) -> None:
    with pytest.raises(Problem):
        StreamPlaces.read(KEYRING, LIST, cursor)


def test_a_cursor_with_another_place_is_refused() -> None:
    raw = base64.urlsafe_b64decode(a_cursor() + "==")
    forged = bytearray(raw)
    forged[SEAL_BYTES] += 2  # the version of the first game
    with pytest.raises(Problem):
        StreamPlaces.read(KEYRING, LIST, base64.urlsafe_b64encode(forged).decode().rstrip("="))


def test_a_cursor_is_good_while_the_key_is_changed_and_not_afterwards() -> None:
    old = a_cursor()
    assert StreamPlaces.read(Keyring([OTHER_KEY, KEY]), LIST, old).find("a").version == 7
    with pytest.raises(Problem):
        StreamPlaces.read(Keyring([OTHER_KEY]), LIST, old)


def test_the_place_in_an_inbox_has_both_numbers_of_its_entry() -> None:
    places = StreamPlaces(KEYRING, LIST)
    for cursor, kept in (("7-3", "7-3"), ("7", "7-0")):
        places.move_inbox(cursor)
        assert StreamPlaces.read(KEYRING, LIST, write(places)).inbox == kept
