"""`cartulary verify --fair` says "no" about events only: what holds none is unreadable."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.model.chain import GENESIS

EVENT = {"version": 1, "type": "game_created", "prev": GENESIS}


def verify(source: object) -> Result:
    return CliRunner().invoke(main, ["verify", "--fair", str(source)])


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "events.json"
        path.write_text(text, "utf-8")
        return path

    return write


def must_be_unreadable(result: Result) -> None:
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "text", ['{"events":[]}', '{"events":[],"next_after":7,"reset":true}', '{"events":[]}\n' * 2]
)
def test_a_page_without_events_proves_nothing(write: Callable[[str], Path], text: str) -> None:
    must_be_unreadable(verify(write(text)))


@pytest.mark.parametrize(
    "changed", [{"at": 10**30}, {"at": "\ud800"}, {"type": []}, {"type": 7}, {"version": "1"}]
)
def test_what_no_event_can_hold_is_unreadable(
    write: Callable[[str], Path], changed: dict[str, Any]
) -> None:
    must_be_unreadable(verify(write(json.dumps(EVENT | changed))))


@pytest.mark.parametrize("path", ["[::1/games/x", "127.0.0.1:1/games/a b"])
def test_an_invalid_url_is_unreadable(path: str) -> None:
    must_be_unreadable(verify(f"http://{path}"))


@pytest.fixture
def breaking_off() -> Iterator[str]:
    """The address of a server that breaks off in the midst of its answer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            caller, _ = listening.accept()
            with caller:
                caller.recv(65536)
                caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

        thread = Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/games/x"
        thread.join(10)


def test_an_answer_that_breaks_off_is_unreadable(breaking_off: str) -> None:
    must_be_unreadable(verify(breaking_off))
