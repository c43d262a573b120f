"""Settings from the environment."""

from __future__ import annotations

import pytest

from cartulary.events.settings import (
    ARCHIVE_AFTER_S,
    StoreSettings,
    read_archive_after,
)
from cartulary.settings.environment import Environment
from cartulary.settings.settings import SettingsError

KEY = "5e" * 32


def test_an_unreadable_key_is_not_shown() -> None:
    with pytest.raises(SettingsError) as refused:
        StoreSettings.from_env({"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": "5e" * 31})
    assert "5e5e" not in str(refused.value)


def test_several_keys_are_read_the_one_that_encrypts_first() -> None:
    environ = {"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": f"{KEY}, {'5f' * 32}\n"}
    assert list(StoreSettings.from_env(environ).keys) == [b"\x5e" * 32, b"\x5f" * 32]


def test_the_queue_is_on_the_events_server_unless_said_otherwise() -> None:
    one = StoreSettings.from_env({"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": KEY})
    assert (one.events_url, one.queue_url) == ("redis://a", "redis://a")
    two = StoreSettings.from_env(
        {
            "CARTULARY_EVENTS_URL": "redis://a",
            "CARTULARY_QUEUE_URL": "redis://b",
            "CARTULARY_SECRET": KEY,
        }
    )
    assert (two.events_url, two.queue_url) == ("redis://a", "redis://b")


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({}, "CARTULARY_EVENTS_URL"),
        ({"CARTULARY_EVENTS_URL": ""}, "CARTULARY_EVENTS_URL"),
        ({"CARTULARY_EVENTS_URL": "redis://a"}, "CARTULARY_SECRET"),
        ({"CARTULARY_EVENTS_URL": "redis+cluster://a"}, "CARTULARY_QUEUE_URL"),
        *(
            ({"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": value}, "CARTULARY_SECRET")
            for value in ("5e5e", "zz" * 32, "5e" * 33, f"{'5e' * 32};{'5f' * 32}", ",")
        ),
        *(
            (
                {"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_CACHE_BYTES": value},
                "CARTULARY_CACHE_BYTES",
            )
            for value in ("0", "-1", "many", "²")
        ),
    ],
)
def test_what_is_missing_or_wrong_is_named(environ: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        StoreSettings.from_env(environ)


def test_outages_and_vacations_are_what_the_operator_says() -> None:
    given = {"OUTAGE_AFTER": "30", "OUTAGE_MARGIN": "0", "VACATION_AT_A_TIME": "7"}
    environ = {f"CARTULARY_{name}": value for name, value in given.items()}
    known = {"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": KEY}
    found = StoreSettings.from_env({**known, **environ})
    assert found.silence == (30_000, 0)
    assert (found.allowance.at_a_time, found.allowance.a_year) == (7, 35)
    assert StoreSettings.from_env(known).silence == (15_000, 60_000)


@pytest.mark.parametrize(
    ("name", "value"),
    [("OUTAGE_AFTER", "11"), ("OUTAGE_AFTER", "x"), ("OUTAGE_MARGIN", "-1")],
)
def test_an_outage_that_no_operator_can_mean_is_refused(name: str, value: str) -> None:
    environ = {"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_SECRET": KEY}
    with pytest.raises(SettingsError, match=f"CARTULARY_{name} must be a whole number"):
        StoreSettings.from_env({**environ, f"CARTULARY_{name}": value})


def _after(text: str) -> Environment:
    return Environment({"CARTULARY_ARCHIVE_AFTER": text})


def test_games_are_archived_after_a_number_of_seconds_or_never() -> None:
    given = {"": ARCHIVE_AFTER_S, "0": 0, "60": 60, "off": None}
    assert {one: read_archive_after(_after(one)) for one in given} == given
    for wrong in ("soon", "-1", "1.5", "OFF", "9" * 12):
        with pytest.raises(SettingsError, match="or `off`, not"):
            read_archive_after(_after(wrong))
