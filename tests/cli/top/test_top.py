"""`cartulary top`: what it reads, how it judges it, and its page."""

from __future__ import annotations

from io import StringIO
from math import inf
from pathlib import Path

import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from rich.console import Console

from cartulary.cli.main import main
from cartulary.cli.operators.survey import list_due
from cartulary.cli.top.figures import (
    MOVES,
    OTHERS,
    ServiceFigures,
    WebFigures,
    count_requests,
    find_quantile,
    read_web,
)
from cartulary.cli.top.page import draw
from cartulary.events.server import keys
from cartulary.events.server.heartbeat import Backlog, Sign
from cartulary.service.process.metrics import Metrics
from cartulary.workers.queues.readings import QueueReading
from tests.support.real_serve import Served

FAST = {0.01: 90.0, 0.1: 100.0, inf: 100.0}
EMPTY = {0.01: 0.0, 0.1: 0.0, inf: 0.0}
BEFORE = ServiceFigures(
    at=10.0,
    signs=[Sign("web", "here", 1, "", 0.5), Sign("dispatcher", "here", 2, "", 0.5)],
    appends=1000,
    outbox=0,
    outbox_age_s=0.0,
    backlog=Backlog(0.1, 12, 4.0, by_queue={"cartulary-think": 12}),
    queues=[QueueReading("cartulary-think", 2, 4.0, ["job"])],
    waiting=[("01KLATE", 4200)],
    memory=3 << 20,
    web=WebFigures({MOVES: EMPTY, OTHERS: EMPTY}, 7, 0),
)
NOW = BEFORE._replace(at=12.0, appends=1250, web=WebFigures({MOVES: FAST, OTHERS: EMPTY}, 8, 3))


def write(before: ServiceFigures, now: ServiceFigures) -> str:
    """Return the page as text."""
    console = Console(width=100, record=True, file=StringIO())
    console.print(draw(before, now))
    return console.export_text()


class TestQuantiles:
    def test_a_quantile_lies_within_its_bucket_as_far_as_its_share_of_the_bucket(self) -> None:
        assert find_quantile(0.5, EMPTY, FAST) == pytest.approx(0.01 * 50 / 90)
        assert find_quantile(0.95, EMPTY, FAST) == pytest.approx(0.01 + 0.09 / 2)

    def test_requests_before_the_first_reading_do_not_count(self) -> None:
        after = {0.01: 90.0, 0.1: 200.0, inf: 200.0}
        assert find_quantile(0.5, FAST, after) == pytest.approx(0.01 + 0.09 / 2)
        assert count_requests(FAST, after) == 100

    def test_what_is_slower_than_the_last_bound_is_said_to_be_as_slow_as_that(self) -> None:
        assert find_quantile(0.99, EMPTY, {0.01: 1.0, 0.1: 1.0, inf: 100.0}) == 0.1

    def test_without_requests_no_quantile_is_known(self) -> None:
        assert find_quantile(0.5, FAST, FAST) is None
        assert find_quantile(0.5, {}, {}) is None


class TestPage:
    def test_the_page_says_what_has_happened_since_the_reading_before(self) -> None:
        page = write(BEFORE, NOW)
        assert "125.0 stored a second" in page
        assert "50.0" in page  # moves a second
        assert "8 open" in page
        assert "2 (+10 games)" in page
        assert "01KLATE" in page
        assert "4.2 s" in page

    def test_a_role_without_a_process_is_shown(self) -> None:
        assert "0 worker" in write(BEFORE, NOW)

    def test_what_is_unknown_is_said_to_be_unknown(self) -> None:
        page = write(BEFORE._replace(web=None, appends=None), NOW)
        assert page.count("unknown") == 2


class TestReading:
    def test_requests_are_moves_or_others_and_failures_are_counted(self) -> None:
        metrics = Metrics()
        metrics.observe_request("POST", "/api/v1/games/<game:game_id>/moves", 201, 0.004)
        metrics.observe_request("POST", "/api/v1/games/<game:game_id>/moves", 503, 0.3)
        metrics.observe_request("GET", "/api/v1/games", 200, 0.002)
        web = read_web(text_string_to_metric_families(metrics.text().decode()))
        assert (count_requests({}, web.times[MOVES]), count_requests({}, web.times[OTHERS])) == (
            2,
            1,
        )
        assert web.failures == 1
        assert find_quantile(0.25, {}, web.times[MOVES]) == pytest.approx(0.00375)

    def test_the_games_that_wait_longest_come_first(self, fake_redis: Redis) -> None:
        seconds, _ = fake_redis.time()
        for number in range(7):
            fake_redis.zadd(keys.due(), {f"game{number}": 1000 * (seconds - 60 + number)})
        found = list_due(fake_redis, 5)
        assert [one["game"] for one in found] == [f"game{number}" for number in range(5)]
        assert found[0]["age_ms"] >= 60_000

    def test_a_game_whose_time_has_not_come_does_not_wait(self, fake_redis: Redis) -> None:
        seconds, _ = fake_redis.time()
        fake_redis.zadd(keys.due(), {"later": 1000 * (seconds + 600)})
        assert list_due(fake_redis, 5) == []


@pytest.mark.real
@pytest.mark.slow
class TestService:
    def test_a_page_of_a_real_service_has_its_processes_and_requests(
        self, shared_service: Served
    ) -> None:
        done = CliRunner().invoke(
            main, ["top", "--once", "--every=0.3", f"--data={shared_service.data}"]
        )
        assert done.exit_code == 0, done.output
        assert "1 web" in done.output
        assert "stored a second" in done.output
        assert "unknown" not in done.output

    def test_an_address_without_metrics_is_named(self, shared_service: Served) -> None:
        url = f"{shared_service.url}/metrics"
        done = CliRunner().invoke(
            main, ["top", "--once", f"--data={shared_service.data}", f"--metrics={url}"]
        )
        assert done.exit_code == 2
        assert f"{url} has no metrics" in done.output


def test_without_a_service_the_command_says_where_to_look(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["top", "--once", "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "no service runs" in done.output
