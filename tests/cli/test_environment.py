"""What the environment and the command line may get wrong about where things are."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main

NO_ADDRESSES = [
    "garbage",
    "http://foo",
    "redis://127.0.0.1:99999",
    "redis://127.0.0.1:many",
    "redis://[::1",
    "redis://a..b",
    "redis://127.0.0.1?db=first",
    "redis://127.0.0.1?colour=red",
]


def run(command: str, data: Path, **environment: str) -> Result:
    env = {"CARTULARY_EVENTS_URL": "", "CARTULARY_QUEUE_URL": "", **environment}
    return CliRunner(env=env).invoke(main, [command, "--data", str(data)])


@pytest.mark.parametrize("url", NO_ADDRESSES)
@pytest.mark.parametrize("command", ["serve", "rebuild", "audit"])
def test_an_invalid_address_is_refused_at_once(tmp_path: Path, command: str, url: str) -> None:
    result = run(command, tmp_path / "data", CARTULARY_EVENTS_URL=url)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: CARTULARY_EVENTS_URL is not the address of a server: ")
    assert not (tmp_path / "data").exists()


def test_serve_looks_at_the_address_of_the_queue_as_well(tmp_path: Path) -> None:
    result = run("serve", tmp_path / "data", CARTULARY_QUEUE_URL="garbage")
    assert result.exit_code == 2
    assert "CARTULARY_QUEUE_URL is not the address of a server" in result.stderr


def test_a_mail_server_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    result = run("serve", tmp_path / "data", CARTULARY_SMTP_URL="mail.example.org")
    assert result.exit_code == 2
    assert "CARTULARY_SMTP_URL must be smtps://HOST:PORT" in result.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "url", ["redis://ada:secret@127.0.0.1:99999", "redis://ada:secret/1@127.0.0.1:6379"]
)
def test_a_password_in_an_address_is_not_shown(tmp_path: Path, url: str) -> None:
    assert "secret" not in run("audit", tmp_path, CARTULARY_EVENTS_URL=url).output


@pytest.mark.parametrize("command", ["rebuild", "audit"])
def test_a_server_that_does_not_answer_is_refused(tmp_path: Path, command: str) -> None:
    url = f"unix://{tmp_path}/nobody.sock"
    result = run(command, tmp_path, CARTULARY_EVENTS_URL=url)
    assert result.exit_code == 2
    assert "does not answer" in result.stderr


@pytest.mark.parametrize("command", ["serve", "rebuild", "audit"])
def test_a_data_directory_below_a_plain_file_is_refused(tmp_path: Path, command: str) -> None:
    (tmp_path / "plain").touch()
    result = run(command, tmp_path / "plain" / "data")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
