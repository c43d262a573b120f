"""Tic-tac-toe as it is on offer."""

from __future__ import annotations

from pathlib import Path

from cartulary.bots.base import BotEntry
from cartulary.games.offer import Offer
from cartulary.locales import GameWords
from examples.tictactoe.bot import play_carefully
from examples.tictactoe.picture import draw
from examples.tictactoe.rules import TicTacToe

OFFER = Offer(
    rules=TicTacToe(),
    bots={"careful": BotEntry(play_carefully, "Wins when it can, and prevents a loss.")},
    picture=draw,
    words=GameWords.of_folder(Path(__file__).parent / "words"),
)
