"""The key that encrypts the secrets of the draws: `CARTULARY_SECRET`, or a file of `serve`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cartulary.cli.shared.errors import Unusable
from cartulary.events.draws.keyring import KEY_BYTES, Keyring, parse_keys
from cartulary.events.model.errors import InvalidKey

VARIABLE = "CARTULARY_SECRET"
NAME = "secret.key"
"""The file in the data directory; it holds what the variable would."""


def find_keys(data: Path) -> str:
    """Return the keys, with commas between them: of the environment, else of the file, else ''.

    Raises `Unusable` for keys that cannot be read; the message shows nothing of them.
    """
    text = os.environ.get(VARIABLE, "")
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
    text = "\n".join(keys) + "\n"
    made = data / f"{NAME}.{os.getpid()}"
    try:
        file = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(file, text.encode())
            os.fsync(file)
        finally:
            os.close(file)
        made.replace(data / NAME)
    except OSError as error:
        raise Unusable(f"cannot write {data / NAME}: {error.strerror}") from error
    return ",".join(keys)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Unusable(f"cannot read {file}: {error.strerror}") from error
