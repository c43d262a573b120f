"""The versions that an analysis of a file gives to the moves are those of an import of the file."""

from __future__ import annotations

import pytest

from cartulary.bots.analysis import count_versions
from cartulary.company import Company
from cartulary.events.commands.commands import Intent
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.match import new_game


@pytest.mark.parametrize("leave", [0.0, 0.02])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_moves_of_an_import_have_the_versions_that_the_analysis_counts(
    store: Store, ada: Player, leave: float, seed: int
) -> None:
    match = new_game("carcassonne", 4, seed=seed, players=["A", "B", "C", "D"])
    transcript = Company(match, ["random"] * 4, leave, 0.02).play()
    assert bool(transcript.ending) is bool(leave)
    table = store.commands.import_transcript(Intent(ada), transcript.to_json()).table
    events = store.ledger.events(table.id)
    moves = [event["version"] for event in events if event["type"] == MOVE_MADE]
    assert count_versions(transcript) == moves
