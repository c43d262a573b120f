"""The key of push messages in a data directory."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from cartulary.cli.shared.errors import Unusable
from cartulary.cli.shared.key_file import find_or_make_push_key
from cartulary.notices.web_push import PushServerKey


def test_a_directory_keeps_its_key_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    file = Path(find_or_make_push_key(tmp_path))
    made = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert PushServerKey(made, "").public_text
    assert Path(find_or_make_push_key(tmp_path)).read_bytes() == made
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_the_environment_names_another_file_which_has_to_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "own.pem"
    monkeypatch.setenv("CARTULARY_PUSH_KEY", str(named))
    with pytest.raises(Unusable, match=r"own\.pem"):
        find_or_make_push_key(tmp_path)
    named.write_bytes(PushServerKey.make("").pem)
    assert find_or_make_push_key(tmp_path) == str(named)
    assert not (tmp_path / "push.key").exists()
