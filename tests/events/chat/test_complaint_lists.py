"""Lists of complaints: a page costs a page, and lost lists are made again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cartulary.events.chat.complaint_lists import ALL, CLOSED, OPEN
from cartulary.events.chat.complaints import Complaint, Complaints
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store

LISTS = (keys.complaints_open(), keys.complaints_closed(), keys.complaints_complete())


@pytest.fixture
def made(timed: Store, ada: Player) -> list[Complaint]:
    """Five reports about Ada, the second and the fourth of them closed."""
    reporters = [timed.players.create(f"P{number}")[0] for number in range(5)]
    made = [timed.complaints.report(one, "player", ada.id, "name", "") for one in reporters]
    return [timed.complaints.close(one) if number % 2 else one for number, one in enumerate(made)]


def read_pages(complaints: Complaints, state: str) -> Iterator[list[str]]:
    """Yield the ids of the pages of two."""
    cursor: str | None = ""
    while cursor is not None:
        page = complaints.read_page(state, cursor, 2)
        yield [one.id for one in page.complaints]
        cursor = page.next_cursor


def test_each_state_has_its_reports_page_by_page_the_oldest_first(
    timed: Store, made: list[Complaint]
) -> None:
    first, second, third, fourth, fifth = (one.id for one in made)
    pages = {state: [*read_pages(timed.complaints, state)] for state in (OPEN, CLOSED, ALL)}
    assert pages[OPEN] == [[first, third], [fifth]]
    assert pages[CLOSED] == [[second, fourth]]
    assert pages[ALL] == [[first, second], [third, fourth], [fifth]]


def test_a_page_reads_its_own_reports_only(
    timed: Store, made: list[Complaint], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed.complaints.read_page()
    sent: list[tuple[object, ...]] = []
    send: Any = timed.registry.execute_command

    def note(*command: object, **options: object) -> object:
        sent.append(command)
        return send(*command, **options)

    monkeypatch.setattr(timed.registry, "execute_command", note)
    timed.complaints.read_page(ALL, made[0].id, 2)
    assert sent == [
        ("EXISTS", keys.complaints_complete()),
        ("HMGET", keys.complaints(), made[1].id, made[2].id),
    ]


def test_reports_about_a_player_are_counted_open_or_not(
    timed: Store, made: list[Complaint], ada: Player, bob: Player
) -> None:
    assert timed.complaints.count_about(ada.id) == len(made)
    assert timed.complaints.count_about(bob.id) == 0


def test_lists_that_are_lost_are_made_again(
    timed: Store, made: list[Complaint], ada: Player
) -> None:
    before = [*read_pages(timed.complaints, OPEN)]
    timed.registry.delete(*LISTS, keys.complaints_about(ada.id))
    assert [*read_pages(timed.complaints, OPEN)] == before
    assert timed.complaints.count_about(ada.id) == len(made)


@pytest.mark.parametrize("cursor", ["x", "01KAB", "01kab3ndektsv4rrffq69g5fav", "-", "(", "\n"])
def test_what_is_no_id_is_no_cursor(cursor: str) -> None:
    assert not Complaints.is_cursor(cursor)
    assert Complaints.is_cursor("01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert Complaints.is_cursor("")
