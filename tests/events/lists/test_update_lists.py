"""The inboxes of a game: one item for each turn, in whatever portions the events arrive."""

from __future__ import annotations

import random
from typing import Any

import pytest
from redis.exceptions import ConnectionError as Unreachable

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.model.table import Table
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild, rebuild_game
from tests.events.lists.rebuilt_inboxes import (
    count_turns,
    follow,
    forget,
    make_teller,
    read_all,
    read_items,
    reckon_turns,
    retell,
    types_of,
)
from tests.events.support.bean_games import ME, OPEN
from tests.events.support.games_on_a_clock import Circle, circle
from tests.support.games import ALL_OFFERS


def people_of(table: Table) -> dict[int, str]:
    return {n: seat.player["id"] for n, seat in enumerate(table.seats) if seat.player}


def asked_seat(table: Table) -> int | None:
    return None if table.decision is None else table.decision.seat


def play_caylus(store: Store, people: int, **terms: Any) -> Circle:
    """Start a game of Caylus between people."""
    players = [store.players.create(f"Player {n}")[0] for n in range(people)]
    seats = [ME, *[OPEN] * (people - 1)]
    table = store.commands.create(Intent(players[0]), NewGame("caylus", seats, **terms)).table
    for player in players[1:]:
        table = store.commands.arranging.join(Intent(player), table.id).table
    return Circle(store, table.id, list(players))


def move_on(game: Circle, rng: random.Random) -> None:
    """Let the seat that is asked make the move of a bot, which plays longer than the lot."""
    table = game.table
    assert table.state is not None
    chosen = ALL_OFFERS["caylus"].bots["medium"].bot(table.state.copy(), rng)
    game.store.commands.move(Intent(game.who(game.asked)), game.id, table.state.move_json(chosen))


def expect_turns(game: Circle) -> dict[str, int]:
    return reckon_turns(game.events(), people_of(game.table), asked_seat(game.table))


def count_all(game: Circle) -> dict[str, int]:
    return count_turns(game.store, [player for player in game.players if player is not None])


@pytest.mark.slow
def test_a_caylus_of_five_tells_every_turn_once_in_any_portions(fake_store: Store) -> None:
    game, rng = play_caylus(fake_store, 5), random.Random(4)
    while game.table.decision is not None:
        move_on(game, rng)
    last = game.table.version
    assert game.types().count("move_made") > 400
    one_by_one = retell(fake_store, game.id, range(1, last + 1))
    assert count_all(game) == expect_turns(game)
    assert 0 < sum(expect_turns(game).values()) < game.types().count("move_made")
    assert all(len(set(ids)) == len(ids) for ids in one_by_one.values())
    chosen = sorted(rng.sample(range(20, last), 60))
    assert retell(fake_store, game.id, [*chosen, last]) == one_by_one


@pytest.mark.slow
def test_small_questions_in_a_row_are_one_turn(fake_store: Store) -> None:
    game, rng = play_caylus(fake_store, 2), random.Random(1)
    follow(fake_store, game.id)
    for _ in range(30):
        move_on(game, rng)
        follow(fake_store, game.id)
    assert count_all(game) == expect_turns(game)


def test_a_run_of_bots_tells_nobody(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "bot:random", "bot:random")
    follow(fake_store, game.id)
    for _ in range(12):
        game.move() if game.table.bot_to_move is None else game.bot_moves()
        follow(fake_store, game.id)
    expected = reckon_turns(game.events(), people_of(game.table), game.asked)
    assert count_turns(fake_store, [game.who(0)]) == expected
    assert set(read_all(fake_store)) == {game.who(0).id}


def test_an_item_says_which_game_waits(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob", "bot:random")
    while game.table.bot_to_move is not None:
        game.bot_moves()
    follow(fake_store, game.id)
    asked = game.asked
    (item,) = [
        item for item in read_items(fake_store, game.who(asked)) if item["type"] == "your_turn"
    ]
    other = game.who(1 - asked).name
    assert item["data"] == {
        "game": game.id,
        "version": game.table.version,
        "seat": asked,
        "title": f"Beans: {other}",
        "deadline_at": None,
        "url": f"/games/{game.id}",
    }
    assert item["timestamp"] == game.table.updated_at
    assert item["id"] == f"{game.id}:{game.table.version}:your_turn:{game.who(asked).id}"


def test_the_same_table_twice_tells_once(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob")
    for _ in range(3):
        follow(fake_store, game.id)
        make_teller(fake_store).follow(game.table)
    assert count_turns(fake_store, [game.who(game.asked)]) == {game.who(game.asked).id: 1}


@pytest.mark.slow
def test_two_dispatchers_in_turn_lose_nothing_and_tell_nothing_twice(fake_store: Store) -> None:
    game, rng = play_caylus(fake_store, 3), random.Random(3)
    tellers = [make_teller(fake_store), make_teller(fake_store)]
    tables = [game.table]
    for _ in range(40):
        move_on(game, rng)
        tables.append(game.table)
        # A dispatcher may be late: it brings a table that the other one has left behind.
        rng.choice(tellers).follow(rng.choice(tables[-3:]))
    tellers[0].follow(tables[-1])
    assert count_all(game) == expect_turns(game)


def test_a_dispatcher_that_dies_before_the_step_is_followed_by_another(
    fake_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, rng = play_caylus(fake_store, 2), random.Random(5)
    follow(fake_store, game.id)
    for _ in range(5):
        move_on(game, rng)
        with monkeypatch.context() as patched:
            patched.setattr(fake_store.projections, "_project", die)
            with pytest.raises(Unreachable):
                follow(fake_store, game.id)
        move_on(game, rng)
        make_teller(fake_store).follow(game.table)
    assert count_all(game) == expect_turns(game)


def die(**_: object) -> None:
    raise Unreachable("killed")


def test_a_dispatcher_that_dies_after_the_step_is_followed_by_another(fake_store: Store) -> None:
    """Its answer was lost: it does not know what the inboxes have learned."""
    game = circle(fake_store, "Ada", "Bob")
    other = make_teller(fake_store)
    other.follow(game.table)
    game.move()
    follow(fake_store, game.id)
    other.follow(game.table)
    game.move()
    other.follow(game.table)
    expected = reckon_turns(game.events(), people_of(game.table), game.asked)
    assert count_turns(fake_store, [game.who(0), game.who(1)]) == expected


def test_what_a_fall_back_has_taken_from_the_inboxes_is_written_again(fake_store: Store) -> None:
    """The append came again, so stream and summary are what this dispatcher has seen before."""
    game = circle(fake_store, "Ada", "Bob")
    teller = make_teller(fake_store)
    teller.follow(game.table)
    kept: dict[Any, Any] = {keys.notified(): fake_store.redis.dump(keys.notified())}
    kept |= {name: fake_store.redis.dump(name) for name in fake_store.redis.keys("*inbox:*")}
    game.move()
    teller.follow(game.table)
    fake_store.redis.delete(*fake_store.redis.keys("*inbox:*"))
    for name, box in kept.items():
        fake_store.redis.restore(name, 0, box, replace=True)
    teller.follow(game.table)
    expected = reckon_turns(game.events(), people_of(game.table), game.asked)
    assert count_turns(fake_store, [game.who(0), game.who(1)]) == expected


def test_a_rebuild_brings_one_turn_for_each_game_that_waits(fake_store: Store) -> None:
    games = [circle(fake_store, "Ada", "Bob") for _ in range(3)]
    for game in games:
        for _ in range(4):
            game.move()
            follow(fake_store, game.id)
    rebuild(fake_store)
    for game in games:
        asked = game.who(game.asked)
        assert types_of(fake_store, asked) == ["your_turn"]
        assert types_of(fake_store, game.who(1 - game.asked)) == []
        game.move()
        follow(fake_store, game.id)
    for game in games:
        told = sum(count_turns(fake_store, [game.who(0), game.who(1)]).values())
        changed = game.events()[-1]["seat"] != game.asked
        assert told == 1 + changed


def test_an_upgrade_renews_the_summary_and_tells_nothing_again(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob")
    follow(fake_store, game.id)
    before = read_all(fake_store)
    rebuild_game(fake_store, game.id)
    assert read_all(fake_store) == before


@pytest.mark.slow
def test_of_an_old_game_that_no_inbox_knows_only_what_waits_is_written(fake_store: Store) -> None:
    """As after an upgrade: no process reads the whole history."""
    game, rng = play_caylus(fake_store, 2), random.Random(5)
    while game.table.version < 60:
        move_on(game, rng)
    forget(fake_store)
    follow(fake_store, game.id)
    assert [*read_all(fake_store)] == [game.who(game.asked).id]
    assert types_of(fake_store, game.who(game.asked)) == ["your_turn"]


def test_who_takes_back_freely_learns_nothing_and_the_next_turn_is_written_again(
    fake_store: Store,
) -> None:
    game, rng = play_caylus(fake_store, 2, takebacks="undo"), random.Random(5)
    while game.table.free_takeback is None or game.table.free_takeback.seat == game.asked:
        move_on(game, rng)
    follow(fake_store, game.id)
    back, other = 1 - game.asked, game.asked
    before = types_of(fake_store, game.who(back))
    told = len(types_of(fake_store, game.who(other)))
    fake_store.commands.proposals.propose(Intent(game.who(back)), game.id, "takeback")
    assert game.asked == back
    follow(fake_store, game.id)
    assert types_of(fake_store, game.who(back)) == before
    assert types_of(fake_store, game.who(other))[told:] == ["moves_taken_back"]
    while game.asked == back:
        move_on(game, rng)
    follow(fake_store, game.id)
    assert types_of(fake_store, game.who(other))[told:] == ["moves_taken_back", "your_turn"]


def test_a_game_begins_and_ends_in_every_inbox(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob", "bot:random")
    follow(fake_store, game.id)
    while game.table.decision is not None:
        game.move() if game.table.bot_to_move is None else game.bot_moves()
    fake_store.commands.score(game.id)
    follow(fake_store, game.id)
    for seat in range(2):
        found = types_of(fake_store, game.who(seat))
        assert (found.count("game_started"), found.count("game_over")) == (1, 1)
        assert found[-1] == "game_over"


def test_who_starts_a_game_alone_with_bots_is_not_told_that_it_starts(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "bot:random")
    follow(fake_store, game.id)
    assert "game_started" not in types_of(fake_store, game.who(0))
