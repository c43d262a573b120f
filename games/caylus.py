"""Caylus as it is on offer."""

from __future__ import annotations

from cartulary.bots.analysis.caylus import ANALYST
from cartulary.bots.base import BotEntry, enter_search
from cartulary.bots.caylus.easy import play_easily
from cartulary.bots.caylus.greedy import play_greedily
from cartulary.bots.caylus.reasons import find_reasons
from cartulary.bots.caylus.search import think
from cartulary.bots.caylus.sight import think_ably, think_strongly, think_well
from cartulary.bots.caylus.tree import think_deeply
from cartulary.engine.caylus import CAYLUS
from cartulary.games.offer import Offer
from cartulary.locales import FOLDER, GameWords
from cartulary.pictures import caylus
from cartulary.pictures.sheets.sheets import draw_buildings
from cartulary.words.caylus import SPEAKER

OFFER = Offer(
    rules=CAYLUS,
    bots={
        "easy": BotEntry(
            play_easily,
            "Has no plan for the castle and trusts the provost; beats medium 1 time of 4. At once.",
            version=2,
            strength=1261,
            ms=20,
        ),
        "medium": BotEntry(
            play_greedily,
            "Plays each move out to the end of the round, favours and castle too. Moves at once.",
            version=2,
            strength=1500,
            ms=20,
        ),
        "able": enter_search(
            think_ably,
            4,
            "Sees what the next players do about its move, and no further. Moves at once.",
            version=3,
            strength=1728,
            ms=20,
        ),
        "good": enter_search(
            think_well,
            4,
            "Sees the next choices of all, but not who comes first at the end. At once.",
            version=3,
            strength=1921,
            ms=40,
        ),
        "strong": enter_search(
            think_strongly,
            2,
            "Follows two moves for some choices, and knows what a round's end is worth. At once.",
            version=4,
            strength=2035,
            ms=40,
        ),
        "hard": enter_search(
            think,
            4,
            "Lets all play its best moves on to the end of the round; beats medium nearly always.",
            version=4,
            strength=2264,
            ms=60,
        ),
        "expert": enter_search(
            think_deeply,
            200,
            "Searches its moves and the replies in 200 ways to go on; thinks up to a second.",
            version=4,
            strength=2511,
            ms=1000,
        ),
    },
    picture=caylus.draw,
    sheet=draw_buildings,
    words=GameWords.of_folder(FOLDER / "caylus"),
    analyst=ANALYST,
    reasons=find_reasons,
    speaker=SPEAKER,
)
