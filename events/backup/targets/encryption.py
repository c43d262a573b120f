"""Encryption of backups in the format of `age` (age-encryption.org/v1), by `pyrage`.

A backup is encrypted for public keys, so the machine that makes it cannot read it afterwards. For
the proof the backup is encrypted for one more key, which lives in the memory of the process that
makes the backup and ends with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from cartulary.events.backup.errors import BackupError, DamagedBackup

MAGIC: Final = b"age-encryption.org/v1\n"
_NO_MATCH: Final = "No matching keys found"


class InvalidAgeKey(BackupError):
    """A recipient or an identity that cannot be read, or a library that is missing."""


class WrongIdentity(BackupError):
    """A backup that none of the given identities decrypts."""


class Encryption:
    """Encrypts for recipients, `age1…` or `ssh-…`; without any, files stay as they are."""

    def __init__(self, recipients: Sequence[Any] = (), own: Any = None) -> None:
        self._recipients, self._own = recipients, own

    @classmethod
    def parse(cls, given: Sequence[str]) -> Encryption:
        """Return the encryption for recipients, or for the files that list them, one a line.

        Raises `InvalidAgeKey`.
        """
        if not given:
            return cls()
        age = _import_age()
        texts = [line for one in given for line in _list_recipients(one)]
        if not texts:
            raise InvalidAgeKey(f"there is no recipient in {', '.join(given)}")
        own = age.x25519.Identity.generate()
        return cls([*(_parse_recipient(age, text) for text in texts), own.to_public()], own)

    @property
    def is_on(self) -> bool:
        """Whether there are recipients."""
        return bool(self._recipients)

    @property
    def identities(self) -> Sequence[Any]:
        """What decrypts the files of this process, for their proof."""
        return () if self._own is None else (self._own,)

    def encrypt(self, source: BinaryIO, into: BinaryIO) -> None:
        """Write a file encrypted into another; raises `BackupError` when the disk is full, say."""
        age = _import_age()
        try:
            age.encrypt_io(source, into, self._recipients)
        except (age.EncryptError, OSError) as error:
            raise BackupError(f"the backup cannot be encrypted: {error}") from error


def _list_recipients(given: str) -> list[str]:
    if given.startswith(("age1", "ssh-")):
        return [given]
    try:
        return _read_lines(Path(given))
    except OSError as error:
        raise InvalidAgeKey(
            f"{given} is no recipient (age1…, ssh-…) and no file of them"
        ) from error


def _parse_recipient(age: Any, text: str) -> Any:
    if text.startswith("AGE-SECRET-KEY-"):
        raise InvalidAgeKey(
            "this is an identity, which is secret: encrypt for its public key, age1…"
        )
    kind = age.ssh if text.startswith("ssh-") else age.x25519
    try:
        return kind.Recipient.from_str(text)
    except age.RecipientError as error:
        raise InvalidAgeKey(f"{text[:80]} is no recipient: {error}") from error


def read_identities(file: Path) -> list[Any]:
    """Return the identities of a file: lines of `age-keygen`, or a key of SSH.

    Raises `InvalidAgeKey`, whose message shows nothing of the file.
    """
    age = _import_age()
    try:
        if b"PRIVATE KEY-----" in file.read_bytes():
            return [age.ssh.Identity.from_buffer(file.read_bytes())]
        found = [age.x25519.Identity.from_str(line) for line in _read_lines(file)]
    except OSError as error:
        raise InvalidAgeKey(f"cannot read {file}: {error.strerror}") from error
    except (age.IdentityError, UnicodeDecodeError):
        raise InvalidAgeKey(f"{file} holds no identity of age (AGE-SECRET-KEY-1…)") from None
    if not found:
        raise InvalidAgeKey(f"{file} holds no identity of age (AGE-SECRET-KEY-1…)")
    return found


def _read_lines(file: Path) -> list[str]:
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def is_encrypted(file: BinaryIO) -> bool:
    """Return whether a file is one of age; it stands at its beginning afterwards."""
    file.seek(0)
    found = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    return found


def decrypt(source: BinaryIO, into: BinaryIO, identities: Sequence[Any]) -> None:
    """Write an encrypted file decrypted into another.

    Raises `WrongIdentity`, `DamagedBackup`, `InvalidAgeKey` without the library.
    """
    if not identities:
        raise WrongIdentity("the backup is encrypted: name the file of the key with --identity")
    age = _import_age()
    try:
        age.decrypt_io(source, into, list(identities))
    except age.DecryptError as error:
        if str(error) == _NO_MATCH:
            raise WrongIdentity("the backup is encrypted for other keys than this one") from error
        raise DamagedBackup(f"the encrypted file is damaged: {error}") from error
    except OSError as error:
        if error.errno:
            raise
        raise DamagedBackup("the encrypted file is damaged or cut") from error


def _import_age() -> Any:
    try:
        # Loaded for encrypted backups only: it is an extra.
        import pyrage
    except ModuleNotFoundError as error:
        raise InvalidAgeKey(
            "an encrypted backup needs pyrage: pip install 'cartulary-games[backup]'"
        ) from error
    return pyrage
