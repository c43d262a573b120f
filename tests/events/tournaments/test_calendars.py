"""The calendar of a player, as a calendar program reads it."""

from __future__ import annotations

from cartulary.events.commands.commands import Intent
from cartulary.events.model.types import milliseconds
from cartulary.events.tournaments.ical import WIDTH, CalendarEntry, write_calendar
from tests.events.support.tournaments import HOUR, Cup


def unfold(text: bytes) -> list[str]:
    """Return the lines of a calendar as RFC 5545 unfolds them."""
    assert text.endswith(b"\r\n")
    return text.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]


def test_names_are_escaped_and_long_lines_are_folded_between_characters() -> None:
    name = "Žirović; a, b\\c\n" + "ж" * 60
    text = write_calendar("C", [CalendarEntry("u@c", 0, HOUR, 0, name, "http://h/1")])
    assert max(map(len, text.split(b"\r\n"))) <= WIDTH
    lines = unfold(text)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert "SUMMARY:Žirović\\; a\\, b\\\\c\\n" + "ж" * 60 in lines
    assert "DTSTART:19700101T000000Z" in lines
    assert "DTEND:19700101T010000Z" in lines


def test_a_calendar_has_starts_appointments_and_the_ends_of_windows() -> None:
    cup = Cup()
    cup.announce(start={"at": cup.time(HOUR)}, rounds=1)
    ada, bob = cup.enter("Ada", "Bob")
    calendars = cup.store.tournaments.calendars
    (start,) = calendars.list_entries(ada.id, "https://h")
    assert (start.begin, start.url) == (
        cup.clock.now_ms() + HOUR,
        f"https://h/tournaments/{cup.id}",
    )
    cup.clock.advance(HOUR)
    cup.look()
    (end,) = calendars.list_entries(ada.id, "")
    assert end.begin == milliseconds(str(cup.round.ends_at))
    at = cup.clock.now_ms() + 5 * HOUR
    for one in (ada, bob):
        cup.store.tournaments.commands.accept_time(Intent(one), cup.id, 1, at)
    first = calendars.list_entries(bob.id, "")[0]
    assert (first.begin, first.url) == (at, f"/games/{cup.tables()[0].game}")
    cup.store.tournaments.commands.withdraw(Intent(bob), cup.id)
    assert calendars.list_entries(bob.id, "") == []


def test_a_new_address_voids_the_one_before_and_a_deleted_account_has_none() -> None:
    cup = Cup()
    ada = cup.store.players.create("Ada")[0]
    first = cup.store.tournaments.calendars.open(ada.id)
    second = cup.store.tournaments.calendars.open(ada.id)
    find = cup.store.tournaments.calendars.find_player
    assert (find(first), find(second), find("?")) == (None, ada.id, None)
    cup.store.accounts.deletion.delete(ada, "Ada")
    assert find(second) is None
    assert not cup.store.tournaments.calendars.close(ada.id)
