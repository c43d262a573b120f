from __future__ import annotations

from pathlib import Path

import pytest

from simulation.store.commands import sorted_sets
from simulation.store.commands.data import DATA
from simulation.store.commands.shape import Command
from simulation.store.compare.calls import list_scripts
from simulation.store.compare.pair import Difference, ServerPair
from simulation.store.compare.rounds import play_round
from simulation.store.server import ModelServer
from simulation.store.values.keyspace import Keyspace
from simulation.store.values.replies import StoreReply, Words
from tests.support.night import short_or_long

pytestmark = [pytest.mark.real, pytest.mark.process, pytest.mark.slow]

ROOT = Path(__file__).parents[3]
OPERATIONS = short_or_long(20_000, 200_000)


def test_the_model_answers_as_a_real_server_does(tmp_path: Path) -> None:
    with ServerPair(tmp_path, 7) as pair:
        number = 0
        while pair.compared < OPERATIONS:
            play_round(pair, f"7:{number}", number)
            number += 1
        pair.restart(kill=False)
        pair.restart(kill=True)


def test_a_model_that_answers_otherwise_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count_one_more(space: Keyspace, words: Words) -> StoreReply:
        found = sorted_sets.count_members(space, words)
        return found + 1 if isinstance(found, int) and found > 2 else found

    wrong = Command(count_one_more, 2, "", DATA[b"ZCARD"].keys)
    monkeypatch.setitem(ModelServer.commands, b"ZCARD", wrong)
    with ServerPair(tmp_path, 7) as pair, pytest.raises(Difference, match="ZCARD"):
        play_round(pair, "7:0", 0)


def test_a_server_that_kept_more_than_the_model_is_found(tmp_path: Path) -> None:
    with ServerPair(tmp_path, 7) as pair:
        pair.control.ask(b"SET", b"key", b"value")
        with pytest.raises(Difference, match="KEYS"):
            pair.compare_states()


def test_each_script_of_the_project_is_compared() -> None:
    texts = "\n".join(text for text, _, _ in list_scripts())
    files = [
        path for room in ("events", "workers", "service") for path in (ROOT / room).rglob("*.lua")
    ]
    missing = [path.name for path in files if path.read_text() not in texts]
    # It returns the bytes of DUMP as a digest: the model has other bytes for the same values.
    assert missing == ["fingerprint.lua"]
