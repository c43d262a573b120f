from __future__ import annotations

import re
from hashlib import sha1
from pathlib import Path

import pytest
from rq import queue, scripts

from cartulary.events.server.scripts import read_script
from simulation.store.replies import Unmodelled
from simulation.store.scripts.engine import ScriptEngine
from simulation.store.server import ModelServer
from tests.simulation.store.clients import Client, make_server

ROOT = Path(__file__).parents[3]
CALL = re.compile(r"redis\.p?call\(\s*['\"]([A-Za-z]+)['\"]")


def test_the_model_has_each_command_that_a_script_of_the_project_or_of_rq_calls() -> None:
    rooms = ("events", "workers", "service", "cli")
    files = [
        path for room in rooms for kind in ("*.lua", "*.py") for path in (ROOT / room).rglob(kind)
    ]
    files += [Path(scripts.__file__), Path(queue.__file__)]
    called = {name.upper() for path in files for name in CALL.findall(path.read_text())}
    assert len(called) > 40
    assert called - {name.decode() for name in ModelServer.commands} == set()


def test_a_game_is_released_where_its_fingerprint_is_that_of_now() -> None:
    client = Client(make_server())
    keys = ["{g}:events", "{g}:idempotency"]
    client.ask("XADD {g}:events 1-0 event {}")
    client.ask("HSET {g}:idempotency head x")
    found = client.ask("EVAL", read_script("archiving", "fingerprint.lua"), "2", *keys)
    assert isinstance(found, list)
    digest, now = found
    assert isinstance(digest, bytes)
    assert now == client.now
    until = str(client.now + 1000)
    words = ("3", "{g}:events", "{g}:pin", "{g}:idempotency", digest, "2", until)
    release = read_script("archiving", "release.lua")
    client.ask("HSET {g}:idempotency other x")
    assert client.ask("EVAL", release, *words) == 0
    client.ask("HDEL {g}:idempotency other")
    assert client.ask("EVAL", release, *words) == 1
    assert client.ask("EXISTS", *keys) == 0


def test_a_script_that_was_forgotten_is_known_again_after_its_text() -> None:
    client = Client(make_server())
    text = "return ARGV[1]"
    digest = sha1(text.encode(), usedforsecurity=False).hexdigest()
    assert client.ask("EVAL", text, "0", "a") == b"a"
    assert client.ask("EVALSHA", digest.upper(), "0", "b") == b"b"
    client.ask("SCRIPT FLUSH")
    assert client.ask("SCRIPT EXISTS", digest) == [0]
    assert client.refuse("EVALSHA", digest, "0", "b").startswith("NOSCRIPT ")


def test_a_script_changes_no_global_of_another_script() -> None:
    client = Client(make_server())
    assert "readonly table" in client.refuse("EVAL", "string = nil", "0")
    assert "nonexistent global variable 'io'" in client.refuse("EVAL", "return io", "0")
    assert "readonly table" in client.refuse("EVAL", "redis.call = nil", "0")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("[]", b"{}"),
        ('{"a": null}', b'{"a":null}'),
        ("[1, 2.50, 1e3, 12345678901234567890]", b"[1,2.5,1000,1.2345678901235e+19]"),
        ('"\\u00e9\\ud83d\\ude00/"', '"é😀\\/"'.encode()),
    ],
)
def test_json_is_read_and_written_as_cjson_does(text: str, answer: bytes) -> None:
    client = Client(make_server())
    assert client.ask("EVAL", "return cjson.encode(cjson.decode(ARGV[1]))", "0", text) == answer


def test_invalid_json_is_refused() -> None:
    client = Client(make_server())
    for text in ("", "{", "[1,]", "NaN"):
        assert client.refuse("EVAL", "return cjson.decode(ARGV[1])", "0", text).startswith("ERR ")


def test_a_command_that_the_model_lacks_ends_no_script_quietly() -> None:
    client = Client(make_server())
    with pytest.raises(Unmodelled, match="GEOADD"):
        client.ask("EVAL", "return redis.pcall('GEOADD', 'g', 1, 1, 'a')", "0")
    assert client.ask("EVAL", "return 1", "0") == 1


def test_an_answer_that_lua_has_no_value_for_is_a_mistake_of_the_model() -> None:
    engine = ScriptEngine(lambda _words: {b"a": b"b"})
    with pytest.raises(TypeError):
        engine.run(engine.learn(b"return redis.call('X')"), [], [])
