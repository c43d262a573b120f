"""`cartulary verify --fair` says "no" about events only: what holds none is unreadable."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


def test_a_program_gets_an_object_for_a_file_that_is_unreadable_too(
    write: Callable[[str], Path],
) -> None:
    result = CliRunner().invoke(main, ["verify", "--fair", "--json", str(write("{"))])
    assert (result.exit_code, result.stderr) == (2, "")
    found = json.loads(result.stdout)
    assert (found["valid"], found["problems"][0]["problem"]) == (False, "unreadable")
    assert found["file"].endswith("events.json")


def test_the_line_that_is_cut_off_is_named(write: Callable[[str], Path]) -> None:
    whole = json.dumps(EVENT)
    result = verify(write(f"{whole}\n\n{whole}\n{whole[:-9]}"))
    must_be_unreadable(result)
    assert "line 4 is not JSON" in result.stderr
    assert "transcript" not in result.stderr


@pytest.mark.parametrize("path", ["[::1/games/x", "127.0.0.1:1/games/a b"])
def test_an_invalid_url_is_unreadable(path: str) -> None:
    must_be_unreadable(verify(f"http://{path}"))


@contextmanager
def answering(head: bytes, body: bytes, most: int) -> Iterator[str]:
    """Run a server that gives one answer at most so many times; yields the URL of a game there."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)

        def answer() -> None:
            for _ in range(most):
                caller, _ = listening.accept()
                with caller:
                    caller.recv(65536)
                    caller.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body)

        thread = Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/games/x"
        thread.join(10)


def test_an_answer_that_breaks_off_is_unreadable() -> None:
    with answering(b"Content-Length: 100", b"{", 1) as url:
        must_be_unreadable(verify(url))


def test_a_server_whose_pages_do_not_go_on_is_not_asked_for_ever() -> None:
    """A file server that knows no `after` gives the first page each time."""
    with answering(b"Connection: close", json.dumps({"events": [EVENT]}).encode(), 2) as url:
        result = verify(url)
    must_be_unreadable(result)
    assert "do not go on after version 1" in result.stderr
