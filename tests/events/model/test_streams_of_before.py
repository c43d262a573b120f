"""Games from before people could come, go and take back: read unchanged, and played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.snapshots import EVERY
from cartulary.events.lists.projections import FORM
from cartulary.events.model.effects.fold import evolve, fold
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import GameSettings
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.stale_lists import Mender
from tests.events.support.bean_games import any_move, everything_stored, shown

STREAMS = Path(__file__).parents[1] / "stored" / "chained"
NAMES = sorted(path.stem for path in STREAMS.iterdir())


def put(store: Store, name: str) -> str:
    for number, line in enumerate((STREAMS / f"{name}.jsonl").read_bytes().splitlines(), start=1):
        store.redis.xadd(keys.events("OLD"), {"event": line}, id=f"{number}-0")
    return "OLD"


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_and_is_never_rewritten(fake_store: Store, name: str) -> None:
    put(fake_store, name)
    before = everything_stored(fake_store)
    report = fake_store.audit.game("OLD")
    assert (report.problems, report.chained_from) == ([], 1)
    assert shown(fake_store.projector.table("OLD"))["version"] == report.version
    assert everything_stored(fake_store) == before


@pytest.mark.parametrize("name", NAMES)
def test_what_it_does_not_say_means_what_was_the_rule(fake_store: Store, name: str) -> None:
    table = fake_store.projector.table(put(fake_store, name))
    terms = table.terms
    assert terms[7:] == GameSettings("", {}, "", "", "", None)[7:]
    assert table.course.host == table.created_by
    game = shown(table)
    assert (game["takebacks"], game["start"], game["on_timeout"]) == ("none", "full", "claim")
    assert {seat["state"] for seat in game["seats"]} <= {"seated", "bot"}


@pytest.mark.parametrize("name", NAMES)
def test_folding_at_once_is_folding_one_by_one(fake_store: Store, name: str) -> None:
    events = fake_store.ledger.events(put(fake_store, name))
    table: Table | None = None
    for event in events:
        table = evolve(fake_store.rules, "OLD", table, event)
    folded = fold(fake_store.rules, "OLD", None, events)
    assert folded is not None
    assert table is not None
    assert folded._replace(play=None) == table._replace(play=None)
    assert shown(folded) == shown(table)


def test_a_result_from_before_ranks_stays_as_it_is(fake_store: Store) -> None:
    table = fake_store.projector.table(put(fake_store, "beans-over"))
    assert table.result is not None
    assert table.result.keys() == {"scores", "winners", "breakdown"}


def test_it_is_played_on(fake_store: Store) -> None:
    table = fake_store.projector.table(put(fake_store, "caylus-running"))
    assert table.state is not None
    sitter = table.seats[table.state.seat].player
    assert sitter is not None
    player = Player(sitter["id"], sitter["name"])
    played = fake_store.commands.move(Intent(player, table.version), "OLD", any_move(table))
    assert played.table.version == table.version + 1
    assert fake_store.audit.game("OLD").problems == []


@pytest.fixture
def upgraded(fake_store: Store) -> Any:
    """A store whose summary and snapshot an earlier release has written."""
    table = fake_store.projector.table(put(fake_store, "caylus-running"))
    fake_store.projections.apply(table)
    fake_store.snapshots.save(fake_store.projector.table("OLD", EVERY))
    summary = {key: one for key, one in table.summary().items() if key not in ("host", "resting")}
    fake_store.redis.hset(keys.summary("OLD"), "json", orjson.dumps(summary))
    fake_store.redis.hdel(keys.summary("OLD"), "form")
    fake_store.redis.hset(keys.snapshots("OLD"), str(EVERY), orjson.dumps({"format": 1}))
    fake_store.projector.forget()
    return fake_store


def test_the_dispatcher_makes_summary_and_snapshots_again_after_an_upgrade(upgraded: Store) -> None:
    mender = Mender(upgraded)
    mended = mender.step()
    while mender.is_looking:
        mended += mender.step()
    assert mended == 1
    table = upgraded.projector.table("OLD")
    assert upgraded.projections.summary("OLD") == orjson.loads(orjson.dumps(table.summary()))
    assert upgraded.redis.hget(keys.summary("OLD"), "form") == b"%d" % FORM
    assert upgraded.snapshots.load("OLD", EVERY) is not None
    assert upgraded.projections.look(0).aged == []


def test_a_game_of_an_earlier_release_that_cannot_be_read_keeps_its_summary(
    upgraded: Store, caplog: pytest.LogCaptureFixture
) -> None:
    upgraded.redis.xdel(keys.events("OLD"), "5-0")
    upgraded.redis.xadd(keys.events("OLD"), {"event": b"{}"}, id="99-0")
    before = upgraded.projections.summary("OLD")
    mender = Mender(upgraded, clock=lambda: 0.0)  # on which no step takes too long
    assert mender.step() == 0
    assert not mender.is_looking
    assert upgraded.projections.summary("OLD") == before
    assert "stays as an earlier release has written it" in caplog.text


def test_a_move_brings_the_summary_to_the_form_of_this_release(upgraded: Store) -> None:
    table = upgraded.projector.table("OLD")
    assert upgraded.projections.apply(table)
    assert not upgraded.projections.apply(table)
    assert upgraded.projections.summary("OLD") is not None
