"""Boards as PNG: what is painted, when it is painted again, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from cartulary.raster.painter import Painter
from cartulary.service.http.shared import board_pictures
from cartulary.service.http.shared.costly_results import WaitingRequest
from cartulary.service.http.shared.services import Services
from cartulary.service.server.app_interface import LOOP, WAITED
from tests.service.conftest import API, Caller
from tests.service.support.scene import problem
from tests.service.support.sketched_pictures import PNG


def read_size(png: bytes) -> tuple[int, int]:
    """Return width and height as the bytes of a PNG say them."""
    assert png.startswith(PNG)
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


@pytest.fixture
def path(ada: Caller) -> str:
    game = ada.open()["id"]
    for _ in range(4):
        ada.move(game)
    return f"/games/{game}/board.png"


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was painted since the test began; painting takes no time."""
    found: list[tuple[Any, ...]] = []

    def paint(_painter: Painter, *wish: Any) -> bytes:
        found.append(wish)
        return PNG + str(wish[1:]).encode()

    monkeypatch.setattr(Painter, "paint", paint)
    return found


@pytest.mark.slow
def test_a_picture_has_the_width_that_is_asked_for(ada: Caller, path: str) -> None:
    answer = ada.get(f"{path}?width=200&theme=dark")
    assert answer.mimetype == "image/png"
    assert read_size(answer.data)[0] == 200
    assert read_size(ada.get(f"{path}?width=600&layout=share").data) == (600, 315)


def test_a_picture_is_painted_once_for_each_version_and_wish(
    ada: Caller, path: str, painted: list[Any]
) -> None:
    wishes = ("", "?width=300", "?theme=dark", "?layout=share", "?version=3")
    for wish in (*wishes, *wishes):
        assert ada.get(path + wish).status_code == 200
    assert len(painted) == len(wishes)
    ada.move(path.split("/")[2])
    ada.get(path)
    assert len(painted) == len(wishes) + 1


def test_a_cache_keeps_a_picture_for_one_caller_and_one_language(
    ada: Caller, path: str, painted: list[Any]
) -> None:
    varies = ada.get(path).headers["Vary"].split(", ")
    assert {"Authorization", "Accept-Language"} <= set(varies)


def test_the_board_alone_shows_no_names(ada: Caller, path: str, painted: list[Any]) -> None:
    for wish in ("", "?parts=board"):
        assert ada.get(path + wish).status_code == 200
    whole, board = (re.findall(r">([^<]+)</text>", drawn) for drawn, *_ in painted)
    assert "Ada" in whole
    assert "Ada" not in board


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("wish", ["", "version=3"])
def test_it_is_kept_for_as_long_as_the_svg(ada: Caller, path: str, wish: str) -> None:
    answer, svg = ada.get(f"{path}?{wish}"), ada.get(f"{path.replace('png', 'svg')}?{wish}")
    assert answer.headers["Cache-Control"] == svg.headers["Cache-Control"]
    assert answer.headers["ETag"] != svg.headers["ETag"]
    known = {"If-None-Match": answer.headers["ETag"]}
    again = ada.get(f"{path}?{wish}", headers=known)
    assert (again.status_code, again.headers["ETag"]) == (304, answer.headers["ETag"])
    assert ada.get(f"{path}?{wish}&width=201", headers=known).status_code == 200


@pytest.mark.parametrize(
    "wish",
    [
        *("width=199", "width=2401", "width=1000000000", "width=abc", "width=1e3", "width=-300"),
        *("version=0", "version=x", "theme=blue", "layout=round", "seat=1"),
    ],
)
@pytest.mark.slow
def test_a_bad_wish_is_refused(ada: Caller, path: str, painted: list[Any], wish: str) -> None:
    refused = problem(ada.get(f"{path}?{wish}"), 422, "invalid")
    assert [error["pointer"] for error in refused["errors"]] == ["/" + wish.split("=")[0]]
    assert painted == []


def test_what_is_not_to_be_seen_has_no_picture(
    ada: Caller, bob: Caller, path: str, painted: list[Any]
) -> None:
    problem(ada.get(f"{path}?version=999"), 404, "not_found")
    problem(ada.get(f"/games/{ada.open('me', 'open')['id']}/board.png"), 404, "not_found")
    private = f"/games/{ada.open(visibility='private')['id']}/board.png"
    problem(bob.get(private), 404, "not_found")
    assert painted == []
    assert "private" in ada.get(private).headers["Cache-Control"]


def test_a_picture_with_too_many_pixels_is_refused_with_the_widest(
    ada: Caller, path: str, painted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.raster.png.MOST_PIXELS", 400_000)
    refused = problem(ada.get(f"{path}?width=2400"), 422, "invalid")
    assert "the widest picture is" in refused["errors"][0]["detail"]
    assert painted == []


def test_a_service_without_the_libraries_says_so(
    ada: Caller, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.raster.png.is_installed", lambda: False)
    assert "extra" in problem(ada.get(path), 404, "not_installed")["detail"]


def test_requests_wait_without_a_thread_and_only_so_many(
    app: Flask, ada: Caller, path: str, painted: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    services: Services = app.extensions["cartulary"]
    pictures = services.board_pictures
    monkeypatch.setattr(board_pictures, "MOST_WAITING", 2)
    assert pictures.begin(wait=False)
    woken: list[str] = []
    for width in (201, 202):
        wanted = f"{API}{path}?width={width}"
        with app.test_request_context(wanted, environ_overrides={LOOP: True}):
            held = app.full_dispatch_request().response
        assert isinstance(held, WaitingRequest)
        held.watch(lambda: woken.append("woken"))
    refused = ada.get(f"{path}?width=203", environ_overrides={LOOP: True})
    assert problem(refused, 503, "busy")
    assert refused.headers["Retry-After"] == "2"
    in_vain = ada.get(f"{path}?width=201", environ_overrides={LOOP: True, WAITED: True})
    assert problem(in_vain, 503, "busy")
    with pytest.raises(RuntimeError):
        pictures.make(None, fail)  # type: ignore[arg-type]
    assert woken == ["woken"]
    answer = ada.get(f"{path}?width=201", environ_overrides={LOOP: True, WAITED: True})
    assert (answer.status_code, len(painted)) == (200, 1)


def fail() -> Any:
    raise RuntimeError
