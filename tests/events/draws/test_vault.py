"""The secrets of the draws at rest: encrypted, bound to their game, gone after the end."""

from __future__ import annotations

import pytest
from redis import Redis

from cartulary.events.draws import vault as vaults
from cartulary.events.draws.keyring import Keyring
from cartulary.events.draws.vault import COMMITMENT_S, Vault
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import Invalid
from cartulary.events.model.failures import WrongKey
from cartulary.events.model.fairness import commit
from cartulary.events.server import keys

OLD, NEW, OTHER = b"o" * 32, b"n" * 32, b"x" * 32
SECRET = bytes(range(32))


@pytest.fixture
def redis(fake_redis: Redis) -> Redis:
    return fake_redis


def put(redis: Redis, game_id: str, key: bytes = OLD, secret: bytes = SECRET) -> None:
    redis.set(keys.secret(game_id), Keyring([key]).encrypt(secret, game_id))


def test_secret_is_encrypted_differently_each_time_and_read_again() -> None:
    ring = Keyring([OLD])
    texts = {ring.encrypt(SECRET, "A") for _ in range(20)}
    assert len(texts) == 20
    assert {ring.decrypt(text, "A") for text in texts} == {SECRET}
    assert all(SECRET not in text and SECRET.hex().encode() not in text for text in texts)


def test_secret_of_another_game_is_not_read() -> None:
    ring = Keyring([OLD])
    with pytest.raises(WrongKey):
        ring.decrypt(ring.encrypt(SECRET, "A"), "B")


@pytest.mark.parametrize("stored", [b"", b"AAAA", b"no base64", b"\xff\x00", b"A" * 80])
def test_what_is_no_secret_is_not_read(stored: bytes) -> None:
    with pytest.raises(WrongKey):
        Keyring([OLD]).decrypt(stored, "A")


def test_changed_secret_is_not_read() -> None:
    ring = Keyring([OLD])
    text = bytearray(ring.encrypt(SECRET, "A"))
    text[30] = ord("A") if text[30] != ord("A") else ord("B")
    with pytest.raises(WrongKey):
        ring.decrypt(bytes(text), "A")


def test_the_first_key_encrypts_and_all_keys_decrypt() -> None:
    both = Keyring([NEW, OLD])
    assert both.decrypt(Keyring([OLD]).encrypt(SECRET, "A"), "A") == SECRET
    assert Keyring([NEW]).decrypt(both.encrypt(SECRET, "A"), "A") == SECRET
    with pytest.raises(WrongKey):
        Keyring([OLD]).decrypt(both.encrypt(SECRET, "A"), "A")


def test_process_without_a_key_encrypts_nothing() -> None:
    with pytest.raises(WrongKey, match="not set"):
        Keyring().encrypt(SECRET, "A")


def test_another_key_than_that_of_the_store_encrypts_nothing(redis: Redis) -> None:
    first, other = Vault(redis, Keyring([OLD])), Vault(redis, Keyring([OTHER]))
    first.encrypt("A", SECRET)
    assert first.fits()
    assert not other.fits()
    with pytest.raises(WrongKey, match="another CARTULARY_SECRET"):
        other.encrypt("A", SECRET)


def test_check_value_shows_nothing_of_the_key(redis: Redis) -> None:
    Vault(redis, Keyring([OLD])).claim()
    stored = redis.get(keys.key_check())
    assert stored is not None
    assert OLD not in stored
    assert OLD.hex().encode() not in stored


def test_rotation_encrypts_every_secret_with_the_new_key(redis: Redis) -> None:
    Vault(redis, Keyring([OLD])).claim()
    for game_id in ("A", "B", "C"):
        put(redis, game_id, secret=game_id.encode() * 32)
    assert Vault(redis, Keyring([NEW, OLD])).rotate() == (3, [])
    after = Vault(redis, Keyring([NEW]))
    assert after.fits()
    assert [after.read(game_id) for game_id in "ABC"] == [b"A" * 32, b"B" * 32, b"C" * 32]
    assert not Vault(redis, Keyring([OLD])).fits()


def test_rotation_may_be_repeated_and_names_what_no_key_decrypts(redis: Redis) -> None:
    put(redis, "A", OLD)
    put(redis, "B", NEW)
    put(redis, "C", OTHER)
    vault = Vault(redis, Keyring([NEW, OLD]))
    assert vault.rotate() == (2, ["C"])
    assert vault.rotate() == (2, ["C"])
    assert Vault(redis, Keyring([OTHER])).read("C") == SECRET


def test_secret_that_is_missing_is_not_a_wrong_key(redis: Redis) -> None:
    assert Vault(redis, Keyring([OLD])).read("A") is None


def test_vault_has_a_secret_only_with_its_key_and_its_commitment(redis: Redis) -> None:
    put(redis, "A")
    assert Vault(redis, Keyring([OLD])).has("A", commit(SECRET))
    assert not Vault(redis, Keyring([OLD])).has("A", commit(b"another"))
    assert not Vault(redis, Keyring([OTHER])).has("A", commit(SECRET))
    assert not Vault(redis, Keyring([OLD])).has("B", commit(SECRET))


def test_commitment_is_for_one_use(redis: Redis) -> None:
    vault = Vault(redis, Keyring([OLD]))
    made = vault.prepare("ada", SECRET)
    assert made.commitment == commit(SECRET)
    assert vault.find_prepared("ada", made.id, "a") == SECRET
    vault.use_prepared("ada", made.id, "a")
    for use in (vault.find_prepared, vault.use_prepared):
        with pytest.raises(Invalid) as refused:
            use("ada", made.id, "b")
    assert refused.value.errors[0]["pointer"] == "/commitment"


def test_a_repeated_request_finds_the_commitment_that_it_has_used(redis: Redis) -> None:
    vault = Vault(redis, Keyring([OLD]))
    made = vault.prepare("ada", SECRET)
    for _ in range(2):
        assert vault.find_prepared("ada", made.id, "a") == SECRET
        vault.use_prepared("ada", made.id, "a")
    assert 0 < redis.ttl(keys.commitment("ada", made.id)) <= COMMITMENT_S


def test_commitment_of_another_player_is_refused_and_stays_usable(redis: Redis) -> None:
    vault = Vault(redis, Keyring([OLD]))
    made = vault.prepare("ada", SECRET)
    with pytest.raises(Invalid):
        vault.find_prepared("bob", made.id, "b")
    assert vault.find_prepared("ada", made.id, "a") == SECRET


def test_commitment_expires_after_ten_minutes(redis: Redis) -> None:
    made = Vault(redis, Keyring([OLD])).prepare("ada", SECRET)
    left = redis.ttl(keys.commitment("ada", made.id))
    assert COMMITMENT_S - 5 < left <= COMMITMENT_S == 600
    redis.delete(keys.commitment("ada", made.id))  # what the server does when it expires
    with pytest.raises(Invalid):
        Vault(redis, Keyring([OLD])).find_prepared("ada", made.id, "a")


def test_a_commitment_says_until_when_it_may_be_used(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vaults, "time", lambda: 1_800_000_000.0)
    assert vaults._expiry() == format_time((1_800_000_000 + COMMITMENT_S) * 1000)  # noqa: SLF001
