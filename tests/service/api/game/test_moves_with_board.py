"""A move that is answered with the picture of the table after it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.conftest import Caller


@pytest.fixture
def game(ada: Caller) -> dict[str, Any]:
    game = ada.open()
    for _ in range(6):
        ada.move(game["id"])
    return game


class TestMoveWithBoard:
    def test_the_answer_to_a_move_may_bring_the_picture_and_the_next_moves(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        path = f"/games/{game['id']}"
        made = ada.post(f"{path}/moves?board=wide", {"move": ada.legal(game["id"])[0]}).json
        shown = ada.get(f"{path}/board.svg?layout=wide&seat=0&version={made['version']}")
        assert made["board"] == shown.text
        assert made["moves"] == ada.legal(game["id"])

    def test_the_picture_in_the_answer_may_be_the_board_alone_for_a_box(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        path, wish = f"/games/{game['id']}", "parts=board&ratio=1.6"
        move = {"move": ada.legal(game["id"])[0]}
        made = ada.post(f"{path}/moves?board=fit&{wish}", move).json
        shown = ada.get(f"{path}/board.svg?layout=fit&{wish}&seat=0&version={made['version']}")
        assert made["board"] == shown.text

    def test_a_bad_wish_is_refused_and_nothing_is_stored(
        self, ada: Caller, game: dict[str, Any]
    ) -> None:
        path, version = f"/games/{game['id']}/moves", ada.version(game["id"])
        for wish in ("board=round", "board=fit&ratio=9", "board=fit&parts=x"):
            answer = ada.post(f"{path}?{wish}", {"move": ada.legal(game["id"])[0]})
            assert (answer.status_code, answer.json["code"]) == (422, "invalid")
        assert ada.version(game["id"]) == version
