"""Backups under load and faults: each is restored, and its audit must find nothing.

A `cartulary serve` with `--players` threads that play with bots and think for `--thinks` seconds
at most before a move, a `backup --follow` that ships to
a folder, and `--faults` faults: the store, the service, a backup or the follower is killed, the
follower stands still, the folder is away. Between them are `--number` backups of three kinds by
lot: a full one, what the follower has shipped until now (as if the machine had burned), and a time
that it has shipped. `refused` must be 0. `lost_s` is how long before a copy the oldest event was
acknowledged that the copy lacks, `after_faults_s` the same within 20 s of a fault. What was refused
stays in a folder of its own, which the run names.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.faults.journal import Journal
from bench.faults.people import Habits
from bench.faults.playing import PlayingThreads
from bench.faults.service import ROOT, ProcessFacts, ServiceProcess, until
from bench.store._backed_up import choose_reach, compare, read_versions, to_wall
from cartulary.events.backup.targets.folder import BackupFolder
from cartulary.events.shipping.chains import list_chains

CARTULARY = (sys.executable, "-m", "cartulary.cli")

CALM_S = 20.0
"""A copy so soon after a fault may lack more: the follower may have been away."""

FULL_EVERY_HOURS = 0.05
"""Three minutes, so that a run has several chains."""

COMMAND_WITHIN_S = 900.0

ENVIRONMENT = {"CARTULARY_ARCHIVE_AFTER": "20"}


def main(
    number: int = 50, faults: int = 40, seed: int = 1, players: int = 3, thinks: float = 0.5
) -> dict[str, Any]:
    habits = Habits(bots=("random", "easy"), thinks=thinks)
    with tempfile.TemporaryDirectory(prefix="bk-") as folder:
        return _BackupRun(Path(folder), seed).run(number, faults, players, habits)


class _BackupRun:
    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._rng = folder, random.Random(seed)
        self._seed = seed
        self._log = (folder / "log").open("ab")
        self._shipped, self._full = folder / "shipped", folder / "full"
        for made in (self._shipped, self._full):
            made.mkdir()
        self._service = ServiceProcess(
            folder / "data", log=folder / "serve.log", environment=ENVIRONMENT
        )
        self._follower: subprocess.Popen[bytes] | None = None
        self._fault_at = -CALM_S
        self.done: dict[str, int] = {}
        self.inflicted: dict[str, int] = {}
        self.trouble: list[str] = []
        self.lost = self.lost_after_faults = 0.0
        self.early = 0

    def run(self, number: int, faults: int, players: int, habits: Habits) -> dict[str, Any]:
        journal = Journal(self._folder / "journal")
        with self._service:
            playing = PlayingThreads(self._service.port, journal, players, self._seed, habits)
            playing.start()
            try:
                self._follow()
                until(self._has_chain, 120.0, 0.2)
                steps = ["backup"] * number + ["fault"] * faults
                self._rng.shuffle(steps)
                for at, step in enumerate(steps, start=1):
                    time.sleep(self._rng.uniform(0.0, 3.0))
                    self._keep_following()
                    what = self._inflict() if step == "fault" else self._back_up(journal)
                    print(f"{at} of {len(steps)}: {what}", file=sys.stderr, flush=True)
            except BaseException as error:
                self._note_trouble(f"the run ended: {type(error).__name__}: {error}")
                raise
            finally:
                playing.stop(0.0)
                self._end_follower()
                # The service has nothing to finish: what counts was compared.
                self._service.kill_all()
        journal.close()
        events = sum(len(game.events) for game in journal.games.values())
        return {
            "backups": sum(self.done.values()),
            **{f"  {kind}": count for kind, count in sorted(self.done.items())},
            "faults": dict(sorted(self.inflicted.items())),
            "events_acknowledged": events,
            "refused": len(self.trouble),
            "lost_s": round(self.lost, 2),
            "after_faults_s": round(self.lost_after_faults, 2),
            "events_after_the_time": self.early,
            **{f"trouble {at}": line for at, line in enumerate(self.trouble, start=1)},
        }

    # -- backups ----------------------------------------------------------------------------------

    def _back_up(self, journal: Journal) -> str:
        kinds = {"full": self._copy_full, "newest": self._copy_newest, "to a time": self._copy_time}
        kind = self._rng.choice(list(kinds))
        copy = self._folder / "copy"
        options: list[str] = []
        self.done[kind] = self.done.get(kind, 0) + 1
        try:
            moment, options, calm = kinds[kind](copy)
            self._compare(journal, copy, moment, options, calm)
            self._restore(copy, options)
        except Exception as error:  # the next backup tells whether more is wrong
            self._note_trouble(f"{' '.join([kind, *options])}: {type(error).__name__}: {error}")
        shutil.rmtree(copy, ignore_errors=True)
        return f"{kind}, {len(self.trouble)} refused, lost {self.lost:.2f} s"

    def _note_trouble(self, line: str) -> None:
        """Keep everything that may say why: the targets, the copy, what the service has written."""
        kept = Path(tempfile.mkdtemp(prefix="bench-backup-"))
        (kept / "why").write_text(f"{line}\n")
        for name in ("copy", "full", "shipped", "log", "serve.log", "data/secret.key"):
            source = self._folder / name
            if source.is_dir():
                # Files may go meanwhile: the follower works on.
                with suppress(shutil.Error):
                    shutil.copytree(source, kept / name)
            elif source.exists():
                shutil.copy(source, kept)
        self.trouble.append(f"{line} ({kept})")
        print(self.trouble[-1], file=sys.stderr, flush=True)

    def _copy_full(self, copy: Path) -> tuple[float, list[str], bool]:
        moment = time.monotonic()
        self._call("backup", f"{self._full}/", "--keep", "2")
        shutil.copytree(self._full, copy)
        return moment, [], True

    def _copy_newest(self, copy: Path) -> tuple[float, list[str], bool]:
        moment = time.monotonic()
        self._copy_shipped(copy)
        return moment, [], moment - self._fault_at > CALM_S

    def _copy_time(self, copy: Path) -> tuple[float, list[str], bool]:
        self._copy_shipped(copy)
        first, last = self._rng.choice(choose_reach(list_chains(BackupFolder(copy))))
        wanted = self._rng.randint(first, last)
        moment = time.monotonic() - (to_wall(time.monotonic()) - wanted) / 1000
        text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(wanted // 1000))
        return moment, ["--to-time", f"{text}.{wanted % 1000:03d}Z"], False

    def _copy_shipped(self, copy: Path) -> None:
        """Copy what is there now; a file that is just renamed is copied in the next attempt."""
        until(lambda: self._shipped.is_dir(), 30.0)
        while True:
            try:
                shutil.copytree(self._shipped, copy)
            except shutil.Error:
                shutil.rmtree(copy)
            else:
                return

    def _compare(
        self, journal: Journal, copy: Path, moment: float, options: list[str], calm: bool
    ) -> None:
        wanted = to_wall(moment) if options else None
        with tempfile.TemporaryDirectory(dir=self._folder) as work:
            versions = read_versions(BackupFolder(copy), wanted, Path(work))
        held = compare(journal, versions, moment)
        if options:
            self.early += held.early
            # An answer comes after its event, so what was answered by then was stored by then.
            if held.late_s > 0:
                raise AssertionError(f"it lacks what was answered {held.late_s:.3f} s before")
        elif calm:
            self.lost = max(self.lost, held.late_s)
        else:
            self.lost_after_faults = max(self.lost_after_faults, held.late_s)

    def _restore(self, copy: Path, options: list[str]) -> None:
        data = self._folder / "restored"
        data.mkdir()
        try:
            if (key := self._data / "secret.key").exists():  # not where the environment has one
                shutil.copy(key, data)
            self._call("restore", str(copy), *options, "--jobs", "1", data=data)
        finally:
            shutil.rmtree(data)

    def _call(self, *arguments: str, data: Path | None = None) -> None:
        done = subprocess.run(
            [*CARTULARY, *arguments, "--data", str(data or self._data)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=self._service.environment,
            timeout=COMMAND_WITHIN_S,
            check=False,
        )
        if done.returncode:
            lines = (done.stdout + done.stderr).strip().splitlines()[-5:]
            raise RuntimeError(f"{arguments[0]} ended with {done.returncode}: {' / '.join(lines)}")

    @property
    def _data(self) -> Path:
        return self._service.data

    # -- the follower -----------------------------------------------------------------------------

    def _follow(self) -> None:
        hours = str(FULL_EVERY_HOURS)
        options = ["--follow", "--full-every", hours, "--keep", "3", "--data", str(self._data)]
        command = [*CARTULARY, "backup", f"{self._shipped}/", *options]
        self._follower = subprocess.Popen(
            command, stdout=self._log, stderr=self._log, cwd=ROOT, env=self._service.environment
        )

    def _keep_following(self) -> None:
        """Start the follower again when it has ended, as a unit of systemd does."""
        if self._follower is None or self._follower.poll() is not None:
            self._follow()

    def _end_follower(self) -> None:
        if self._follower is not None:
            self._follower.kill()
            self._follower.wait()

    def _has_chain(self) -> bool:
        return bool(choose_reach(list_chains(BackupFolder(self._shipped))))

    # -- faults -----------------------------------------------------------------------------------

    def _inflict(self) -> str:
        kinds: dict[str, Callable[[], None]] = {
            "store killed": self._kill_store,
            "service killed": self._kill_service,
            "web killed": lambda: _kill(self._service.pids("web")),
            "backup killed": self._kill_backup,
            "follower killed": self._kill_follower,
            "follower stopped": self._stop_follower,
            "target away": self._take_target_away,
        }
        kind = self._rng.choice(list(kinds))
        kinds[kind]()
        self._fault_at = time.monotonic()
        self.inflicted[kind] = self.inflicted.get(kind, 0) + 1
        return kind

    def _kill_store(self) -> None:
        _kill(self._service.pids("valkey"))
        self._service.await_ready()

    def _kill_service(self) -> None:
        self._service.kill_all()
        self._service.start()
        self._service.await_ready()

    def _kill_backup(self) -> None:
        process = subprocess.Popen(
            [*CARTULARY, "backup", f"{self._full}/", "--data", str(self._data)],
            stdout=self._log,
            stderr=self._log,
            cwd=ROOT,
            env=self._service.environment,
        )
        time.sleep(self._rng.uniform(0.5, 3.0))
        children = ProcessFacts(process.pid).read_children()
        process.kill()
        process.wait()
        until(lambda: all(ProcessFacts(pid).has_ended() for pid in children), 30.0)

    def _kill_follower(self) -> None:
        self._end_follower()
        time.sleep(self._rng.uniform(0.0, 2.0))
        self._follow()

    def _stop_follower(self) -> None:
        assert self._follower is not None
        os.kill(self._follower.pid, signal.SIGSTOP)
        time.sleep(self._rng.uniform(1.0, 6.0))
        os.kill(self._follower.pid, signal.SIGCONT)

    def _take_target_away(self) -> None:
        away = self._folder / "away"
        self._shipped.rename(away)
        time.sleep(self._rng.uniform(1.0, 6.0))
        with suppress(FileNotFoundError):
            shutil.rmtree(self._shipped)
        away.rename(self._shipped)


def _kill(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
