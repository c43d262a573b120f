"""The units of systemd: one table, rendered for `setup` and into `docs/deploy/systemd/`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from cartulary.cli.setup.places import ACCOUNT, BACKUP_LOG, DATA, ENVIRONMENT, STATE

OPT: Final = Path("/opt/cartulary")
"""The virtual environment of an installation, as the pages for operators make it."""

Sections = Mapping[str, list[str]]
"""The lines of a unit by the name of their section; a line may be a comment."""

SANDBOX: Final = (
    "UMask=0077",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "ProtectProc=invisible",
    "ProtectClock=yes",
    "ProtectHostname=yes",
    "ProtectControlGroups=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "PrivateUsers=yes",
    "DevicePolicy=closed",
    "KeyringMode=private",
    "RemoveIPC=yes",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
)
"""What every process of ours is denied: it needs its own files, sockets, and nothing else."""

SERVE: Final = "cartulary-serve.service"
BACKUP: Final = "cartulary-backup.service"
TIMER: Final = "cartulary-backup.timer"


class Role(NamedTuple):
    """A process that runs for ever; `command` follows the folder of the programs.

    It may take `stop_s` seconds to end, for the reason that `why` gives.
    """

    unit: str
    description: str
    command: str
    stop_s: int
    why: str = ""


ROLES: Final = (
    Role(
        "cartulary-web.service",
        "the web processes",
        "gunicorn --config python:cartulary.service.process.gunicorn_conf",
        10,
        "Streams end and requests are answered before the process is killed.",
    ),
    Role(
        "cartulary-dispatcher.service",
        "the dispatcher",
        "python -m cartulary.workers.dispatcher",
        10,
    ),
    Role(
        "cartulary-notifier.service",
        "the notifier",
        "python -m cartulary.workers.notices.notifier",
        20,
        "A message that is under way may take 15 s.",
    ),
    Role(
        "cartulary-fast@.service",
        "worker %i for quick jobs",
        "python -m cartulary.workers.worker --fast",
        30,
        "SIGTERM lets the job under way end.",
    ),
    Role(
        "cartulary-worker@.service",
        "worker %i for all jobs",
        "python -m cartulary.workers.worker",
        30,
        "SIGTERM lets the job under way end.",
    ),
)
"""The parts of the service, each of which may run on a machine of its own."""


def render(sections: Sections) -> str:
    """Return a unit as systemd reads it."""
    return "\n\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections.items()) + "\n"


def make_role(role: Role, programs: Path = OPT / "bin") -> Sections:
    """Return the unit of a part of the service."""
    unit = [*_describe(role.description), "PartOf=cartulary.target"]
    service = [
        f"WorkingDirectory={STATE}",
        f"EnvironmentFile={ENVIRONMENT}",
        f"ExecStart={programs / role.command}",
        *_run_for_ever(role.stop_s, role.why),
    ]
    return {
        "Unit": [*unit, _NO_LIMIT],
        "Service": [*_AS_ACCOUNT, *service, *SANDBOX],
        "Install": ["WantedBy=cartulary.target"],
    }


def make_serve(
    command: str = f"{OPT}/bin/cartulary serve --data {DATA}", log: Path | None = None
) -> Sections:
    """Return the unit of the whole service; without a file `log` it writes to the journal."""
    logs = _append_to(log) if log else []
    return {
        "Unit": [
            *_describe("the whole service on one machine"),
            "# The other units are the same service in parts.",
            "Conflicts=cartulary.target",
            _NO_LIMIT,
        ],
        "Service": [
            *_AS_ACCOUNT,
            f"WorkingDirectory={STATE}",
            f"EnvironmentFile=-{ENVIRONMENT}",
            f"ExecStart={command}",
            *_run_for_ever(30, "The store writes what it has to the disk."),
            *logs,
            *SANDBOX,
        ],
        "Install": ["WantedBy=multi-user.target"],
    }


def make_backup(command: str) -> Sections:
    """Return the unit of the nightly backup, which the timer starts."""
    return {
        "Unit": [*_describe("the nightly backup"), f"ConditionPathExists={DATA}"],
        "Service": [
            "Type=oneshot",
            *_AS_ACCOUNT,
            f"WorkingDirectory={STATE}",
            f"EnvironmentFile=-{ENVIRONMENT}",
            "# The store that proves a backup is larger than the backup; /tmp may be in memory.",
            f"Environment=TMPDIR={STATE}",
            f"ExecStart={command}",
            "Nice=10",
            "IOSchedulingClass=idle",
            *_append_to(BACKUP_LOG),
            *SANDBOX,
        ],
    }


def make_timer(at: str) -> Sections:
    """Return the timer of the nightly backup; `at` is HH:MM in the time of the machine."""
    return {
        "Unit": ["Description=Cartulary: the time of the nightly backup"],
        "Timer": [
            f"OnCalendar=*-*-* {at}:00",
            "# A machine that was off at that time makes the backup when it is on again.",
            "Persistent=true",
            f"Unit={BACKUP}",
        ],
        "Install": ["WantedBy=timers.target"],
    }


def make_target() -> Sections:
    """Return the target that starts one process of each role."""
    wanted = " ".join(role.unit.replace("@.", "@1.") for role in ROLES)
    return {
        "Unit": ["Description=Cartulary", f"Wants={wanted}"],
        "Install": ["WantedBy=multi-user.target"],
    }


def list_shipped() -> dict[str, str]:
    """Return the units that come with the documentation, by their names."""
    all_roles = "# All roles of this machine: `systemctl enable --now cartulary.target`.\n"
    return {
        **{role.unit: render(make_role(role)) for role in ROLES},
        SERVE: render(make_serve()),
        "cartulary.target": all_roles + render(make_target()),
    }


_NO_LIMIT: Final = "StartLimitIntervalSec=0"
"""Else systemd gives up after five starts within ten seconds."""

_AS_ACCOUNT: Final = (
    f"User={ACCOUNT}",
    f"Group={ACCOUNT}",
    f"StateDirectory={STATE.name}",
    "StateDirectoryMode=0700",
)


def _describe(what: str) -> list[str]:
    return [
        f"Description=Cartulary: {what}",
        "After=network-online.target",
        "Wants=network-online.target",
    ]


def _run_for_ever(stop_s: int, why: str) -> list[str]:
    return [
        "# A child that dies is started again after a second, for as long as it takes.",
        "Restart=always",
        "RestartSec=1",
        *([f"# {why}"] if why else []),
        f"TimeoutStopSec={stop_s}",
        "LimitNOFILE=65536",
    ]


def _append_to(file: Path) -> list[str]:
    return [f"StandardOutput=append:{file}", f"StandardError=append:{file}"]
