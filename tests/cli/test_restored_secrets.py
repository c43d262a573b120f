"""The secrets of unfinished games are restored with the key, or renewed without it."""

from __future__ import annotations

import random
import secrets
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.main import main
from cartulary.cli.shared.key_file import NAME, make_keyring
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.notices.rows import StoredAddress, StoredSecret, StoredWebhook
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.events.support.bean_games import any_move, play_out

pytestmark = pytest.mark.real

ME, OPEN = SeatRequest("me"), SeatRequest("open")
KEY = secrets.token_hex(32)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARTULARY_SECRET", raising=False)


@pytest.fixture
def store(real_redis: Redis) -> Store:
    store = Store(real_redis, OFFERS, rng=random.Random(3), keyring=make_keyring(KEY))
    store.claim()
    return store


def back_up(url: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with monkeypatch.context() as patched:
        patched.setenv("CARTULARY_EVENTS_URL", url)
        result = run("backup", file)
    assert result.exit_code == 0, result.stderr
    return file


@pytest.fixture
def file(
    store: Store, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A backup of an open, a running, a scoring and a finished game."""
    ada, _ = store.players.create("Ada")
    store.commands.create(Intent(ada), NewGame("carcassonne", (ME, OPEN)))
    running = store.commands.create(Intent(ada), NewGame("carcassonne", (ME, ME))).table
    store.commands.move(Intent(ada), running.id, any_move(running))
    play_out(store, ada, store.commands.create(Intent(ada), NewGame("carcassonne", (ME, ME))).table)
    over = play_out(
        store, ada, store.commands.create(Intent(ada), NewGame("carcassonne", (ME, ME))).table
    )
    store.commands.score(over.id)
    return back_up(real_redis_url, tmp_path / "games.backup", monkeypatch)


def types_of(data: Path) -> dict[str, list[str]]:
    """The types of the events of each game of a directory, by the status of the game."""
    with EmbeddedValkey(data / "valkey") as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, keyring=make_keyring(read_key(data)))
        assert store.vault.fits()
        found = {}
        for game_id in store.ledger.game_ids():
            table = store.projector.table(game_id)
            assert table.fair is not None
            has = store.vault.has(game_id, table.fair.commitment)
            assert has or table.status not in ("open", "running")
            found[str(table.status)] = [one["type"] for one in store.ledger.events(game_id)]
        store.close()
        return found


def read_key(data: Path) -> str:
    return (data / NAME).read_text().strip()


def test_without_the_key_the_games_concerned_are_counted_and_nothing_is_made(
    file: Path, tmp_path: Path
) -> None:
    result = run("restore", file, "--data", tmp_path / "new")
    assert result.exit_code == 2
    assert "3 unfinished games have a secret" in result.stderr
    assert "--renew-draws" in result.stderr
    assert not (tmp_path / "new").exists()


def test_with_the_key_the_secrets_are_restored(file: Path, tmp_path: Path) -> None:
    data = tmp_path / "new"
    data.mkdir()
    (data / NAME).write_text(KEY)
    assert KEY not in file.read_bytes().hex()
    result = run("restore", file, "--data", data)
    assert result.exit_code == 0, result.stderr
    assert not any("draws_renewed" in types for types in types_of(data).values())


def test_with_another_key_the_games_concerned_are_counted(file: Path, tmp_path: Path) -> None:
    data = tmp_path / "new"
    data.mkdir()
    (data / NAME).write_text(secrets.token_hex(32))
    assert "3 unfinished games" in run("restore", file, "--data", data).stderr
    assert [one.name for one in data.iterdir()] == [NAME]


def test_without_the_key_the_draws_are_renewed_when_asked_for(file: Path, tmp_path: Path) -> None:
    data = tmp_path / "new"
    result = run("restore", file, "--data", data, "--renew-draws")
    assert result.exit_code == 0, result.stderr
    assert "2 games go on with a new secret" in result.stderr
    assert "1 games end without their secret" in result.stderr
    assert "4 of 4 games hold" in result.stdout
    types = types_of(data)
    assert types["open"][-1] == types["running"][-1] == "draws_renewed"
    assert "draws_renewed" not in types["over"] + types["scoring"]


def test_a_backup_without_unfinished_games_needs_no_key(
    store: Store, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = store.players.create("Ada")
    over = play_out(
        store, ada, store.commands.create(Intent(ada), NewGame("carcassonne", (ME, ME))).table
    )
    store.commands.score(over.id)
    assert store.redis.exists(keys.key_check())
    file = back_up(real_redis_url, tmp_path / "games.backup", monkeypatch)
    data = tmp_path / "new"
    assert run("restore", file, "--data", data).exit_code == 0
    with EmbeddedValkey(data / "valkey") as valkey:
        again = Store(connect(str(valkey.url)), OFFERS, keyring=make_keyring(secrets.token_hex(32)))
        assert again.vault.fits(), "serve makes a key of its own there"
        again.close()


def test_a_rotation_encrypts_the_secrets_of_webhooks_and_addresses_again(
    store: Store, real_redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = store.players.create("Ada")
    hook, address = "w" * 16, "e" * 16
    made = StoredSecret(store.vault.encrypt(hook, b"whsec_hook").decode(), None)
    row = StoredWebhook(hook, "https://a.example/", ("your_turn",), "standard", (made,), 0)
    store.notices.add_webhook(ada.id, row)
    sealed = store.vault.encrypt(address, b"address").decode()
    now = store.clock.now_ms()
    mail = StoredAddress(address, "ada@example.org", "en", sealed, now, confirmed_at=now)
    store.notices.emails.ask(ada.id, mail)
    new = secrets.token_hex(32)
    monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
    monkeypatch.setenv("CARTULARY_SECRET", f"{new},{KEY}")
    result = run("rotate-secret", "--data", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "2 secrets are encrypted with the new key\n")
    keyring = make_keyring(new)
    (kept,) = store.notices.find_webhook(ada.id, hook).secrets
    assert keyring.decrypt(kept.encrypted.encode(), hook) == b"whsec_hook"
    found = store.notices.emails.find(ada.id)
    assert found is not None
    assert keyring.decrypt(found.encrypted.encode(), address) == b"address"
    monkeypatch.setenv("CARTULARY_SECRET", secrets.token_hex(32))
    assert run("rotate-secret", "--data", tmp_path).exit_code == 2
