"""What can be played, and with which pieces, in the words of the catalogue of the API."""

from __future__ import annotations

from typing import Any, Final

from cartulary import locales
from cartulary.bots.base import BotEntry
from cartulary.engine.pieces import Piece
from cartulary.games.offer import Offer
from cartulary.locales.pieces import Describer

_SHOWN: Final = ("price", "points")
"""Shown as null where a piece has none; other members are left out."""


def describe_offer(offer: Offer, lang: str) -> dict[str, Any]:
    """Return an entry of the catalogue: a game with its seats, options and bots."""
    game = offer.rules
    own = offer.words.terms(lang)
    lines = locales.terms(lang)["bot_lines"]
    return {
        "name": game.name,
        "title": own.get("title", game.title),
        "rules_version": game.rules_version,
        "seats": {"from": game.seats_from, "to": game.seats_to},
        "options": [
            {
                "name": option.name,
                "text": own.get("options", {}).get(option.name, {}).get("name", option.text),
                "values": list(option.values),
                "default": option.default,
            }
            for option in game.options
        ],
        "bots": [
            _describe_bot(name, lines.get(name, entry.line), entry)
            for name, entry in offer.bots.items()
        ],
    }


def describe_pieces(offer: Offer, options: dict[str, str | int], lang: str) -> dict[str, Any]:
    """Return what the pieces of a game cost, do and are worth under complete options."""
    words = Describer(lang, offer.words)
    pieces = [_describe_piece(piece, words) for piece in offer.rules.list_pieces(options)]
    return {"game": offer.name, "options": options, "pieces": pieces}


def _describe_piece(piece: Piece, words: Describer) -> dict[str, Any]:
    shown = {
        **piece._asdict(),
        "name": words.name(piece.kind, piece.id),
        "effect": words.effect(piece.id, piece.does),
        "owner": words.either(piece.owner),
        "owner_gets": list(piece.owner),
    }
    return {key: value for key, value in shown.items() if key in _SHOWN or value is not None}


def _describe_bot(name: str, line: str, entry: BotEntry) -> dict[str, Any]:
    return {
        "name": name,
        "text": line,
        "description": line,
        "strength": entry.strength,
        "ms": entry.ms,
    }
