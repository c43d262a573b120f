"""Settings from the environment."""

from __future__ import annotations

import pytest

from cartulary.events.settings import Settings, SettingsError


def test_the_queue_is_on_the_events_server_unless_said_otherwise() -> None:
    one = Settings.from_env({"CARTULARY_EVENTS_URL": "redis://a"})
    assert (one.events_url, one.queue_url) == ("redis://a", "redis://a")
    two = Settings.from_env(
        {"CARTULARY_EVENTS_URL": "redis://a", "CARTULARY_QUEUE_URL": "redis://b"}
    )
    assert (two.events_url, two.queue_url) == ("redis://a", "redis://b")


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({}, "CARTULARY_EVENTS_URL"),
        ({"CARTULARY_EVENTS_URL": ""}, "CARTULARY_EVENTS_URL"),
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
        Settings.from_env(environ)
