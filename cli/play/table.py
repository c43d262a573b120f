"""A table in a terminal: the board, what happens, and the question when it is one's turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import click
from rich.console import Console
from rich.text import Text

from cartulary.cli.play.tables import draw_view, find_words, name_seats, say_legal_moves
from cartulary.client import Client, Conflict, EventLine, IllegalMove, ResetLine
from cartulary.client.core.api_types import Event, Game
from cartulary.locales.story import StoryTeller

QUIT: Final = "q"
ENDED: Final = ("over", "aborted")


class TableScreen:
    """A game of a service on a console; `me` is the id of the player, None for a spectator."""

    def __init__(
        self, client: Client, console: Console, game: str, lang: str, me: str | None = None
    ) -> None:
        self._client, self._console, self._lang, self._me = client, console, lang, me
        self.game: Game = client.read_game(game)
        self._told = 0
        words = find_words(self.game["game"])
        self._teller = StoryTeller(lang, words, name_seats(self.game, lang))

    def show(self) -> None:
        """Draw the table as it stands."""
        self._console.rule(f"{self.game['game']} · {self.game['version']}")
        view = cast("Mapping[str, Any] | None", self.game["view"])
        self._console.print(draw_view(self.game, view, self._lang))

    def follow(self) -> None:
        """Show each event as it happens, and ask when it is the player's turn, to the end.

        Returns early when the player quits; the game stays as it is.
        """
        for event in self._client.read_all_events(self.game["id"]):
            self._teller.follow(event)
            self._told = event["version"]
        self.show()
        if not self._answer():
            return
        for line in self._client.follow_game(self.game["id"], self.game["version"]):
            if isinstance(line, ResetLine):
                self._read()
                self._console.print(Text("↻", "bold"))
                self.show()
            elif isinstance(line, EventLine):
                self._tell(line.event)
                # An answer to a move may have brought the table of a later event already.
                if line.version > self.game["version"]:
                    self._read()
                    self.show()
            if not self._answer():
                return

    def _read(self) -> None:
        self.game = self._client.read_game(self.game["id"])

    def _tell(self, event: Event) -> None:
        if event["version"] <= self._told:
            return
        self._told = event["version"]
        for sentence in self._teller.tell(event):
            self._console.print(Text(f"{event['version']:>4}  {sentence}"))

    def _answer(self) -> bool:
        """Ask the player as long as it is the player's turn; return False for a quit."""
        while self._is_my_turn():
            legal = self._client.list_moves(self.game["id"])
            decision = legal["decision"]
            if decision is None or not legal["moves"]:
                return True
            said = say_legal_moves(self.game, legal, self._lang)
            number = self._choose(decision["kind"], said)
            if number is None:
                return False
            try:
                written = self._client.make_move(
                    self.game["id"], legal["moves"][number], version=legal["version"]
                )
            except (Conflict, IllegalMove) as refused:
                self._console.print(Text(refused.detail, "bold red"))
                self._read()
                continue
            for event in written["events"]:
                self._tell(event)
            self.game = written["game"]
            self.show()
        return True

    def _is_my_turn(self) -> bool:
        decision = self.game["decision"]
        if self._me is None or decision is None or self.game["status"] in ENDED:
            return False
        player = self.game["seats"][decision["seat"]]["player"]
        return player is not None and player["id"] == self._me

    def _choose(self, kind: str, said: list[str]) -> int | None:
        """Return the index of the chosen move, None when the player quits."""
        words = find_words(self.game["game"])
        self._console.print(Text(words.terms(self._lang).get("asks", {}).get(kind, kind), "bold"))
        for number, text in enumerate(said, 1):
            self._console.print(Text(f"{number:>4}  {text}"))
        return ask_number(len(said))


def ask_number(most: int) -> int | None:
    """Ask for a number from 1 to `most` until there is one; return its index, None for `q`."""
    while True:
        text = click.prompt(f"1–{most}, {QUIT}", prompt_suffix="> ").strip().lower()
        if text == QUIT:
            return None
        if text.isdecimal() and 1 <= int(text) <= most:
            return int(text) - 1
