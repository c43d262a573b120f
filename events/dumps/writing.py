"""Writing: the files of a month, in one folder that appears whole or not at all.

Whose account is deleted, or who takes back the yes, while a dump is written is not in it: all are
asked once more when the files are there, and the files are written again without their games.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import file_digest
from pathlib import Path
from random import Random, SystemRandom
from typing import Final, NamedTuple

import orjson
import zstandard

from cartulary.events.analyses.storage import DONE
from cartulary.events.backup.targets.folder import sync_path
from cartulary.events.dumps.card import LICENCE_TEXT, describe_schema, write_card
from cartulary.events.dumps.choosing import Month, list_games, read_table
from cartulary.events.dumps.consent import Consents
from cartulary.events.dumps.decisions import (
    DecisionFile,
    find_values,
    is_installed,
    list_decisions,
)
from cartulary.events.dumps.lines import DumpedGame, describe_game, name_bucket
from cartulary.events.dumps.placing import place_month
from cartulary.events.dumps.published import SUMS
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.store import Store

GAMES_FILE: Final = "games.jsonl.zst"
DECISIONS_FILE: Final = "decisions.parquet"
LEVEL: Final = 12
ATTEMPTS: Final = 5
"""So often a dump is written again because a person in it is gone meanwhile."""

Progress = Callable[[int, int], None]


class DumpUnsettled(Exception):
    """Each time while the files were written, a person in them left."""


class WrittenDump(NamedTuple):
    """What a dump has: games, players, and whether its decisions are there."""

    games: int
    players: int
    has_decisions: bool


class Chosen(NamedTuple):
    """A game of a dump, all whose say counts, and by player who sat there the account."""

    id: str
    people: frozenset[str]
    accounts: Mapping[str, str]


class DumpWriter:
    """Writes the dump of a month into a folder. `rng` numbers the players; tests choose it."""

    def __init__(self, store: Store, rng: Random | None = None) -> None:
        self._store, self._rng = store, rng or SystemRandom()

    def write(
        self, month: Month, folder: Path, progress: Progress, again: bool = False
    ) -> WrittenDump:
        """Write the files of a month into a folder of its name; `again`: in place of one there.

        Raises `DumpExists`, `DumpBusy`, `DumpUnsettled`, `ArchiveError`, `RedisError`, `OSError`.
        """
        with place_month(folder, month.name, again) as part:
            return self._write_settled(month, part, progress)

    def _write_settled(self, month: Month, part: Path, progress: Progress) -> WrittenDump:
        """Write the files until no person in them has left meanwhile."""
        consents = self._ask()
        tables = list_games(self._store, month, consents)
        chosen = [_choose(table, consents) for table in tables]
        for _ in range(ATTEMPTS):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(mode=0o755)
            written = self._write(month, part, chosen, progress)
            consents = self._ask()
            staying = [one for one in chosen if consents.are_given(one.people)]
            if len(staying) == len(chosen):
                return written
            chosen = staying
        raise DumpUnsettled("people left all the time while the dump was written: try again")

    def _ask(self) -> Consents:
        return Consents(self._store.players, self._store.preferences)

    def _write(
        self, month: Month, part: Path, chosen: Sequence[Chosen], progress: Progress
    ) -> WrittenDump:
        numbers = self._number_players(chosen)
        counted: Counter[str] = Counter()
        has_decisions = is_installed()
        with ExitStack() as stack:
            games = stack.enter_context(_open_lines(part / GAMES_FILE))
            decisions = DecisionFile(part / DECISIONS_FILE) if has_decisions else None
            if decisions is not None:
                stack.callback(decisions.close)
            for done, choice in enumerate(chosen, start=1):
                progress(done, len(chosen))
                game = self._read(choice.id)
                if game is None:
                    continue
                players = {player: numbers[one] for player, one in choice.accounts.items()}
                line = describe_game(game, counted.total(), players)
                games.write(orjson.dumps(line) + b"\n")
                counted[game.table.game] += 1
                if decisions is not None:
                    values = find_values(game.events, self._read_judgements(game.table))
                    decisions.write(list_decisions(line, game.table.rules, values))
        write_texts(part, month, counted, has_decisions)
        return WrittenDump(counted.total(), len(numbers), has_decisions)

    def _number_players(self, chosen: Iterable[Chosen]) -> dict[str, int]:
        """Give the accounts that play numbers, in an order that says nothing about them."""
        accounts = sorted({account for one in chosen for account in one.accounts.values()})
        self._rng.shuffle(accounts)
        return {account: number for number, account in enumerate(accounts, start=1)}

    def _read(self, game_id: str) -> DumpedGame | None:
        """Return a game as the store or the archive has it; None for one that is gone."""
        table = read_table(self._store, game_id)
        if table is None:
            return None
        events = self._store.ledger.events(game_id, 0, table.version)
        bucket = name_bucket(table)
        changes = bucket and self._store.rating_reader.read_changes(game_id, bucket)
        return DumpedGame(table, events, changes or {}, self._find_secret(table, events[-1]))

    def _find_secret(self, table: Table, last: Json) -> str | None:
        round_ = None if table.fair is None else table.fair.round
        if round_ is None:
            return last.get("secret")
        closing = self._store.ledger.closed_rounds.find(round_)
        return None if closing is None else closing.secret

    def _read_judgements(self, table: Table) -> Sequence[bytes]:
        """Return the decisions of the analysis of a game, none where there is no whole one."""
        analysis = self._store.analyses.find(table.id, table.head)
        if analysis is None or analysis.status != DONE:
            return []
        return self._store.analyses.read_decisions(table.id)


def _choose(table: Table, consents: Consents) -> Chosen:
    seated = [seat.player["id"] for seat in table.seats if seat.player is not None]
    accounts = {player: consents.find_account(player) for player in seated}
    return Chosen(table.id, frozenset(table.people), accounts)


@contextmanager
def _open_lines(path: Path) -> Iterator[zstandard.ZstdCompressionWriter]:
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    with path.open("wb") as file, compressor.stream_writer(file) as writer:
        yield writer


def write_texts(part: Path, month: Month, games: Mapping[str, int], has_decisions: bool) -> None:
    """Write what describes the files, and last their checksums."""
    (part / "README.md").write_text(write_card(month.name, games, has_decisions), "utf-8")
    (part / "LICENSE.txt").write_text(LICENCE_TEXT, "utf-8")
    schema = orjson.dumps(describe_schema(), option=orjson.OPT_INDENT_2)
    (part / "schema.json").write_bytes(schema + b"\n")
    lines = []
    for path in sorted(part.iterdir()):
        with path.open("rb") as file:
            lines.append(f"{file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (part / SUMS).write_text("".join(lines), "utf-8")
    for path in part.iterdir():
        path.chmod(0o644)
        sync_path(path)
