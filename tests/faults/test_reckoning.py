"""The reckoning finds what it is there to find."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.faults.clients import ReconnectingClient, ServiceReply
from bench.faults.journal import Journal, Json
from bench.faults.reckoning import Reckoning, hash_event, reckon
from bench.faults.watchers import Watched

GAME = "01GAME"


class Stored(ReconnectingClient):
    """A service that has stored some events."""

    def __init__(self, events: list[Json]) -> None:
        self._events = events

    def insist(
        self, method: str, path: str, body: Any = None, token: str = "", key: str = ""
    ) -> ServiceReply:
        if not self._events:
            return ServiceReply(404, {}, 0.0)
        after = int(path.partition("after=")[2].partition("&")[0])
        page = self._events[after:]
        return ServiceReply(200, {"events": page, "next_after": after + len(page)}, 0.0)


def make_event(version: int, type_: str = "move_made", seat: int = 0) -> Json:
    return {"version": version, "type": type_, "seat": seat, "at": f"moment {version}"}


def chain(*events: Json) -> list[Json]:
    """Return the events with `prev` and `hash`."""
    prev, chained = "0" * 64, []
    for event in events:
        sealed = {**event, "prev": prev}
        prev = hash_event(sealed)
        chained.append({**sealed, "hash": prev})
    return chained


def make_stream() -> list[Json]:
    first, last = make_event(1, "game_created"), make_event(5, "game_scored")
    return chain(first, make_event(2), make_event(3, seat=1), make_event(4), last)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A journal with a game whose seat 0 is a person's, with moves 2 and 4 acknowledged."""
    made = Journal(tmp_path / "journal")
    made.open({"id": GAME}, frozenset({0}), sent=0.0)
    for version in (2, 4):
        made.acknowledge(GAME, make_stream()[version - 1], sent=10.0)
    yield made
    made.close()


def found(journal: Journal, events: list[Json]) -> Reckoning:
    return reckon(Stored(events), journal)


def test_a_stream_with_all_that_was_acknowledged_is_clean(journal: Journal) -> None:
    reckoning = found(journal, make_stream())
    assert reckoning.clean
    assert (reckoning.games, reckoning.events, reckoning.acknowledged) == (1, 5, 2)


def test_an_acknowledged_event_that_is_missing_is_lost(journal: Journal) -> None:
    assert found(journal, make_stream()[:3]).lost == [f"{GAME} version 4"]


def test_an_acknowledged_event_that_differs_is_changed_and_breaks_the_chain(
    journal: Journal,
) -> None:
    events = make_stream()
    events[3]["at"] = "another moment"
    reckoning = found(journal, events)
    assert reckoning.changed == [f"{GAME} version 4"]
    assert reckoning.unchained == [f"{GAME} version 4", f"{GAME} version 5"]


def test_a_chain_that_begins_elsewhere_is_broken(journal: Journal) -> None:
    events = make_stream()
    events[0]["prev"] = "1" * 64
    assert found(journal, events).unchained[0] == f"{GAME} version 1"


def test_a_move_of_a_person_that_nobody_was_answered_for_is_doubled(journal: Journal) -> None:
    events = make_stream()
    events[2]["seat"] = 0
    (line,) = found(journal, events).doubled
    assert "version 3 of seat 0" in line


def test_a_gap_and_a_game_without_an_end_are_found(journal: Journal) -> None:
    events = make_stream()
    events[2]["version"] = 7
    events[4]["type"] = "move_made"
    events[4]["seat"] = 1
    reckoning = found(journal, events)
    assert reckoning.gaps == [GAME]
    assert reckoning.unfinished == [f"{GAME} ends with move_made"]


def test_a_game_that_is_missing_is_lost(journal: Journal) -> None:
    assert found(journal, []).lost == [f"game {GAME}"]


def test_what_a_fall_back_explains_is_counted_apart(journal: Journal) -> None:
    (came,) = {event.came for event in journal.games[GAME].events[1:]}
    journal.note_fallback(copied=came - 0.001, killed=11.0)
    first, last = make_event(1, "game_created"), make_event(4, "game_scored")
    events = chain(first, make_event(2), make_event(3, seat=1), last)
    reckoning = found(journal, events)
    assert reckoning.clean
    assert reckoning.taken == 1


def test_an_event_that_is_promised_twice_is_doubled(journal: Journal) -> None:
    journal.acknowledge(GAME, make_stream()[3], sent=20.0, seen=True)
    (line,) = found(journal, make_stream()).doubled
    assert "version 4 (move_made) twice: answered and seen" in line


def test_an_event_that_a_fall_back_took_may_be_promised_and_stored_again(journal: Journal) -> None:
    first = journal.games[GAME].events[1]
    journal.note_fallback(copied=first.came - 0.001, killed=first.came + 0.001)
    journal.acknowledge(GAME, make_stream()[3], sent=first.came + 0.002, seen=True)
    reckoning = found(journal, make_stream())
    assert reckoning.clean
    assert reckoning.taken == 1


def test_a_fall_back_explains_no_loss_of_what_was_sent_later(journal: Journal) -> None:
    journal.note_fallback(copied=0.0, killed=9.0)
    assert found(journal, make_stream()[:3]).lost


def test_a_stream_that_showed_something_else_is_found(journal: Journal) -> None:
    watched = Watched()
    watched.events, watched.ended = make_stream(), time.monotonic()
    assert reckon(Stored(make_stream()), journal, {GAME: watched}).clean
    watched.events[1] = {**watched.events[1], "seat": 1}
    assert reckon(Stored(make_stream()), journal, {GAME: watched}).misshown
    watched.events = make_stream()[:4]
    assert reckon(Stored(make_stream()), journal, {GAME: watched}).misshown
    journal.note_fallback(copied=watched.ended + 1, killed=watched.ended + 2)
    assert reckon(Stored(make_stream()), journal, {GAME: watched}).misshown, "it had seen the end"
    journal.note_fallback(copied=watched.ended - 1, killed=watched.ended + 2)
    assert reckon(Stored(make_stream()), journal, {GAME: watched}).misshown == []
