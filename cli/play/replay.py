"""A game again, from event to event, by keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import click
from rich.console import Console
from rich.text import Text

from cartulary.cli.play.tables import draw_view, find_words, name_seats
from cartulary.client import Client
from cartulary.locales.story import StoryTeller

_STEPS: Final[Mapping[str, int]] = {
    "\x1b[C": 1,
    "n": 1,
    " ": 1,
    "\r": 1,
    "\n": 1,
    "\x1b[D": -1,
    "p": -1,
    "\x7f": -1,
    "\x1b[6~": 10,
    "N": 10,
    "\x1b[5~": -10,
    "P": -10,
}
"""How far each key steps: arrows, n and p by one event; page keys, N and P by ten."""
_FIRST: Final = ("\x1b[H", "\x1b[1~", "g")
_LAST: Final = ("\x1b[F", "\x1b[4~", "G")
HELP: Final = "← p   → n   P N ±10   g G   q"


def replay(
    client: Client,
    console: Console,
    name: str,
    lang: str,
    read_key: Callable[[], str] = click.getchar,
) -> None:
    """Show the events of a game and the table after each, as the keys say; `q` ends it."""
    game = client.read_game(name)
    events = list(client.read_all_events(name))
    teller = StoryTeller(lang, find_words(game["game"]), name_seats(game, lang))
    told = [teller.tell(event) for event in events]
    # The table exists from the start of the game on: before that nothing lies on it.
    place = 0
    while True:
        version = events[place]["version"]
        state = client.read_state(name, version)
        console.rule(f"{game['game']} · {version}/{events[-1]['version']}")
        console.print(draw_view(game, cast("Mapping[str, Any] | None", state["view"]), lang))
        for sentence in told[place]:
            console.print(Text(f"{version:>4}  {sentence}"))
        console.print(Text(HELP, "dim"))
        key = read_key()
        if key in ("q", "\x03", "\x04", ""):
            return
        place = _step(key, place, len(events))


def _step(key: str, place: int, count: int) -> int:
    """Return where a key leads; an unknown key leads nowhere."""
    if key in _FIRST:
        return 0
    if key in _LAST:
        return count - 1
    return max(0, min(count - 1, place + _STEPS.get(key, 0)))
