"""The digests of idempotency keys: a key that an earlier release stored must match a retry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fakeredis
import pytest

from cartulary.events.commands.commands import Commands, Intent, NewGame, SeatRequest
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.commands.table.creating import Creator
from cartulary.events.ledger.ledger import Idempotency
from cartulary.events.ledger.writer import EventWriter
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.support.games import ALL_OFFERS

ADA = Player("01ADA", "Ada")
BODY = {"seat": 1, "expected_version": 4}
BOT = SeatRequest("bot", "random")
KEEP = {"type": "keep"}
MINE = "ada_ada_ada_ada_ada"


class Asked(Exception):
    """A command has come to the place where its key is looked up."""


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    def note(*arguments: Any) -> None:
        raise Asked(*(one for one in arguments if isinstance(one, Idempotency)))

    monkeypatch.setattr(EventWriter, "write", note)
    monkeypatch.setattr(Creator, "repeat", note)
    monkeypatch.setattr(Creator, "once", note)
    return Store(fakeredis.FakeRedis(), ALL_OFFERS).commands


CASES: dict[str, tuple[Callable[[Commands], object], str]] = {
    "create": (
        lambda commands: commands.create(Intent(ADA, key="k"), NewGame("beans", [BOT, BOT])),
        "create:01ADA:8254c329a92850f6d539dd376f4816ee f2e10f97d1e3b0c125647b6e149deb19",
    ),
    "import": (
        lambda commands: commands.import_transcript(Intent(ADA, key="k"), {"game": "beans"}),
        "create:01ADA:8254c329a92850f6d539dd376f4816ee 0a8f6d852244feac435a86ca8c21dd2b",
    ),
    "join a seat": (
        lambda commands: commands.arranging.join(Intent(ADA, key="k"), "g", 1),
        "01ADA:8254c329a92850f6d539dd376f4816ee 487c5965de0ce139a02c78896862b39d",
    ),
    "join with entropy": (
        lambda commands: commands.arranging.join(Intent(ADA, 4, key="k"), "g", 1, entropy=MINE),
        "01ADA:8254c329a92850f6d539dd376f4816ee fcb4a2a4a8e1aad00c056a82a4475f27",
    ),
    "join with a body": (
        lambda commands: commands.arranging.join(Intent(ADA, key="k", body=BODY), "g", 1),
        "01ADA:8254c329a92850f6d539dd376f4816ee c45c55573a247d2f441f3d2d9b24fb16",
    ),
    "leave": (
        lambda commands: commands.arranging.leave(Intent(ADA, 4, key="k"), "g", 1),
        "01ADA:8254c329a92850f6d539dd376f4816ee c720f1046a5d3075f618d236e39df744",
    ),
    "change a seat": (
        lambda commands: commands.arranging.change_seat(Intent(ADA, key="k"), "g", 1, BOT),
        "01ADA:8254c329a92850f6d539dd376f4816ee 639bcea9160169aafe6ca367ad86d239",
    ),
    "start": (
        lambda commands: commands.arranging.start(Intent(ADA, 4, key="k"), "g", True),
        "01ADA:8254c329a92850f6d539dd376f4816ee 644fd1bb9a66f806c54a464109b8effb",
    ),
    "hand over": (
        lambda commands: commands.arranging.hand_over(
            Intent(ADA, key="k", body=BODY), "g", "01BOB"
        ),
        "01ADA:8254c329a92850f6d539dd376f4816ee 9ded14a548b85a05a46234d6cfee3ea5",
    ),
    "abort": (
        lambda commands: commands.abort(Intent(ADA, 4, key="k"), "g"),
        "01ADA:8254c329a92850f6d539dd376f4816ee c9d3767f0b0d4648ebe7a501bc07aec1",
    ),
    "abort with an empty body": (
        lambda commands: commands.abort(Intent(ADA, key="k", body={}), "g"),
        "01ADA:8254c329a92850f6d539dd376f4816ee d8f3c6c9b49d94a9de8c7bfc27f4e748",
    ),
    "move": (
        lambda commands: commands.move(Intent(ADA, 4, key="k"), "g", KEEP),
        "01ADA:8254c329a92850f6d539dd376f4816ee 9e5a7c2e7487a3bbde569fb4e3c10cc0",
    ),
    "move with a body": (
        lambda commands: commands.move(Intent(ADA, key="k", body=BODY), "g", KEEP),
        "01ADA:8254c329a92850f6d539dd376f4816ee 55f95aed86cfcbd6c4fde68a55c8a40c",
    ),
    "resign": (
        lambda commands: commands.leaving.resign(Intent(ADA, 4, key="k"), "g"),
        "01ADA:8254c329a92850f6d539dd376f4816ee ef1758ed3118db948b0d1ee508cdd3c8",
    ),
    "resign with an empty body": (
        lambda commands: commands.leaving.resign(Intent(ADA, key="k", body={}), "g", 1),
        "01ADA:8254c329a92850f6d539dd376f4816ee 1ddb4d80a1bcf8c6ca922e02cac90c31",
    ),
    "go away": (
        lambda commands: commands.leaving.go_away(Intent(ADA, key="k"), "g", 1),
        "01ADA:8254c329a92850f6d539dd376f4816ee 5cb1137ef4eebf9888e9b929d55cbeb4",
    ),
    "come back": (
        lambda commands: commands.leaving.come_back(Intent(ADA, key="k", body={}), "g", 1),
        "01ADA:8254c329a92850f6d539dd376f4816ee 28e28ffcff00874a5ec04061f04eb8b8",
    ),
    "claim": (
        lambda commands: commands.leaving.claim(Intent(ADA, 4, key="k"), "g", 1, "abort"),
        "01ADA:8254c329a92850f6d539dd376f4816ee fe9d51a43496c574a1a3a353bca0751f",
    ),
    "propose": (
        lambda commands: commands.proposals.propose(Intent(ADA, key="k"), "g", "takeback", 3),
        "01ADA:8254c329a92850f6d539dd376f4816ee 35baa3e713ed2316206850403b4fa3f8",
    ),
    "propose a pause": (
        lambda commands: commands.proposals.propose(Intent(ADA, key="k"), "g", "pause", until=9),
        "01ADA:8254c329a92850f6d539dd376f4816ee 6ca5dd598d4b3e05a79038708d16ad39",
    ),
    "answer": (
        lambda commands: commands.proposals.answer(Intent(ADA, key="k"), "g", 5, "accept"),
        "01ADA:8254c329a92850f6d539dd376f4816ee 5928832da14f84ef68e8e0cbd57fb7f4",
    ),
    "withdraw": (
        lambda commands: commands.proposals.withdraw(Intent(ADA, key="k", body={}), "g", 5),
        "01ADA:8254c329a92850f6d539dd376f4816ee 13fe60e3d597287a19416d95a1d6cf04",
    ),
    "ready": (
        lambda commands: commands.time.ready(Intent(ADA, key="k"), "g", 1, True),
        "01ADA:8254c329a92850f6d539dd376f4816ee e328cd231ae5cc6087cf901abe9590eb",
    ),
    "give time": (
        lambda commands: commands.time.give(Intent(ADA, key="k"), "g", 1, 60),
        "01ADA:8254c329a92850f6d539dd376f4816ee 8e181346954409c4de4956483cc1c0fb",
    ),
    "branch": (
        lambda commands: commands.again.branch(Intent(ADA, key="k"), "g", NewBranch(3)),
        "01ADA:8254c329a92850f6d539dd376f4816ee e35985acc778c24b7952ba42f6038f35",
    ),
    "rematch": (
        lambda commands: commands.again.open_rematch(Intent(ADA, key="k"), "g"),
        "01ADA:8254c329a92850f6d539dd376f4816ee 7252a9ab8ee26ed7fcfc1d71cf62cf31",
    ),
}


@pytest.mark.parametrize(("give", "expected"), CASES.values(), ids=CASES)
def test_digest_is_that_of_earlier_releases(
    commands: Commands, give: Callable[[Commands], object], expected: str
) -> None:
    with pytest.raises(Asked) as asked:
        give(commands)
    found = asked.value.args[0]
    assert f"{found.field} {found.digest}" == expected
