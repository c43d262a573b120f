"""Carcassonne as it is on offer."""

from __future__ import annotations

from cartulary.bots.analysis.carcassonne import ANALYST
from cartulary.bots.base import BotEntry, enter_search
from cartulary.bots.carcassonne.easy import play_easily
from cartulary.bots.carcassonne.greedy import play_greedily
from cartulary.bots.carcassonne.reasons import find_reasons
from cartulary.bots.carcassonne.search import think, think_deeply
from cartulary.engine.carcassonne.game import Carcassonne
from cartulary.games.offer import Offer
from cartulary.locales import FOLDER, GameWords
from cartulary.pictures import carcassonne
from cartulary.pictures.sheets.sheets import draw_tiles
from cartulary.words.carcassonne import SPEAKER

OFFER = Offer(
    rules=Carcassonne(),
    bots={
        "easy": BotEntry(
            play_easily,
            "Never farms and misjudges often; wins 1 of 7 games against medium. Moves at once.",
            strength=1204,
            ms=5,
        ),
        "medium": BotEntry(
            play_greedily,
            "Looks one turn ahead: takes what promises the most points, farms too. Moves at once.",
            version=2,
            strength=1500,
            ms=5,
        ),
        "hard": enter_search(
            think,
            96,
            "Plays its best answers on for two rounds of turns; beats medium 9 times of 10. 0.1 s.",
            crowded=176,
            version=4,
            strength=2014,
            ms=150,
        ),
        "expert": enter_search(
            think_deeply,
            600,
            "Plays its best answers on more often and further than hard does. Up to 1 s.",
            crowded=480,
            version=3,
            strength=2086,
            ms=1000,
        ),
    },
    picture=carcassonne.draw,
    sheet=draw_tiles,
    words=GameWords.of_folder(FOLDER / "carcassonne"),
    analyst=ANALYST,
    reasons=find_reasons,
    speaker=SPEAKER,
)
