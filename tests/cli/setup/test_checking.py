"""`cartulary setup --check`: each thing that is wrong is named, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.setup.installing import (
    ENVIRONMENT,
    KEY,
    PROGRAM,
    SERVE,
    call,
    install,
    make_root,
    read_all,
)

pytestmark = pytest.mark.process
UNIT = "cartulary-serve.service"
WANTED = f"etc/systemd/system/multi-user.target.wants/{UNIT}"
PLAINLY = f"/{ENVIRONMENT}: CARTULARY_"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation; a test that changes something lets `setup` mend it."""
    root = make_root(tmp_path_factory.mktemp("checked"))
    install(root)
    return root


def list_faults(root: Path) -> list[str]:
    """Return what `--check` finds; it changes nothing, and its exit code says whether it found."""
    before = read_all(root)
    done = call(root, "--check")
    assert read_all(root) == before
    assert done.exit_code == (0 if done.stdout == "everything is as it should be\n" else 1)
    return done.stdout.splitlines() if done.exit_code else []


def delete_user(root: Path) -> None:
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")


def give_away(path: str) -> Callable[[Path], None]:
    return lambda root: os.chown(root / path, 0, 0)


def open_up(path: str) -> Callable[[Path], None]:
    return lambda root: (root / path).chmod(0o777)


def delete(path: str) -> Callable[[Path], None]:
    return lambda root: (root / path).unlink()


def append(path: str, line: str) -> Callable[[Path], None]:
    def write(root: Path) -> None:
        with (root / path).open("a") as file:
            file.write(f"{line}\n")

    return write


MENDED: dict[str, tuple[Callable[[Path], None], str]] = {
    "a folder of another user": (
        give_away("var/lib/cartulary/backups"),
        "/var/lib/cartulary/backups: belongs to root:root, not to cartulary:cartulary",
    ),
    "a folder that all may read": (
        open_up("var/lib/cartulary"),
        "/var/lib/cartulary: has the mode 0777, not 0700",
    ),
    "a folder that is missing": (
        lambda root: (root / "var/lib/cartulary/backups").rmdir(),
        "/var/lib/cartulary/backups: missing",
    ),
    "a key that all may read": (open_up(KEY), f"/{KEY}: has the mode 0777, not 0600"),
    "a key that is missing": (delete(KEY), f"/{KEY}: missing"),
    "settings that the service may write": (
        open_up(ENVIRONMENT),
        f"/{ENVIRONMENT}: has the mode 0777, not 0640",
    ),
    "a log that is missing": (
        delete("var/log/cartulary/serve.log"),
        "/var/log/cartulary/serve.log: missing",
    ),
    "a unit that is missing": (delete(SERVE), f"/{SERVE}: missing"),
    "a unit that was changed by hand": (
        append(SERVE, "# mine"),
        f"/{SERVE}: changed by hand; `cartulary setup` puts the change aside",
    ),
    "a unit of another user": (
        lambda root: os.chown(root / SERVE, 1234, 0),
        f"/{SERVE}: belongs to 1234:root, not to root:root",
    ),
    "a unit that is not enabled": (delete(WANTED), f"{UNIT}: not enabled"),
    "other options of a unit": (
        append("etc/cartulary/setup.conf", "PORT=9000"),
        f"/{SERVE}: of other answers or another release; run `cartulary setup`",
    ),
    "a rotation that was changed by hand": (
        append("etc/logrotate.d/cartulary", "# mine"),
        "/etc/logrotate.d/cartulary: changed by hand; `cartulary setup` puts the change aside",
    ),
}
"""What `setup` mends: how it comes about, and the sentence about it."""

ALSO = {
    "a unit that is missing": [f"{UNIT}: not enabled"],
    "other options of a unit": ["/etc/cartulary/setup.conf: has other answers"],
}
"""What follows from a fault is named as well."""

BY_HAND: dict[str, tuple[str, str]] = {
    "a variable that is no setting": (
        "CARTULARY_PUBLIC_URI=https://games.example",
        f"{PLAINLY}PUBLIC_URI is no setting of this release; did you mean CARTULARY_PUBLIC_URL?",
    ),
    "a value that is no number": (
        "CARTULARY_THREADS=many",
        f"{PLAINLY}THREADS must be a whole number from 1 to 1000, not 'many'",
    ),
    "an address that is no address": (
        "CARTULARY_EVENTS_URL=localhost:6379",
        f"{PLAINLY}EVENTS_URL is not the address of a server: redis://HOST:PORT, rediss://…, "
        "unix://PATH, or redis+cluster://HOST:PORT,HOST:PORT, a password in it percent-encoded",
    ),
    "a secret twice": (
        "CARTULARY_METRICS_TOKEN=a\nCARTULARY_METRICS_TOKEN_FILE=/b",
        f"{PLAINLY}METRICS_TOKEN and CARTULARY_METRICS_TOKEN_FILE are both set: unset one of them",
    ),
    "a line that sets nothing": (
        "export CARTULARY_THREADS=8",
        f"/{ENVIRONMENT}: the line 'export CARTULARY_THREADS' is no NAME=VALUE",
    ),
}
"""What the operator mends: lines of the environment file, and the sentence about it."""


@pytest.mark.parametrize("fault", MENDED)
def test_what_is_missing_or_differs_is_named_alone_and_mended_by_setup(
    installed: Path, fault: str
) -> None:
    plant, sentence = MENDED[fault]
    assert list_faults(installed) == []
    plant(installed)
    assert sorted(list_faults(installed)) == sorted([sentence, *ALSO.get(fault, ())])
    install(installed, "--port", "8000")
    assert list_faults(installed) == []


def test_a_user_that_is_missing_is_named_with_all_that_it_owned(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    install(root)
    delete_user(root)
    found = list_faults(root)
    assert found[0] == "user cartulary: missing"
    assert "/var/lib/cartulary: belongs to 999:cartulary, not to cartulary:cartulary" in found


@pytest.mark.parametrize("fault", BY_HAND)
def test_a_setting_that_cannot_be_read_is_named_alone(installed: Path, fault: str) -> None:
    line, sentence = BY_HAND[fault]
    settings = installed / ENVIRONMENT
    before = settings.read_text()
    try:
        append(ENVIRONMENT, line)(installed)
        assert list_faults(installed) == [sentence]
        install(installed)
        assert settings.read_text() == f"{before}{line}\n"
    finally:
        settings.write_text(before)


def test_the_settings_of_the_shell_say_nothing_about_the_service(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_THREADS", "many")
    assert list_faults(installed) == []
    assert os.environ["CARTULARY_THREADS"] == "many"


@pytest.mark.parametrize(
    ("path", "mode", "sentence"),
    [
        ("opt/cartulary", 0o700, "the user cartulary may not enter /opt/cartulary (0700)"),
        (PROGRAM[1:], 0o600, "the user cartulary may not run it"),
    ],
)
def test_a_program_that_the_user_cannot_run_is_named(
    installed: Path, path: str, mode: int, sentence: str
) -> None:
    place = installed / path
    place.chmod(mode)
    assert list_faults(installed) == [f"{PROGRAM}: {sentence}"]
    place.chmod(0o755)


def test_a_program_in_the_folder_of_a_user_is_refused(tmp_path: Path) -> None:
    root = make_root(tmp_path)
    install(root)
    found = call(root, "--check", "--program", "/home/ada/venv/bin/cartulary").stdout
    assert (
        "/home/ada/venv/bin/cartulary: units see no folder of a user; install into /opt/cartulary "
        "(python3 -m venv /opt/cartulary)\n"
    ) in found


def test_a_rotation_without_logrotate_and_a_proxy_that_is_passed_by_are_named(
    tmp_path: Path,
) -> None:
    root = make_root(tmp_path)
    install(root, "--host", "0.0.0.0", "--proxies", "1")
    (root / "usr/sbin/logrotate").unlink()
    rotation, proxy = list_faults(root)
    assert rotation.startswith("logrotate is not installed")
    assert proxy.startswith("CARTULARY_PROXIES is set while the service listens on all addresses")
