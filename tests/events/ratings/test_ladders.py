"""For which ratings a game counts: set at its start, left by help, and what its result says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import fakeredis
import pytest
from redis import Redis

from cartulary import games
from cartulary.bots.base import BotEntry
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.ledger.snapshots import freeze, thaw
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.errors import (
    AccountNeeded,
    BranchNotAllowed,
    Invalid,
    OnLadder,
    QuotaExceeded,
    RatedGame,
    Refused,
)
from cartulary.events.model.ladders import have_turns
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT
from cartulary.events.model.types import GAME_ABORTED
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import QuotaLimits
from cartulary.events.ratings.finding import find_result
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.ratings.results import Bucket, Entrant, GameResult
from tests.support.practice_games import open_practice, play_turns
from tests.support.toy_game import KEEP
from tests.support.toy_game import OFFER as BEANS

ME, OPEN = SeatRequest("me"), SeatRequest("open")
EASY, RANDOM = SeatRequest("bot", "easy"), SeatRequest("bot", "random")
PACE = {"mode": "live", "delay": 30, "bank": 600}
KEEPING, GIVING = {"type": "keep"}, {"type": "give", "to": 1}


def keep(_state: Any, _rng: Any) -> int:
    return KEEP


OFFERS = {
    "beans": replace(BEANS, bots={"easy": BotEntry(keep, "keeps", strength=1204)}),
    "carcassonne": games.OFFERS["carcassonne"],
}


class Scene:
    """Ada, Bob and Eve, a bot of Ada, and games of beans."""

    def __init__(self, redis: Redis) -> None:
        self.store = Store(redis, OFFERS)
        self.ada, self.bob, self.eve = (
            self.store.players.create(name)[0] for name in ("Ada", "Bob", "Eve")
        )
        for player in (self.ada, self.bob):
            self.claim(player)

    def claim(self, player: Player) -> None:
        """Give a player recovery codes, as far as a rated game asks."""
        key = keys.player(player.id)
        self.store.registry.hset(key, "claimed_at", "2026-11-22T14:00:00.000Z")

    def open(self, *seats: SeatRequest, by: Player | None = None, **more: Any) -> Table:
        request = NewGame("beans", seats, {"goal": 9}, **more)
        return self.store.commands.create(Intent(by or self.ada), request).table

    def open_rated(self, **more: Any) -> Table:
        """Open a rated table of two, at which Bob sits down."""
        table = self.open(ME, OPEN, rated=True, pace=PACE, start="host", **more)
        return self.join(table, self.bob)

    def start(self, table: Table) -> Table:
        for seat, player in enumerate((self.ada, self.bob)):
            self.store.commands.time.ready(Intent(player), table.id, seat, True)
        return self.store.commands.arranging.start(Intent(self.ada), table.id).table

    def join(self, table: Table, player: Player) -> Table:
        return self.store.commands.arranging.join(Intent(player), table.id).table

    def move(self, table: Table, move: dict[str, Any] = KEEPING) -> Table:
        """Let Ada, or the bot, answer."""
        assert table.state is not None
        if table.bot_to_move:
            return self.store.commands.bots.move(table.id, table.position, keep).table
        owner = table.seats[table.state.seat].player
        who = self.ada if owner and owner["id"] == self.ada.id else self.bob
        return self.store.commands.move(Intent(who), table.id, move).table

    def until_ada(self, table: Table) -> Table:
        """Let the bot answer until Ada is asked."""
        while table.bot_to_move:
            table = self.move(table)
        return table

    def play(self, table: Table, rounds: int = 99) -> Table:
        """Play so many turns of all seats, at most to the end."""
        for _ in range(rounds * len(table.seats)):
            if not table.running:
                return self.store.commands.score(table.id).table
            table = self.move(table)
        return table

    def find(self, table: Table) -> GameResult | None:
        return find_result(table, self.store.ledger.events)

    def types(self, table: Table) -> list[str]:
        return [event["type"] for event in self.store.ledger.events(table.id, 0, 999)]


@pytest.fixture
def scene(fake_redis: Redis) -> Scene:
    return Scene(fake_redis)


class TestPractice:
    def test_one_person_against_levels_plays_for_the_practice_rating(self, scene: Scene) -> None:
        table = scene.open(ME, EASY)
        started = scene.store.ledger.events(table.id, table.course.started - 1, 1)[0]
        assert (started["ladder"], started["strengths"]) == ("practice", {"easy": 1204})
        assert (table.course.ladder, table.terms.rated) == ("practice", False)

    @pytest.mark.parametrize(
        "seats",
        [(ME, ME), (ME, ME, EASY), (ME, RANDOM), (EASY, EASY)],
        ids=["alone", "two seats", "an unmeasured level", "levels only"],
    )
    def test_other_games_count_for_nothing(
        self, scene: Scene, seats: tuple[SeatRequest, ...]
    ) -> None:
        assert scene.open(*seats).course.ladder is None

    def test_the_result_names_the_strength_of_the_level(self, scene: Scene) -> None:
        table = scene.play(scene.open(ME, EASY))
        found = scene.find(table)
        assert found is not None
        assert found.bucket == Bucket("practice", "beans", "2")
        assert found.entrants == (Entrant(scene.ada.id), Entrant(None, 1204))
        assert list(found.ranks) == table.result["ranks"]  # type: ignore[index]

    def test_a_running_game_has_no_result(self, scene: Scene) -> None:
        assert scene.find(scene.open(ME, EASY)) is None

    def test_a_snapshot_keeps_the_ladder(self, scene: Scene) -> None:
        table = scene.open(ME, EASY)
        thawed = thaw(scene.store.rules, freeze(table))
        assert thawed is not None
        assert thawed.course.ladder == "practice"

    def test_a_stream_without_a_ladder_folds_as_before(self, scene: Scene) -> None:
        table = scene.open(ME, EASY)
        events = scene.store.ledger.events(table.id, 0, 99)
        for event in events:
            event.pop("ladder", None)
            event.pop("strengths", None)
        folded = fold(scene.store.rules, table.id, None, events)
        assert folded is not None
        assert folded.course.ladder is None
        assert folded.state_hash == table.state_hash

    def test_no_game_counts_while_an_earlier_release_runs(self, scene: Scene) -> None:
        scene.store.registry.set(keys.store_format(), 7)
        earlier = Store(scene.store.redis, OFFERS)
        table = earlier.commands.create(Intent(scene.ada), NewGame("beans", (ME, EASY))).table
        assert table.course.ladder is None

    def test_hints_end_that_a_game_counts_once(self, scene: Scene) -> None:
        table = scene.open(ME, EASY, hints=True)
        take = scene.store.commands.practice.take_hints
        done = take(Intent(scene.ada), table.id)
        assert [event["type"] for event in done.events] == ["ladder_left"]
        assert done.events[0]["reason"] == "hint"
        assert done.table.course.ladder is None
        assert take(Intent(scene.ada), table.id).events == []
        assert scene.find(scene.play(done.table)) is None

    def test_a_takeback_of_what_taught_nothing_keeps_the_ladder(self, scene: Scene) -> None:
        table = scene.move(scene.until_ada(scene.open(ME, EASY)), GIVING)
        scene.store.commands.proposals.propose(Intent(scene.ada), table.id, "takeback")
        assert "ladder_left" not in scene.types(table)

    @pytest.mark.parametrize("turns", [1, 2])
    def test_a_takeback_behind_a_draw_or_another_seat_leaves_it(
        self, scene: Scene, turns: int
    ) -> None:
        table = scene.until_ada(scene.open(ME, EASY))
        for _ in range(turns):
            table = scene.move(table)
        done = scene.store.commands.proposals.propose(Intent(scene.ada), table.id, "takeback")
        assert [event["type"] for event in done.events] == ["ladder_left", "moves_taken_back"]
        assert done.events[0]["reason"] == "takeback"

    def test_a_branch_of_the_running_game_leaves_it_first(self, scene: Scene) -> None:
        table = scene.move(scene.open(ME, EASY))
        made = scene.store.commands.again.branch(
            Intent(scene.ada), table.id, NewBranch(table.version)
        )
        assert scene.types(table)[-1] == "ladder_left"
        assert made.table.course.ladder is None

    def test_a_branch_that_a_quota_refuses_leaves_the_game_where_it_was(self, scene: Scene) -> None:
        table = scene.move(scene.open(ME, EASY))
        limited = Store(scene.store.redis, OFFERS, limits=QuotaLimits(running=1))
        branch = NewBranch(table.version)
        with pytest.raises(QuotaExceeded):
            limited.commands.again.branch(Intent(scene.ada), table.id, branch)
        assert "ladder_left" not in scene.types(table)

    def test_a_branch_of_a_finished_game_leaves_its_result_alone(self, scene: Scene) -> None:
        table = scene.play(scene.open(ME, EASY))
        scene.store.commands.again.branch(Intent(scene.ada), table.id, NewBranch(table.version))
        assert scene.types(table)[-1] == "game_scored"

    @pytest.mark.parametrize(("turns", "counts"), [(2, False), (3, True)])
    @pytest.mark.parametrize("way", ["resign", "end", "abort"])
    def test_who_ends_the_game_has_lost_once_each_seat_had_three_turns(
        self, scene: Scene, way: str, turns: int, counts: bool
    ) -> None:
        table = play_turns(scene.store, open_practice(scene.store, scene.ada), turns)
        assert table.running
        if way == "resign":
            scene.store.commands.leaving.resign(Intent(scene.ada), table.id)
        else:
            scene.store.commands.proposals.propose(Intent(scene.ada), table.id, way)
        table = scene.store.commands.score(table.id).table
        found = scene.find(table)
        assert (found is not None) == counts
        if found is not None:
            assert found.ranks == (2, 1)

    def test_an_operator_who_ends_a_game_is_no_loss(self, scene: Scene) -> None:
        table = play_turns(scene.store, open_practice(scene.store, scene.ada))

        def decide(_table: Table, draft: Any) -> None:
            draft.add(GAME_ABORTED, reason="an operator", code="service", secret=None)

        table = scene.store.commands.writer.write(table.id, None, decide).table
        assert scene.find(table) is None

    def test_a_turn_is_an_unbroken_run_of_decisions(self) -> None:
        moves = [{"seat": seat} for seat in (1, 1, 0, 0, 1, 0, 1, 1)]
        assert [have_turns(moves, 2, enough) for enough in (1, 2)] == [True, False]


class TestRated:
    def test_two_accounts_play_for_the_ratings_of_people(self, scene: Scene) -> None:
        table = scene.start(scene.open_rated())
        assert (table.course.ladder, table.terms.on_timeout) == ("people", "forfeit")
        table = scene.play(table)
        found = scene.find(table)
        assert found is not None
        assert found.bucket == Bucket("people", "beans", "2")
        assert found.players == [scene.ada.id, scene.bob.id]

    @pytest.mark.parametrize(
        ("asked", "pointers"),
        [
            ({"pace": None}, ["/pace"]),
            ({"takebacks": "consent"}, ["/takebacks"]),
            ({"on_timeout": "stand_in"}, ["/on_timeout"]),
            ({"seats": (ME, ME)}, ["/seats/1/kind"]),
            ({"seats": (ME, OPEN, EASY)}, ["/seats/2/kind"]),
            ({"seats": (ME, EASY)}, ["/seats/1/kind", "/seats"]),
            ({"seats": (EASY, EASY)}, ["/seats"]),
        ],
    )
    def test_each_condition_has_a_sentence_of_its_own(
        self, scene: Scene, asked: dict[str, Any], pointers: list[str]
    ) -> None:
        seats = asked.pop("seats", (ME, OPEN))
        with pytest.raises(Invalid) as refused:
            scene.open(*seats, **{"rated": True, "pace": PACE, **asked})
        assert [error["pointer"] for error in refused.value.errors] == pointers

    def test_a_guest_neither_opens_nor_joins_a_rated_game(self, scene: Scene) -> None:
        with pytest.raises(AccountNeeded):
            scene.open(ME, OPEN, by=scene.eve, rated=True, pace=PACE)
        table = scene.open(ME, OPEN, rated=True, pace=PACE)
        with pytest.raises(AccountNeeded):
            scene.join(table, scene.eve)

    def test_two_accounts_of_one_person_do_not_sit_down_together(self, scene: Scene) -> None:
        scene.store.registry.sadd(keys.guests_of(scene.ada.id), scene.bob.id)
        with pytest.raises(RatedGame, match="one person"):
            scene.open_rated()

    def test_the_host_puts_no_level_on_a_seat(self, scene: Scene) -> None:
        table = scene.open(ME, OPEN, rated=True, pace=PACE)
        with pytest.raises(RatedGame, match="persons only"):
            scene.store.commands.arranging.change_seat(Intent(scene.ada), table.id, 1, EASY)

    def test_nobody_is_helped_out_in_a_rated_game(self, scene: Scene) -> None:
        table = scene.start(scene.open_rated())
        commands, ada = scene.store.commands, Intent(scene.ada)
        refused: list[Callable[[], object]] = [
            lambda: commands.leaving.go_away(ada, table.id, 0),
            lambda: commands.time.give(ada, table.id, 1, 10),
            lambda: commands.abort(ada, table.id),
            lambda: commands.proposals.propose(ada, table.id, "end"),
            lambda: commands.leaving.claim(ada, table.id, 1, "abort"),
        ]
        for ask in refused:
            with pytest.raises(RatedGame):
                ask()
        with pytest.raises(BranchNotAllowed):
            commands.again.branch(ada, table.id, NewBranch(table.version))

    def test_a_rated_game_may_end_by_agreement_after_three_turns_of_half_the_seats(
        self, scene: Scene
    ) -> None:
        request = NewGame("carcassonne", (ME, OPEN), rated=True, pace=PACE, start="host")
        table = scene.store.commands.create(Intent(scene.ada), request).table
        table = play_turns(scene.store, scene.start(scene.join(table, scene.bob)))
        made = scene.store.commands.proposals.propose(Intent(scene.ada), table.id, "end")
        scene.store.commands.proposals.answer(
            Intent(scene.bob), table.id, made.events[0]["version"], "accept"
        )
        assert scene.find(scene.store.commands.score(table.id).table) is not None

    def test_a_rated_game_that_is_called_off_has_no_result(self, scene: Scene) -> None:
        table = scene.start(scene.open_rated())
        made = scene.store.commands.proposals.propose(Intent(scene.ada), table.id, "abort")
        done = scene.store.commands.proposals.answer(
            Intent(scene.bob), table.id, made.events[0]["version"], "accept"
        )
        assert done.table.status == "aborted"
        assert scene.find(done.table) is None

    def test_who_resigns_is_ranked_last(self, scene: Scene) -> None:
        table = scene.start(scene.open_rated())
        scene.store.commands.leaving.resign(Intent(scene.ada), table.id)
        found = scene.find(scene.store.commands.score(table.id).table)
        assert found is not None
        assert found.ranks == (2, 1)

    def test_a_substitute_is_not_rated(self, scene: Scene) -> None:
        carl = scene.store.players.create("Carl")[0]
        scene.claim(carl)
        request = NewGame(
            "beans", (ME, OPEN, OPEN), {"goal": 9}, rated=True, pace=PACE, substitutes=True
        )
        table = scene.store.commands.create(Intent(scene.ada), request).table
        scene.claim(scene.eve)
        table = scene.join(scene.join(table, scene.bob), scene.eve)
        scene.store.commands.leaving.resign(Intent(scene.eve), table.id)
        scene.store.commands.arranging.join(Intent(carl), table.id, 2)
        scene.store.commands.leaving.resign(Intent(scene.bob), table.id)
        scene.store.commands.leaving.resign(Intent(carl), table.id)
        found = scene.find(scene.store.commands.score(table.id).table)
        assert found is not None
        assert found.players == [scene.ada.id, scene.bob.id, scene.eve.id]
        assert found.ranks == (1, 2, 3)

    def test_bots_play_for_a_rating_of_their_own(self, scene: Scene) -> None:
        bot = scene.store.own_bots.make(scene.ada, "Robo", "")[0].player
        assert bot.kind == BOT
        table = scene.open(ME, EASY, by=bot, rated=True, pace=PACE, start="host")
        scene.store.commands.time.ready(Intent(bot), table.id, 0, True)
        table = scene.store.commands.arranging.start(Intent(bot), table.id).table
        assert table.course.ladder == "bots"
        assert scene.store.ledger.events(table.id, table.course.started - 1, 1)[0]["strengths"]

    def test_two_bots_of_one_owner_do_not_meet(self, scene: Scene) -> None:
        first, second = (scene.store.own_bots.make(scene.ada, n, "")[0].player for n in "AB")
        table = scene.open(ME, OPEN, by=first, rated=True, pace=PACE)
        with pytest.raises(RatedGame, match="owner"):
            scene.join(table, second)
        with pytest.raises(RatedGame, match="bots only"):
            scene.join(table, scene.bob)

    def test_a_rematch_of_a_rated_game_is_rated(self, scene: Scene) -> None:
        table = scene.play(scene.start(scene.open_rated()))
        again = scene.store.commands.again.open_rematch(Intent(scene.bob), table.id).table
        assert again.terms.rated


def test_the_refusals_have_codes_of_their_own() -> None:
    found: list[type[Refused]] = [RatedGame, OnLadder]
    assert [one.code for one in found] == ["rated_game", "ladder"]


def test_a_result_waits_for_the_score(fake_redis: fakeredis.FakeRedis) -> None:
    scene = Scene(fake_redis)
    table = scene.open(ME, EASY)
    while table.running:
        table = scene.move(table)
    assert scene.find(table) is None
