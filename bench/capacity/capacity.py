"""What one box does, what another one will do, and what so many players need.

Measures what each thing costs (a move, a stream, a decision of a bot, a notice, an analysis,
bytes), drives one box to the knee, and holds the model against a second box of two web processes, a
cluster of three masters and PostgreSQL. CPU times are those of the processes, so they depend little
on what else the machine does; the boxes are loaded in turn.

`--write` stores what was measured next to this file and writes the tables of `docs/capacity.md`;
`--stored` measures nothing and takes what is stored. `--habits day=0.3,moves=40` changes what is
assumed about `--players` people; `docs/capacity.md` has the names. `--short` measures little of
everything.

The keys of `--json`: `measured`, with `coefficients`, `knee` and `second` (foreseen, measured and
error of the second box); `needs` of the players; `limits`: for how many players what is full.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson

from bench.capacity._model import PlayerHabits, find_need, list_limits, read_coefficients
from bench.capacity._page import write_page
from bench.capacity._probing import CapacityPlan, run

DATA: Final = Path(__file__).parent / "measured.json"
SHORT: Final = CapacityPlan(
    rounds=3,
    slice=50,
    tables=100,
    hops=500,
    step_s=0.5,
    streams=20,
    stream_s=1.0,
    notice_rate=20.0,
    notice_s=2.0,
    bot_games=2,
    requests=10,
    caught_up=20,
    turns=1,
    players=20,
    inboxes=1,
    results=100,
    originals=2,
    archived=20,
    open_tables=400,
)


def main(
    stored: bool = False,
    write: bool = False,
    short: bool = False,
    players: float = 1e6,
    habits: str = "",
) -> dict[str, Any]:
    """Measure, or read what is stored; raises `ValueError` for an unknown habit."""
    assumed = read_habits(habits)
    measured = read_stored() if stored else run(SHORT if short else CapacityPlan())
    if write:
        DATA.write_bytes(orjson.dumps(measured, option=orjson.OPT_INDENT_2) + b"\n")
        write_page(measured)
    one = read_coefficients(measured)
    limits = list_limits(one, assumed)
    return {
        "measured": measured,
        "needs": find_need(one, assumed, players)._asdict(),
        "limits": {limit.name: reached for limit, reached in limits},
    }


def read_stored() -> dict[str, Any]:
    """Return what the last run with `--write` has measured."""
    found: dict[str, Any] = orjson.loads(DATA.read_bytes())
    return found


def read_habits(text: str) -> PlayerHabits:
    """Return the habits with some of them changed: `name=number`, separated by commas.

    Raises `ValueError` for an unknown name and for what is no number.
    """
    changes = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in PlayerHabits._fields:
            raise ValueError(f"{name!r} is not one of {', '.join(PlayerHabits._fields)}")
        changes[name] = float(value)
    return PlayerHabits()._replace(**changes)
