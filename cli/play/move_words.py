"""Legal moves in words, by the words that the web client has for the same choices."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from cartulary import locales
from cartulary.locales import GameWords
from cartulary.locales.story import StoryTeller
from cartulary.locales.telling import follow_path

Move = Mapping[str, Any]

_TEMPLATES: Final[Mapping[str, Mapping[str, str]]] = {
    "carcassonne": {
        "place_tile": "{ui.act.tile}: x {x}, y {y}, {rotation}°",
        "place_follower": "{segment}: {feature} ({segment_id})",
        "skip_follower": "{ui.skip}",
    },
    "caylus": {
        "place_worker": "{space}{at}",
        "pass": "{ui.moves.pass}",
        "decline": "{decline}",
        "move_worker": "{space}{at}",
        "move_provost": "{ui.moves.move_provost}",
        "joust": "{ui.joust}",
        "stay": "{ui.stay}",
        "leave": "{ui.leave}",
        "take": "{ui.moves.take}: {goods}",
        "trade": "{ui.moves.trade}: {give} → {get}",
        "build": "{ui.moves.build}: {pay}",
        "build_prestige": "{ui.moves.build_on}: {pay}",
        "convert": "{ui.moves.convert}{at}: {pay}",
        "offer_batch": "{ui.moves.offer_batch}: {goods}",
        "choose_favour": "{line}",
    },
}
"""What is said of each move: `{ui.…}` is a text of the game, other parts are members in words."""


_TEXT: Final = re.compile(r"\{ui\.([a-z_.]+)\}")


class MoveWords:
    """Says the moves of one game in one language; an unknown move is shown as it is."""

    def __init__(self, game: str, words: GameWords, lang: str) -> None:
        self._templates = _TEMPLATES.get(game, {})
        self._lang = lang
        self._ui = words.words(lang).get("ui", {})
        self._terms = words.terms(lang)
        self._teller = StoryTeller(lang, words, ())

    def say(self, move: Move, kind: str, view: Move) -> str:
        """Return a move in words; `kind` is that of the decision, `view` the table before it."""
        template = self._templates.get(move["type"])
        if template is None:
            return json.dumps(move, ensure_ascii=False)
        values = {name: self._teller.put_into_words(name, value) for name, value in move.items()}
        values |= self._describe_segment(move.get("segment", ""))
        values["decline"] = self._decline(kind)
        values["at"] = self._name_building(move.get("space", ""), view)
        values.setdefault("pay", "–")
        if "steps" in move:
            values["space"] = f"{view['provost'] + move['steps']} ({move['steps']:+d})"
        filled = _TEXT.sub(lambda found: self._read(found[1]), template)
        return locales.fill(self._lang, filled, values)

    def _read(self, path: str) -> str:
        return str(follow_path(self._ui, path) or path)

    def _describe_segment(self, segment: str) -> dict[str, str]:
        """Return what a follower on a segment claims; `c0` is a city."""
        feature = self._terms.get("features", {}).get(segment[:1], "")
        return {"feature": feature, "segment_id": segment}

    def _name_building(self, space: str, view: Move) -> str:
        """Return the building on a space of the road, with what stands before it."""
        found = [one["building"] for one in view.get("road", ()) if one["space"] == space]
        if not found or found[0] is None:
            return ""
        return f" · {self._terms['buildings'].get(found[0], found[0])}"

    def _decline(self, kind: str) -> str:
        texts = self._ui.get("decline", {})
        return str(texts.get(kind) or texts.get("convert") or "–")
