"""Every setting is in one table; what the environment says otherwise is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cartulary.events.draws.keyring import KEY_BYTES
from cartulary.events.settings import StoreSettings
from cartulary.service.process.settings import WebSettings
from cartulary.settings.describing import describe_settings
from cartulary.settings.environment import (
    Environment,
    find_unknown,
    known_variables,
    warn_of_unknown,
)
from cartulary.settings.settings import FILE, SettingsError
from cartulary.settings.table import LIFE_FILE, OF_TOOLS, SETTINGS
from tests.project.source_tree import ROOT

NEEDED = {
    "CARTULARY_EVENTS_URL": "redis://host",
    "CARTULARY_SECRET": "5e" * KEY_BYTES,
}
GROUPS = {"CARTULARY_QUOTA", "CARTULARY_RATE", "CARTULARY_EGRESS"}
"""How the names of several settings begin, in texts that mean all of them."""

ROOMS_THAT_READ = ("bots", "cli", "engine", "events", "notices", "service", "workers")


def test_the_page_about_the_settings_is_what_the_table_says() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    assert page == describe_settings(), "cartulary config --markdown > docs/configuration.md"


def test_each_variable_that_the_code_names_is_in_the_table_and_the_other_way_round() -> None:
    named, texts = set(), set()
    for room in ROOMS_THAT_READ:
        for file in (ROOT / room).rglob("*.py"):
            text = file.read_text("utf-8")
            named |= set(re.findall(r"\bCARTULARY_[A-Z_]*[A-Z]\b", text))
            texts |= set(re.findall(r'"([A-Z_]+)"', text))
    assert named - {*known_variables(), *OF_TOOLS} <= GROUPS
    unread = {name for name in SETTINGS if f"CARTULARY_{name}" not in named and name not in texts}
    assert {name.partition("_")[0] for name in unread} == {
        "RATE",
        "QUOTA",
        "EGRESS",
    }  # read in a loop


def test_defaults_written_out_change_nothing() -> None:
    written = {
        setting.variable: setting.default for setting in SETTINGS.values() if setting.default
    }
    assert StoreSettings.from_env(NEEDED) == StoreSettings.from_env({**written, **NEEDED})
    assert WebSettings.from_environment({}) == WebSettings.from_environment(written)
    assert WebSettings.from_environment({}) == WebSettings()
    default = StoreSettings(
        "redis://host", "redis://host", keys=StoreSettings.from_env(NEEDED).keys
    )
    assert StoreSettings.from_env(NEEDED) == default


def test_a_variable_that_sets_nothing_is_named_with_the_nearest_setting() -> None:
    given = {
        "CARTULARY_EVENT_URL": "redis://a",
        "CARTULARY_QWFPGJ": "",
        "CARTULARY_SECRET_FILE": "x",
        "CARTULARY_THREADS_FILE": "x",
        "CARTULARY_TOKEN": "x",
        "OTHER": "",
    }
    assert list(map(str, find_unknown(given))) == [
        "CARTULARY_EVENT_URL is no setting of this release; did you mean CARTULARY_EVENTS_URL?",
        "CARTULARY_QWFPGJ is no setting of this release",
        "CARTULARY_THREADS_FILE is no setting of this release; did you mean CARTULARY_THREADS?",
    ]


def test_a_child_of_serve_leaves_it_to_serve_to_name_them(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setenv("CARTULARY_TREADS", "1")
    monkeypatch.delenv(LIFE_FILE, raising=False)
    warn_of_unknown(said.append)
    assert sum("CARTULARY_TREADS" in line for line in said) == 1
    known = len(said)
    monkeypatch.setenv(LIFE_FILE, "x")
    warn_of_unknown(said.append)
    assert len(said) == known


def test_a_secret_may_lie_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(f"\n{'5f' * KEY_BYTES}\n")
    given = {"CARTULARY_EVENTS_URL": "redis://host", "CARTULARY_SECRET_FILE": str(file)}
    assert list(StoreSettings.from_env(given).keys) == [b"\x5f" * KEY_BYTES]
    assert Environment(given).source("SECRET") == str(file)
    assert Environment(given).resolve() == {**given, "CARTULARY_SECRET": "5f" * KEY_BYTES}


@pytest.mark.parametrize(
    ("bytes_in_file", "also", "said"),
    [
        (b"5f", {"CARTULARY_SECRET": "5e"}, "are both set"),
        (None, {}, "cannot read .*: No such file"),
        (b"\xff\xfe", {}, "cannot read .*: it is not UTF-8"),
    ],
)
def test_a_file_with_a_secret_that_cannot_serve_is_named(
    tmp_path: Path, bytes_in_file: bytes | None, also: dict[str, str], said: str
) -> None:
    file = tmp_path / "secret"
    if bytes_in_file is not None:
        file.write_bytes(bytes_in_file)
    with pytest.raises(SettingsError, match=f"CARTULARY_SECRET{FILE}.*{said}"):
        Environment({**also, "CARTULARY_SECRET_FILE": str(file)}).text("SECRET")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("THREADS", "0", "must be a whole number from 1 to 1000, not '0'"),
        ("CACHE_BYTES", "0", "must be a whole number of at least 1, not '0'"),
        ("ARCHIVE_AFTER", "never", "must be a whole number from 0 to .* or `off`, not 'never'"),
        ("CLIENT", "newest", "must be built or current, not 'newest'"),
        ("LOG_LEVEL", "loud", "must be DEBUG or INFO or"),
        ("LOG_REQUESTS", "perhaps", "must be 1 or 0, not 'perhaps'"),
        ("PUBLIC_URL", "games.example", "must be https://HOST or http://HOST"),
    ],
)
def test_a_value_that_no_setting_accepts_is_refused_with_the_name(
    name: str, value: str, said: str
) -> None:
    given = {**NEEDED, f"CARTULARY_{name}": value}
    with pytest.raises(SettingsError, match=f"^CARTULARY_{name} {said}"):
        StoreSettings.from_env(given), WebSettings.from_environment(given)
