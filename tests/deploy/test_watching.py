"""Alerts and dashboards (`docs/deploy/prometheus`, `docs/deploy/grafana`) fit the metrics.

The judge is what a service shows: each selector of each expression selects a sample of it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import fakeredis
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from cartulary.events.server.conditions import RoomUse, ServerRoom
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.pulse import show_timekeeping
from cartulary.service.process.server_stats import ServerStats
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import METRICS, METRICS_TOKEN, register_player
from tests.support.missing_tools import missing

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "docs/deploy/prometheus/rules.yaml"
RUNBOOKS = ROOT / "docs/runbooks"
DASHBOARDS = sorted((ROOT / "docs/deploy/grafana").glob("*.json"))
PARTS = ("What it means", "What to look at", "What to do", "When it is over")
OF_PROMETHEUS = {"up", "ALERTS"}
"""Series that Prometheus makes itself."""

WORDS = {"and", "or", "unless", "bool", "offset", "on"}
GROUPING = re.compile(r"\b(?:by|on|without|ignoring)\s*\([^)]*\)")
SELECTOR = re.compile(r"(?<![\w:.])([a-zA-Z_:][\w:]*)\b(?!\s*\()(\{[^}]*\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|!=|!~|=)\s*"((?:[^"\\]|\\.)*)"')
Matcher = tuple[str, str, str]


def read_rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


ALERTS = {rule["alert"]: rule for rule in read_rules() if "alert" in rule}
RECORDED = {rule["record"] for rule in read_rules() if "record" in rule}


def list_queries(dashboard: Path) -> Iterator[str]:
    shown = json.loads(dashboard.read_text(encoding="utf-8"))
    for part in (*shown["panels"], shown["annotations"]["list"][0]):
        yield from (target["expr"] for target in part.get("targets", [part]) if "expr" in target)


def list_selectors(expression: str) -> list[tuple[str, list[Matcher]]]:
    """Return the series that an expression of PromQL names, each with what its labels must be."""
    found = SELECTOR.finditer(GROUPING.sub("", expression))
    return [
        (one[1], [(m[1], m[2], m[3]) for m in MATCHER.finditer(one[2] or "")])
        for one in found
        if one[1] not in WORDS
    ]


@cache
def scrape() -> str:
    """Return the metrics of a service with a game in which a move was made."""
    store = Store(fakeredis.FakeRedis(), OFFERS)
    settings = WebSettings(log_requests=False, metrics_token=METRICS_TOKEN, rates={})
    app = create_app(settings, store, OFFERS)
    services = app.extensions["cartulary"]
    try:
        ada = register_player(app, "Ada")
        assert ada.move(ada.open()["id"]).status_code == 201
        assert ada.client.get("/readyz").status_code == 503
        store.heartbeats.write(1, 2.0, by_queue={"cartulary": 1})
        show_timekeeping(store, services.metrics)
        services.metrics.show_durability("always")
        services.metrics.show_rooms({"store": ServerRoom(RoomUse(1, 10), RoomUse(1, 10))})
        services.metrics.failed_parts.labels("usual_move").inc()
        app.show_connections(ServerStats())
        return ada.client.get("/metrics", headers=METRICS).text
    finally:
        services.board_pictures.close()
        services.hub.close()


def is_shown(name: str, matchers: list[Matcher]) -> bool:
    samples = [
        sample
        for family in text_string_to_metric_families(scrape())
        for sample in family.samples
        if sample.name == name
    ]
    return any(all(fits(sample.labels, matcher) for matcher in matchers) for sample in samples)


def fits(labels: dict[str, str], matcher: Matcher) -> bool:
    label, operator, value = matcher
    has = labels.get(label)
    if has is None:
        return False
    same = re.fullmatch(value, has) is not None if "~" in operator else has == value
    return same is not operator.startswith("!")


def find_unknown(expression: str) -> list[str]:
    """Return the selectors that neither the service nor Prometheus has."""
    return [
        f"{name} {matchers}"
        for name, matchers in list_selectors(expression)
        if name not in OF_PROMETHEUS | RECORDED
        # No request of the scrape is refused for too many of them.
        if not is_shown(name, [one for one in matchers if one != ("status", "=", "429")])
    ]


def test_each_rule_selects_what_the_service_shows() -> None:
    assert len(ALERTS) > 14
    assert [name for rule in read_rules() for name in find_unknown(rule["expr"])] == []


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda path: path.stem)
def test_each_panel_selects_what_the_service_shows(dashboard: Path) -> None:
    queries = list(list_queries(dashboard))
    assert len(queries) > 10
    assert [name for query in queries for name in find_unknown(query)] == []


def test_a_misspelled_metric_or_label_is_found() -> None:
    assert find_unknown("max(cartulary_queue_ages) > 3 and on () cartulary:ready == 0")
    assert find_unknown('max by (what) (cartulary_notices{what="too_late"} offset 1h)')
    assert find_unknown('rate(cartulary_http_request_seconds_count{route=~".*/move"}[5m])')
    assert not find_unknown('max by (what) (cartulary_notices{what="late"} offset 1h)')


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda path: path.stem)
def test_no_panel_covers_another(dashboard: Path) -> None:
    panels = json.loads(dashboard.read_text(encoding="utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    covered = [
        (x, y)
        for panel in panels
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(covered)) == len(covered)
    assert max(x for x, _ in covered) == 23


def test_each_alert_has_its_page_and_each_page_its_alert() -> None:
    pages = {}
    for name, rule in ALERTS.items():
        base, page = rule["annotations"]["runbook_url"].rstrip("/").rsplit("/", 1)
        assert base == "https://cartulary.example/docs/runbooks"
        pages[page] = name
        assert rule["labels"]["severity"] in ("critical", "warning", "info")
        assert rule["annotations"]["summary"]
    assert {path.stem for path in RUNBOOKS.iterdir()} == set(pages)
    for page, name in pages.items():
        text = (RUNBOOKS / f"{page}.md").read_text(encoding="utf-8")
        assert f"Alert `{name}`." in text
        assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [*PARTS]


def test_a_page_names_only_metrics_that_exist() -> None:
    named = {
        name
        for path in (*RUNBOOKS.iterdir(), ROOT / "docs/operating/watching.md")
        for name in re.findall(r"\bcartulary(?:_|:)[\w:]+\b", path.read_text(encoding="utf-8"))
    }
    shown = {
        name
        for family in text_string_to_metric_families(scrape())
        for name in (family.name, *(sample.name for sample in family.samples))
    }
    assert named - shown - RECORDED == set()


def run_promtool(*arguments: str, read: str | None = None) -> None:
    """Run promtool (of Debian's package `prometheus`), which must find nothing."""
    promtool = shutil.which("promtool")
    if promtool is None:
        missing("promtool is not here: the package `prometheus` of Debian has it")
    done = subprocess.run(
        [promtool, *arguments], input=read, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.process
def test_prometheus_takes_the_rules() -> None:
    run_promtool("check", "rules", str(RULES))


@pytest.mark.process
def test_prometheus_takes_the_names_of_the_metrics() -> None:
    run_promtool("check", "metrics", read=scrape())


@pytest.mark.process
def test_prometheus_takes_the_queries_of_the_dashboards(tmp_path: Path) -> None:
    queries = [query for dashboard in DASHBOARDS for query in list_queries(dashboard)]
    rules = [{"record": f"query:{at}", "expr": query} for at, query in enumerate(queries)]
    file = tmp_path / "queries.yaml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "queries", "rules": rules}]}))
    run_promtool("check", "rules", str(file))


@pytest.mark.process
def test_alerts_begin_and_end_when_they_should() -> None:
    run_promtool("test", "rules", str(Path(__file__).parent / "alerts.yaml"))
