"""One box as an operator has it: the lines of the units run, the image is built and runs."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from bench.ports import find_free_port
from cartulary.cli.setup.environment_file import parse_variables
from tests.cli.setup.installing import ENVIRONMENT, install, make_root
from tests.containers.containerfile import Instruction, read_stages, read_variables
from tests.support.night import at_night
from tests.support.polling import until

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("cartulary")
UNITS = "etc/systemd/system"
SANDBOXED = ROOT / "tests/cli/setup/sandboxed.py"
SERVES_S = 60.0
API = "/api/v1"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory(prefix="one-box-") as path:
        Path(path).chmod(0o755)
        yield Path(path)


def read_command(root: Path, unit: str) -> list[str]:
    """Return the command line of a unit, with its paths below the root."""
    text = (root / UNITS / unit).read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    return [f"{root}{word}" if word.startswith("/var/") else word for word in shlex.split(line)]


def become(user: int) -> list[str]:
    """Return the beginning of a command line that runs as a user without rights.

    The Python of the tests may lie in a folder of root, so the user may read everything; it may
    write only what belongs to it.
    """
    read = "+dac_read_search"
    return [
        *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"),
        *(f"--inh-caps={read}", f"--ambient-caps={read}"),
    ]


@contextmanager
def run_service(
    command: Sequence[str],
    environment: Mapping[str, str],
    home: Path,
    url: str,
    end: signal.Signals = signal.SIGTERM,
) -> Iterator[None]:
    """Run the service in a folder until the block ends, then stop it by a signal."""
    with tempfile.NamedTemporaryFile() as log:
        process = subprocess.Popen(command, env=environment, cwd=home, stdout=log, stderr=log)
        try:
            until(lambda: process.poll() is not None or is_ready(url), within=SERVES_S)
            assert process.poll() is None, Path(log.name).read_text()
            yield
        finally:
            process.send_signal(end)
            assert process.wait(60) == (-end if end is signal.SIGKILL else 0)


def is_ready(url: str) -> bool:
    try:
        return requests.get(f"{url}/readyz", timeout=2).status_code == 200
    except (requests.ConnectionError, requests.Timeout):
        return False


def play(url: str) -> str:
    """Play a game of two bots to its end; return its path."""
    player = requests.post(f"{url}{API}/players", json={"name": "Ada"}, timeout=60).json()
    seats = [{"kind": "bot", "bot": "greedy"}] * 2
    made = requests.post(
        f"{url}{API}/games",
        json={"game": "carcassonne", "seats": seats},
        headers={"Authorization": f"Bearer {player['token']}"},
        timeout=60,
    ).json()
    path = f"{API}/games/{made['id']}"
    until(lambda: requests.get(url + path, timeout=60).json()["status"] == "over", within=60)
    return path


def plain_environment(**more: str) -> dict[str, str]:
    """Return the environment that systemd or an engine gives: nothing of this shell."""
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", **more}


@pytest.mark.process
@at_night("tests/cli/setup/test_installing.py::test_a_second_setup_changes_nothing")
def test_the_lines_of_the_units_serve_a_game_that_a_restart_and_a_backup_keep(
    folder: Path,
) -> None:
    root, port = make_root(folder), find_free_port()
    install(root, "--port", str(port), "--program", str(PROGRAM), "--workers", "1")
    user = (root / "var/lib/cartulary/data").stat().st_uid
    settings = parse_variables((root / ENVIRONMENT).read_text("utf-8"))
    environment = plain_environment(**settings, TMPDIR=str(root / "var/lib/cartulary"))
    url = f"http://127.0.0.1:{port}"
    confined = [*become(user), sys.executable, str(SANDBOXED)]
    serve = [*confined, *read_command(root, "cartulary-serve.service")]
    home = root / "var/lib/cartulary"
    with run_service(serve, environment, home, url):
        game = play(url)
        # The library that draws pixels is compiled, too.
        assert requests.get(f"{url}{game}/board.png", timeout=60).status_code == 200
        events = requests.get(f"{url}{game}/events?limit=1000", timeout=60).json()["events"]
    with run_service(serve, environment, home, url):
        again = requests.get(f"{url}{game}/events?limit=1000", timeout=60).json()["events"]
        assert again == events
        backup = [*confined, *read_command(root, "cartulary-backup.service")]
        done = subprocess.run(
            backup, env=environment, cwd=home, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
    assert [*(home / "backups").iterdir()]
    owners = {path.stat().st_uid for path in home.rglob("*")}
    assert owners == {user}


@pytest.mark.process
@pytest.mark.slow
def test_after_setup_and_after_a_kill_the_doctor_finds_nothing(folder: Path) -> None:
    root, port = make_root(folder), find_free_port()
    install(root, "--port", str(port), "--program", str(PROGRAM), "--workers", "1")
    home = root / "var/lib/cartulary"
    as_user = become((home / "data").stat().st_uid)
    settings = parse_variables((root / ENVIRONMENT).read_text("utf-8"))
    environment = plain_environment(**settings, TMPDIR=str(home))

    def run(*command: str) -> tuple[int, str]:
        done = subprocess.run(
            [*as_user, *command], env=environment, cwd=home, capture_output=True, text=True,
            timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout or done.stderr

    def examine() -> tuple[int, list[object]]:
        code, said = run(str(PROGRAM), "doctor", "--json", "--data", str(home / "data"))
        return code, json.loads(said)["findings"]

    serve = [*as_user, *read_command(root, "cartulary-serve.service")]
    url = f"http://127.0.0.1:{port}"
    with run_service(serve, environment, home, url, signal.SIGKILL):
        play(url)
        code, said = run(*read_command(root, "cartulary-backup.service"))
        assert code == 0, said
        until(lambda: examine() == (0, []))  # a busy machine may be late with a report
    assert examine()[0] == 1, "nothing serves"
    with run_service(serve, environment, home, url):
        until(lambda: examine() == (0, []))


# -- the image ---------------------------------------------------------------------------------


def copy_context(target: Path) -> None:
    """Copy what an engine sends: the files of git without those of `.dockerignore`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if not is_ignored(name) and os.path.lexists(ROOT / name):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)


def is_ignored(name: str) -> bool:
    """Return whether `.dockerignore` leaves a file out."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    patterns = [line.removeprefix("**/") for line in lines if line and line[0] != "#"]
    parts = Path(name).parts
    return any(
        fnmatch.fnmatch(part, pattern) or name.startswith(f"{pattern}/")
        for pattern in patterns
        for part in (parts if f"**/{pattern}" in lines else parts[:1])
    )


def build_stage(stage: list[Instruction], folder: Path, opt: Path) -> None:
    """Run the steps of the first stage, with `/opt/cartulary` and `/build` elsewhere."""
    work = folder / "build"
    work.mkdir()
    variables = read_variables(stage)
    # pip finds its index as on this machine.
    own = {name: text for name, text in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    python = Path(sys.executable).resolve().parent
    environment = plain_environment(**{**own, **variables, "HOME": str(folder)})
    environment["PATH"] = f"{python}:{environment['PATH']}"
    for one in stage:
        if one.name == "COPY":
            source = one.arguments.split()[0]
            if source == ".":
                copy_context(work)
            else:
                shutil.copy(ROOT / source, work)
        elif one.name == "RUN":
            line = one.arguments.replace("/opt/cartulary", str(opt))
            done = subprocess.run(
                ["sh", "-ec", line], cwd=work, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    shutil.rmtree(work)


def hash_files(root: Path) -> dict[str, str]:
    """Return a hash of each file, with its time and its mode."""
    return {
        str(path.relative_to(root)): _hash(path) for path in sorted(root.rglob("*"))
    }  # fmt: skip


def _hash(path: Path) -> str:
    found = path.lstat()
    content = os.readlink(path).encode() if path.is_symlink() else b""
    content = path.read_bytes() if path.is_file() and not content else content
    return f"{found.st_mode:o} {found.st_mtime_ns} {hashlib.sha256(content).hexdigest()}"


STAGES = read_stages((ROOT / "Containerfile").read_text("utf-8"))


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """The folder `opt` that the first stage makes, in a folder that every user may enter."""
    with tempfile.TemporaryDirectory(prefix="image-") as path:
        Path(path).chmod(0o755)
        build_stage(STAGES[1], Path(path), Path(path) / "opt")
        yield Path(path) / "opt"


@pytest.mark.process
@at_night(
    "tests/containers/test_containers.py::"
    "test_the_image_runs_as_a_user_without_rights_and_starts_the_service"
)
def test_what_the_steps_of_the_containerfile_make_serves_and_stays_as_it_is(
    built: Path, folder: Path
) -> None:
    data, port, user = folder / "data", find_free_port(), 10_001
    data.mkdir(mode=0o700)
    os.chown(data, user, user)
    commands = {one.name: one for one in STAGES[2]}
    words = [*commands["ENTRYPOINT"].read_list(), *commands["CMD"].read_list()]
    words = [str(data) if word == "/data" else word for word in words]
    command = [*become(user), str(built / "bin" / words[0]), *words[1:], "--port", str(port)]
    url = f"http://127.0.0.1:{port}"
    before = hash_files(built)
    with run_service(command, plain_environment(CARTULARY_NOTICES="0"), data, url):
        assert requests.get(f"{url}/docs/", timeout=60).status_code == 200
        assert requests.get(url + play(url), timeout=60).json()["result"]
    assert hash_files(built) == before


@pytest.mark.process
@at_night(
    "tests/containers/test_containers.py::"
    "test_the_image_runs_as_a_user_without_rights_and_starts_the_service"
)
def test_the_steps_of_the_containerfile_make_the_same_files_again(built: Path) -> None:
    first = hash_files(built)
    shutil.rmtree(built)
    build_stage(STAGES[1], built.parent, built)
    second = hash_files(built)
    assert {name for name in {*first, *second} if first.get(name) != second.get(name)} == set()
