"""The examples of `openapi.yaml` for the explorer and the open data, acted out."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

from cartulary.events.explorer.counting import explore
from cartulary.events.store import Store
from cartulary.games import GAMES
from tests.events.explorer.played import play
from tests.service.support.caller import Caller


def ask_explorer(ada: Caller, store: Store, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    """Ask for a position that was met, and for one that never was."""
    with TemporaryDirectory() as folder:
        store.explorer.url = f"sqlite:///{folder}/explorer.sqlite"
        book = store.explorer.book
        book.prepare()
        book.add([explore(*play("caylus", 5, 1), GAMES["caylus"], [1600.0] * 5)])
        game = ada.open("me", "me", "me", "me", "me", game="caylus")
        place = f"{game['id']}@{game['version']}"
        path = "/explorer/caylus?position"
        yield (
            "explore_position",
            [ada.get(f"{path}={one}").json for one in (place, "castle/towers/batches-9")],
        )
        bodies = asked["name_position"]
        yield "name_position", [ada.post("/explorer/caylus/keys", body).json for body in bodies]
        store.explorer.close()
        store.explorer.url = ""
    yield "list_dumps", [ada.get("/dumps").json]
