"""The line protocol with a real process: what it does wrong is a clear fault, and it ends."""

from __future__ import annotations

import random
import resource
import sys
from pathlib import Path

import pytest

from cartulary.bots import Budget
from cartulary.match import Match, new_game
from cartulary.outside import engines, faults, process
from cartulary.outside.bots import find_bot
from cartulary.outside.engines import EngineSeat
from cartulary.outside.faults import BotFault
from cartulary.outside.seats import BotChoice
from cartulary.outside.spelling import InvalidName
from tests.support.polling import gone, until

pytestmark = pytest.mark.process

ENGINE = (sys.executable, "-S", "-E", str(Path(__file__).with_name("strange_engine.py")))
QUICK, USUAL = Budget(seconds=0.2), Budget(seconds=20)


class Table:
    """An engine at a new table, and what was logged of it."""

    def __init__(self, *how: str) -> None:
        self.log: list[str] = []
        self.match = new_game("carcassonne", 2, seed=1)
        self.seat = EngineSeat("strange", (*ENGINE, *how), self.log.append)

    def think(self, budget: Budget = USUAL) -> BotChoice:
        """Return the answer to the position."""
        return self.seat.think(self.match.state, self.match.transcript, random.Random(1), budget)

    def fail(self, budget: Budget = USUAL) -> BotFault:
        """Return the fault of the engine."""
        with pytest.raises(BotFault) as caught:
            self.think(budget)
        return caught.value

    @property
    def pids(self) -> list[int]:
        """The ids of the processes so far."""
        started = (line.rpartition("(pid ")[2] for line in self.log if " runs (pid " in line)
        return [int(text.rstrip(")")) for text in started]


def play_on(match: Match, answer: BotChoice) -> None:
    match.play(match.state.move_json(answer.moves[0]))


def test_an_engine_plays_a_game_in_one_process() -> None:
    table = Table()
    with table.seat:
        for _ in range(10):
            answer = table.think()
            assert answer.moves == (table.match.state.moves()[-1],)
            assert answer.said == f'{{"of": {len(table.match.state.moves())}}}'
            play_on(table.match, answer)
        (pid,) = table.pids
        assert table.log == [f"strange: Strange by a test runs (pid {pid})"]
        assert not gone(pid)
    assert gone(pid)


@pytest.mark.parametrize(
    ("how", "kind", "why"),
    [
        ("ten_megabytes", faults.TOO_LONG, "a line has more than 1048576 bytes on stdout"),
        ("rubbish", faults.RUBBISH, "not JSON"),
        ("deep", faults.RUBBISH, "nested"),
        ("list", faults.RUBBISH, "no object"),
        ("no_id", faults.RUBBISH, "without an id"),
        ("no_move", faults.RUBBISH, "without a move"),
        ("other_id", faults.OTHER_ID, "answered request 99, asked was request 3"),
        ("closes", faults.DIED, "has closed its stdout"),
    ],
)
def test_what_an_engine_does_wrong_is_a_fault_that_ends_its_process(
    how: str, kind: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "RESTARTS", 0)
    table = Table(how)
    fault = table.fail()
    assert (fault.kind, fault.name) == (kind, "strange")
    assert why in str(fault)
    assert all(gone(pid) for pid in table.pids)
    assert len(table.pids) == 1


@pytest.mark.parametrize("how", ["late", "no_newline"])
def test_an_engine_that_does_not_answer_in_time_is_ended(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "GRACE_SECONDS", 0.1)
    table = Table(how)
    fault = table.fail(QUICK)
    assert fault.kind == faults.LATE
    assert str(fault) == "strange: has not answered within 0.3 s"
    assert all(gone(pid) for pid in table.pids)


@pytest.mark.parametrize(
    ("how", "why"),
    [("dies", "has ended with exit code 3"), ("killed", "was ended by SIGKILL")],
)
def test_an_engine_that_dies_is_started_again_three_times_and_no_more(how: str, why: str) -> None:
    table = Table(how)
    fault = table.fail()
    assert (fault.kind, fault.why) == (faults.DIED, why)
    assert len(set(table.pids)) == 4
    assert sum("it is started again" in line for line in table.log) == 3
    assert ("strange: out of memory" in table.log) == (how == "dies")
    assert table.fail().kind == faults.NOT_STARTED
    assert len(table.pids) == 4


def test_an_engine_that_is_started_again_is_asked_the_same(tmp_path: Path) -> None:
    table = Table("dies_until", str(tmp_path / "starts"))
    with table.seat:
        assert table.think().moves == (table.match.state.moves()[-1],)
        assert len(table.pids) == 3


def test_after_a_fault_the_next_thought_has_a_process_of_its_own() -> None:
    table = Table("other_id")
    kinds = [table.fail().kind for _ in range(6)]
    assert kinds == [faults.OTHER_ID] * 4 + [faults.NOT_STARTED] * 2
    assert len(table.pids) == 4


def test_a_second_answer_is_no_answer_to_the_next_request() -> None:
    table = Table("twice")
    assert table.think().resigns
    assert table.fail().kind == faults.OTHER_ID


def test_an_illegal_move_is_a_fault_and_the_process_stays() -> None:
    table = Table("illegal")
    with table.seat:
        assert [table.fail().kind for _ in range(2)] == [faults.ILLEGAL] * 2
        assert len(table.pids) == 1


def test_an_engine_may_resign() -> None:
    table = Table("resign")
    with table.seat:
        assert table.think()[:2] == BotChoice((), resigns=True)[:2]


def test_a_loud_engine_is_logged_in_part_and_fills_no_memory() -> None:
    table = Table("loud")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with table.seat:
        table.think()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024
    assert 100 <= len(table.log) <= 110
    assert any("more lines" in line for line in table.log)
    assert max(map(len, table.log)) < 600


def test_an_engine_that_ignores_quit_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "QUIT_SECONDS", 0.2)
    table = Table("ignores_quit")
    with table.seat:
        table.think()
    assert table.log[-1] == "strange: has not ended 0.2 s after quit: killed"
    assert gone(table.pids[0])


def test_what_an_engine_has_started_ends_with_it() -> None:
    table = Table("late")
    child = "sleep 60 & echo child $! >&2; exec " + " ".join(ENGINE) + " late"
    table.seat = EngineSeat("strange", ("sh", "-c", child), table.log.append)
    table.fail(Budget(seconds=0.01))
    (line,) = [line for line in table.log if "child" in line]
    until(lambda: gone(int(line.rpartition(" ")[2])))


def test_a_program_that_is_missing_is_an_invalid_name_and_a_fault() -> None:
    with pytest.raises(InvalidName, match=r"there is no program '\./missing'"):
        find_bot("command:./missing --fast")
    with pytest.raises(BotFault, match="cannot be started"):
        EngineSeat("x", ("./missing",), print).think(
            Table().match.state, Table().match.transcript, random.Random(1), QUICK
        )


def test_a_bot_is_another_bot_when_its_file_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "engine.sh"
    file.write_text("one")
    names = [f"command:sh {file}", f"command:sh {file}", f"command:sh {file}@0.5s"]
    first, same, quick = map(find_bot, names)
    file.write_text("two")
    assert first.source == same.source == quick.source != find_bot(names[0]).source
    assert (first.budget.seconds, quick.budget.seconds) == (1.0, 0.5)
