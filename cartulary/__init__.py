"""Cartulary: people and bots play Caylus and Carcassonne, and every move is an immutable event.

This module is for authors of bots and tools. It plays, records, draws and verifies games
in process, without a server and without any library besides the standard one:

    import cartulary

    match = cartulary.play_game("caylus", ["medium", "random", "random"], seed=1)
    print(match.result.scores)

`new_game` starts a game, `play_game` lets bots play it, `replay` plays a transcript back; each
returns a `Match`. `draw` returns the picture of a match. `read_transcript`, `write_transcript` and
`verify_transcript` handle files. `OFFERS` lists what can be played, with the bots of each game;
`GAMES` lists the rules. A bot is a function of type `Bot`.

Programs that learn find codes of moves and arrays of positions in `Game.actions`, `State.codes` and
`State.tensor`, and environments in `cartulary.envs`.

Each name is imported when it is used first, so `import cartulary` itself loads nothing.

The rooms lie at the top level of the checkout; each link in this folder gives one room its import
name: `engine/` is imported as `cartulary.engine`, and never as `engine`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cartulary.bots.base import Bot
    from cartulary.engine.chance import RandomSource, RecordedSource
    from cartulary.engine.coded import Actions, Plane
    from cartulary.engine.core import Decision, Game, Json, Result, State, Step
    from cartulary.engine.errors import (
        IllegalMove,
        InvalidArray,
        SetupError,
        TranscriptError,
        UnknownAction,
    )
    from cartulary.engine.transcript import InvalidTranscript, Report, Transcript
    from cartulary.games import GAMES, OFFERS
    from cartulary.games.offer import Offer
    from cartulary.match import (
        Match,
        NoPicture,
        draw,
        new_game,
        play_game,
        read_transcript,
        replay,
        verify_transcript,
        write_transcript,
    )

__all__ = [
    "GAMES",
    "OFFERS",
    "Actions",
    "Bot",
    "Decision",
    "Game",
    "IllegalMove",
    "InvalidArray",
    "InvalidTranscript",
    "Json",
    "Match",
    "NoPicture",
    "Offer",
    "Plane",
    "RandomSource",
    "RecordedSource",
    "Report",
    "Result",
    "SetupError",
    "State",
    "Step",
    "Transcript",
    "TranscriptError",
    "UnknownAction",
    "draw",
    "new_game",
    "play_game",
    "read_transcript",
    "replay",
    "verify_transcript",
    "write_transcript",
]

_MODULES = {
    "cartulary.bots.base": ("Bot",),
    "cartulary.engine.chance": ("RandomSource", "RecordedSource"),
    "cartulary.engine.coded": ("Actions", "Plane"),
    "cartulary.engine.core": ("Decision", "Game", "Json", "Result", "State", "Step"),
    "cartulary.engine.errors": (
        *("IllegalMove", "InvalidArray", "SetupError", "TranscriptError", "UnknownAction"),
    ),
    "cartulary.engine.transcript": ("InvalidTranscript", "Report", "Transcript"),
    "cartulary.games": ("GAMES", "OFFERS"),
    "cartulary.games.offer": ("Offer",),
}
"""The public names of each module, for the running program; `cartulary.match` has all others."""


if not TYPE_CHECKING:  # a type checker would take every unknown name for one that this finds

    def __getattr__(name: str) -> object:
        """Import a public name when it is used first; raises `AttributeError` for other names."""
        if name not in __all__:
            raise AttributeError(f"module 'cartulary' has no attribute {name!r}")
        listed = (module for module, names in _MODULES.items() if name in names)
        value = globals()[name] = getattr(import_module(next(listed, "cartulary.match")), name)
        return value

    def __dir__() -> list[str]:
        """List the public names, the names that are not imported yet included."""
        return sorted({*globals(), *__all__})
