"""What a player chooses about notices: delays, quiet hours, the message of the day."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cartulary.events.notices.settings import InvalidSettings, NoticeSettings

ZAGREB = "Europe/Zagreb"


def at(day: int, hour: int, minute: int = 0, month: int = 7) -> int:
    """Return a local time of 2026 in ms since the epoch."""
    local = datetime.datetime(2026, month, day, hour, minute, tzinfo=ZoneInfo(ZAGREB))
    return int(local.timestamp() * 1000)


NIGHT = NoticeSettings.read(
    {"quiet": {"from": "22:00", "until": "07:00"}, "digest": "08:00", "timezone": ZAGREB}
)


def test_a_turn_is_sent_by_push_after_a_minute_and_by_webhook_at_once() -> None:
    settings = NoticeSettings()
    assert settings.find_delay("your_turn", "push") == 60
    assert settings.find_delay("your_turn", "webhook") == 0
    assert settings.find_delay("seat_vacant", "push") is None


@pytest.mark.parametrize(
    ("now", "end"),
    [
        (at(1, 21, 59), None),
        (at(1, 22), at(2, 7)),
        (at(1, 23, 59), at(2, 7)),
        (at(2, 0), at(2, 7)),
        (at(2, 6, 59), at(2, 7)),
        (at(2, 7), None),
    ],
)
def test_quiet_hours_may_span_midnight(now: int, end: int | None) -> None:
    assert NIGHT.find_quiet_end(now) == end


def test_quiet_hours_follow_the_clock_of_the_player_through_summer_time() -> None:
    """In 2026 the clocks go forward in the night before 29 March and back before 25 October."""
    assert NIGHT.find_quiet_end(at(28, 23, month=3)) == at(29, 7, month=3)
    assert at(29, 7, month=3) - at(28, 23, month=3) == 7 * 3_600_000
    assert NIGHT.find_quiet_end(at(24, 23, month=10)) == at(25, 7, month=10)
    assert at(25, 7, month=10) - at(24, 23, month=10) == 9 * 3_600_000


def test_the_message_of_the_day_is_today_or_tomorrow() -> None:
    assert NIGHT.find_digest(at(1, 7, 59), "push") == at(1, 8)
    assert NIGHT.find_digest(at(1, 8), "webhook") == at(2, 8)
    assert NoticeSettings().find_digest(at(1, 8), "push") is None


def test_e_mail_comes_at_eight_unless_another_time_is_chosen() -> None:
    here = NoticeSettings.read({"timezone": ZAGREB})
    assert here.find_digest(at(1, 7, 59), "email") == at(1, 8)
    evening = NoticeSettings.read({"digest": "19:30", "timezone": ZAGREB})
    assert evening.find_digest(at(1, 8), "email") == at(1, 19, 30)
    midnight = NoticeSettings.read({"digest": "00:00", "timezone": ZAGREB})
    assert midnight.find_digest(at(1, 8), "email") == at(2, 0)


def test_settings_are_read_as_they_are_described() -> None:
    body = {
        "your_turn": {"push": {"delay": 300}, "webhook": None},
        "reminder": 0.5,
        "digest": "08:00",
        "quiet": {"from": "22:00", "until": "07:00"},
        "timezone": ZAGREB,
    }
    described = NoticeSettings.read(body).describe()
    assert described["your_turn"] == {
        "push": {"delay": 300},
        "webhook": None,
        "email": {"delay": 0},
    }
    assert described["game_over"] == {
        "push": {"delay": 60},
        "webhook": {"delay": 0},
        "email": None,
    }
    assert NoticeSettings.read(described).describe() == described


def test_a_channel_that_is_chosen_without_a_delay_gets_notices_at_once() -> None:
    settings = NoticeSettings.read({"your_turn": {"push": {}}})
    assert settings.find_delay("your_turn", "push") == 0


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"nonsense": {}}, "/nonsense"),
        ({"your_turn": 5}, "/your_turn"),
        ({"your_turn": {"pigeon": None}}, "/your_turn/pigeon"),
        ({"your_turn": {"push": {"delay": -1}}}, "/your_turn/push/delay"),
        ({"your_turn": {"push": {"delay": True}}}, "/your_turn/push/delay"),
        ({"your_turn": {"push": {"delay": 10**9}}}, "/your_turn/push/delay"),
        ({"reminder": 2}, "/reminder"),
        ({"digest": "8:00"}, "/digest"),
        ({"digest": "24:00"}, "/digest"),
        ({"quiet": {"from": "22:00"}}, "/quiet"),
        ({"quiet": {"from": "22:00", "until": "22:00"}}, "/quiet"),
        ({"timezone": "Mars/Olympus"}, "/timezone"),
        ({"timezone": "../../etc/passwd"}, "/timezone"),
        ({"timezone": 5}, "/timezone"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_its_pointer(
    body: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InvalidSettings) as refused:
        NoticeSettings.read(body)
    assert refused.value.pointer == pointer
