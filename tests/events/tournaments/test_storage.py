"""What becomes of tournaments in a backup, a rebuild and an audit; how appends behave."""

from __future__ import annotations

import io
from typing import Any

import fakeredis
import pytest
from redis import Redis

from cartulary.events.backup import load as loading
from cartulary.events.backup.dump import dump
from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import IdempotencyMismatch, Invalid, RoundOpen, StaleVersion
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.connection import FellBack
from cartulary.events.store import Store
from cartulary.events.tournaments.stream.describing import summarise
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.timing import LOOK_MS, find_next_look
from cartulary.events.upkeep.auditing import verify_tournaments
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.support.tournaments import Cup
from tests.support.games import ALL_OFFERS

NAMES = ("Ada", "Bob", "Cyd", "Dan")


@pytest.fixture
def cup() -> Cup:
    return Cup()


@pytest.mark.slow
def test_a_rebuild_makes_the_lists_again_and_tells_nothing_twice(cup: Cup) -> None:
    cup.begin(*NAMES, rounds=2)
    ada = cup.players[0]
    before = cup.store.tournaments.lists.read_page(None)
    assert [one["id"] for one in before.tournaments] == [cup.id]
    assert rebuild(cup.store) == []
    assert cup.store.tournaments.lists.read_page(None) == before
    assert cup.store.tournaments.lists.read_page(None, player=ada.id) == before
    assert cup.told(ada) == []
    assert cup.play_all().status == "over"


@pytest.mark.real
def test_a_backup_carries_a_tournament_which_goes_on_after_the_restore(real_redis: Redis) -> None:
    cup = Cup(real_redis)
    cup.begin(*NAMES, rounds=2)
    cup.play(cup.tables()[0])
    cup.look()
    file = io.BytesIO()
    dump(cup.store.redis, file)
    cup.play_all()  # is lost
    file.seek(0)
    empty = fakeredis.FakeRedis()
    contents = loading.check_file(file)
    loading.begin(empty, contents, "file")
    loading.load(empty, file, contents)
    loading.end(empty)
    restored = Cup()
    restored.clock, restored.id, restored.players = cup.clock, cup.id, cup.players
    restored.store = Store(empty, ALL_OFFERS, clock=cup.clock, keyring=cup.store.keyring)
    rebuild(restored.store)
    assert restored.now.version < cup.now.version
    assert restored.play_all().status == "over"
    ((_, report),) = verify_tournaments(restored.store)
    assert (report.problems, report.pairings) == ([], "proved")


def test_a_round_that_the_backup_does_not_name_adopts_the_games_that_it_has(cup: Cup) -> None:
    cup.announce(rounds=1)
    cup.enter(*NAMES)
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    version = cup.now.version
    cup.look()
    games = [one.game for one in cup.tables()]
    # The stream falls back behind the round, as where the backup had read it first.
    entries: Any = cup.store.redis.xrange(keys.tournament(cup.id))
    cup.store.redis.xtrim(keys.tournament(cup.id), maxlen=0)
    cup.store.redis.delete(keys.tournament(cup.id))
    for entry_id, fields in entries[:version]:
        cup.store.redis.xadd(keys.tournament(cup.id), fields, entry_id)
    known = cup.store.tournaments.streams.events(cup.id)
    assert len(known) == version
    head = cup.store.tournaments.streams.deliver(cup.id)[-1]["hash"]
    cup.store.redis.hset(keys.idempotency(cup.id), "head", head)
    cup.open()
    cup.look()
    assert [one.game for one in cup.tables()] == games


def test_an_audit_finds_an_event_that_was_changed(cup: Cup) -> None:
    cup.begin(*NAMES, rounds=1)
    cup.play_all()
    key = keys.tournament(cup.id)
    entries: Any = cup.store.redis.xrange(key)
    cup.store.redis.delete(key)
    for entry_id, fields in entries:
        changed = {**fields, b"event": fields[b"event"].replace(b'"Ada"', b'"Eva"')}
        cup.store.redis.xadd(key, changed, entry_id)
    ((_, report),) = verify_tournaments(cup.store)
    assert {one["problem"] for one in report.problems} == {"chain"}


class TestAppends:
    def test_a_key_whose_event_a_fall_back_takes_meanwhile_gets_no_event_of_others(
        self, cup: Cup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cup.announce()
        cup.store.tournaments.commands.cancel(Intent(cup.host, key="k"), cup.id)
        streams, redis = cup.store.tournaments.streams, cup.store.redis
        deliver = streams.deliver

        def fall_back_first(*asked: Any) -> list[Json]:
            field = next(name for name in redis.hkeys(keys.idempotency(cup.id)) if name != b"head")
            redis.hdel(keys.idempotency(cup.id), field)
            return deliver(*asked)

        monkeypatch.setattr(streams, "deliver", fall_back_first)
        with pytest.raises(FellBack):
            cup.store.tournaments.commands.cancel(Intent(cup.host, key="k"), cup.id)

    def test_an_append_at_an_old_version_is_refused(self, cup: Cup) -> None:
        cup.announce()
        known = cup.store.tournaments.streams.read(cup.id)
        cup.enter("Ada")
        draft = TournamentDraft(cup.id, cup.clock, known.tournament, known.head)
        draft.add("tournament_cancelled", code="host", pairing_secret=None)
        with pytest.raises(VersionConflict):
            cup.store.tournaments.streams.append(draft, None)
        assert cup.now.version == 2

    def test_a_key_leads_to_the_same_tournament(self, cup: Cup) -> None:
        cup.announce()
        terms = {"by": "key"}
        first = cup.store.tournaments.commands.cancel(Intent(cup.host, key="k", body=terms), cup.id)
        again = cup.store.tournaments.commands.cancel(Intent(cup.host, key="k", body=terms), cup.id)
        assert (again.replayed, again.tournament) == (True, first.tournament)
        with pytest.raises(IdempotencyMismatch):
            cup.store.tournaments.commands.cancel(Intent(cup.host, key="k", body={}), cup.id)

    def test_of_two_hosts_at_once_the_later_one_is_refused_for_the_version(self, cup: Cup) -> None:
        cup.announce()
        cup.enter("Ada")
        with pytest.raises(StaleVersion):
            cup.store.tournaments.commands.cancel(Intent(cup.host, expected=1), cup.id)

    def test_an_append_is_in_the_outbox_as_one_of_a_tournament(self, cup: Cup) -> None:
        cup.announce()
        (entry,) = cup.store.outbox.read("test")
        assert (entry.game, entry.kind, entry.version) == (cup.id, "tournament", 1)

    def test_a_stream_that_does_not_fold_is_named(self, cup: Cup) -> None:
        cup.announce()
        event = b'{"schema":1,"version":2,"type":"started","at":"2026-11-26T10:00:00.000Z"}'
        cup.store.redis.xadd(keys.tournament(cup.id), {"event": event}, "2-0")
        with pytest.raises(BrokenHistory, match="field"):
            cup.open().tournaments.streams.read(cup.id)


def test_standings_are_computed_once_for_each_last_event(cup: Cup) -> None:
    cup.begin(*NAMES, rounds=2)
    ranking, streams = cup.store.tournaments.ranking, cup.store.tournaments.streams
    first = ranking.describe(streams.read(cup.id))
    assert ranking.describe(streams.read(cup.id)) is first
    cup.play()
    cup.look()
    assert [one["points"] for one in ranking.describe(streams.read(cup.id))] == [1000, 1000, 0, 0]


def test_a_summary_says_what_starts_a_tournament_and_who_may_enter(cup: Cup) -> None:
    anyone = summarise("T", cup.announce())
    assert (anyone["start"], anyone["entrants"]["by_invitation"]) == ({"by_host": True}, False)
    (ada,) = cup.enter("Ada")
    invited = summarise("T", cup.announce(entrants={"invited": [ada.id]}))
    assert invited["entrants"]["by_invitation"]


def test_invalid_entropy_is_refused_and_enters_no_player(cup: Cup) -> None:
    cup.announce()
    with pytest.raises(Invalid):
        cup.store.tournaments.commands.enter(Intent(cup.host), cup.id, "no hexadecimal number")
    assert cup.now.playing == ()


def test_a_tournament_is_looked_at_again_at_the_end_of_its_round_but_not_all_the_time(
    cup: Cup,
) -> None:
    running = cup.begin("Ada", "Bob")
    assert find_next_look(running, 50_000, 60_000) == 60_000
    assert find_next_look(running, 60_000, 60_000) == 61_000
    assert find_next_look(running, 0, None) == LOOK_MS


@pytest.mark.parametrize("ahead", [-1, 0])
def test_a_tournament_starts_at_no_time_that_is_over(cup: Cup, ahead: int) -> None:
    with pytest.raises(Invalid) as refused:
        cup.announce(start={"at": format_time(cup.clock.now + ahead)})
    assert [one["pointer"] for one in refused.value.errors] == ["/start/at"]


def test_an_item_of_an_inbox_leads_to_its_tournament(cup: Cup) -> None:
    cup.announce()
    (ada,) = cup.enter("Ada")
    cup.store.tournaments.commands.cancel(Intent(cup.host), cup.id)
    cup.look()
    assert [data["url"] for _, data in cup.told(ada)] == [f"/tournaments/{cup.id}"]


def test_who_plays_in_a_tournament_ends_no_game_by_agreement_and_seats_no_bot(cup: Cup) -> None:
    cup.begin("Ada", "Bob")
    game = cup.tables()[0].game
    table = cup.store.projector.table(game)
    seated = [seat.player and seat.player["id"] for seat in table.seats]
    player = next(one for one in cup.players if one.id == seated[0])
    with pytest.raises(RoundOpen, match=r"the players do not agree on its end$"):
        cup.store.commands.proposals.propose(Intent(player), game, "end")
    with pytest.raises(RoundOpen, match=r"no bot plays for a player who is away$"):
        cup.store.commands.leaving.go_away(Intent(player), game, 0)
