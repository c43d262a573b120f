"""Fair draws in the ledger: what is committed, drawn, kept apart, revealed and proved."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import pytest

from cartulary.engine.chance import Chance
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.ledger.snapshots import EVERY, freeze, thaw
from cartulary.events.model.fairness import DerivedSource, derive_bot_seed, derive_seed
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import BOT, HIS, ME, MINE, OPEN, any_move, beans_game, play_out
from tests.events.support.games_with_draws import (
    GAMES,
    delivered,
    play_bots,
    play_whole,
    secret_of,
    unfair,
)
from tests.fairness.checker import check_events
from tests.support.small_transcript import small

# -- what the events say ------------------------------------------------------------------------


def test_first_event_commits_to_the_secret_in_the_vault(store: Store, open_table: Table) -> None:
    (created,) = store.ledger.events(open_table.id)
    commitment = hashlib.sha256(secret_of(store, open_table)).hexdigest()
    assert created["fair"] == {
        "scheme": "cartulary-fair/1",
        "commitment": commitment,
        "given": 0,
    }


def test_entropy_stands_on_the_seat_and_in_seat_taken(
    store: Store, bob: Player, open_table: Table
) -> None:
    table = store.commands.arranging.join(Intent(bob), open_table.id, entropy=HIS).table
    created, taken, _ = store.ledger.events(table.id)
    assert [seat.get("entropy") for seat in created["seats"]] == [MINE, None]
    assert "entropy" not in created["seats"][1]
    assert taken["entropy"] == HIS
    assert table.entropies == (MINE, HIS)


def test_seat_without_entropy_counts_as_an_empty_string(
    store: Store, bob: Player, open_table: Table
) -> None:
    table = store.commands.arranging.join(Intent(bob), open_table.id).table
    assert table.entropies == (MINE, "")
    assert "entropy" not in store.ledger.events(table.id)[1]


def test_entropy_of_a_player_who_left_counts_no_more(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN, entropy=MINE)).table
    store.commands.arranging.join(Intent(bob), table.id, entropy=HIS)
    table = store.commands.arranging.leave(Intent(bob), table.id, 1).table
    assert table.entropies == (MINE, "", "")


def test_player_with_several_seats_gives_all_of_them_the_entropy(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, BOT, ME, entropy=MINE)).table
    assert table.entropies == (MINE, "", MINE)


def test_seating_of_the_start_says_who_holds_which_seat(
    store: Store, ada: Player, bob: Player
) -> None:
    before = store.commands.create(
        Intent(ada), beans_game(ME, BOT, OPEN, shuffle_seats=True, entropy=MINE)
    ).table
    after = store.commands.arranging.join(Intent(bob), before.id, entropy=HIS).table
    started = store.ledger.events(after.id)[-1]
    held = ("Ada", "random", "Bob")
    names = [seat.player["name"] if seat.player else seat.bot for seat in after.seats]
    assert names == [held[number] for number in started["seating"]]
    assert after.entropies == (MINE, "", HIS)  # as they stood before the shuffling
    assert store.projector.table(after.id, 2).seats == (
        *before.seats[:2],
        after.seats[names.index("Bob")],
    )


def test_unshuffled_game_has_no_seating(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, ME)).table
    assert "seating" not in store.ledger.events(table.id)[-1]


@pytest.mark.parametrize("game", GAMES)
def test_number_of_the_next_draw_follows_from_all_outcomes(
    store: Store, ada: Player, game: str
) -> None:
    table = store.commands.create(
        Intent(ada), NewGame(game, [ME, ME, BOT], shuffle_seats=True)
    ).table
    table = play_bots(store, table, random.Random(1))
    events = store.ledger.events(table.id)
    shuffled = {"carcassonne": 3, "caylus": 3 + 3 + 6, "beans": 3 + 3}[game]
    assert table.fair is not None
    assert table.fair.number == shuffled + sum(len(event.get("chance", ())) for event in events)


def test_move_of_a_bot_says_level_version_and_seed(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(BOT, BOT, ME, entropy=MINE)).table
    while table.bot_to_move is None:
        table = store.commands.move(Intent(ada), table.id, any_move(table)).table
    assert table.play is not None
    seen: list[float] = []

    def choose(state: Any, rng: random.Random) -> Any:
        seen.append(rng.random())
        return state.moves()[0]

    moved = store.commands.bots.move(table.id, table.position, choose, version=3).events[0]
    seed = derive_bot_seed(
        derive_seed(secret_of(store, table), ["", "", MINE]), table.position, table.play.state.seat
    )
    about = {"level": "random", "version": 3, "iterations": 1, "seed": seed, "ms": 0}
    assert {**moved["bot"], "ms": 0} == about
    assert seen == [random.Random(int(seed, 16)).random()]


def test_move_of_a_person_says_nothing_of_a_bot(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    assert "bot" not in store.commands.move(Intent(ada), table.id, any_move(table)).events[0]


# -- whole games, proved ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("shuffled", [False, True])
def test_finished_game_is_proved_by_the_audit_and_by_the_independent_checker(
    store: Store, ada: Player, game: str, shuffled: bool
) -> None:
    request = NewGame(game, [ME, BOT, BOT], shuffle_seats=shuffled, entropy=MINE)
    table = play_whole(store, ada, store.commands.create(Intent(ada), request).table)
    report = store.audit.game(table.id)
    assert report.problems == []
    assert report.fair is not None
    assert (report.fair["state"], report.fair["renewed_at"]) == ("proved", [])
    checked = check_events(delivered(store, table))
    if game != "beans":  # the checker knows the two games of the contract
        assert (checked.state, checked.problems) == ("proved", [])
        assert checked.draws == report.fair["draws"]


def test_secret_is_revealed_at_the_end_and_deleted_in_the_same_step(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(entropy=MINE)).table
    secret = secret_of(store, table)
    table = play_out(store, ada, table)
    assert store.redis.exists(keys.secret(table.id))
    scored = store.commands.score(table.id).events[-1]
    assert scored["secret"] == secret.hex()
    assert not store.redis.exists(keys.secret(table.id))


def test_aborted_game_reveals_its_secret(store: Store, ada: Player, open_table: Table) -> None:
    secret = secret_of(store, open_table)
    aborted = store.commands.arranging.leave(Intent(ada), open_table.id, 0).events[-1]
    assert (aborted["type"], aborted["secret"]) == ("game_aborted", secret.hex())
    assert not store.redis.exists(keys.secret(open_table.id))
    report = store.audit.game(open_table.id)
    assert report.fair is not None
    assert (report.fair["state"], report.fair["draws"], report.problems) == ("proved", 0, [])


def test_running_game_hides_its_draws(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    report = store.audit.game(table.id)
    assert report.fair is not None
    assert (report.fair["state"], report.valid) == ("hidden", True)


# -- what must not differ between processes ------------------------------------------------------


def test_another_process_draws_what_this_process_would_draw(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME], entropy=MINE)).table
    other = Store(store.redis, OFFERS, rng=random.Random("another"))
    seed = derive_seed(secret_of(store, table), [MINE, MINE])
    for number in range(6):
        acting = (store, other)[number % 2]
        table = acting.commands.move(Intent(ada, table.version), table.id, any_move(table)).table
    assert other.audit.game(table.id).problems == []
    question = Chance("tile", ("A", "B", "C", "D"), (9, 9, 9, 9))
    drawn = [each.draws.source(table).draw(question) for each in (store, other)]
    assert table.fair is not None
    assert drawn == [DerivedSource(seed, table.fair.number).draw(question)] * 2


def test_snapshot_keeps_the_number_of_the_next_draw_and_no_secret(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME], entropy=MINE)).table
    secret = secret_of(store, table)
    table = store.commands.move(Intent(ada), table.id, any_move(table)).table
    frozen = freeze(table)
    thawed = thaw(store.rules, frozen)
    assert thawed is not None
    assert thawed.fair == table.fair
    assert thawed.entropies == (MINE, MINE)
    seed = derive_seed(secret, table.entropies)
    for hidden in (secret, seed):
        assert hidden.hex().encode() not in frozen


def test_game_goes_on_from_a_snapshot_with_the_right_number(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    while table.version <= EVERY + 3:
        table = store.commands.move(Intent(ada, table.version), table.id, any_move(table)).table
    store.projector.forget()
    assert store.projector.table(table.id).fair == table.fair
    table = store.commands.move(Intent(ada, table.version), table.id, any_move(table)).table
    assert store.audit.game(table.id).problems == []


# -- games from before --------------------------------------------------------------------------


def test_game_from_before_keeps_its_random_source_and_the_seed_of_its_bots(
    store: Store, ada: Player
) -> None:
    table = unfair(store, ada)
    assert table.fair is None
    while table.bot_to_move is None:
        table = store.commands.move(Intent(ada, table.version), table.id, any_move(table)).table
    drawn: list[float] = []

    def choose(state: Any, rng: random.Random) -> Any:
        drawn.append(rng.random())
        return state.moves()[0]

    moved = store.commands.bots.move(table.id, table.position, choose).events[0]
    assert "seed" not in moved["bot"]
    assert drawn == [random.Random(f"{table.id}:{table.position}").random()]
    table = play_whole(store, ada, store.projector.table(table.id))
    assert "secret" not in store.ledger.events(table.id)[-1]
    report = store.audit.game(table.id)
    assert (report.fair, report.problems) == (None, [])


# -- imports ------------------------------------------------------------------------------------


def test_finished_import_has_no_fair_draws(store: Store, ada: Player) -> None:
    table = store.commands.import_transcript(Intent(ada), small()).table
    assert store.ledger.events(table.id)[0]["fair"] is None
    assert not store.redis.exists(keys.secret(table.id))
    assert store.audit.game(table.id).fair is None


@pytest.mark.slow
@pytest.mark.parametrize(("game", "given"), [("caylus", 2 + 6), ("carcassonne", None)])
def test_import_of_a_running_game_counts_what_the_transcript_gave(
    store: Store, ada: Player, game: str, given: int | None
) -> None:
    table = store.commands.create(Intent(ada), NewGame(game, [ME, ME])).table
    rng = random.Random(3)
    for _ in range(6):
        table = store.commands.move(
            Intent(ada, table.version), table.id, any_move(table, rng)
        ).table
    transcript = transcript_of(table, store.ledger.events(table.id), {}).to_json()
    made = store.commands.import_transcript(Intent(ada), transcript, entropy=MINE).table
    created = store.ledger.events(made.id)[0]
    expected = len(transcript["draws"]) if given is None else given
    assert created["fair"]["given"] == expected
    assert [seat["entropy"] for seat in created["seats"]] == [MINE, MINE]
    assert made.fair is not None
    assert made.fair.number == 0
    table = play_whole(store, ada, made)
    report = store.audit.game(table.id)
    assert report.problems == []
    assert report.fair is not None
    assert (report.fair["state"], report.fair["given"]) == ("proved", expected)
    assert check_events(delivered(store, table)).state == "proved"


@pytest.mark.slow
def test_import_without_the_last_draw_draws_it_from_the_seed(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    transcript = transcript_of(table, store.ledger.events(table.id), {}).to_json()
    first = transcript["draws"].pop()
    transcript["bag"][first] = transcript["bag"].get(first, 0) + 1
    made = store.commands.import_transcript(Intent(ada), transcript).table
    assert store.ledger.events(made.id)[0]["fair"]["given"] == 0
    assert made.fair is not None
    assert made.fair.number == 1
    assert play_whole(store, ada, made).status is Status.OVER
    assert store.audit.game(made.id).problems == []
