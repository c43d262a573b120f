"""An installation below a root of its own, as an image has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner, Result

from cartulary.cli.setup.machine import SystemRoot
from cartulary.cli.setup.setup import setup
from tests.support.missing_tools import missing

PROGRAM = "/opt/cartulary/bin/cartulary"
KEY = "var/lib/cartulary/data/secret.key"
ENVIRONMENT = "etc/cartulary/environment"
SERVE = "etc/systemd/system/cartulary-serve.service"


def make_root(folder: Path) -> Path:
    """Make a root with the programs that an installation needs."""
    if os.geteuid() != 0:
        missing("only root may give files to another user")
    root = folder / "root"
    for program in ("usr/sbin/logrotate", PROGRAM.lstrip("/")):
        (root / program).parent.mkdir(parents=True)
        (root / program).touch()
        (root / program).chmod(0o755)
    for place in (root, *root.rglob("*/")):
        place.chmod(0o755)
    return root


def call(root: Path, *arguments: str, asks: str | None = None) -> Result:
    """Run `cartulary setup` on a root where systemd starts the service."""
    own = ["--root", str(root), "--program", PROGRAM]
    if not {"--systemd", "--no-systemd"} & set(arguments):
        own.append("--systemd")
    return CliRunner().invoke(setup, [*own, *arguments], input=asks)


def install(root: Path, *arguments: str) -> Result:
    """Install, and expect that it works."""
    done = call(root, "--yes", *arguments)
    assert done.exit_code == 0, done.output
    return done


def read_all(root: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Return mode, owner, group and content of everything below a root, by its path."""
    return {str(path.relative_to(root)): _read(path) for path in _walk(root)}


def read_times(root: Path) -> dict[str, int]:
    """Return when each file and folder was changed last."""
    return {str(path): path.lstat().st_mtime_ns for path in _walk(root)}


def _walk(root: Path) -> Iterator[Path]:
    # The lists of users have copies of their own (`passwd-`), which say nothing here.
    return (
        path for path in sorted(root.rglob("*")) if path.parent != root / "etc" or path.is_dir()
    )


def _read(path: Path) -> tuple[int, int, int, bytes]:
    found = path.lstat()
    if path.is_symlink():
        content = os.fsencode(os.readlink(path))
    else:
        content = path.read_bytes() if path.is_file() else b""
    return found.st_mode, found.st_uid, found.st_gid, content


def find_owner(root: Path, path: str) -> str:
    """Return `USER:GROUP` of a file."""
    found = SystemRoot(root).look(Path("/") / path)
    assert found is not None
    return found.owner
