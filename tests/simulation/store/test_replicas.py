from __future__ import annotations

from simulation.store.replies import BLOCKED
from tests.simulation.store.clients import NOW, Client, make_server


def test_a_replica_has_what_was_replicated_and_no_more() -> None:
    master = make_server()
    client = Client(master)
    client.ask("SET a 1")
    replica = master.fork_replica(port=6380)
    client.ask("SET a 2")
    client.ask("SET a 3")
    reader = Client(replica)
    assert (reader.ask("GET a"), replica.lag) == (b"1", 2)
    replica.replicate(1)
    assert (reader.ask("GET a"), replica.lag) == (b"2", 1)


def test_a_replica_takes_no_writes() -> None:
    reader = Client(make_server().fork_replica())
    assert reader.refuse("SET a 1") == "READONLY You can't write against a read only replica."
    refused = reader.refuse("EVAL", "return redis.call('SET', 'a', 1)", "0")
    assert refused.startswith("READONLY You can't write against a read only replica.")


def test_wait_answers_when_enough_replicas_have_the_writes_of_the_session() -> None:
    master = make_server()
    client, other = Client(master), Client(master)
    first, second = master.fork_replica(), master.fork_replica()
    client.ask("SET a 1")
    assert other.ask("WAIT 1 0") == 2
    assert client.ask("WAIT 2 100") is BLOCKED
    first.replicate()
    assert not client.session.answers
    second.replicate()
    assert list(client.session.answers) == [2]


def test_wait_gives_up_with_the_number_of_replicas_that_have_it() -> None:
    master = make_server()
    client = Client(master)
    first, _ = master.fork_replica(), master.fork_replica()
    client.ask("SET a 1")
    first.replicate()
    assert client.ask("WAIT 2 100") is BLOCKED
    master.advance(NOW + 99)
    assert not client.session.answers
    master.advance(NOW + 100)
    assert list(client.session.answers) == [1]


def test_a_failover_loses_what_was_not_replicated() -> None:
    master = make_server()
    client = Client(master)
    replica = master.fork_replica()
    client.ask("XADD s 1-1 f v")
    replica.replicate()
    client.ask("XADD s 2-1 f lost")
    replica.promote()
    promoted = Client(replica)
    assert promoted.ask("XLEN s") == 1
    assert promoted.ask("XADD s 2-1 f other") == b"2-1"
    assert client.ask("BLPOP q 0") is BLOCKED
    master.follow(replica)
    assert str(client.session.answers[0].code) == "UNBLOCKED"  # type: ignore[union-attr]
    assert client.ask("XRANGE s 2 2") == [[b"2-1", [b"f", b"other"]]]


def test_a_master_that_was_restarted_with_less_gives_its_replicas_a_whole_copy() -> None:
    master = make_server("no")
    client = Client(master)
    replica = master.fork_replica()
    client.ask("SET a 1")
    replica.replicate()
    master.crash(NOW, lose=1)
    master.restart(NOW)
    again = Client(master)
    assert again.ask("GET a") is None
    again.ask("SET b 1")
    assert again.ask("WAIT 1 10") is BLOCKED
    replica.replicate()
    assert list(again.session.answers) == [1]
    assert Client(replica).ask("MGET a b") == [None, b"1"]


def test_a_replica_hides_what_has_expired_until_its_master_deletes_it() -> None:
    master = make_server()
    client = Client(master)
    client.ask("SET a 1 PX 50")
    replica = master.fork_replica()
    reader = Client(replica, NOW + 100)
    assert (reader.ask("GET a"), reader.ask("DBSIZE")) == (None, 1)
    client.ask("PERSIST a")
    replica.replicate()
    assert reader.ask("GET a") == b"1"


def test_a_reader_of_a_replica_is_woken_by_what_is_replicated() -> None:
    master = make_server()
    replica = master.fork_replica()
    reader = Client(replica)
    assert reader.ask("XREAD BLOCK 0 STREAMS s $") is BLOCKED
    Client(master).ask("XADD s 1-1 f v")
    replica.replicate()
    assert list(reader.session.answers) == [[[b"s", [[b"1-1", [b"f", b"v"]]]]]]


def test_a_master_without_enough_replicas_takes_no_writes() -> None:
    master = make_server()
    client = Client(master)
    master.replicas_needed = 1
    assert client.refuse("SET a 1") == "NOREPLICAS Not enough good replicas to write."
    master.fork_replica()
    assert client.ask("SET a 1") == "OK"
