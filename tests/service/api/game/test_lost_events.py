"""A store that has lost events writes others at the same versions: what is shown follows them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.store import Store
from cartulary.raster.painter import Painter
from tests.service.support.caller import Caller
from tests.service.support.sketched_pictures import PNG


@pytest.fixture(autouse=True)
def quick_painter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Painter, "paint", lambda _painter, drawn, *_: PNG + drawn.encode())


def copy_game(store: Store, game_id: str) -> Callable[[], None]:
    """Return a function that takes back all that was stored of a game since now."""
    redis, pattern = store.redis, f"*{game_id}*"
    kept = {key: redis.dump(key) for key in redis.scan_iter(match=pattern)}

    def fall_back() -> None:
        redis.delete(*redis.scan_iter(match=pattern))
        for key, text in kept.items():
            redis.restore(key, 0, text or b"")

    return fall_back


@pytest.mark.parametrize("path", ["board.svg", "board.png", "position.txt"])
def test_a_tag_of_lost_events_confirms_nothing_of_those_that_came_instead(
    ada: Caller, store: Store, path: str
) -> None:
    game_id = ada.open()["id"]
    shown = f"/games/{game_id}/{path}"
    ada.move(game_id)
    fall_back = copy_game(store, game_id)
    first, *_, last = ada.get(f"/games/{game_id}/moves").json["moves"]
    lost_version = ada.post(f"/games/{game_id}/moves", {"move": first}).json["version"]
    lost = ada.get(shown)
    fall_back()
    assert ada.post(f"/games/{game_id}/moves", {"move": last}).json["version"] == lost_version
    found = ada.get(shown, headers={"If-None-Match": lost.headers["ETag"]})
    assert found.status_code == 200
    assert found.data != lost.data
