"""Fair draws in the ledger: what is committed, drawn, kept apart, revealed and proved."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from cartulary.engine.chance import Chance
from cartulary.events import keys
from cartulary.events.commands import NewGame
from cartulary.events.errors import Invalid, SecretMissing, WrongKey
from cartulary.events.fairness import DerivedSource, derive_bot_seed, derive_seed
from cartulary.events.keyring import Keyring
from cartulary.events.players import Player
from cartulary.events.renewal import find_lost, renew_lost
from cartulary.events.snapshots import EVERY, freeze, thaw
from cartulary.events.status import Status
from cartulary.events.store import Store
from cartulary.events.table import Table
from tests.conftest import OFFERS
from tests.events.conftest import BOT, ME, OPEN, any_move, beans_game, play_out
from tests.fairness.checker import check_events
from tests.small import small

MINE, HIS = "ada_ada_ada_ada_ada", "bob-bob-bob-bob-bob"
GAMES = ("carcassonne", "caylus", "beans")


def delivered(store: Store, table: Table) -> list[dict[str, Any]]:
    return store.ledger.deliver(table.id)


def secret_of(store: Store, table: Table) -> bytes:
    """The secret of an unfinished game: only the vault has it."""
    secret = store.vault.read(table.id)
    assert secret is not None
    return secret


def play_bots(store: Store, table: Table, rng: random.Random) -> Table:
    """Let bots move while it is their turn."""
    while table.bot_to_move is not None:
        table = store.commands.bot_move(
            table.id, table.position, lambda state, rng: rng.choice(state.moves())
        ).table
    return table


def play_whole(store: Store, player: Player, table: Table) -> Table:
    """Play a game of a person and bots to its score."""
    rng = random.Random(5)
    while table.status is Status.RUNNING:
        table = play_bots(store, table, rng)
        if table.status is Status.RUNNING:
            move = any_move(table, rng)
            table = store.commands.move(player, table.id, move, table.version).table
    return store.commands.score(table.id).table


@pytest.fixture
def open_table(store: Store, ada: Player) -> Table:
    return store.commands.create(ada, beans_game(ME, OPEN, entropy=MINE)).table


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
    table = store.commands.join(bob, open_table.id, entropy=HIS).table
    created, taken, _ = store.ledger.events(table.id)
    assert [seat.get("entropy") for seat in created["seats"]] == [MINE, None]
    assert "entropy" not in created["seats"][1]
    assert taken["entropy"] == HIS
    assert table.entropies == (MINE, HIS)


def test_seat_without_entropy_counts_as_an_empty_string(
    store: Store, bob: Player, open_table: Table
) -> None:
    table = store.commands.join(bob, open_table.id).table
    assert table.entropies == (MINE, "")
    assert "entropy" not in store.ledger.events(table.id)[1]


def test_entropy_of_a_player_who_left_counts_no_more(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(ada, beans_game(ME, OPEN, OPEN, entropy=MINE)).table
    store.commands.join(bob, table.id, entropy=HIS)
    table = store.commands.leave(bob, table.id, 1).table
    assert table.entropies == (MINE, "", "")


def test_player_with_several_seats_gives_all_of_them_the_entropy(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game(ME, BOT, ME, entropy=MINE)).table
    assert table.entropies == (MINE, "", MINE)


def test_seating_of_the_start_says_who_holds_which_seat(
    store: Store, ada: Player, bob: Player
) -> None:
    before = store.commands.create(
        ada, beans_game(ME, BOT, OPEN, shuffle_seats=True, entropy=MINE)
    ).table
    after = store.commands.join(bob, before.id, entropy=HIS).table
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
    table = store.commands.create(ada, beans_game(ME, ME)).table
    assert "seating" not in store.ledger.events(table.id)[-1]


@pytest.mark.parametrize("game", GAMES)
def test_number_of_the_next_draw_follows_from_all_outcomes(
    store: Store, ada: Player, game: str
) -> None:
    table = store.commands.create(ada, NewGame(game, [ME, ME, BOT], shuffle_seats=True)).table
    table = play_bots(store, table, random.Random(1))
    events = store.ledger.events(table.id)
    shuffled = {"carcassonne": 3, "caylus": 3 + 3 + 6, "beans": 3 + 3}[game]
    assert table.fair is not None
    assert table.fair.number == shuffled + sum(len(event.get("chance", ())) for event in events)


def test_move_of_a_bot_says_level_version_and_seed(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game(BOT, BOT, ME, entropy=MINE)).table
    while table.bot_to_move is None:
        table = store.commands.move(ada, table.id, any_move(table)).table
    assert table.play is not None
    seen: list[float] = []

    def choose(state: Any, rng: random.Random) -> Any:
        seen.append(rng.random())
        return state.moves()[0]

    moved = store.commands.bot_move(table.id, table.position, choose, version=3).events[0]
    seed = derive_bot_seed(
        derive_seed(secret_of(store, table), ["", "", MINE]), table.position, table.play.state.seat
    )
    assert moved["bot"] == {"level": "random", "version": 3, "seed": seed}
    assert seen == [random.Random(int(seed, 16)).random()]


def test_move_of_a_person_says_nothing_of_a_bot(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game()).table
    assert "bot" not in store.commands.move(ada, table.id, any_move(table)).events[0]


# -- whole games, proved ------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("shuffled", [False, True])
def test_finished_game_is_proved_by_the_audit_and_by_the_independent_checker(
    store: Store, ada: Player, game: str, shuffled: bool
) -> None:
    request = NewGame(game, [ME, BOT, BOT], shuffle_seats=shuffled, entropy=MINE)
    table = play_whole(store, ada, store.commands.create(ada, request).table)
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
    table = store.commands.create(ada, beans_game(entropy=MINE)).table
    secret = secret_of(store, table)
    table = play_out(store, ada, table)
    assert store.redis.exists(keys.secret(table.id))
    scored = store.commands.score(table.id).events[-1]
    assert scored["secret"] == secret.hex()
    assert not store.redis.exists(keys.secret(table.id))


def test_aborted_game_reveals_its_secret(store: Store, ada: Player, open_table: Table) -> None:
    secret = secret_of(store, open_table)
    aborted = store.commands.leave(ada, open_table.id, 0).events[-1]
    assert (aborted["type"], aborted["secret"]) == ("game_aborted", secret.hex())
    assert not store.redis.exists(keys.secret(open_table.id))
    report = store.audit.game(open_table.id)
    assert report.fair is not None
    assert (report.fair["state"], report.fair["draws"], report.problems) == ("proved", 0, [])


def test_running_game_hides_its_draws(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game()).table
    report = store.audit.game(table.id)
    assert report.fair is not None
    assert (report.fair["state"], report.valid) == ("hidden", True)


# -- what must not differ between processes ------------------------------------------------------


def test_another_process_draws_what_this_process_would_draw(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, NewGame("carcassonne", [ME, ME], entropy=MINE)).table
    other = Store(store.redis, OFFERS, rng=random.Random("another"))
    seed = derive_seed(secret_of(store, table), [MINE, MINE])
    for number in range(6):
        acting = (store, other)[number % 2]
        table = acting.commands.move(ada, table.id, any_move(table), table.version).table
    assert other.audit.game(table.id).problems == []
    question = Chance("tile", ("A", "B", "C", "D"), (9, 9, 9, 9))
    drawn = [each.draws.source(table).draw(question) for each in (store, other)]
    assert table.fair is not None
    assert drawn == [DerivedSource(seed, table.fair.number).draw(question)] * 2


def test_snapshot_keeps_the_number_of_the_next_draw_and_no_secret(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(ada, NewGame("carcassonne", [ME, ME], entropy=MINE)).table
    secret = secret_of(store, table)
    table = store.commands.move(ada, table.id, any_move(table)).table
    frozen = freeze(table)
    thawed = thaw(store.rules, frozen)
    assert thawed is not None
    assert thawed.fair == table.fair
    assert thawed.entropies == (MINE, MINE)
    seed = derive_seed(secret, table.entropies)
    for hidden in (secret, seed):
        assert hidden.hex().encode() not in frozen


def test_snapshot_of_an_earlier_release_is_read(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, beans_game()).table
    frozen = orjson.loads(freeze(table))
    del frozen["fair"], frozen["shuffle_seats"]
    frozen["seats"] = [seat[:2] for seat in frozen["seats"]]
    thawed = thaw(store.rules, orjson.dumps(frozen))
    assert thawed is not None
    assert thawed.fair is None
    assert thawed.version == table.version


def test_game_goes_on_from_a_snapshot_with_the_right_number(store: Store, ada: Player) -> None:
    table = store.commands.create(ada, NewGame("carcassonne", [ME, ME])).table
    while table.version <= EVERY + 3:
        table = store.commands.move(ada, table.id, any_move(table), table.version).table
    store.projector.forget()
    assert store.projector.table(table.id).fair == table.fair
    table = store.commands.move(ada, table.id, any_move(table), table.version).table
    assert store.audit.game(table.id).problems == []


# -- games from before --------------------------------------------------------------------------


def unfair(store: Store, player: Player) -> Table:
    """A running game whose first event has no `fair`, as earlier releases created it."""
    from cartulary.events.drafts import Draft

    draft = Draft(store.rules, "01BEFORE")
    draft.add(
        "game_created",
        game="beans",
        options={"goal": 9},
        seats=[
            {"seat": 0, "player": {"id": player.id, "name": player.name}, "bot": None},
            {"seat": 1, "player": None, "bot": "random"},
        ],
        visibility="public",
        created_by=player.id,
    )
    draft.start(store.draws.source)
    store.ledger.append(draft.game_id, 0, draft.sealed)
    return store.projector.table(draft.game_id)


def test_game_from_before_keeps_its_random_source_and_the_seed_of_its_bots(
    store: Store, ada: Player
) -> None:
    table = unfair(store, ada)
    assert table.fair is None
    while table.bot_to_move is None:
        table = store.commands.move(ada, table.id, any_move(table), table.version).table
    drawn: list[float] = []

    def choose(state: Any, rng: random.Random) -> Any:
        drawn.append(rng.random())
        return state.moves()[0]

    moved = store.commands.bot_move(table.id, table.position, choose).events[0]
    assert moved["bot"] == {"level": "random", "version": 1}
    assert drawn == [random.Random(f"{table.id}:{table.position}").random()]
    table = play_whole(store, ada, store.projector.table(table.id))
    assert "secret" not in store.ledger.events(table.id)[-1]
    report = store.audit.game(table.id)
    assert (report.fair, report.problems) == (None, [])


# -- imports ------------------------------------------------------------------------------------


def test_finished_import_has_no_fair_draws(store: Store, ada: Player) -> None:
    table = store.commands.import_transcript(ada, small()).table
    assert store.ledger.events(table.id)[0]["fair"] is None
    assert not store.redis.exists(keys.secret(table.id))
    assert store.audit.game(table.id).fair is None


@pytest.mark.parametrize(("game", "given"), [("caylus", 2 + 6), ("carcassonne", None)])
def test_import_of_a_running_game_counts_what_the_transcript_gave(
    store: Store, ada: Player, game: str, given: int | None
) -> None:
    from cartulary.events.transcripts import transcript_of

    table = store.commands.create(ada, NewGame(game, [ME, ME])).table
    rng = random.Random(3)
    for _ in range(6):
        table = store.commands.move(ada, table.id, any_move(table, rng), table.version).table
    transcript = transcript_of(table, store.ledger.events(table.id), {}).to_json()
    made = store.commands.import_transcript(ada, transcript, entropy=MINE).table
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


def test_import_without_the_last_draw_draws_it_from_the_seed(store: Store, ada: Player) -> None:
    from cartulary.events.transcripts import transcript_of

    table = store.commands.create(ada, NewGame("carcassonne", [ME, ME])).table
    transcript = transcript_of(table, store.ledger.events(table.id), {}).to_json()
    first = transcript["draws"].pop()
    transcript["bag"][first] = transcript["bag"].get(first, 0) + 1
    made = store.commands.import_transcript(ada, transcript).table
    assert store.ledger.events(made.id)[0]["fair"]["given"] == 0
    assert made.fair is not None
    assert made.fair.number == 1
    assert play_whole(store, ada, made).status is Status.OVER
    assert store.audit.game(made.id).problems == []


# -- bad input ----------------------------------------------------------------------------------

BAD = ("", "x" * 15, "x" * 65, "sixteen chars no!", "ää" * 10, "x" * 16 + "\n", "sixteen.sixteen.")


@pytest.mark.parametrize("entropy", BAD)
def test_entropy_of_another_form_is_refused_and_nothing_is_stored(
    store: Store, ada: Player, bob: Player, open_table: Table, entropy: str
) -> None:
    before = sorted(store.ledger.game_ids())
    attempts: list[Callable[[], Any]] = [
        lambda: store.commands.create(ada, beans_game(entropy=entropy)),
        lambda: store.commands.join(bob, open_table.id, entropy=entropy),
        lambda: store.commands.import_transcript(ada, small(), entropy=entropy),
    ]
    for attempt in attempts:
        with pytest.raises(Invalid) as refused:
            attempt()
        assert [error["pointer"] for error in refused.value.errors] == ["/entropy"]
    assert sorted(store.ledger.game_ids()) == before
    assert store.ledger.version(open_table.id) == 1


def test_entropy_of_an_opener_without_a_seat_is_refused(store: Store, ada: Player) -> None:
    with pytest.raises(Invalid) as refused:
        store.commands.create(ada, beans_game(BOT, OPEN, entropy=MINE))
    assert refused.value.errors[0]["pointer"] == "/entropy"


def test_commitment_made_beforehand_is_that_of_the_game(store: Store, ada: Player) -> None:
    made = store.commands.commit(ada)
    request = beans_game(entropy=MINE, commitment=made.id)
    table = store.commands.create(ada, request).table
    assert store.ledger.events(table.id)[0]["fair"]["commitment"] == made.commitment
    with pytest.raises(Invalid) as refused:
        store.commands.create(ada, request)
    assert refused.value.errors[0]["pointer"] == "/commitment"
    assert list(store.ledger.game_ids()) == [table.id]


def test_commitment_of_another_player_is_refused(store: Store, ada: Player, bob: Player) -> None:
    made = store.commands.commit(ada)
    with pytest.raises(Invalid) as refused:
        store.commands.create(bob, beans_game(commitment=made.id))
    assert refused.value.errors[0]["pointer"] == "/commitment"


def test_refused_request_does_not_use_the_commitment_up(store: Store, ada: Player) -> None:
    made = store.commands.commit(ada)
    with pytest.raises(Invalid):
        store.commands.create(ada, beans_game(commitment=made.id, entropy="short"))
    assert store.commands.create(ada, beans_game(commitment=made.id)).events


def test_repeated_creation_with_a_key_returns_the_game_although_the_commitment_is_used(
    store: Store, ada: Player
) -> None:
    request = beans_game(commitment=store.commands.commit(ada).id, entropy=MINE)
    first = store.commands.create(ada, request, key="k")
    again = store.commands.create(ada, request, key="k")
    assert (again.table.id, again.replayed) == (first.table.id, True)


def test_creation_whose_append_failed_may_be_repeated_with_the_same_commitment(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = beans_game(commitment=store.commands.commit(ada).id, entropy=MINE)

    def fail(*_: object) -> None:
        raise ConnectionError("the store does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(store.commands.writer, "append", fail)
        with pytest.raises(ConnectionError):
            store.commands.create(ada, request, key="k")
    with pytest.raises(Invalid):
        store.commands.create(ada, request, key="another")
    assert store.commands.create(ada, request, key="k").events


# -- secrets that are lost ----------------------------------------------------------------------


@pytest.fixture
def lost(store: Store, ada: Player) -> tuple[Store, Table]:
    """A running game whose secret is missing, and a process that has not cached it."""
    table = store.commands.create(ada, NewGame("carcassonne", [ME, ME])).table
    store.redis.delete(keys.secret(table.id))
    return Store(store.redis, OFFERS), table


def finish_turn(store: Store, player: Player, table: Table) -> Table:
    """Play until the next tile is drawn."""
    number = table.fair and table.fair.number
    while (table.fair and table.fair.number) == number:
        table = store.commands.move(player, table.id, any_move(table), table.version).table
    return table


def test_game_whose_secret_is_missing_draws_nothing_and_loses_nothing(
    lost: tuple[Store, Table], ada: Player
) -> None:
    store, table = lost
    with pytest.raises(SecretMissing, match="--renew-draws"):
        finish_turn(store, ada, table)
    stored = store.ledger.version(table.id)
    assert store.projector.table(table.id).version == stored
    assert store.audit.game(table.id).valid


def test_renewed_game_goes_on_and_says_from_when_it_is_proved(
    lost: tuple[Store, Table], ada: Player
) -> None:
    store, table = lost
    assert [found.id for found in find_lost(store)] == [table.id]
    assert renew_lost(store) == ([table.id], [])
    assert list(find_lost(store)) == []
    assert renew_lost(store) == ([], [])
    renewed = store.ledger.events(table.id)[-1]
    assert renewed["type"] == "draws_renewed"
    assert renewed["commitment"] == hashlib.sha256(secret_of(store, table)).hexdigest()
    after = store.projector.table(table.id)
    assert after.fair is not None
    assert (after.fair.number, after.position) == (0, table.position)
    final = play_whole(store, ada, after)
    report = store.audit.game(final.id)
    assert report.problems == []
    assert report.fair is not None
    assert (report.fair["state"], report.fair["renewed_at"]) == ("proved", [renewed["version"]])
    assert check_events(delivered(store, final)).state == "proved"


def test_open_game_is_renewed_as_well(store: Store, bob: Player, open_table: Table) -> None:
    store.redis.delete(keys.secret(open_table.id))
    fresh = Store(store.redis, OFFERS)
    assert renew_lost(fresh).renewed == [open_table.id]
    table = fresh.commands.join(bob, open_table.id).table
    assert table.status is Status.RUNNING
    assert fresh.audit.game(table.id).valid


def test_process_with_another_key_reveals_nothing_and_renewing_helps(
    store: Store, ada: Player
) -> None:
    running = store.commands.create(ada, beans_game(ME, ME)).table
    scoring = play_out(store, ada, store.commands.create(ada, beans_game(ME, ME)).table)
    other = Store(store.redis, OFFERS, keyring=Keyring([b"x" * 32]))
    with pytest.raises(WrongKey):
        other.commands.score(scoring.id)
    with pytest.raises(WrongKey):
        other.commands.create(ada, beans_game())
    assert renew_lost(other) == ([running.id], [scoring.id])
    scored = other.commands.score(scoring.id).events[-1]
    assert scored["secret"] is None
    report = other.audit.game(scoring.id)
    assert report.fair is not None
    assert (report.fair["state"], report.valid) == ("failed", True)
    assert other.commands.create(ada, beans_game()).events


def test_finished_games_and_games_from_before_are_not_renewed(store: Store, ada: Player) -> None:
    unfair(store, ada)
    play_whole(store, ada, store.commands.create(ada, beans_game(ME, BOT)).table)
    store.commands.import_transcript(ada, small())
    assert list(find_lost(store)) == []


# -- what a cheating operator would change --------------------------------------------------------


def tampered(store: Store, table: Table, version: int, **changed: Any) -> list[dict[str, Any]]:
    """The problems of a stream with another event at a version, without those of the chain."""
    from cartulary.events.audit import make_report

    entries = store.ledger.entries(table.id)
    event = orjson.loads(entries[version - 1][1][b"event"])
    entries[version - 1][1][b"event"] = orjson.dumps({**event, **changed})
    found = make_report(store.rules, table.id, entries).problems
    return [one for one in found if one["problem"] == "draw"]


@pytest.fixture
def finished(fake_store: Store) -> tuple[Store, Table]:
    ada = fake_store.players.create("Ada")[0]
    request = NewGame("caylus", [ME, BOT, BOT], shuffle_seats=True, entropy=MINE)
    return fake_store, play_whole(fake_store, ada, fake_store.commands.create(ada, request).table)


def test_the_first_draw_that_differs_is_named(finished: tuple[Store, Table]) -> None:
    store, table = finished
    created, started, *_ = store.ledger.events(table.id)
    bots = [event for event in store.ledger.events(table.id) if "bot" in event]
    fair = {**created["fair"], "commitment": "0" * 64}
    seats = [{**seat, "entropy": HIS} for seat in created["seats"]]
    cases: list[tuple[int, dict[str, Any], int]] = [
        (1, {"fair": fair}, 1),
        (1, {"seats": seats}, 2),
        (2, {"seating": started["seating"][::-1]}, 2),
        (2, {"setup": {**started["setup"], "neutrals": started["setup"]["neutrals"][::-1]}}, 2),
        (bots[3]["version"], {"bot": {**bots[3]["bot"], "seed": "0" * 16}}, bots[3]["version"]),
        (table.version, {"secret": "00" * 32}, 1),
    ]
    for version, changed, named in cases:
        assert [one["version"] for one in tampered(store, table, version, **changed)] == [named], (
            changed
        )


def test_secret_that_is_missing_in_the_last_event_is_a_problem(
    finished: tuple[Store, Table],
) -> None:
    from cartulary.events.audit import make_report

    store, table = finished
    entries = store.ledger.entries(table.id)
    event = orjson.loads(entries[-1][1][b"event"])
    del event["secret"]
    entries[-1][1][b"event"] = orjson.dumps(event)
    report = make_report(store.rules, table.id, entries)
    assert [(one["version"], one["problem"]) for one in report.problems] == [
        (table.version, "draw")
    ]
    assert report.fair is not None
    assert report.fair["state"] == "failed"
