"""A branch is a new game that goes on from any version of another, with draws of its own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.events.audit.offline import verify_delivered
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.errors import (
    BranchNotAllowed,
    IdempotencyMismatch,
    Invalid,
    NotFound,
    Refused,
)
from cartulary.events.model.table import Table
from cartulary.events.model.types import MOVE_MADE, MOVES_TAKEN_BACK
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import (
    BOT,
    ME,
    MINE,
    OPEN,
    any_move,
    beans_game,
    everything_stored,
)
from tests.events.support.games_with_draws import delivered, play_bots, play_whole
from tests.fairness.checker import check_events

GAMES = ("carcassonne", "caylus", "beans")


def finish(store: Store, player: Player, game: str, *seats: SeatRequest, **more: Any) -> Table:
    """Return a game that is over."""
    request = NewGame(game, seats or (ME, BOT, BOT), **more)
    return play_whole(store, player, store.commands.create(Intent(player), request).table)


def branch(store: Store, player: Player, game_id: str, version: int, **more: Any) -> Table:
    return store.commands.again.branch(Intent(player), game_id, NewBranch(version, **more)).table


def play_all(store: Store, table: Table, *players: Player) -> Table:
    """Play a game of several persons to its score."""
    table = store.projector.table(table.id)
    while table.status == "running" and table.state is not None:
        seat = table.state.seat
        player = next(one for one in players if seat in table.seats_of(one.id))
        table = store.commands.move(Intent(player, table.version), table.id, any_move(table)).table
    return store.commands.score(table.id).table


def versions_of(table: Table, number: int = 7) -> list[int]:
    """Return versions from the start to the last move, spread over the game."""
    last = table.version - 1
    return sorted({2, 3, last, *range(2, last, max(1, last // number))})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_branch_begins_with_the_table_of_its_version(fake_store: Store, game: str) -> None:
    store = fake_store
    ada = store.players.create("Ada")[0]
    over = finish(store, ada, game, shuffle_seats=True)
    for version in versions_of(over):
        made = branch(store, ada, over.id, version)
        origin = store.projector.table(over.id, version)
        assert made.terms.branched_from == {"game": over.id, "version": version}
        assert made.view_text() == origin.view_text()
        assert made.state_hash == origin.state_hash
        assert made.decision == origin.decision
        assert store.audit.game(made.id).problems == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_branch_that_is_played_to_its_end_is_proved_fair(fake_store: Store, game: str) -> None:
    store = fake_store
    ada = store.players.create("Ada")[0]
    over = finish(store, ada, game)
    for version in versions_of(over, 3):
        made = play_whole(store, ada, branch(store, ada, over.id, version, entropy=MINE))
        report = store.audit.game(made.id)
        assert report.problems == []
        assert report.fair is not None
        assert report.fair["state"] == "proved"
        # `cartulary verify --fair` reads what is delivered.
        verified = verify_delivered(store.rules, delivered(store, made))
        assert (verified["valid"], verified["fair"]["state"]) == (True, "proved")
        if game != "beans":  # the checker knows the two games of the contract
            checked = check_events(delivered(store, made))
            assert (checked.state, checked.problems) == ("proved", [])


def test_a_branch_is_one_append(store: Store, ada: Player) -> None:
    over = finish(store, ada, "beans")
    store.outbox.ack(store.outbox.read("test"))
    made = branch(store, ada, over.id, over.version - 1)
    assert [entry.version for entry in store.outbox.read("test")] == [made.version]


def test_the_draws_of_a_branch_come_from_a_secret_of_its_own(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, BOT])).table
    found = [branch(store, ada, table.id, 2) for _ in range(4)]
    commitments = {one.fair.commitment for one in (table, *found) if one.fair is not None}
    assert len(commitments) == 5
    assert store.vault.read(table.id) not in [store.vault.read(one.id) for one in found]
    rng, drawn = random.Random(1), set()
    for one in (table, *found):
        while one.status == "running" and one.version < 20:
            one = play_bots(store, one, rng)
            one = store.commands.move(Intent(ada), one.id, any_move(one)).table
        events = store.ledger.events(one.id)
        drawn.add("".join(outcome for event in events for outcome in event.get("chance", ())))
    assert len(drawn) > 1


@pytest.mark.slow
def test_a_branch_from_before_the_start_draws_everything(store: Store, ada: Player) -> None:
    over = finish(store, ada, "caylus")
    made = branch(store, ada, over.id, 1)
    assert (made.version, made.status) == (2, "running")
    assert made.setup != {}
    assert store.audit.game(made.id).problems == []


def test_a_branch_from_the_end_of_the_play_waits_for_its_score(store: Store, ada: Player) -> None:
    over = finish(store, ada, "beans")
    made = branch(store, ada, over.id, over.version)
    assert made.status == "scoring"
    scored = store.commands.score(made.id).table
    assert over.result is not None
    assert scored.result is not None
    assert scored.result["scores"] == over.result["scores"]
    assert store.audit.game(made.id).problems == []


def test_a_branch_has_the_start_and_the_moves_and_nothing_else(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    store.commands.arranging.join(Intent(bob), table.id)
    # Who sits down and leaves before the start is no part of the branch.
    table = play_all(store, table, ada, bob)
    made = branch(store, bob, table.id, table.version - 1)
    created, started, *moves = store.ledger.events(made.id)
    assert (created["type"], started["type"]) == ("game_created", "game_started")
    assert {event["type"] for event in moves} == {MOVE_MADE}
    assert made.seats_of(bob.id) == [0, 1]


# -- takebacks ------------------------------------------------------------------------------------


def take_back(store: Store, table: Table, to_version: int) -> Table:
    """Append the event that takes all moves after a version back."""
    draft = Draft(store.rules, table.id, table, store.projector.earlier(table.id))
    draft.add(
        MOVES_TAKEN_BACK,
        seat=0,
        to_version=to_version,
        moves=[*range(to_version + 1, table.version + 1)],
        proposal=None,
        state_hash=store.projector.table(table.id, to_version).state_hash,
    )
    store.ledger.append(table.id, table.version, draft.sealed)
    return store.projector.table(table.id)


def test_moves_that_were_taken_back_are_not_copied(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    for _ in range(4):
        table = store.commands.move(Intent(ada), table.id, any_move(table)).table
    before = table.version
    table = take_back(store, table, 4)
    back = table.version
    table = store.commands.move(Intent(ada), table.id, any_move(table, random.Random(5))).table
    for version, moves in ((before, 4), (back, 2), (table.version, 3)):
        made = branch(store, ada, table.id, version)
        origin = store.projector.table(table.id, version)
        assert made.state_hash == origin.state_hash
        types = [event["type"] for event in store.ledger.events(made.id)]
        assert types.count(MOVE_MADE) == moves == len(types) - 2
        assert store.audit.game(made.id).problems == []


# -- who may --------------------------------------------------------------------------------------


def test_a_player_alone_against_bots_may_branch_a_running_game(
    store: Store, ada: Player, bob: Player
) -> None:
    alone = store.commands.create(Intent(ada), beans_game(ME, BOT, ME)).table
    assert branch(store, ada, alone.id, 2).status == "running"
    with pytest.raises(BranchNotAllowed):
        branch(store, bob, alone.id, 2)


def test_a_game_that_others_play_or_that_waits_has_no_branch(
    store: Store, ada: Player, bob: Player
) -> None:
    waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    with pytest.raises(BranchNotAllowed):
        branch(store, ada, waiting.id, 1)
    store.commands.arranging.join(Intent(bob), waiting.id)
    with pytest.raises(BranchNotAllowed):
        branch(store, ada, waiting.id, 2)


def test_a_game_of_bots_that_is_running_has_no_branch(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
    with pytest.raises(BranchNotAllowed):
        branch(store, ada, table.id, 2)


def test_everybody_who_sees_a_game_that_is_over_may_branch_it(
    store: Store, ada: Player, bob: Player
) -> None:
    over = finish(store, ada, "beans")
    made = branch(store, bob, over.id, 3)
    assert made.created_by == bob.id
    assert made.seats_of(bob.id) == [0]


# -- bad requests ---------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [0, -1, 10_000])
def test_a_version_that_is_not_there_is_not_found(store: Store, ada: Player, version: int) -> None:
    over = finish(store, ada, "beans")
    with pytest.raises(NotFound):
        branch(store, ada, over.id, version)


@pytest.mark.parametrize(
    ("seats", "pointer"),
    [
        ([ME, ME], "/seats"),
        ([ME, OPEN, ME], "/seats/1/kind"),
        ([ME, ME, SeatRequest("invite", player="x")], "/seats/2/kind"),
        ([SeatRequest("bot", "nobody"), ME, ME], "/seats/0/bot"),
        ([SeatRequest("me", "random"), ME, ME], "/seats/0/bot"),
    ],
)
def test_seats_that_a_branch_cannot_have_are_pointed_at(
    store: Store, ada: Player, seats: list[SeatRequest], pointer: str
) -> None:
    over = finish(store, ada, "beans")
    with pytest.raises(Invalid) as refused:
        branch(store, ada, over.id, 3, seats=seats)
    assert [error["pointer"] for error in refused.value.errors] == [pointer]


def test_the_seats_of_a_branch_are_as_asked_for(store: Store, ada: Player, bob: Player) -> None:
    over = finish(store, ada, "beans")
    made = branch(store, bob, over.id, 3, seats=[BOT, ME, ME])
    assert [seat.bot for seat in made.seats] == ["random", None, None]
    assert made.seats_of(bob.id) == [1, 2]


def test_a_branch_of_a_private_game_is_private(store: Store, ada: Player, bob: Player) -> None:
    over = finish(store, ada, "beans", visibility="private")
    made = branch(store, ada, over.id, 3)
    assert made.visibility == "private"
    with pytest.raises(Invalid) as refused:
        branch(store, ada, over.id, 3, visibility="public")
    assert refused.value.errors[0]["pointer"] == "/visibility"
    for game_id in (over.id, made.id):
        with pytest.raises(NotFound):
            branch(store, bob, game_id, 3)


def test_a_branch_has_the_visibility_of_its_game_unless_another_is_asked_for(
    store: Store, ada: Player
) -> None:
    over = finish(store, ada, "beans", visibility="unlisted")
    assert branch(store, ada, over.id, 3).visibility == "unlisted"
    assert branch(store, ada, over.id, 3, visibility="private").visibility == "private"
    with pytest.raises(Invalid):
        branch(store, ada, over.id, 3, visibility="secret")


def test_a_refused_branch_stores_nothing(store: Store, ada: Player, bob: Player) -> None:
    over = finish(store, ada, "beans", visibility="private")
    running = store.commands.create(Intent(ada), beans_game(ME, BOT)).table
    wrong: list[tuple[Player, str, dict[str, Any]]] = [
        (bob, over.id, {"version": 3}),
        (bob, running.id, {"version": 2}),
        (ada, over.id, {"version": 999}),
        (ada, over.id, {"version": 3, "seats": [ME]}),
        (ada, over.id, {"version": 3, "visibility": "public"}),
        (ada, over.id, {"version": 3, "entropy": "short"}),
        (ada, over.id, {"version": 3, "commitment": "unknown"}),
        (ada, "unknown", {"version": 3}),
    ]
    before = everything_stored(store)
    for player, game_id, asked in wrong:
        with pytest.raises(Refused):
            store.commands.again.branch(Intent(player, key="k"), game_id, NewBranch(**asked))
    assert everything_stored(store) == before


# -- the same request again -----------------------------------------------------------------------


def test_a_repeated_key_gives_the_same_branch(store: Store, ada: Player) -> None:
    over, other = (finish(store, ada, "beans") for _ in range(2))
    first = store.commands.again.branch(Intent(ada, key="k"), over.id, NewBranch(3))
    again = store.commands.again.branch(Intent(ada, key="k"), over.id, NewBranch(3))
    assert (again.table.id, again.replayed) == (first.table.id, True)
    with pytest.raises(IdempotencyMismatch):
        store.commands.again.branch(Intent(ada, key="k"), over.id, NewBranch(2))
    # A key belongs to a player and a game.
    elsewhere = store.commands.again.branch(Intent(ada, key="k"), other.id, NewBranch(3))
    assert not elsewhere.replayed
    assert not store.commands.create(Intent(ada, key="k"), beans_game()).replayed
