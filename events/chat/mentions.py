"""Mentions: `@Ada` in a text means the player of that name at the table."""

from __future__ import annotations

from cartulary.events.chat.messages import ChatMessage
from cartulary.events.lists.inbox import Item, make_item
from cartulary.events.model.table import Table


def find_mentioned(table: Table, text: str) -> dict[str, int]:
    """Return the players at the table whom a text mentions, by id with their first seat.

    Capitals do not count. A name may have blanks; of two names that fit, the longer one is meant.
    """
    names: dict[str, list[tuple[str, int]]] = {}
    for number, seat in enumerate(table.seats):
        if seat.player is not None and seat.forfeited is None:
            names.setdefault(seat.player["name"].casefold(), []).append((seat.player["id"], number))
    found: dict[str, int] = {}
    folded = text.casefold()
    for begin in (n for n, letter in enumerate(folded) if letter == "@"):
        rest = folded[begin + 1 :]
        fitting = [name for name in names if rest.startswith(name) and _ends(rest, len(name))]
        for player_id, number in names[max(fitting, key=len)] if fitting else ():
            found.setdefault(player_id, number)
    return found


def make_mention(message: ChatMessage, table: Table, player_id: str, seat: int) -> Item:
    """Return the item of the inbox that tells a player of a mention."""
    data = {
        "game": table.id,
        "version": table.version,
        "seat": seat,
        "title": table.rules.title,
        "url": f"/games/{table.id}",
        "message": message.id,
        "by": message.player,
    }
    return make_item(message.id, "message_mention", player_id, message.at, data)


def _ends(text: str, at: int) -> bool:
    """Return whether a name ends here: `@Ada` does not mean Adam."""
    return at >= len(text) or not (text[at].isalnum() or text[at] == "_")
