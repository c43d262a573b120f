"""Which backups stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cartulary.events.backup.targets.naming import (
    BackupName,
    SegmentName,
    parse_backup,
    parse_segment,
)
from cartulary.events.backup.targets.retention import choose_kept

OWN = "0123456789ab"
NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
"""A Thursday."""


def at(days: float, state: str = "") -> BackupName:
    moment = NOON - timedelta(days=days)
    return BackupName(round(moment.timestamp() * 1000), OWN, state=state)


def days_kept(names: list[BackupName], newest: int) -> list[int]:
    kept = choose_kept(names, newest)
    return sorted(round((NOON.timestamp() * 1000 - name.at) / 86_400_000) for name in kept)


def test_a_year_of_nights_leaves_the_newest_and_one_of_each_week_and_month() -> None:
    kept = days_kept([at(day) for day in range(400)], 3)
    assert kept[:3] == [0, 1, 2]
    # Sundays (the newest of each week before this one) and the last days of the months.
    assert kept[3:] == [4, 11, 18, 26, 57, 87, 118, 149, 179, 210, 240, 271, 299, 330]


def test_weeks_without_a_backup_do_not_count() -> None:
    assert days_kept([at(0), at(90), at(91)], 1) == [0, 90]


@pytest.mark.parametrize("newest", [1, 5])
def test_the_last_proven_backup_stays_whatever_has_failed_since(newest: int) -> None:
    names = [at(9), *(at(day, "failed") for day in range(8))]
    assert at(9) in choose_kept(names, newest)


def test_an_unproven_backup_stays_until_a_newer_one_is_proven() -> None:
    old, new = at(2, "unproven"), at(0, "unproven")
    assert choose_kept([old, at(1), new], 1) == {at(1), new}


def test_only_the_last_failures_are_kept() -> None:
    names = [at(day, "failed") for day in range(5)]
    assert choose_kept(names, 1) == set(names[:3])


@pytest.mark.parametrize("state", ["", "unproven", "failed"])
@pytest.mark.parametrize("encrypted", [True, False])
def test_a_name_says_what_a_backup_is(state: str, encrypted: bool) -> None:
    name = BackupName(1_795_662_007_042, OWN, encrypted, state)
    assert parse_backup(str(name)) == name
    segment = SegmentName(name.stem, 7, 1_795_662_007_042, 1_795_662_009_000, encrypted)
    assert parse_segment(str(segment)) == segment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "games.backup",
        "20261126T030000123Z-0123456789ab.backup.partial",
        "20261126T030000123Z-0123456789ab.backup.failed.txt",
        "20261326T030000123Z-0123456789ab.backup",
        "20261126T030000123Z-0123456789AB.backup",
        "x20261126T030000123Z-0123456789ab.backup",
    ],
)
def test_another_name_is_that_of_no_backup(text: str) -> None:
    assert parse_backup(text) is None
    assert parse_segment(text) is None
