"""Backups to a bucket on a real server of S3."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from cartulary.events.backup.targets import s3
from cartulary.events.backup.targets.s3 import S3Bucket
from cartulary.events.backup.targets.target import MissingFile, TargetBusy, TargetError
from tests.cli.backups.commands import run
from tests.cli.backups.conftest import AgeKey
from tests.cli.backups.s3_server import BUCKET, run_s3

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.process]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with run_s3(tmp_path_factory.mktemp("s3")) as variables:
        yield variables


@pytest.fixture
def address(
    server: dict[str, str], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A prefix of this test alone."""
    for name, value in server.items():
        monkeypatch.setenv(name, value)
    return f"s3://{BUCKET}/{request.node.name}"


def test_an_encrypted_backup_in_a_bucket_is_proven_kept_and_restored(
    url: str, address: str, tmp_path: Path, age_key: AgeKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        made = run("backup", address, "--encrypt-for", age_key.recipient, "--keep", 1)
        assert made.exit_code == 0, made.stderr
    (name,) = S3Bucket(address).list_names()
    assert name.endswith(".backup.age")
    monkeypatch.delenv("CARTULARY_EVENTS_URL")
    restore = ("restore", "--identity", age_key.identity, "--data", tmp_path / "new", "--jobs", 1)
    checked = run(*restore, "--check", f"{address}/{name}")
    assert (checked.exit_code, checked.stdout) == (0, "the backup is whole\n")
    rehearsed = run("upgrade", "--rehearse", address, "--identity", age_key.identity, "--jobs", 1)
    assert (rehearsed.exit_code, f"read: {address}/{name}" in rehearsed.stdout) == (0, True)
    restored = run(*restore, address)
    assert (restored.exit_code, restored.stdout) == (0, "2 of 2 games hold\nrestored\n")


def test_the_lock_of_a_killed_process_becomes_stale(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = S3Bucket(address), S3Bucket(address)
    with first.hold():
        with pytest.raises(TargetBusy), second.hold():
            pass
        monkeypatch.setattr(s3, "STALE", timedelta(0))
        with second.hold():
            pass
    assert list(first.list_names()) == []


def test_what_is_not_there_and_what_does_not_answer_have_a_word(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MissingFile), (tmp_path / "x").open("wb") as into:
        S3Bucket(address).get("missing", into)
    found = run("backup", "s3://")
    assert (found.exit_code, "no address of a bucket" in found.stderr) == (2, True)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(TargetError, match="Error performing PUT") as refused:
        S3Bucket(address).put("x", tmp_path / "x")
    assert "\n" not in str(refused.value)
