"""The keys that `serve` keeps: that of the secrets of the draws, and that of push messages."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cartulary.cli.shared.environment import read_setting
from cartulary.cli.shared.errors import Unusable
from cartulary.events.draws.keyring import KEY_BYTES, Keyring, parse_keys
from cartulary.events.model.failures import InvalidKey

VARIABLE = "CARTULARY_SECRET"
NAME = "secret.key"
"""The file in the data directory; it holds what the variable would."""


PUSH_VARIABLE = "CARTULARY_PUSH_KEY"
PUSH_NAME = "push.key"
"""The file in the data directory by which push services know this service, in PEM."""


def find_keys(data: Path) -> str:
    """Return the keys, with commas between them: of the environment, else of the file, else ''.

    Raises `Unusable` for keys that cannot be read; the message shows nothing of them.
    """
    text = read_setting("SECRET")
    source = VARIABLE
    if not text:
        source = str(data / NAME)
        text = _read(data / NAME)
    if not text:
        return ""
    try:
        return ",".join(key.hex() for key in parse_keys(text))
    except InvalidKey as error:
        raise Unusable(f"{source}: {error}") from None


def find_or_make_keys(data: Path) -> str:
    """Return the keys as `find_keys`; makes the file of a directory that has none."""
    return find_keys(data) or write_keys(data, [make_key()])


def make_keyring(text: str) -> Keyring:
    """Return the keyring of keys that `find_keys` returned; without a key for ''."""
    return Keyring.parse(text) if text else Keyring()


def make_key() -> str:
    """Return a new key."""
    return secrets.token_hex(KEY_BYTES)


def write_keys(data: Path, keys: list[str]) -> str:
    """Write the file, only readable for its owner, in one step; returns the keys with commas."""
    _write(data, NAME, "\n".join(keys) + "\n")
    return ",".join(keys)


def find_or_make_push_key(data: Path) -> str:
    """Return the file with the key of push messages: of the environment, else one in `data`.

    The file is made where it is missing. A browser subscribes with the key, so another key makes
    all subscriptions void. Raises `Unusable`.
    """
    if named := read_setting("PUSH_KEY"):
        if not Path(named).is_file():
            raise Unusable(f"{PUSH_VARIABLE}: there is no file {named}")
        return named
    if not (data / PUSH_NAME).exists():
        # Loaded for the first start only.
        from cartulary.notices.web_push import PushServerKey

        _write(data, PUSH_NAME, PushServerKey.make("").pem.decode())
    return str(data / PUSH_NAME)


def _write(data: Path, name: str, text: str) -> None:
    """Write a file that only its owner can read, in one step. Raises `Unusable`."""
    made = data / f"{name}.{os.getpid()}"
    try:
        file = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(file, text.encode())
            os.fsync(file)
        finally:
            os.close(file)
        made.replace(data / name)
    except OSError as error:
        raise Unusable(f"cannot write {data / name}: {error.strerror}") from error


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Unusable(f"cannot read {file}: {error.strerror}") from error
