"""The units of systemd and the rotation of the logs, read by the programs that they are for."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cartulary.cli.setup.layout import LOGROTATE
from cartulary.cli.setup.places import BACKUP_LOG, LOG
from cartulary.cli.setup.shipped import FOLDER
from cartulary.cli.setup.units import SANDBOX, list_shipped
from tests.cli.setup.installing import install, make_root
from tests.support.missing_tools import missing

ROOT = Path(__file__).parents[3]
EXPOSURE = 2.0
"""From 0 to 10, by `systemd-analyze security`: 2 is what the page about the option calls `OK`."""


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the units of an installation, on a root whose program exists here, too."""
    root = make_root(tmp_path_factory.mktemp("units"))
    install(root, "--program", "/usr/bin/env")
    return root / "etc/systemd/system"


def run_analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        missing("systemd-analyze is not installed (apt-get install systemd)")
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)


def test_the_units_of_the_documentation_are_those_of_the_table() -> None:
    stored = {path.name: path.read_text("utf-8") for path in (ROOT / FOLDER).glob("cartulary*")}
    assert stored == list_shipped(), "run `python -m cartulary.cli.setup.shipped`"


def test_every_process_runs_in_the_sandbox() -> None:
    for name, text in list_shipped().items():
        if name.endswith(".service"):
            assert "\n".join(SANDBOX) in text


@pytest.mark.process
def test_systemd_finds_no_fault_in_a_unit(units: Path, tmp_path: Path) -> None:
    shipped = {
        name: text.replace("/opt/cartulary/bin/", "/usr/bin/env ")
        for name, text in list_shipped().items()
    }
    for name, text in shipped.items():
        (tmp_path / name).write_text(text)
    names = [name.replace("@.", "@1.") for name in shipped]
    files = [
        *map(str, sorted(units.glob("cartulary-*"))),
        *(str(tmp_path / name) for name in names),
    ]
    done = run_analyze("verify", "--man=no", *files)
    assert (done.returncode, done.stderr) == (0, "")
    broken = units.parent / "cartulary-broken.service"
    broken.write_text((units / "cartulary-serve.service").read_text().replace("UMask", "UMaks"))
    assert "UMaks" in run_analyze("verify", "--man=no", str(broken)).stderr


@pytest.mark.process
@pytest.mark.parametrize("unit", ["cartulary-serve.service", "cartulary-backup.service"])
def test_the_sandbox_leaves_little_that_is_exposed(units: Path, unit: str) -> None:
    root = units.parents[2]
    threshold = f"--threshold={int(EXPOSURE * 10)}"
    done = run_analyze("security", "--offline=yes", f"--root={root}", threshold, unit)
    assert done.returncode == 0, done.stderr or done.stdout[-200:]
    (level,) = re.findall(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert 0 < float(level) <= EXPOSURE


@pytest.mark.process
def test_a_rotation_keeps_what_was_written_and_the_process_writes_on(tmp_path: Path) -> None:
    program = shutil.which("logrotate", path="/usr/sbin:/usr/bin:/sbin")
    if program is None:
        missing("logrotate is not installed (apt-get install logrotate)")
    tmp_path.chmod(0o755)
    log = tmp_path / LOG.name
    rules = LOGROTATE.replace(str(LOG), str(log)).replace(str(BACKUP_LOG), str(tmp_path / "b.log"))
    (tmp_path / "rules").write_text(rules)
    with log.open("a") as writing:
        for line in ("before", "between", "after"):
            print(line, file=writing, flush=True)
            command = [program, "--force", "--state", str(tmp_path / "state")]
            if line != "after":
                subprocess.run([*command, str(tmp_path / "rules")], check=True, timeout=60)
    assert log.read_text() == "after\n"
    assert Path(f"{log}.1").read_text() == "between\n"
    assert Path(f"{log}.2.gz").exists()
