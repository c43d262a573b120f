"""The pieces of a game in words: what each is called, does, and brings its owner.

The words are terms of the game (`terms` of `locales/<game>/<tag>.json`): names by the group of the
kind, effects by the id of the piece or by the names in `Piece.does`, amounts of goods. What a game
has no words for stays empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cartulary import locales

_GROUPS: Final = {
    "special": "spaces",
    "castle": "sections",
    "favour": "lines",
    "good": "goods",
    "feature": "features",
    "tile": "tiles",
}
"""The group of terms with the names of each kind of piece; `buildings` for all others."""

_ORDER: Final = ("deniers", "food", "wood", "stone", "cloth", "gold", "any", "mixed", "prestige")

LIST_FROM: Final = 3
"""More bundles than this to choose from are a list, no sentence."""

Goods = Mapping[str, int]


class Describer:
    """Says in one language what the pieces of a game are; `words` are those of the game."""

    def __init__(self, lang: str, words: locales.GameWords) -> None:
        self._lang = lang
        self._terms: Mapping[str, Any] = words.terms(lang)
        self._effects: Mapping[str, str] = self._terms.get("effects", {})
        self._or: str = locales.words(lang)["ui"]["or"]

    def name(self, kind: str, id_: str) -> str:
        """Return what a piece is called; its id where the game has no name for it."""
        pieces = self._terms.get("pieces", {})
        group = self._terms.get(_GROUPS.get(kind, "buildings"), {})
        found: str = group.get(id_) or pieces.get(id_) or id_
        return found

    def effect(self, id_: str, does: Mapping[str, Any]) -> str:
        """Return what a piece does as a phrase; empty where there is nothing to say."""
        if id_ in self._effects and not {"take", "trade", "get", "houses"} & does.keys():
            return locales.fill(self._lang, self._effects[id_], _flatten(does))
        return locales.semicolon(self._lang).join(self._say(does))

    def either(self, bundles: Sequence[Goods]) -> str:
        """Return bundles of which one is to be chosen."""
        said = [self.goods(bundle) for bundle in bundles]
        # Many bundles of several goods would read as one long list with "or" in it.
        between = f" {self._or} " if len(said) <= LIST_FROM else locales.semicolon(self._lang)
        return between.join(said)

    def goods(self, goods: Goods) -> str:
        """Return goods in words: `3 deniers, 2 food`."""
        amounts = self._terms["amounts"]
        known = [name for name in _ORDER if name in goods]
        others = [name for name in goods if name not in _ORDER]
        return ", ".join(
            locales.fill(self._lang, amounts[name], {"n": goods[name]}) for name in known + others
        )

    def _say(self, does: Mapping[str, Any]) -> Iterator[str]:
        if "segments" in does:
            yield self._list_features(does["segments"])
        if bundles := does.get("take") or does.get("give"):
            yield self.either(bundles)
        if "get" in does:
            yield self.goods(does["get"])
        if "trade" in does:
            pairs = [f"{self.goods(give)} → {self.goods(get)}" for give, get in does["trade"]]
            yield f" {self._or} ".join(pairs)
        if "builds" in does:
            yield self._effects[f"builds_{does['builds']}"]
        if "discount" in does:
            yield self._fill("cheaper", goods=self.goods(does["discount"]))
        if "price" in does:
            yield self._fill("for", goods=self.goods(does["price"]))
        if "income" in does:
            yield f"{self.goods(does['income'])} {self._effects['income']}"
        for step in does.get("houses", ()):
            houses, favour = step["houses"], step["favour"]
            yield f"{self.goods({'houses': houses})} → {self.goods({'favour': favour})}"
        if "worth" in does:
            counted, points = map(self.goods, does["worth"])
            yield self._fill("worth", counted=counted, points=points)
        if "penalty" in does:
            yield self._fill("penalty", prestige=self.goods({"prestige": does["penalty"]}))

    def _list_features(self, segments: Sequence[Mapping[str, Any]]) -> str:
        """Return the features of a tile, each kind once, with its number and pennants."""
        said = []
        for kind, count in Counter(segment["kind"] for segment in segments).items():
            name = self._terms["features"]["f" if kind == "field" else kind]
            said.append(name if count == 1 else f"{count} × {name}")
        pennants = sum(segment["pennant"] for segment in segments)
        return ", ".join(said + ([self.goods({"pennants": pennants})] if pennants else []))

    def _fill(self, effect: str, **values: str) -> str:
        return locales.fill(self._lang, self._effects[effect], values)


def _flatten(does: Mapping[str, Any], path: str = "") -> dict[str, int]:
    """Return the numbers of an effect by their path: `completed_tile`."""
    found: dict[str, int] = {}
    for key, value in does.items():
        if isinstance(value, Mapping):
            found |= _flatten(value, f"{path}{key}_")
        elif isinstance(value, int):
            found[f"{path}{key}"] = value
    return found
