"""The lines: whose game comes next."""

from __future__ import annotations

import time

import pytest

from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers.queues import feeder as feeding
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.lines import AwaitedJob, GameQueues, turn_of
from cartulary.workers.queues.queues import Queues, put
from tests.workers.conftest import BOT, ME, new_game, until_asked


def turn(game: str, opener: str, people: bool = False) -> AwaitedJob:
    return AwaitedJob("bot", game, 1, opener, people)


def taken(lines: GameQueues, people: bool) -> list[str]:
    found = []
    while (next_one := lines.take(people)) is not None:
        found.append(next_one.game)
    return found


def find_game(lines: GameQueues, thinks: bool) -> str | None:
    found = lines.take(people=True, thinks=thinks)
    return None if found is None else found.game


def test_each_opener_has_a_turn_however_many_games_another_has() -> None:
    lines = GameQueues()
    for number in range(250):
        lines.add(turn(f"many-{number}", "mallory"))
    for game in ("a", "b"):
        lines.add(turn(game, "ada"))
    lines.add(turn("c", "bob"))
    assert taken(lines, people=False)[:6] == ["many-0", "a", "c", "many-1", "b", "many-2"]


def test_the_games_of_one_opener_come_in_the_order_of_their_arrival() -> None:
    lines = GameQueues()
    for game in ("c", "a", "b"):
        lines.add(turn(game, "ada"))
    assert taken(lines, people=False) == ["c", "a", "b"]


def test_a_game_that_waits_keeps_its_place_with_its_newest_position() -> None:
    lines = GameQueues()
    lines.add(turn("a", "ada"))
    lines.add(turn("b", "ada"))
    lines.add(turn("a", "ada")._replace(position=7))
    first = lines.take(people=False)
    assert first is not None
    assert (first.game, first.position) == ("a", 7)
    assert len(lines) == 1


def test_a_game_that_waits_for_nobody_any_more_leaves_its_line() -> None:
    lines = GameQueues()
    lines.add(turn("a", "ada"))
    lines.drop("a")
    lines.drop("never there")
    assert "a" not in lines
    assert taken(lines, people=False) == []


def test_a_game_that_has_waited_keeps_its_place_until_its_bot_has_thought() -> None:
    now = [1000]
    lines = GameQueues(now=lambda: now[0])
    for number in range(3):
        delayed = turn(f"many-{number}", "mallory", people=True)
        lines.add(delayed._replace(thinks=True, at=1600))
    assert find_game(lines, thinks=True) == "many-0"
    lines.add(turn("a", "ada", people=True)._replace(thinks=True))
    now[0] = 1600
    lines.release()
    assert [find_game(lines, thinks=False) for _ in range(2)] == ["many-0", None]
    assert [find_game(lines, thinks=True) for _ in range(4)] == ["many-1", "a", "many-2", None]


def test_a_bot_whose_worker_has_a_clock_that_is_behind_gets_more_jobs_soon() -> None:
    now, found = [1000], []
    lines = GameQueues(now=lambda: now[0])
    lines.add(turn("a", "ada", people=True)._replace(at=1600))
    while (pause := lines.find_pause()) is not None:
        now[0] += pause
        lines.release()
        one = lines.take(people=True)
        assert one is not None
        found.append((now[0], one.again))
    assert [when for when, _ in found] == [1600, 1800, 2200, 3000, 4600]
    assert len({again for _, again in found}) == len(found)
    assert "a" not in lines


def test_a_bot_that_has_moved_gets_no_more_jobs() -> None:
    now = [1000]
    lines = GameQueues(now=lambda: now[0])
    lines.add(turn("a", "ada", people=True)._replace(at=1600))
    now[0] = 1600
    lines.release()
    assert find_game(lines, thinks=False) == "a"
    lines.drop("a")
    now[0] = 5000
    lines.release()
    assert find_game(lines, thinks=False) is None


def test_people_and_bots_stand_in_lines_of_their_own() -> None:
    lines = GameQueues()
    lines.add(turn("bots", "ada"))
    lines.add(turn("people", "ada", people=True))
    assert taken(lines, people=True) == ["people"]
    assert taken(lines, people=False) == ["bots"]


def test_the_age_is_that_of_the_game_that_waits_longest() -> None:
    clock = [10.0]
    lines = GameQueues(lambda: clock[0])
    assert lines.read_age() == 0.0
    lines.add(turn("a", "ada"))
    clock[0] = 12.0
    lines.add(turn("a", "ada"))
    lines.add(turn("b", "bob", people=True))
    assert lines.read_age() == 2.0


def test_a_game_with_a_person_at_the_table_is_a_game_with_people(store: Store, ada: Player) -> None:
    bots = turn_of(new_game(store, ada))
    mixed = turn_of(until_asked(store, ada, BOT, ME))
    assert bots is not None
    assert mixed is not None
    assert (bots.people, mixed.people) == (False, True)
    assert bots.opener == mixed.opener == ada.id


def test_the_queue_is_kept_short(queue: Queues) -> None:
    feeder = Feeder(queue)
    for number in range(50):
        feeder.lines.add(turn(f"g{number}", "ada"))
    assert feeder.feed() == 1 + feeding.SPARE
    assert feeder.feed() == 0
    assert queue.bots.count == 1 + feeding.SPARE
    assert len(feeder.lines) == 50 - queue.bots.count


def test_while_people_play_games_of_bots_get_half_of_the_workers(
    queue: Queues, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Queues, "count_workers", lambda _queues: 4)
    clock = [100.0]
    feeder = Feeder(queue, lambda: clock[0])
    feeder.lines.add(turn("people", "ada", people=True))
    for number in range(50):
        feeder.lines.add(turn(f"g{number}", "mallory"))
    feeder.feed()
    assert (queue.people.count, queue.bots.count) == (1, 2)
    # A job that a worker runs counts as well.
    first = queue.bots.jobs[0]
    queue.bots.remove(first)
    running = queue.bots.started_job_registry.key
    queue.connection.zadd(running, {f"{first.id}:execution": time.time() + 60})
    assert feeder.feed() == 0
    clock[0] += feeding.PEOPLE_PLAY_S + 1
    feeder.feed()
    assert queue.bots.count == 4 + feeding.SPARE


def test_a_full_queue_of_bots_keeps_no_people_waiting(queue: Queues) -> None:
    feeder = Feeder(queue)
    for number in range(50):
        feeder.lines.add(turn(f"g{number}", "mallory"))
    feeder.feed()
    feeder.lines.add(turn("people", "ada", people=True))
    assert feeder.feed() == 1
    assert queue.people.job_ids == ["bot-people-1"]


@pytest.mark.slow
def test_games_of_bots_do_not_stand_still_while_people_keep_all_workers_busy(queue: Queues) -> None:
    feeder = Feeder(queue)
    for number in range(3 * feeding.BOTS_EVERY):
        feeder.lines.add(turn(f"p{number}", "ada", people=True))
    for number in range(10):
        feeder.lines.add(turn(f"b{number}", "bob"))
    feeder.feed()
    done: list[str] = []
    for _ in range(2 * feeding.BOTS_EVERY + 2):
        first = queue.people.jobs[0]
        done.append(first.id)
        first.delete()
        feeder.feed()
    assert sum(job.startswith("bot-b") for job in done) == 2


def test_a_job_that_the_queue_knows_takes_no_place(queue: Queues) -> None:
    put(queue.people, "bot", "known", 1)
    feeder = Feeder(queue)
    feeder.lines.add(turn("known", "ada", people=True))
    feeder.lines.add(turn("new", "ada", people=True))
    assert feeder.feed() == 1
    assert queue.people.job_ids == ["bot-known-1", "bot-new-1"]
