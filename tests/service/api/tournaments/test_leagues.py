"""A league over weeks: its tables find times that fit, and calendar programs read them."""

from __future__ import annotations

from typing import Any

from icalendar import Calendar

from cartulary.events.model.clock import format_time
from cartulary.events.store import Store
from tests.service.api.tournaments.test_tournaments import Register, announce, enter
from tests.service.support.caller import Caller

EVENINGS = [["18:00", "22:00"]]
WEEKS: dict[str, Any] = {
    "Ada": {"timezone": "Europe/Zagreb", "days": {"mon": EVENINGS, "thu": EVENINGS}},
    "Bob": {"timezone": "Europe/Lisbon", "days": {"thu": [["12:00", "20:00"]]}},
    "Eve": {"timezone": "UTC", "days": {day: [["16:00", "20:00"]] for day in ("tue", "thu")}},
    "Dan": {"timezone": "Asia/Kolkata", "days": {"thu": [["21:30", "24:00"]]}},
    "Cyd": {"timezone": "America/New_York", "days": {"thu": [["08:00", "16:00"]]}},
    "Fay": {"timezone": "Europe/Berlin", "days": {"thu": EVENINGS, "sun": EVENINGS}},
}
"""When six people can play: all of them on Thursdays, for an hour or more."""


def test_each_table_of_a_league_of_six_finds_a_time_that_calendars_show(
    store: Store, ada: Caller, bob: Caller, register: Register, visitor: Caller
) -> None:
    callers = {"Ada": ada, "Bob": bob}
    callers |= {name: register(name) for name in WEEKS if name not in callers}
    league = announce(ada, format="round_robin", rounds=None, window=168)
    enter(league, *callers.values())
    assert ada.post(f"/tournaments/{league}/start", {}).status_code == 201
    store.tournaments.driver.step(league)
    for name, caller in callers.items():
        said = caller.put("/players/me/availability", {"availability": WEEKS[name]})
        assert said.status_code == 200
    tables = ada.get(f"/tournaments/{league}/rounds/1").json["tables"]
    assert len(tables) == 3
    seated = list(callers.values())
    for table in tables:
        times = f"/tournaments/{league}/tables/{table['table']}/times"
        players = [seated[number - 1] for number in table["seats"]]
        chosen = players[0].get(times).json["times"][0]
        assert chosen["minutes"] >= 60
        for one in players:
            assert one.post(times, {"time": chosen["time"]}).status_code == 201
        assert players[1].get(times).json["agreed"] == chosen["time"]
        for one in players:
            assert chosen["time"] in list_begins(one, visitor)


def list_begins(caller: Caller, visitor: Caller) -> list[str]:
    """Return when the entries of a player's calendar begin, as a calendar program reads them."""
    url = caller.post("/players/me/calendar").json["url"].removeprefix("/api/v1")
    entries: Any = Calendar.from_ical(visitor.get(url).data).walk("VEVENT")
    return [format_time(round(one["DTSTART"].dt.timestamp() * 1000)) for one in entries]
