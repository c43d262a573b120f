"""The addresses in the environment, checked before a command starts anything with them."""

from __future__ import annotations

import os

from redis import RedisError

from cartulary.cli.shared.errors import Unusable
from cartulary.events.server.servers import check_address
from cartulary.events.settings import refuse_unfit
from cartulary.settings.environment import Environment
from cartulary.settings.settings import SettingsError

EVENTS_URL = "CARTULARY_EVENTS_URL"
QUEUE_URL = "CARTULARY_QUEUE_URL"
MAIL_URL = "CARTULARY_SMTP_URL"
ARCHIVE_URL = "CARTULARY_ARCHIVE_URL"
ARCHIVE_FILE = "archive.sqlite"
"""The archive in a data directory, unless the environment names another one."""
EXPLORER_URL = "CARTULARY_EXPLORER_URL"
EXPLORER_FILE = "explorer.sqlite"
"""The counts of the explorer in a data directory, likewise."""


def events_url() -> str | None:
    """Return the address of the events server, None when it is not set; raises `Unusable`."""
    return _address("EVENTS_URL")


def queue_url() -> str:
    """Return the address of the queues: by default that of the events.

    Raises `Unusable` for an invalid address, and for that of a cluster.
    """
    events = _address("EVENTS_URL") or ""
    found = _address("QUEUE_URL") or events
    try:
        refuse_unfit(events, found)
    except SettingsError as error:
        raise Unusable(str(error)) from error
    return found


def check_addresses() -> None:
    """Raise `Unusable` for an invalid address: a restart of a child would not help."""
    queue_url()
    _check_mail_server()


def read_setting(name: str) -> str:
    """Return the text of a setting, '' when it is not set; raises `Unusable`."""
    try:
        return Environment.of_process().text(name)
    except SettingsError as error:
        raise Unusable(str(error)) from error


def _check_mail_server() -> None:
    from cartulary.notices.mail.settings import MailSettings

    try:
        MailSettings.from_environment(os.environ)
    except ValueError as error:
        raise Unusable(str(error)) from error


def _address(name: str) -> str | None:
    url = read_setting(name)
    if not url:
        return None
    try:
        # Nothing is connected: the server may still be starting.
        check_address(url)
    except (ValueError, TypeError, RedisError) as error:
        # The message shows neither the address nor the error, because both may contain a password.
        raise Unusable(
            f"CARTULARY_{name} is not the address of a server: redis://HOST:PORT, rediss://…, "
            "unix://PATH, or redis+cluster://HOST:PORT,HOST:PORT, a password in it percent-encoded"
        ) from error
    return url
