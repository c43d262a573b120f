"""Why a move is good, as one sentence (`locales.reasoning`)."""

from __future__ import annotations

import pytest

from cartulary.games import OFFERS
from cartulary.locales import GameWords
from cartulary.locales.reasoning import MOST, Sentences

CARCASSONNE = OFFERS["carcassonne"].words
CLOSES = {"type": "closes", "seat": 0, "reason": "city", "points": 8}
HOME = {"type": "home", "seat": 0, "followers": 2}
HELPS = {"type": "helps", "seat": 1, "points": 3}
CLAIMS = {"type": "claims", "seat": 0, "reason": "road", "points": 3, "chance": 0.004}


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "closes the city, 8 points, and brings 2 followers home"),
        ("pl", "zamyka miasto, 8 punktów i sprowadza do rezerwy: 2 podwładnych"),
        ("hr", "zatvara grad, 8 bodova i vraća u zalihu: 2 sljedbenika"),
        ("nl", "maakt de stad af, 8 punten en haalt 2 horigen terug"),
        ("ru", "завершает город, 8 очков и возвращает в запас: 2 подданных"),
        ("de", "schließt die Stadt ab, 8 Punkte und holt 2 Gefolgsleute zurück"),
        ("fr", "ferme la ville, 8 points et ramène 2 partisans"),
        ("es", "cierra la ciudad, 8 puntos y trae de vuelta 2 seguidores"),
    ],
)
def test_reasons_make_one_sentence_in_each_language(lang: str, said: str) -> None:
    assert Sentences(lang).say(CARCASSONNE, [CLOSES, HOME]) == said


def test_a_rival_is_called_by_name_or_by_the_number_of_the_seat() -> None:
    assert Sentences("en", ["Ada", "Bo"]).say(CARCASSONNE, [HELPS]) == "gives Bo 3 points"
    assert Sentences("en").say(CARCASSONNE, [HELPS]) == "gives Seat 2 3 points"


def test_a_small_chance_is_not_told_as_none() -> None:
    said = Sentences("en").say(CARCASSONNE, [CLAIMS])
    assert said == "claims the road: 3 points, chance to close it <1 %"


def test_facts_are_in_the_words_of_the_story_only_when_there_is_no_reason() -> None:
    laid = {"type": "feature_completed", "feature": "city", "tiles": 3}
    assert Sentences("en").say(CARCASSONNE, [laid]) == "a city of 3 tiles is completed"
    assert Sentences("en").say(CARCASSONNE, [laid, HOME]) == "brings 2 followers home"


def test_a_sentence_has_at_most_four_phrases() -> None:
    said = Sentences("en").say(CARCASSONNE, [HOME] * (MOST + 3))
    assert said.count("home") == MOST


def test_without_facts_or_words_there_is_no_sentence() -> None:
    assert Sentences("en").say(CARCASSONNE, []) == ""
    assert Sentences("en").say(GameWords({}), [CLOSES]) == ""
