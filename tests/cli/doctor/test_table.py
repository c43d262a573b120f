"""The table of checks, and the page about it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cartulary.cli.doctor import setting_checks
from cartulary.cli.doctor.server_checks import is_nearly_full
from cartulary.cli.doctor.site import DiskUse, Site
from cartulary.cli.doctor.table import CHECK_FAILED, CHECKS
from cartulary.cli.main import main
from cartulary.events.server.key_catalogue import FAMILIES, Care
from tests.cli.doctor.test_faults import FAULTS

DOCS = Path(__file__).parents[3] / "docs"
ALL = (*CHECKS, CHECK_FAILED)


def anchors(page: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_each_code_stands_once_and_each_fault_can_be_planted() -> None:
    codes = [check.code for check in ALL]
    assert len(codes) == len(set(codes))
    assert set(FAULTS) == {check.code for check in CHECKS}
    assert len(FAULTS) >= 25


@pytest.mark.parametrize("check", ALL, ids=lambda check: check.code)
def test_each_row_says_what_is_wrong_what_to_do_and_where_more_is(check: Any) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", check.code)
    assert check.fault.endswith(".")
    assert check.remedy.endswith(".")
    assert check.section
    page, _, anchor = check.page.partition("#")
    assert not anchor or anchor in anchors(page)


def test_the_page_has_the_table_of_the_command() -> None:
    printed = CliRunner().invoke(main, ["doctor", "--markdown"]).stdout
    page = (DOCS / "operating" / "doctor.md").read_text(encoding="utf-8")
    assert printed in page, "replace it by what `cartulary doctor --markdown` prints"


def test_only_what_may_disappear_at_any_moment_expires() -> None:
    assert {row.care for row in FAMILIES if row.expires} == {Care.EPHEMERAL}


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"PUBLIC_URL": "http://a", "CERTIFICATE": "c.pem"}, "CARTULARY_PUBLIC_URL begins"),
        ({"KEY": "key.pem"}, "CARTULARY_KEY sets nothing"),
        ({"SMTP_FROM": "a@b.example"}, "CARTULARY_SMTP_FROM sets nothing"),
        ({"SMTP_URL": "smtps://mail", "NOTICES": "0"}, "CARTULARY_NOTICES=0"),
        ({"VACATION_A_YEAR": "7"}, "CARTULARY_VACATION_AT_A_TIME (14 days)"),
        ({"STREAMS": "99999999999"}, "CARTULARY_STREAMS is 99999999999"),
    ],
)
def test_settings_that_contradict_each_other_are_named(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], named: str
) -> None:
    site = Site(Path("missing"), "")
    assert list(setting_checks.find_contradictions(site)) == []
    for name, value in variables.items():
        monkeypatch.setenv(f"CARTULARY_{name}", value)
    (found,) = setting_checks.find_contradictions(site)
    assert named in found


@pytest.mark.parametrize(
    ("total", "free", "full"),
    [
        (1 << 40, 50 << 20, True),
        (10 << 30, 400 << 20, True),
        (10 << 30, 600 << 20, False),
        (1 << 40, 2 << 30, False),
    ],
)
def test_a_disk_is_nearly_full_by_its_share_and_by_its_bytes(
    total: int, free: int, full: bool
) -> None:
    assert is_nearly_full(DiskUse(Path("/"), total, free)) is full
