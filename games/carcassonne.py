"""Carcassonne as it is on offer."""

from __future__ import annotations

from cartulary.bots.base import Entry
from cartulary.bots.carcassonne.greedy import play_greedily
from cartulary.engine.carcassonne.game import Carcassonne
from cartulary.games.offer import Offer
from cartulary.locales import FOLDER, GameWords
from cartulary.pictures import carcassonne

OFFER = Offer(
    rules=Carcassonne(),
    bots={
        "medium": Entry(
            play_greedily,
            "Looks one turn ahead: takes what promises the most points, farms included.",
            version=2,
        ),
    },
    picture=carcassonne.draw,
    words=GameWords.of_folder(FOLDER / "carcassonne"),
)
