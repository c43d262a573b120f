"""The machine that `setup` works on: the only module of the room that changes anything."""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from cartulary.cli.shared.errors import Failed, Unusable

BOOTED: Final = Path("/run/systemd/system")
"""A folder that exists where systemd runs (sd_booted(3))."""

SET_ASIDE: Final = ".old"
"""What is added to the name of a file that was changed by hand. systemd reads no such file."""

UNFINISHED: Final = ".setup"
"""How the name of a file ends that is not complete yet."""

PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where the programs of the system are: the PATH of a user lacks the folders of root."""


class FileStatus(NamedTuple):
    """What lies at a path: `owner` is `USER:GROUP`, `mode` the twelve bits of the permissions."""

    is_folder: bool
    owner: str
    mode: int


class SystemRoot:
    """The files below a root, and the programs of the system.

    All paths are those that the installed system sees: `/etc/x` is `ROOT/etc/x`. The methods that
    change something raise `Failed` where the system refuses it.
    """

    def __init__(self, root: Path = Path("/"), with_systemd: bool | None = None) -> None:
        self.root = root.absolute()
        self.is_running = self.root == Path("/")
        """Whether the root is that of the running system: programs may be started in it."""
        found = BOOTED.is_dir() if self.is_running else shutil.which("systemctl", path=PATH)
        self.has_systemd = bool(found) if with_systemd is None else with_systemd

    # -- looking ---------------------------------------------------------------------------------

    def place(self, path: Path) -> Path:
        """Return where a path of the installed system is now."""
        return self.root / path.relative_to("/")

    def look(self, path: Path) -> FileStatus | None:
        """Return what lies at a path, None when nothing does.

        Raises `Failed` for a link that another user than root made: it may lead anywhere.
        """
        try:
            found = self.place(path).lstat()
            if stat.S_ISLNK(found.st_mode):
                if found.st_uid != 0:
                    raise Failed(f"{path} is a link of another user than root: remove it first")
                found = self.place(path).stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Failed(f"cannot look at {path}: {error.strerror}") from error
        owner = f"{self._name_user(found.st_uid)}:{self._name_group(found.st_gid)}"
        return FileStatus(stat.S_ISDIR(found.st_mode), owner, stat.S_IMODE(found.st_mode))

    def read(self, path: Path) -> str | None:
        """Return the text of a file, None when it is missing. Raises `Unusable`."""
        try:
            return self.place(path).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            why = error.strerror
            raise Unusable(f"cannot read {path}: {why}; only root may look at it") from error

    def is_empty(self, path: Path) -> bool:
        """Return whether a folder is missing, or has nothing but files that are not complete."""
        place = self.place(path)
        return not place.is_dir() or all(one.name.endswith(UNFINISHED) for one in place.iterdir())

    def has_program(self, name: str) -> bool:
        """Return whether a program of the system is installed."""
        folders = [str(self.place(Path(folder))) for folder in PATH.split(":")]
        return shutil.which(name, path=":".join(folders)) is not None

    def has_account(self, name: str) -> bool:
        """Return whether a user and a group of this name exist."""
        return name in self._users().values() and name in self._groups().values()

    def ask(self, *command: str) -> str:
        """Return what a program prints, whatever its exit code says."""
        return self._start(command).stdout.strip()

    # -- changing --------------------------------------------------------------------------------

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock of the root; raises `Unusable` while another `setup` holds it."""
        folder = self.place(Path("/etc"))
        folder.mkdir(parents=True, exist_ok=True)
        # The lock is on the folder itself, so that nothing is left behind by a process that dies.
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise Unusable(
                f"another `cartulary setup` works on {self.root}: wait until it has ended"
            ) from None
        finally:
            os.close(held)

    def make_folder(self, path: Path, owner: str, mode: int) -> None:
        """Make a folder, or give an existing folder its owner and mode."""
        with self._refuse(f"make {path}"):
            self.place(path).mkdir(parents=True, exist_ok=True)
            self._own(self.place(path), owner, mode)

    def write(self, path: Path, text: str, owner: str, mode: int) -> None:
        """Write a file in one step: it is there as it was, or complete."""
        with self._refuse(f"write {path}"):
            place = self.place(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            made = place.with_name(f".{place.name}{UNFINISHED}")
            made.unlink(missing_ok=True)
            file = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with open(file, "w", encoding="utf-8") as writing:
                writing.write(text)
                writing.flush()
                os.fsync(file)
            self._own(made, owner, mode)
            made.replace(place)

    def own(self, path: Path, owner: str, mode: int) -> None:
        """Give a file its owner and mode."""
        with self._refuse(f"change {path}"):
            self._own(self.place(path), owner, mode)

    def set_aside(self, path: Path) -> Path:
        """Rename a file, so that it has no effect any more; return its new path."""
        aside = path.with_name(path.name + SET_ASIDE)
        with self._refuse(f"rename {path}"):
            self.place(path).replace(self.place(aside))
        return aside

    def delete(self, path: Path) -> None:
        """Delete a file, or a folder that is empty; what is missing stays missing."""
        with self._refuse(f"delete {path}"), suppress(FileNotFoundError):
            self.place(path).unlink()

    def run(self, *command: str) -> None:
        """Run a program of the system; raises `Failed` with what it says when it fails."""
        done = self._start(command)
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise Failed(f"`{' '.join(command)}` has failed: {said or done.returncode}")

    # -- inside ----------------------------------------------------------------------------------

    def _start(self, command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": PATH, "LC_ALL": "C"}
        try:
            return subprocess.run(
                command, capture_output=True, text=True, check=False, env=environment
            )
        except OSError as error:
            raise Failed(f"cannot run {command[0]}: {error.strerror}") from error

    def _own(self, place: Path, owner: str, mode: int) -> None:
        user, _, group = owner.partition(":")
        os.chown(place, self._find(self._users(), user), self._find(self._groups(), group))
        place.chmod(mode)

    @staticmethod
    def _find(names: dict[int, str], wanted: str) -> int:
        for number, name in names.items():
            if name == wanted:
                return number
        raise Failed(f"there is no user or group {wanted}")

    def _name_user(self, number: int) -> str:
        return self._users().get(number, str(number))

    def _name_group(self, number: int) -> str:
        return self._groups().get(number, str(number))

    def _users(self) -> dict[int, str]:
        """Return the users by number; in another root those of its own files."""
        if self.is_running:
            return {one.pw_uid: one.pw_name for one in pwd.getpwall()}
        return self._read_accounts("passwd")

    def _groups(self) -> dict[int, str]:
        if self.is_running:
            return {one.gr_gid: one.gr_name for one in grp.getgrall()}
        return self._read_accounts("group")

    def _read_accounts(self, name: str) -> dict[int, str]:
        rows = [line.split(":") for line in (self.read(Path("/etc") / name) or "").splitlines()]
        return {0: "root"} | {int(row[2]): row[0] for row in rows if len(row) > 2}

    @contextmanager
    def _refuse(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Failed(f"cannot {what}: {error.strerror}") from error
