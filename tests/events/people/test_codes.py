"""Codes: typed by people, used once, void with what they came from."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.events.accounts.sessions import CodeUnknown, OpenedSession
from cartulary.events.model.errors import QuotaExceeded, RateLimited
from cartulary.events.people import recovery, tokens
from cartulary.events.people.codes import LETTERS, make_code, read_code, show_code
from cartulary.events.people.links import LIFE_MS
from cartulary.events.people.players import Player, hash_token
from cartulary.events.people.recovery import CODES, COST, Hashing
from cartulary.events.people.tokens import TokenGone, Wish
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import everything_stored
from tests.support.fake_clock import HOUR, FakeClock

LIKE = {"0": "0oO", "1": "1iIlL"}


def test_a_hash_costs_16_mebibytes() -> None:
    assert 128 * 8 * 2**COST == 16 * 2**20


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash at a price that a test can pay many times."""
    monkeypatch.setattr(recovery, "COST", 4)


@given(
    code=st.text(LETTERS, min_size=8, max_size=8),
    data=st.data(),
)
def test_a_code_is_read_however_a_person_writes_it(code: str, data: st.DataObject) -> None:
    written = [
        data.draw(st.sampled_from(LIKE.get(letter, letter + letter.lower()))) for letter in code
    ]
    between = [data.draw(st.sampled_from(["", "-", " "])) for _ in code]
    typed = "".join(part for pair in zip(between, written, strict=True) for part in pair)
    assert read_code(typed, 8) == code
    assert read_code(show_code(code), 8) == code


@given(st.text())
def test_any_text_is_a_code_or_none(text: str) -> None:
    found = read_code(text, 8)
    assert found is None or (len(found) == 8 and set(found) <= set(LETTERS))


@pytest.mark.parametrize(
    "text", ["", "K7PW-93Q", "K7PW-93QDX", "K7PW-93Q!", "K7PU-93QD", "К7PW-93QD"]
)
def test_what_is_no_code_is_refused(text: str) -> None:
    assert read_code(text, 8) is None


def test_codes_are_shown_in_groups_and_are_never_the_same() -> None:
    made = {make_code(8) for _ in range(200)}
    assert len(made) == 200
    assert show_code("K7PW93QD") == "K7PW-93QD"


@pytest.fixture
def timed_store(store: Store) -> tuple[Store, FakeClock]:
    clock = FakeClock()
    timed = Store(store.redis, {}, clock=clock)
    return timed, clock


class Owner:
    """A player with a token, a second device to open, and what the devices hold."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.player, self.token = store.players.create("Ada")
        self.hash = hash_token(self.token)

    def link(self) -> str:
        return self.store.links.issue(self.player.id, self.hash).code

    def codes(self) -> list[str]:
        return self.store.recovery.issue(self.player.id, self.hash)

    def works(self, token: str) -> bool:
        """Tell whether a token is valid for a process that has never seen it."""
        return (
            Store(self.store.redis, {}, clock=self.store.clock).players.by_hash(hash_token(token))
            is not None
        )

    def labels(self) -> list[str]:
        return [one.row.label for one in self.store.tokens.list_of(self.player.id)]


@pytest.fixture
def owner(store: Store) -> Owner:
    return Owner(store)


class TestLinks:
    def test_a_code_opens_a_second_device_of_the_same_player(self, owner: Owner) -> None:
        opened = owner.store.accounts.sessions.open_by_link(owner.link(), "Phone")
        assert opened.player == owner.player
        assert owner.works(opened.issued.secret)
        assert owner.works(owner.token)
        assert owner.labels() == ["", "Phone"]

    def test_a_code_is_used_once(self, owner: Owner) -> None:
        code = owner.link()
        owner.store.accounts.sessions.open_by_link(code, "")
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_link(code, "")

    def test_a_code_ends_after_ten_minutes(self, timed_store: tuple[Store, FakeClock]) -> None:
        store, clock = timed_store
        owner = Owner(store)
        code = owner.link()
        clock.advance(LIFE_MS - 1)
        assert store.links.find(code) is not None
        clock.advance(1)
        with pytest.raises(CodeUnknown):
            store.accounts.sessions.open_by_link(code, "")

    def test_the_store_forgets_a_code_after_ten_minutes(self, owner: Owner) -> None:
        code = owner.link()
        (name,) = owner.store.redis.scan_iter(match="link:*")
        left = owner.store.redis.pttl(name)
        assert isinstance(left, int)
        assert LIFE_MS - 10_000 < left <= LIFE_MS
        assert code.replace("-", "").encode() not in b"".join(
            everything_stored(owner.store).values()
        )

    def test_a_code_is_void_with_the_token_that_asked_for_it(self, owner: Owner) -> None:
        thief = owner.store.tokens.issue(owner.player.id, Wish("thief")).secret
        code = owner.store.links.issue(owner.player.id, hash_token(thief)).code
        owner.store.tokens.revoke_others(owner.player.id, owner.hash)
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_link(code, "thief")
        assert owner.labels() == [""]

    def test_a_code_gives_no_more_than_the_token_that_asked_for_it(self, owner: Owner) -> None:
        until = owner.store.clock.now_ms() + HOUR
        narrow = Wish("reader", ["read", "account"], until)
        asked = owner.store.tokens.issue(owner.player.id, narrow).secret
        code = owner.store.links.issue(owner.player.id, hash_token(asked)).code
        row = owner.store.accounts.sessions.open_by_link(code, "").issued.token.row
        assert (row.scopes, row.expires_at) == (["read", "account"], until)

    def test_a_code_waits_while_the_player_has_too_many_tokens(
        self, owner: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        code = owner.link()
        monkeypatch.setattr(tokens, "MOST", 1)
        with pytest.raises(QuotaExceeded):
            owner.store.accounts.sessions.open_by_link(code, "")
        monkeypatch.setattr(tokens, "MOST", 2)
        assert owner.store.accounts.sessions.open_by_link(code, "").player == owner.player


class TestRecovery:
    def test_each_of_ten_codes_gives_the_only_token_from_there_on(self, owner: Owner) -> None:
        codes = owner.codes()
        assert len(set(codes)) == CODES
        valid = owner.token
        for left, code in zip(reversed(range(CODES)), codes, strict=True):
            opened = owner.store.accounts.sessions.open_by_recovery(code.lower(), "new")
            assert opened.player == owner.player
            assert not owner.works(valid)
            valid = opened.issued.secret
            assert owner.works(valid)
            assert owner.labels() == ["new"]
            assert owner.store.recovery.count(owner.player.id) == left
            with pytest.raises(CodeUnknown):
                owner.store.accounts.sessions.open_by_recovery(code, "again")

    def test_a_code_makes_the_link_codes_of_a_thief_void(self, owner: Owner) -> None:
        code, thief = owner.codes()[0], owner.link()
        owner.store.accounts.sessions.open_by_recovery(code, "")
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_link(thief, "")

    def test_new_codes_make_the_old_codes_void(self, owner: Owner) -> None:
        old, new = owner.codes(), owner.codes()
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_recovery(old[0], "")
        assert owner.store.accounts.sessions.open_by_recovery(new[0], "").player == owner.player
        assert owner.store.recovery.count(owner.player.id) == CODES - 1
        names = [*owner.store.redis.scan_iter(match="recovery_of:*")]
        assert len(names) == 1

    def test_the_account_is_claimed_from_the_first_codes_on(self, owner: Owner) -> None:
        assert owner.store.players.claimed_at(owner.player.id) is None
        owner.codes()
        since = owner.store.players.claimed_at(owner.player.id)
        assert since is not None
        owner.codes()
        assert owner.store.players.claimed_at(owner.player.id) == since

    def test_the_store_has_scrypt_hashes_only(self, owner: Owner) -> None:
        codes = owner.codes()
        stored = b"".join(key + value for key, value in everything_stored(owner.store).items())
        for code in codes:
            assert code.replace("-", "")[8:].encode() not in stored
        members: Any = owner.store.redis.smembers(keys.recovery(owner.player.id))
        assert all(one.startswith(b"scrypt$4$") for one in members)

    def test_a_revoked_token_gets_no_codes(self, owner: Owner) -> None:
        before = owner.codes()
        owner.store.tokens.revoke_others(owner.player.id, None)
        with pytest.raises(TokenGone):
            owner.codes()
        assert owner.store.accounts.sessions.open_by_recovery(before[0], "").player == owner.player

    def test_a_code_of_one_player_is_no_code_of_another(self, owner: Owner, bob: Player) -> None:
        other = Owner(owner.store)
        mine, others = owner.codes()[0], other.codes()[0]
        mixed = others.replace("-", "")[:8] + mine.replace("-", "")[8:]
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_recovery(mixed, "")
        assert owner.store.accounts.sessions.open_by_recovery(mine, "").player == owner.player

    @pytest.mark.parametrize("code", ["", "K7PW-93QD", "0000-0000-0000-0000-0000", "x" * 10_000])
    def test_what_is_no_code_costs_no_hash(
        self, owner: Owner, code: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        owner.codes()
        monkeypatch.setattr(Hashing, "compute", None)
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_recovery(code, "")

    def test_erased_codes_open_nothing(self, owner: Owner) -> None:
        codes = owner.codes()
        owner.store.recovery.erase(owner.player.id)
        with pytest.raises(CodeUnknown):
            owner.store.accounts.sessions.open_by_recovery(codes[0], "")
        assert not [*owner.store.redis.scan_iter(match="recovery*")]
        assert owner.store.redis.hget(keys.player(owner.player.id), "recovery") is None


class TestHashing:
    def test_who_comes_while_two_wait_is_refused_at_once(self) -> None:
        hashing, busy, go = Hashing(), threading.Event(), threading.Event()

        class Slow:
            def encode(self) -> bytes:
                busy.set()
                go.wait(60)
                return b"secret"

        with ThreadPoolExecutor() as pool:
            first = pool.submit(hashing.compute, Slow(), b"salt", 4)  # type: ignore[arg-type]
            assert busy.wait(60)
            second = pool.submit(hashing.compute, "secret", b"salt", 4)
            sleep(0.2)
            with pytest.raises(RateLimited):
                hashing.compute("secret", b"salt", 4)
            assert not first.done()
            assert not second.done()
            go.set()
            assert first.result() == second.result() == hashing.compute("secret", b"salt", 4)


@pytest.mark.real
@pytest.mark.parametrize("way", ["link", "recovery"])
def test_of_two_devices_that_redeem_a_code_at_once_exactly_one_wins(
    real_store: Store, way: str
) -> None:
    for _ in range(5):
        owner = Owner(real_store)
        go = threading.Barrier(4)
        code = owner.link() if way == "link" else owner.codes()[0]
        stores = [Store(real_store.redis, {}) for _ in range(4)]

        def redeem(
            store: Store, go: threading.Barrier = go, code: str = code
        ) -> OpenedSession | None:
            sessions = store.accounts.sessions
            opening: Callable[[str, str], OpenedSession] = (
                sessions.open_by_link if way == "link" else sessions.open_by_recovery
            )
            go.wait()
            try:
                return opening(code, "device")
            except CodeUnknown:
                return None

        with ThreadPoolExecutor(4) as pool:
            opened = [one for one in pool.map(redeem, stores) if one is not None]
        assert len(opened) == 1
        assert owner.labels() == (["", "device"] if way == "link" else ["device"])
