"""How a game of a real service ends, and what holds then."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner, Result

from cartulary.cli.main import main
from tests.support.night import short_or_long
from tests.support.real_serve import Person


def play_to_the_end(person: Person, game_id: str) -> None:
    """Play on and resign; at night play to the last tile."""
    if (turns := short_or_long(3, None)) is not None:
        person.play(game_id, turns=turns)
        person.post(f"games/{game_id}/resignation", {})
    person.play(game_id)


def check_finished(person: Person, game_id: str, tmp_path: Path) -> None:
    """Everything that must hold of a game that was played to its end."""
    game = person.get(f"games/{game_id}")
    assert game["status"] == "over"
    assert game["result"]["scores"]
    events = person.get(f"games/{game_id}/events?limit=1000")["events"]
    assert [event["version"] for event in events] == list(range(1, game["version"] + 1))
    assert [event["type"] for event in events].count("game_scored") == 1
    report = person.get(f"games/{game_id}/verification")
    assert (report["valid"], report["version"], report["problems"]) == (True, game["version"], [])
    assert (report["fair"]["state"], report["fair"]["renewed_at"]) == ("proved", [])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(person.get(f"games/{game_id}/transcript")))
    verified = CliRunner().invoke(main, ["verify", "--json", str(file)])
    assert verified.exit_code == 0
    assert json.loads(verified.stdout)["scores"] == game["result"]["scores"]


def call(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, arguments, env={"CARTULARY_EVENTS_URL": ""})


def check_audit(data: Path) -> None:
    """Check that the audit finds games, and that all of them hold, and all else that it finds."""
    audited = call("audit", f"--data={data}")
    assert audited.exit_code == 0, audited.output
    games, *others = audited.stdout.splitlines()
    held = re.fullmatch(r"([1-9]\d*) of (\d+) games hold", games)
    assert held, audited.stdout
    assert held[1] == held[2]
    for line in others:
        found = re.fullmatch(r"(\d+) of (\d+) (tournaments|studies) hold", line)
        assert found, line
        assert found[1] == found[2]
