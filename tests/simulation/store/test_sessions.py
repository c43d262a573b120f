from __future__ import annotations

import pytest

from simulation.store.replies import BLOCKED, Unmodelled
from tests.simulation.store.clients import NOW, Client, make_server


def test_a_session_that_waits_is_answered_nil_when_its_time_is_over() -> None:
    server = make_server()
    client = Client(server)
    assert client.ask("BLPOP q 0.5") is BLOCKED
    assert server.find_next_due() == NOW + 500
    server.advance(NOW + 499)
    assert not client.session.answers
    server.advance(NOW + 500)
    assert list(client.session.answers) == [None]
    assert client.ask("XREAD BLOCK 20 STREAMS s $") is BLOCKED
    server.advance(NOW + 520)
    assert list(client.session.answers) == [None, None]


def test_who_waits_longest_gets_the_first_item() -> None:
    server = make_server()
    first, second = Client(server), Client(server)
    assert first.ask("BLPOP q 0") is second.ask("BLMOVE q r LEFT RIGHT 0") is BLOCKED
    Client(server).ask("RPUSH q a b")
    assert list(first.session.answers) == [[b"q", b"a"]]
    assert list(second.session.answers) == [b"b"]
    server.crash(NOW)
    server.restart(NOW)
    again = Client(server)
    assert (again.ask("EXISTS q"), again.ask("LRANGE r 0 -1")) == (0, [b"b"])


def test_a_connection_that_ends_waits_for_nothing_and_hears_nothing() -> None:
    server = make_server()
    client, other = Client(server), Client(server)
    client.ask("BLPOP q 0")
    server.close(client.session)
    assert other.ask("RPUSH q a") == 1
    listener = Client(server)
    listener.ask("SSUBSCRIBE c")
    server.close(listener.session)
    assert other.ask("SPUBLISH c x") == 0


def test_a_key_that_expires_counts_as_a_change_of_what_is_watched() -> None:
    client = Client(make_server())
    client.ask("SET a 1 PX 10")
    client.ask("WATCH a")
    client.now += 20
    client.ask("MULTI")
    assert client.ask("EXEC") is None


def test_resp3_has_maps_doubles_and_pushes() -> None:
    server = make_server()
    client, other = Client(server), Client(server)
    client.ask("HELLO 3")
    client.ask("HSET h a 1")
    client.ask("ZADD z 1.5 a")
    assert client.ask("HGETALL h") == {b"a": b"1"}
    assert client.ask("ZSCORE z a") == 1.5
    assert client.ask("ZRANGE z 0 -1 WITHSCORES") == [[b"a", 1.5]]
    client.ask("XADD s 1-1 f v")
    assert client.ask("XREAD STREAMS s 0") == {b"s": [[b"1-1", [b"f", b"v"]]]}
    client.ask("MULTI")
    client.ask("HGETALL h")
    assert client.ask("EXEC") == [{b"a": b"1"}]
    assert client.ask("SSUBSCRIBE c d") == [b"ssubscribe", b"c", 1]
    other.ask("SPUBLISH c text")
    heard = [[b"ssubscribe", b"d", 2], [b"smessage", b"c", b"text"]]
    assert list(client.session.pushed) == heard
    assert client.ask("GET a") is None


def test_a_listener_learns_which_keys_have_changed() -> None:
    server = make_server()
    listener, asking, writer = Client(server), Client(server), Client(server)
    number = listener.session.number
    assert listener.ask("CLIENT ID") == number
    listener.ask("SUBSCRIBE __redis__:invalidate")
    assert asking.ask(f"CLIENT TRACKING ON REDIRECT {number} BCAST") == "OK"
    writer.ask("SET a 1")
    writer.ask("EVAL", "redis.call('SET', 'b', 1) redis.call('DEL', 'a')", "0")
    writer.ask("GET b")
    channel = b"__redis__:invalidate"
    heard = list(listener.session.answers)
    assert heard == [[b"message", channel, [b"a"]], [b"message", channel, [b"b", b"a"]]]
    server.close(listener.session)
    flags = asking.ask("CLIENT TRACKINGINFO")
    assert isinstance(flags, list)
    assert b"broken_redirect" in flags[1]  # type: ignore[operator]


def test_a_server_that_loads_answers_what_it_can_before() -> None:
    server = make_server()
    client = Client(server)
    server.is_loading = True
    assert client.refuse("GET a") == "LOADING Valkey is loading the dataset in memory"
    assert client.refuse("EVAL", "return 1", "0").startswith("LOADING ")
    assert b"loading:1" in bytes(client.ask("INFO persistence"))  # type: ignore[arg-type]
    server.is_loading = False
    assert client.ask("GET a") is None


def test_a_server_without_memory_takes_what_needs_none() -> None:
    server = make_server()
    client = Client(server)
    client.ask("SET a 1")
    server.is_out_of_memory = True
    assert client.refuse("SET a 2") == "OOM command not allowed when used memory > 'maxmemory'."
    assert client.ask("MULTI") == "OK"
    assert client.refuse("HSET h f v").startswith("OOM ")
    assert client.refuse("EXEC").startswith("EXECABORT ")
    assert client.ask("DEL a") == 1


def test_what_the_project_does_not_use_is_no_answer() -> None:
    client = Client(make_server())
    for text in ("GEOADD g 1 1 a", "SET a 1 IFEQ 2", "XADD s MINID 1 * f v", "EXPIRE a 1 NX"):
        with pytest.raises(Unmodelled):
            client.ask(text)


def test_the_same_seed_and_calls_make_the_same_bytes() -> None:
    def play(seed: int) -> list[object]:
        server = make_server(seed=seed)
        client = Client(server)
        client.ask("SADD e", *(f"m{number}" for number in range(50)))
        for number in range(9):
            client.ask(f"SET key{number} {number}")
        told: list[object] = [client.ask("SPOP e 9"), client.ask("SRANDMEMBER e -5")]
        told += [client.ask("SMEMBERS e"), client.ask("RANDOMKEY"), client.ask("SCAN 0 COUNT 4")]
        return [*told, client.ask("DUMP e"), client.ask("INFO server")]

    assert play(3) == play(3)
    assert play(3) != play(4)


def test_a_scan_finds_each_key_that_is_there_all_the_time_once() -> None:
    client = Client(make_server())
    for number in range(25):
        client.ask(f"SET key{number} 1")
    cursor, found, step = b"0", list[bytes](), 0
    while step == 0 or (cursor != b"0" and step < 20):
        answer = client.ask(f"SCAN {cursor.decode()} COUNT 4")
        assert isinstance(answer, list)
        assert isinstance(answer[0], bytes)
        assert isinstance(answer[1], list)
        cursor = answer[0]
        found += [key for key in answer[1] if isinstance(key, bytes)]
        client.ask(f"DEL key{step}")
        client.ask(f"SET other{step} 1")
        step += 1
    stayed = [b"key%d" % number for number in range(step, 25)]
    assert [key for key in found if key in stayed] == stayed
