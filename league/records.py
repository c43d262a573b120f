"""The directory of a league: its games, one JSON object a line, and what they were played with.

A line is appended when its game is over, so a run that is killed loses the games in progress alone.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cartulary.league.matches import LeagueMatch, PlayedMatch, Work
from cartulary.league.players import find_player

GAMES: Final = "games.ndjson"
ABOUT: Final = "league.json"


class OtherLeague(Exception):
    """A directory has games that do not belong to this league, or cannot be read."""


class Records:
    """The games of a directory by match, deal and number.

    `open_records` opens them for writing. Without a handle they can be read alone, also while
    another run writes there. Raises `OtherLeague` for a damaged line, and `OSError`.
    """

    def __init__(self, folder: Path, handle: int = -1) -> None:
        self._folder, self._handle = folder, handle
        self._games = {(one.match, one.deal, one.number): one for one in _read_games(folder)}

    def check(self, seed: str, matches: Iterable[LeagueMatch]) -> None:
        """Note the seed and the players of some matches.

        Raises `OtherLeague` when the directory has games of another seed, or of a player of the
        same name with another version or budget, or games of which nothing else is known.
        """
        path = self._folder / ABOUT
        about = self._read_about() or {"seed": seed, "players": {}}
        if about["seed"] != seed:
            raise OtherLeague(f"{self._folder} has games with seed {about['seed']}, not {seed}")
        players = about["players"]
        for match in matches:
            for name in (match.first, match.second):
                known, now = players.get(f"{match.game} {name}"), find_player(match.game, name)
                if known not in (None, now.describe()):
                    raise OtherLeague(
                        f"{self._folder} has games of {name} ({_say(known)}), "
                        f"which is another player now ({_say(now.describe())})"
                    )
                players[f"{match.game} {name}"] = now.describe()
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        draft.replace(path)

    def _read_about(self) -> dict[str, Any] | None:
        """Return what the games were played with, None as long as there are no games."""
        path = self._folder / ABOUT
        if not path.exists():
            if self._games:
                raise OtherLeague(f"{path} is missing, so the seed of the games there is unknown")
            return None
        try:
            about: dict[str, Any] = json.loads(path.read_bytes())
            return {"seed": str(about["seed"]), "players": dict(about["players"])}
        except (ValueError, KeyError, TypeError) as error:
            raise OtherLeague(f"{path} is damaged") from error

    def has(self, match: str, deal: int, number: int) -> bool:
        """Return whether a game was played already."""
        return (match, deal, number) in self._games

    def add(self, played: PlayedMatch) -> None:
        """Append a game as a whole line. Raises `OSError`."""
        append_line(self._handle, json.dumps(_to_json(played)))
        self._games[played.match, played.deal, played.number] = played

    def list_deals(self, match: LeagueMatch) -> list[list[PlayedMatch]]:
        """Return the games of each deal that was played to its end, in the order of the deals.

        The first deal that has no such games ends the list, so a list that is cut at any length is
        the same whatever was played first.
        """
        numbers, deals = range(len(match.list_seatings())), list[list[PlayedMatch]]()
        while all(self.has(match.name, len(deals), number) for number in numbers):
            deals.append([self._games[match.name, len(deals), number] for number in numbers])
        return deals


@contextmanager
def open_records(folder: Path) -> Iterator[Records]:
    """Open the games of a directory, which is made when it is missing.

    Raises `OtherLeague` when another run writes there or a line is damaged, and `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open_lines(folder / GAMES) as handle:
        yield Records(folder, handle)


@contextmanager
def open_lines(path: Path) -> Iterator[int]:
    """Open a file of lines for this run alone, to append to it; it is made when it is missing.

    Half a line of a run that was killed is cut off. Raises `OtherLeague` when another run writes
    there, and `OSError`.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OtherLeague(f"{path.parent}: another run is writing there") from error
        whole = path.read_bytes().rpartition(b"\n")
        if whole[2]:
            os.ftruncate(handle, len(whole[0]) + len(whole[1]))
        yield handle
    finally:
        os.close(handle)


def append_line(handle: int, line: str) -> None:
    """Append a line in one write that a killed run has done or not. Raises `OSError`.

    A full disk takes a part of it: the part is removed, because the next line would follow it.
    """
    text, size = f"{line}\n".encode(), os.fstat(handle).st_size
    try:
        while text:
            text = text[os.write(handle, text) :]
    except OSError:
        os.ftruncate(handle, size)
        raise


def _read_games(folder: Path) -> Iterator[PlayedMatch]:
    # A line without an end is one that another run is writing.
    lines = (folder / GAMES).read_bytes().rpartition(b"\n")[0].splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            yield _from_json(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise OtherLeague(f"{folder / GAMES}: line {number} is no game of a league") from error


def _to_json(played: PlayedMatch) -> dict[str, Any]:
    works = [[round(number, 1) for number in work] for work in played.works]
    return {**played._asdict(), "works": works}


def _from_json(line: Mapping[str, Any]) -> PlayedMatch:
    first, second = (Work(*work) for work in line["works"])
    return PlayedMatch(
        str(line["match"]),
        int(line["deal"]),
        int(line["number"]),
        tuple(line["seating"]),
        tuple(line["scores"]),
        (first, second),
    )


def _say(about: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{key} {value}" for key, value in (about or {}).items() if value is not None)
