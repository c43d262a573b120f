from __future__ import annotations

import pytest

from simulation.store.replies import Down
from tests.simulation.store.clients import NOW, Client, make_server


def test_what_was_acknowledged_with_always_is_there_after_a_crash() -> None:
    server = make_server("always")
    client = Client(server)
    client.ask("SET a 1")
    client.ask("EVAL", "redis.call('XADD', 's', '*', 'f', 'v') return 1", "0")
    client.ask("GET a")
    assert server.journal.unsynced == 0
    server.crash(NOW)
    server.restart(NOW + 5)
    again = Client(server)
    assert again.ask("GET a") == b"1"
    assert again.ask("XRANGE s - +") == [[b"1000000-0", [b"f", b"v"]]]


def test_a_crash_before_the_answer_may_lose_the_last_change_alone() -> None:
    server = make_server("always")
    client = Client(server)
    client.ask("SET a 1")
    client.ask("SET b 1")
    with pytest.raises(ValueError, match="not on the disk"):
        server.crash(NOW, lose=2)
    server.crash(NOW, lose=1)
    server.restart(NOW)
    assert Client(server).ask("MGET a b") == [b"1", None]


def test_a_script_and_a_transaction_are_lost_as_a_whole() -> None:
    server = make_server("no")
    client = Client(server)
    client.ask("SET a 1")
    client.ask("EVAL", "redis.call('SET', 'a', 2) redis.call('SET', 'b', 2)", "0")
    server.crash(NOW, lose=1)
    server.restart(NOW)
    client = Client(server)
    assert client.ask("MGET a b") == [b"1", None]
    for text in ("MULTI", "SET a 3", "SET b 3", "EXEC"):
        client.ask(text)
    server.crash(NOW, lose=1)
    server.restart(NOW)
    assert Client(server).ask("MGET a b") == [b"1", None]


def test_everysec_loses_what_came_since_the_last_second() -> None:
    server = make_server("everysec")
    client = Client(server)
    client.ask("SET a 1")
    client.now += 1500
    client.ask("SET b 1")
    client.now += 100
    client.ask("SET c 1")
    assert server.journal.unsynced == 2
    server.lose_machine(client.now)
    server.restart(client.now)
    assert Client(server).ask("MGET a b c") == [b"1", None, None]


def test_a_restart_forgets_scripts_and_connections_and_has_another_run_id() -> None:
    server = make_server()
    client = Client(server)
    digest = client.ask("SCRIPT LOAD", "return 1")
    assert isinstance(digest, bytes)
    before = client.ask("INFO server")
    server.crash(NOW)
    with pytest.raises(Down):
        client.ask("PING")
    server.restart(NOW)
    with pytest.raises(Down):
        client.ask("PING")
    again = Client(server)
    assert again.refuse("EVALSHA", digest, "0") == "NOSCRIPT No matching script."
    assert again.ask("INFO server") != before


def test_a_key_that_has_expired_stays_away_when_the_clock_goes_back() -> None:
    server = make_server()
    client = Client(server)
    client.ask("SET a 1 PX 50")
    client.now += 100
    assert client.ask("GET a") is None
    server.crash(client.now)
    server.restart(NOW)
    assert Client(server, NOW).ask("GET a") is None


def test_a_file_that_was_rewritten_has_the_same_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulation.store.serving.durability.REWRITTEN_AFTER", 50)
    server = make_server()
    client = Client(server)
    for number in range(300):
        client.ask(f"HSET h f{number % 7} {number}")
        client.ask(f"ZADD z {number} m{number % 5}")
    assert len(server.journal.records) < 60
    before = client.ask("HGETALL h"), client.ask("ZRANGE z 0 -1 WITHSCORES")
    server.crash(NOW)
    server.restart(NOW)
    again = Client(server)
    assert (again.ask("HGETALL h"), again.ask("ZRANGE z 0 -1 WITHSCORES")) == before


def test_a_fall_back_has_what_the_copy_had() -> None:
    server = make_server()
    client = Client(server)
    client.ask("XADD s 1-1 f v")
    copy = server.copy_state()
    client.ask("XADD s 2-1 f v")
    client.ask("SET a 1")
    server.crash(NOW)
    server.fall_back(copy, NOW)
    again = Client(server)
    assert (again.ask("XLEN s"), again.ask("GET a")) == (1, None)
    again.ask("XADD s 2-1 f other")
    server.crash(NOW)
    server.restart(NOW)
    assert Client(server).ask("XLEN s") == 2


def test_a_full_disk_ends_a_server_that_keeps_each_change() -> None:
    server = make_server("always")
    client = Client(server)
    client.ask("SET a 1")
    server.is_disk_full = True
    with pytest.raises(Down):
        client.ask("SET a 2")
    server.is_disk_full = False
    server.restart(NOW)
    assert Client(server).ask("GET a") == b"1"


def test_a_full_disk_lets_the_others_refuse_until_there_is_room() -> None:
    server = make_server("everysec")
    client = Client(server)
    client.ask("SET a 1")
    client.now += 1500
    server.is_disk_full = True
    assert client.ask("SET a 2") == "OK"
    assert client.refuse("SET a 3").startswith("MISCONF Errors writing to the AOF file")
    assert client.ask("GET a") == b"2"
    refused = client.refuse("EVAL", "return redis.call('SET', 'a', 4)", "0")
    assert refused.startswith("MISCONF Errors writing to the AOF file")
    server.is_disk_full = False
    client.now += 1500
    assert client.ask("SET a 5") == "OK"
