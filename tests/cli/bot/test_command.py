"""`cartulary bot run` as a command: what it refuses before it connects."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main

NOWHERE = "ftp://127.0.0.1"
"""An address that the client refuses, so that no test connects."""


def run(folder: Path, *arguments: str, mode: int = 0o600, token: str = "secret") -> Result:
    file = folder / "bot.token"
    file.write_text(token)
    file.chmod(mode)
    options = ["--url", NOWHERE, "--token-file", str(file)]
    return CliRunner().invoke(main, ["bot", "run", *options, *arguments])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "name a function MODULE:NAME, or a program with --command"),
        (["json:loads", "--command", "cat"], "name a function MODULE:NAME, or a program"),
        (["json:think"], "json has no function 'think'"),
        (["nothing"], "write MODULE:FUNCTION"),
        (["--command", "./missing"], "there is no program './missing'"),
        (["json:loads", "--games", "chess"], "there is no game 'chess'; there are carcassonne"),
        (["json:loads", "--parallel", "41"], "--parallel"),
        (["json:loads", "--seconds", "0"], "--seconds"),
        (["json:loads"], "the address of the service must be http(s)://HOST"),
    ],
)
def test_what_cannot_run_is_refused_with_exit_2(
    arguments: list[str], reason: str, tmp_path: Path
) -> None:
    result = run(tmp_path, *arguments)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert "can be read by other users" not in result.stderr


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_token_that_others_can_read_gets_a_word(mode: int, tmp_path: Path) -> None:
    stderr = run(tmp_path, "json:loads", mode=mode).stderr
    assert f"chmod 600 {tmp_path / 'bot.token'}" in stderr
    assert "secret" not in stderr


def test_a_token_that_is_missing_or_empty_is_refused(tmp_path: Path) -> None:
    assert "holds no token" in run(tmp_path, "json:loads", token="").stderr
    arguments = ["bot", "run", "json:loads", "--url", NOWHERE, "--token-file", str(tmp_path / "x")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "write the token of the bot into it" in result.stderr
