"""Carcassonne as it is on offer."""

from __future__ import annotations

from cartulary.bots.analysis.carcassonne import ANALYST
from cartulary.bots.base import BotEntry, enter_search
from cartulary.bots.carcassonne.easy import play_easily
from cartulary.bots.carcassonne.greedy import play_greedily
from cartulary.bots.carcassonne.reasons import find_reasons
from cartulary.bots.carcassonne.search import think, think_deeply
from cartulary.bots.carcassonne.sight import think_ably, think_strongly, think_well
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
            "Forgets the farms, spends its followers and does not see every place. Moves at once.",
            version=3,
            strength=1267,
            ms=5,
        ),
        "medium": BotEntry(
            play_greedily,
            "Looks one turn ahead: takes what promises the most points, farms too. Moves at once.",
            version=2,
            strength=1500,
            ms=5,
        ),
        "able": enter_search(
            think_ably,
            4,
            "Follows its two best answers for a turn; does not count what comes later. At once.",
            strength=1740,
            ms=10,
        ),
        "good": enter_search(
            think_well,
            16,
            "Follows eight answers for two turns, with few of the tiles that may come. At once.",
            strength=1903,
            ms=20,
        ),
        "strong": enter_search(
            think_strongly,
            48,
            "Follows sixteen answers for four turns; overlooks more than hard does. At once.",
            strength=2077,
            ms=75,
        ),
        "hard": enter_search(
            think,
            96,
            "Plays its best answers on for two rounds of turns; beats medium 9 times of 10. 0.1 s.",
            crowded=176,
            version=4,
            strength=2165,
            ms=150,
        ),
        "expert": enter_search(
            think_deeply,
            600,
            "Plays its best answers on more often and further than hard does. Up to 1 s.",
            crowded=480,
            version=3,
            strength=2315,
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
