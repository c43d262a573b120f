"""A move of a person and the answer of the bot are one trace, whichever way the move takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from cartulary.events.tracing import spans
from cartulary.events.tracing.exporter import OtelSpans
from cartulary.games import OFFERS
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.wiring import provide
from tests.service.api.fast_moves.move_ways import FLASK, LOOP, Site


@pytest.fixture
def ended() -> Iterator[InMemorySpanExporter]:
    """The spans that have ended; none begins before the test starts them."""
    yield InMemorySpanExporter()
    spans.start(None)


class Bout:
    """Ada against a bot, at a service whose dispatcher and worker a test runs by hand."""

    def __init__(self, site: Site) -> None:
        self.site, self.store = site, site.services.store
        self.token = f"Authorization: Bearer {site.tokens[0]}"
        self.queues = queues_on(self.store.redis)
        self.dispatcher = Dispatcher(self.store, self.queues)
        provide(self.store, OFFERS)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        body = {"game": "carcassonne", "seats": seats}
        self.game = site.send("POST", "/games", body, self.token)["id"]
        self.work()

    def work(self) -> None:
        """Let dispatcher and worker do what there is to do."""
        self.dispatcher.step()
        worker = SimpleWorker(
            [*self.queues], connection=self.store.redis, serializer=JSONSerializer
        )
        worker.work(burst=True, logging_level="WARNING")
        self.dispatcher.step()

    def move(self) -> dict[str, Any]:
        """Make the first legal move, which names the version, and let the bot answer."""
        path = f"/games/{self.game}/moves"
        found = self.site.send("GET", path, None, self.token)
        body = {"move": found["moves"][0], "expected_version": found["version"]}
        answer: dict[str, Any] = self.site.send("POST", path, body, self.token)
        self.work()
        return answer


def draw_tree(ended: InMemorySpanExporter, root: ReadableSpan) -> dict[str, Any]:
    """Return the names of the spans below a span, each with those below it."""
    below = [one for one in ended.get_finished_spans() if _is_below(one, root)]
    return {one.name: draw_tree(ended, one) for one in below}


def _is_below(one: ReadableSpan, root: ReadableSpan) -> bool:
    return one.parent is not None and one.parent.span_id == root.context.span_id


@pytest.mark.slow
@pytest.mark.parametrize("way", [FLASK, LOOP])
def test_the_move_of_a_person_and_the_answer_of_the_bot_are_one_trace(
    way: str, monkeypatch: pytest.MonkeyPatch, ended: InMemorySpanExporter
) -> None:
    site = Site(monkeypatch, way)
    table = Bout(site)
    table.move()  # the table is cached from here on
    spans.start(OtelSpans("test", SimpleSpanProcessor(ended)))
    before, by = site.services.store.ledger.events(table.game), site.by[way]
    table.move()
    assert site.by[way] > by
    events = site.services.store.ledger.events(table.game)[len(before) :]
    assert ["bot" in event for event in events][:1] == [False]
    assert any("bot" in event for event in events)
    assert b"trace" not in orjson.dumps(events)
    request = next(
        one
        for one in ended.get_finished_spans()
        if one.name == "request" and (one.attributes or {})["http.response.status_code"] == 201
    )
    assert request.attributes is not None
    assert request.attributes["http.route"] == "POST /api/v1/games/<game:game_id>/moves"
    tree = draw_tree(ended, request)
    if way == FLASK:
        assert [*tree] == ["append"]
        (dispatched,) = tree["append"].values()
    else:
        assert {*tree} == {"append", "dispatch"}
        dispatched = tree["dispatch"]
    bot = dispatched["job bot"]
    assert bot["think"] == {}
    assert "dispatch" in bot["append"]
    of_move = [one for one in ended.get_finished_spans() if _trace(one) == _trace(request)]
    assert len(of_move) > 5
    assert site.lines[-1]["trace_id"] == f"{_trace(request):032x}"


def _trace(one: ReadableSpan) -> int:
    return int(one.context.trace_id)
