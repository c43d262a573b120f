"""The file that keeps the token of a player between two runs."""

from __future__ import annotations

import os
from pathlib import Path

from cartulary.cli.shared.errors import Unusable


def read_token(file: Path) -> str | None:
    """Return the token of a file, None when there is no file; raises `Unusable`."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"cannot read the token in {file}: {error}") from error
    if not token or not token.isascii() or len(token.split()) > 1:
        raise Unusable(f"{file} holds no token")
    return token


def write_token(file: Path, token: str) -> None:
    """Keep a token, readable for its user only; raises `Unusable`."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(token + "\n")
    except OSError as error:
        raise Unusable(f"cannot write the token to {file}: {error.strerror}") from error
