"""Caylus as it is on offer."""

from __future__ import annotations

from cartulary.bots.base import Entry
from cartulary.bots.caylus.greedy import play_greedily
from cartulary.engine.caylus import CAYLUS
from cartulary.games.offer import Offer
from cartulary.locales import FOLDER, GameWords
from cartulary.pictures import caylus

OFFER = Offer(
    rules=CAYLUS,
    bots={
        "medium": Entry(
            play_greedily,
            "Plays each move out to the end of the round: builds, uses favours and the castle.",
            version=2,
        ),
    },
    picture=caylus.draw,
    words=GameWords.of_folder(FOLDER / "caylus"),
)
