"""The words in the pictures, in English; a caller may replace any of them by its own.

Keys are short and stable; names of Caylus buildings are `building.<id>`.
Sentences hold `{parts}` that are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "carcassonne": "Carcassonne",
    "caylus": "Caylus",
    "you": "you",
    "turn": "{name}: {ask}",
    "winners": "Won by {names}",
    "status.open": "Waiting for players",
    "status.running": "The game is on",
    "status.scoring": "The score is being counted",
    "status.over": "The game is over",
    "status.aborted": "The game was broken off",
    "shape.circle": "circle",
    "shape.square": "square",
    "shape.triangle": "triangle",
    "shape.diamond": "diamond",
    "shape.cross": "cross",
    "seat": "{name} ({shape})",
    "somebody": "Seat {number}",
    # Carcassonne
    "role.knight": "knight",
    "role.highwayman": "highwayman",
    "role.monk": "monk",
    "role.farmer": "farmer",
    "kind.city": "city",
    "kind.road": "road",
    "kind.monastery": "monastery",
    "kind.field": "field",
    "follower": "{seat}: {role}",
    "ask.place_tile": "place the tile",
    "ask.place_follower": "place a follower?",
    "tile": "Tile {letter}",
    "bag": "In the bag",
    "bag_count": "{count} tiles in the bag",
    "set_aside": "set aside: {letters}",
    "points": "{points} points",
    "followers": "{count} followers left",
    # Caylus
    "ask.place_worker": "place a worker",
    "ask.gate": "move the worker from the gate?",
    "ask.merchants_guild": "move the provost?",
    "ask.joust_field": "joust?",
    "ask.inn": "stay at the inn?",
    "ask.bribe": "move the provost?",
    "ask.produce": "choose goods",
    "ask.owner_bonus": "choose the owner's share",
    "ask.trade": "trade?",
    "ask.build": "build?",
    "ask.build_prestige": "build a prestige building?",
    "ask.convert": "build a residence?",
    "ask.castle": "offer a batch?",
    "ask.favour": "choose a favour",
    "ask.favour_cubes": "choose cubes",
    "ask.favour_buildings": "build by favour?",
    "round": "Round {number}",
    "phase.place_workers": "Placing workers",
    "phase.special_buildings": "Special buildings",
    "phase.bribes": "The provost",
    "phase.buildings": "Buildings",
    "phase.castle": "The castle",
    "phase.scoring": "Scoring",
    "phase.over": "The end",
    "castle": "Castle",
    "section.dungeon": "Dungeon",
    "section.walls": "Walls",
    "section.towers": "Towers",
    "scored": "scored",
    "passing": "Passing order",
    "turn_order": "Turn order",
    "road": "The road",
    "favours": "Royal favours",
    "line.prestige": "Prestige",
    "line.deniers": "Deniers",
    "line.cubes": "Cubes",
    "line.buildings": "Buildings",
    "stock": "Stock",
    "provost": "Provost",
    "bailiff": "Bailiff",
    "owner": "owner {name}",
    "worker": "worker of {name}",
    "pending": "residence of {name} to come",
    "good.coin": "deniers",
    "good.pawn": "workers",
    "good.food": "food",
    "good.wood": "wood",
    "good.stone": "stone",
    "good.cloth": "cloth",
    "good.gold": "gold",
    "building.gate": "Gate",
    "building.trading_post": "Trading Post",
    "building.merchants_guild": "Guild",
    "building.joust_field": "Joust Field",
    "building.stables": "Stables",
    "building.inn": "Inn",
    "building.wood_farm_food": "Farm",
    "building.wood_farm_cloth": "Farm",
    "building.wood_sawmill": "Sawmill",
    "building.wood_quarry": "Quarry",
    "building.wood_marketplace": "Marketplace",
    "building.wood_peddler": "Peddler",
    "building.stone_farm": "Farm",
}


_PART: Final = re.compile(r"\{(\w+)\}")


def say(own: Mapping[str, str], word: str, **parts: object) -> str:
    """Return a word of `own`, else of `ENGLISH`, else the key itself, with its parts filled in.

    Parts are put in literally: braces in a player's name mean nothing.
    """
    sentence = own.get(word) or ENGLISH.get(word) or word
    if not parts:
        return sentence
    return _PART.sub(lambda found: str(parts.get(found[1], found[0])), sentence)
