"""A Python client from the closed `openapi.yaml` reads every example. It is made in the night."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cartulary.service.describe import FILE
from cartulary.service.openapi import examples
from tests.service.openapi.generated.making import make_python_client, run
from tests.support.night import NIGHT

READ_EXAMPLES = """
import importlib, json, pkgutil, sys
import {package} as client
for module in pkgutil.walk_packages(client.__path__, "{package}."):
    importlib.import_module(module.name)
from {package} import models
answers, events = json.load(sys.stdin)
for event in events:
    assert models.EventsPage.from_dict({{"events": [event], "next_after": 1}}).to_dict(), event
made = models.MoveWritten.from_dict(answers["make_move"]["place_tile"]["value"])
assert type(made.game) is models.CarcassonneGame
assert type(made.game.view) is models.CarcassonneView
assert type(made.game.decision) is models.PlaceTileDecision
assert type(made.event.move) is models.PlaceTileMove
assert [type(fact) for fact in made.event.facts] == [models.PointsFact]
legal = models.MoveList.from_dict(answers["list_moves"]["place_tile"]["value"])
assert {{type(move) for move in legal.moves}} == {{models.PlaceTileMove}}
caylus = models.State.from_dict(answers["show_state"]["caylus"]["value"])
assert type(caylus.view) is models.CaylusView
print("read")
"""
"""Imports every module of the Python client, and reads the examples with its classes."""


@pytest.mark.process
@pytest.mark.skipif(not NIGHT, reason="the client of the open description is made in CI")
def test_openapi_python_client_makes_a_client_that_reads_every_example(tmp_path: Path) -> None:
    package = make_python_client(FILE, tmp_path)
    script = READ_EXAMPLES.format(package=package.name)
    shown = json.dumps([examples.ANSWERS, list(examples.EVENTS.values())])
    read = run(sys.executable, "-c", script, cwd=package.parent, text=shown)
    assert read.stdout == "read\n", read.stderr
