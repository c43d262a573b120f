"""The calendar of a player, as a calendar program reads it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from icalendar import Calendar

from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import milliseconds
from cartulary.events.tournaments.ical import WIDTH, CalendarEntry, write_calendar
from tests.events.support.tournaments import HOUR, Cup


def read_entries(text: bytes) -> list[Any]:
    """Return the entries of a calendar as another program reads them."""
    calendar: Any = Calendar.from_ical(text)
    assert (calendar["VERSION"], calendar.errors) == ("2.0", [])
    return list(calendar.walk("VEVENT"))


def test_a_calendar_program_reads_names_and_times_as_they_were_written() -> None:
    name = "Žirović; a, b\\c\n" + "ж" * 60
    begin = 1_798_300_800_000
    entry = CalendarEntry("u@c", begin, begin + HOUR, begin - HOUR, name, "http://h/1")
    text = write_calendar("C", [entry, entry._replace(uid="v@c", end=begin, url="")])
    assert max(map(len, text.split(b"\r\n"))) <= WIDTH
    first, second = read_entries(text)
    assert (first["UID"], first["SUMMARY"], first["URL"]) == ("u@c", name, "http://h/1")
    stamps = [first[one].dt for one in ("DTSTAMP", "DTSTART", "DTEND")]
    noon = datetime.fromtimestamp(begin // 1000, UTC)
    assert stamps == [noon - timedelta(hours=1), noon, noon + timedelta(hours=1)]
    assert (second["DTEND"].dt, "URL" in second) == (noon, False)


def test_an_empty_calendar_is_one() -> None:
    assert read_entries(write_calendar("C", [])) == []


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
