"""One run: all probes in turn, and what they come to."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack
from statistics import fmean
from typing import Any, Final, NamedTuple

from bench.capacity._bots import SampleGame, measure_analysis, measure_bots
from bench.capacity._box import FIRST, SECOND, open_box
from bench.capacity._hops import HopCost, measure_hops
from bench.capacity._knee import Knee, drive
from bench.capacity._lists import measure_lists
from bench.capacity._model import Coefficients, foresee
from bench.capacity._moves import MoveCost, MoveProbe, take_turns
from bench.capacity._others import (
    measure_bot_moves,
    measure_catching_up,
    measure_notices,
    measure_pages,
)
from bench.capacity._sizes import measure_archive, measure_sizes, play_originals
from bench.capacity._streams import measure_streams
from bench.service._served import ROOT
from cartulary.games import GAMES

IDLE_S: Final = 3.0


class CapacityPlan(NamedTuple):
    """How much of everything is measured."""

    rounds: int = 8
    slice: int = 1500
    tables: int = 2000
    hops: int = 20_000
    step_s: float = 4.0
    streams: int = 500
    stream_rate: float = 40.0
    stream_s: float = 10.0
    notice_rate: float = 60.0
    notice_s: float = 10.0
    bot_games: int = 20
    requests: int = 300
    caught_up: int = 100
    turns: int = 12
    players: int = 500
    inboxes: int = 5
    results: int = 4000
    originals: int = 10
    archived: int = 300
    open_tables: int = 20_000


def run(plan: CapacityPlan) -> dict[str, Any]:
    """Measure all of it; returns what the page and the model need, as JSON may hold it."""
    began = time.monotonic()
    hops = measure_hops(plan.hops)
    played = {name: SampleGame(name) for name in GAMES}
    found: dict[str, Any] = {
        "bots": {name: measure_bots(game, plan.turns) for name, game in played.items()},
        "analysis_s": {name: measure_analysis(game) for name, game in played.items()},
        "game_moves": {name: game.moves for name, game in played.items()},
        "sizes": measure_sizes(plan.players, plan.inboxes, plan.results),
        "lists": measure_lists(plan.open_tables),
        "notices": measure_notices(plan.notice_rate, plan.notice_s),
    }
    originals = play_originals(plan.originals)
    found["archive"] = {
        kind: measure_archive(originals, kind, plan.archived) for kind in ("sqlite", "postgresql")
    }
    first, alone, second = _measure_boxes(plan, found)
    found["hops"] = hops._asdict()
    found["coefficients"] = sum_up(found, first, alone, second, hops)._asdict()
    found["second"] = compare(Coefficients(**found["coefficients"]), second, found["archive"])
    found["taken"] = _describe_run(time.monotonic() - began)
    return found


def _measure_boxes(plan: CapacityPlan, found: dict[str, Any]) -> tuple[MoveCost, ...]:
    """Measure both boxes in turn, and more of the first; returns a busy move, one alone, both."""
    with ExitStack() as held:
        boxes = [held.enter_context(open_box(shape)) for shape in (FIRST, SECOND)]
        time.sleep(IDLE_S)
        idle = [box.read_idle(IDLE_S) for box in boxes]
        probes = [MoveProbe(*pair, plan.tables) for pair in zip(boxes, idle, strict=True)]
        probes.append(MoveProbe(boxes[0], idle[0], plan.tables // 10, connections=1))
        first, second, alone = take_turns(probes, plan.rounds, plan.slice)
        found["moves"] = {
            name: one._asdict() for name, one in (("first", first), ("alone", alone))
        } | {"second": second._asdict()}
        box = boxes[0]
        found["pages_ms"] = measure_pages(box, plan.requests)
        found["catch_up_us"] = measure_catching_up(box, plan.caught_up)
        streams = measure_streams(box, plan.streams, plan.stream_rate, plan.stream_s)
        found["streams"] = streams._asdict()
    with open_box(FIRST._replace(worker=True)) as box:
        found["bot_moves"] = measure_bot_moves(box, plan.bot_games)._asdict()
    with open_box(FIRST) as box:
        move_us = first.service_us + first.client_us
        found["knee"] = describe_knee(drive(box, move_us, plan.step_s))
    return first, alone, second


def describe_knee(knee: Knee) -> dict[str, Any]:
    """Return the knee as JSON may hold it."""
    steps = [step._asdict() for step in knee.steps]
    return {**knee._asdict(), "steps": steps, "error": knee.error}


def sum_up(
    found: Mapping[str, Any], first: MoveCost, alone: MoveCost, second: MoveCost, hops: HopCost
) -> Coefficients:
    """Return the coefficients of the model.

    Which share of the follower's work the registry has, the second box shows: there it is alone.
    """
    sizes, streams = found["sizes"], found["streams"]
    share = second.follow_registry_us / (second.follow_registry_us + second.follow_games_us)
    levels = found["bots"].values()
    return Coefficients(
        web_us=first.web_us,
        web_alone_us=alone.web_us,
        reads=first.reads,
        append_us=first.append_us,
        follow_us=first.follow_games_us,
        registry_us=first.follow_games_us * share,
        dispatcher_us=first.dispatcher_us,
        games_commands=first.games_commands,
        catch_up_us=found["catch_up_us"],
        bare_unix_us=hops.bare_unix_us,
        bare_tcp_us=hops.bare_tcp_us,
        bare_unix_server_us=hops.bare_unix_server_us,
        bare_tcp_server_us=hops.bare_tcp_server_us,
        client_us=hops.client_us,
        client_in_cluster_us=hops.client_in_cluster_us,
        page_ms=found["pages_ms"],
        stream=streams["bytes_each"],
        held_us_per_s=streams["held_us_per_s"],
        receipt_us=streams["receipt_us"],
        notifier_us=found["notices"]["notifier_us"],
        worker_us=found["bot_moves"]["worker_us"],
        decision_ms={
            level: fmean(one[level] for one in levels) for level in ("medium", "hard", "expert")
        },
        analysis_s=fmean(found["analysis_s"].values()),
        game_moves=fmean(found["game_moves"].values()),
        player=sizes["player"],
        inbox=sizes["inbox"],
        inbox_read=sizes["inbox_read"],
        listed=sizes["listed"],
        running=fmean(sizes[f"running_{name}"] for name in GAMES),
        result=sizes["result"],
        left=found["archive"]["sqlite"]["left"],
        archived=found["archive"]["postgresql"]["bytes"],
    )


def compare(
    one: Coefficients, second: MoveCost, archive: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """Return what was foreseen of the second box, what was measured there, and the error."""
    foreseen = foresee(one, SECOND.masters, second.reads, archive["sqlite"]["bytes"])
    pairs = {
        "web_us": (foreseen.web_us, second.web_us),
        "stores_us": (foreseen.stores_us, second.stores_us),
        "dispatcher_us": (foreseen.dispatcher_us, second.dispatcher_us),
        "service_us": (foreseen.service_us, second.service_us),
        "archived": (foreseen.archived, archive["postgresql"]["bytes"]),
    }
    return {
        name: {"foreseen": told, "measured": found, "error": told / found - 1}
        for name, (told, found) in pairs.items()
    }


def _describe_run(lasted: float) -> dict[str, Any]:
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    return {
        "date": time.strftime("%Y-%m-%d"),
        "commit": commit,
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "seconds": round(lasted),
    }
