"""Spans: nothing without traces, one library, a trace that ends, lines of the log with its id."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import fakeredis
import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.chain import Sealed
from cartulary.events.store import Store
from cartulary.events.tracing import spans, starting
from cartulary.events.tracing.exporter import OtelSpans
from cartulary.events.tracing.log_form import LogForm
from cartulary.events.tracing.spans import HOPS, begin, carry, find_current, span, use
from cartulary.workers import jobs
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import TRACE, queues_on
from tests.conftest import OFFERS
from tests.project.source_tree import ROOMS, read_imports

EXPORTER = "events/tracing/exporter.py"


@pytest.fixture
def ended() -> Iterator[InMemorySpanExporter]:
    """The spans that have ended."""
    exporter = InMemorySpanExporter()
    spans.start(OtelSpans("test", SimpleSpanProcessor(exporter)))
    yield exporter
    spans.start(None)


def write_line(**more: str) -> dict[str, str]:
    record = logging.LogRecord("cartulary.x", logging.WARNING, "", 0, "said %s", ("so",), None)
    record.__dict__.update(more)
    line: dict[str, str] = json.loads(LogForm().format(record))
    return line


def test_without_traces_nothing_begins_and_nothing_is_carried() -> None:
    assert begin("request") is None
    with span("append"), use(None):
        assert find_current() is None
        assert carry() == ""
    assert span("append") is span("dispatch")


def test_a_trace_is_one_more_word_of_an_append_and_none_of_its_events(
    ended: InMemorySpanExporter,
) -> None:
    ledger = Store(fakeredis.FakeRedis(), OFFERS).ledger
    event = Sealed("move_made", "0" * 64, b"{}", "1" * 64)
    with span("request", "server"):
        traced = ledger.prepare("game", 0, [event])
        carried = carry()
    plain = ledger.prepare("game", 0, [event])
    assert traced[-1] == carried
    nonce = 8
    assert traced[:nonce] + traced[nonce + 1 : -1] == plain[:nonce] + plain[nonce + 1 :]


@pytest.mark.slow
def test_one_module_knows_the_library_and_is_imported_when_traces_start() -> None:
    named = {
        place
        for room in ROOMS
        for place, _, name in read_imports(room)
        if name.startswith(("opentelemetry", "events.tracing.exporter"))
    }
    assert named == {EXPORTER, "events/tracing/starting.py"}


def test_a_span_within_a_span_is_below_it(ended: InMemorySpanExporter) -> None:
    with span("request", "server"), span("append", "client", game="g"):
        pass
    append, request = ended.get_finished_spans()
    assert append.parent is not None
    assert append.parent.span_id == request.context.span_id
    assert dict(append.attributes or {}) == {"game": "g"}


def test_what_a_block_raises_stands_in_its_span(ended: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="no"), span("request", "server"):
        raise ValueError("no")
    (failed,) = ended.get_finished_spans()
    assert failed.status.description == "ValueError"
    assert find_current() is None


def test_a_carried_span_goes_on_in_another_process_and_at_last_ends(
    ended: InMemorySpanExporter,
) -> None:
    carried, ids = "", []
    for _ in range(HOPS + 2):
        with span("dispatch", "consumer" if carried else "server", carried):
            carried = carry()
            current = find_current()
            assert current is not None
            ids.append(current.trace_id)
    assert ids[: HOPS + 1] == [ids[0]] * (HOPS + 1)
    assert ids[HOPS + 1] != ids[0]


@pytest.mark.parametrize("carried", ["x", "1 00-zz-1-01", "1", "1 00-1-2", "a b c"])
def test_what_cannot_be_read_is_no_trace(ended: InMemorySpanExporter, carried: str) -> None:
    with span("dispatch", "consumer", carried):
        assert find_current() is None
    assert ended.get_finished_spans() == ()


def test_a_trace_begins_with_a_request(ended: InMemorySpanExporter) -> None:
    assert begin("append", "client") is None
    assert begin("request", "server") is not None


def test_a_share_of_the_requests_begin_a_trace(ended: InMemorySpanExporter) -> None:
    for share in (0.0, 0.5, 1.0):
        maker = OtelSpans("test", SimpleSpanProcessor(ended), share)
        begun = [maker.begin("request", "server", None, "", {}) is not None for _ in range(200)]
        assert begun.count(True) in range(*{0.0: (0, 1), 0.5: (50, 151), 1.0: (200, 201)}[share])


@pytest.mark.parametrize(
    ("sampler", "argument", "share"),
    [
        ("", "", 0.05),
        ("always_on", "", 1.0),
        ("parentbased_always_on", "0.5", 1.0),
        ("always_off", "", 0.0),
        ("traceidratio", "0.5", 0.5),
        ("parentbased_traceidratio", "", 1.0),
        ("traceidratio", "2", None),
        ("traceidratio", "many", None),
        ("jaeger_remote", "", None),
    ],
)
def test_the_sampler_of_opentelemetry_says_how_many(
    sampler: str, argument: str, share: float | None
) -> None:
    variables = {"OTEL_TRACES_SAMPLER": sampler, "OTEL_TRACES_SAMPLER_ARG": argument}
    if share is None:
        with pytest.raises(ValueError, match=f"{argument}|{sampler}"):
            starting.find_share(variables)
    else:
        assert starting.find_share(variables) == share


def test_a_line_of_the_log_has_the_id_of_its_trace(ended: InMemorySpanExporter) -> None:
    plain = write_line(request_id="r1")
    assert plain.keys() == {"at", "level", "logger", "message", "request_id"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*(Z|\+00:00)", plain["at"])
    assert (plain["level"], plain["message"]) == ("WARNING", "said so")
    with span("request", "server"):
        line = write_line()
        current = find_current()
    assert current is not None
    assert line["trace_id"] == current.trace_id


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://here:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://here:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://here:4318", "OTEL_SDK_DISABLED": "True"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
    ],
)
def test_the_variables_of_opentelemetry_switch_traces_on(
    variables: dict[str, str], wanted: bool
) -> None:
    assert starting.is_wanted(variables) is wanted


def test_without_the_extra_the_log_says_so_and_the_process_works(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "cartulary.events.tracing.exporter", None)
    starting.start_tracing("web")
    assert "cartulary-games[otel]" in caplog.text
    assert begin("request") is None


def test_a_trace_goes_on_below_the_span_that_was_carried(ended: InMemorySpanExporter) -> None:
    with span("request", "server"):
        carried = carry()
    with span("dispatch", "consumer", carried):
        pass
    request, dispatch = ended.get_finished_spans()
    assert dispatch.parent is not None
    assert dispatch.parent.span_id == request.context.span_id
    assert dispatch.context.trace_id == request.context.trace_id


def test_a_span_that_ends_with_an_error_names_it(ended: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="no"), span("request", "server"):
        raise ValueError("no")
    (failed,) = ended.get_finished_spans()
    assert [event.name for event in failed.events] == ["exception"]


def test_a_job_goes_on_with_the_trace_that_came_with_it(
    ended: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    with span("request", "server"):
        carried = carry()
    monkeypatch.setattr(jobs, "get_current_job", lambda: SimpleNamespace(meta={TRACE: carried}))
    with jobs._go_on("bot", "game"):  # noqa: SLF001
        pass
    request, job = ended.get_finished_spans()
    assert job.parent is not None
    assert job.parent.span_id == request.context.span_id


def test_a_dispatcher_takes_a_trace_up(ended: InMemorySpanExporter) -> None:
    store = Store(fakeredis.FakeRedis(), OFFERS)
    store.claim()
    ada = store.players.create("Ada")[0]
    seats = [SeatRequest("me"), SeatRequest("me")]
    with span("request", "server"):
        store.commands.create(Intent(ada), NewGame("carcassonne", seats))
    Dispatcher(store, queues_on(store.redis)).step()
    kinds = {one.name: one.kind for one in ended.get_finished_spans()}
    assert kinds["dispatch"] is SpanKind.CONSUMER
