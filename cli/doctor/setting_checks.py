"""Checks of the environment and the files that it names. They need no store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography.x509 import load_pem_x509_certificate

from cartulary.cli.doctor.site import Site
from cartulary.cli.operators.config import find_problems
from cartulary.cli.shared.certificate import choose_certificate
from cartulary.cli.shared.errors import Unusable
from cartulary.cli.shared.key_file import NAME, find_keys
from cartulary.events.server import keys
from cartulary.service.process.bounds import STREAMS_RESERVED, read_hard_limit
from cartulary.settings.environment import Environment, find_unknown
from cartulary.settings.settings import SettingsError

ENDS_WITHIN_DAYS: Final = 21
"""A certificate that is renewed by itself is renewed a month before its end."""


def find_unknown_variables(_place: Site) -> Iterator[str]:
    """See whether each `CARTULARY_` variable is a setting of this release."""
    for one in find_unknown(os.environ):
        yield str(one)


def find_invalid(_place: Site) -> Iterator[str]:
    """See whether each setting can be read."""
    yield from dict.fromkeys(find_problems())


def find_contradictions(site: Site) -> Iterator[str]:
    """See whether the settings fit together."""
    for judge in _CONTRADICTIONS:
        try:
            found = judge(site.environment)
        except SettingsError:
            continue  # `setting_invalid` names it
        if found:
            yield found


def _judge_proxies(env: Environment) -> str:
    is_behind = env.text("PUBLIC_URL").startswith("https://") and not env.text("CERTIFICATE")
    if is_behind and not env.number("PROXIES"):
        return (
            "CARTULARY_PUBLIC_URL begins with https:// and the service speaks no TLS, so a proxy "
            "does; but CARTULARY_PROXIES is 0, so all clients have the address of the proxy and "
            "share the bounds of one address"
        )
    return ""


def _judge_scheme(env: Environment) -> str:
    if env.text("PUBLIC_URL").startswith("http://") and env.text("CERTIFICATE"):
        return "CARTULARY_PUBLIC_URL begins with http://, and CARTULARY_CERTIFICATE makes it https"
    return ""


def _judge_key(env: Environment) -> str:
    if env.text("KEY") and not env.text("CERTIFICATE"):
        return "CARTULARY_KEY sets nothing without CARTULARY_CERTIFICATE"
    return ""


def _judge_mail(env: Environment) -> str:
    names = ("SMTP_FROM", "SMTP_USER", "SMTP_PASSWORD_FILE", "SMTP_CA")
    if not env.text("SMTP_URL") and (found := [name for name in names if env.text(name)]):
        return f"CARTULARY_{found[0]} sets nothing without CARTULARY_SMTP_URL"
    return ""


def _judge_mail_without_notifier(env: Environment) -> str:
    if env.text("SMTP_URL") and not env.flag("NOTICES"):
        return "CARTULARY_SMTP_URL is set, and CARTULARY_NOTICES=0: `serve` sends no e-mail"
    return ""


def _judge_vacations(env: Environment) -> str:
    at_a_time, a_year = env.number("VACATION_AT_A_TIME"), env.number("VACATION_A_YEAR")
    if at_a_time > a_year:
        return (
            f"CARTULARY_VACATION_AT_A_TIME ({at_a_time} days) is more than "
            f"CARTULARY_VACATION_A_YEAR ({a_year} days)"
        )
    return ""


def _judge_streams(env: Environment) -> str:
    wanted, most = env.number_if_set("STREAMS"), read_hard_limit() - STREAMS_RESERVED
    if wanted is not None and wanted > most:
        return (
            f"CARTULARY_STREAMS is {wanted}, and the hard limit of descriptors here leaves {most}"
        )
    return ""


_CONTRADICTIONS: Final[tuple[Callable[[Environment], str], ...]] = (
    *(_judge_proxies, _judge_scheme, _judge_key, _judge_mail, _judge_mail_without_notifier),
    *(_judge_vacations, _judge_streams),
)
"""Each says how settings contradict each other, '' where they do not."""


def find_unreadable_key(site: Site) -> Iterator[str]:
    """See whether the key of the draws can be read."""
    try:
        site.environment.text("SECRET")
    except SettingsError:
        return  # `setting_invalid` names it
    try:
        find_keys(site.data)
    except Unusable as error:
        yield error.message


def find_no_key(site: Site) -> Iterator[str]:
    """See whether the key is here by which the processes read the secrets of the draws."""
    noted = site.store.registry.get(keys.key_check())
    file, is_set = site.data / NAME, site.environment.source("SECRET") != "default"
    if noted is not None and not is_set and not file.exists():
        yield f"CARTULARY_SECRET is not set, and there is no file {file}"


def find_wrong_key(site: Site) -> Iterator[str]:
    """See whether the key here is that of the store."""
    if site.keys and not site.store.vault.fits():
        yield "the key here is not the one that the store notes"


def find_ending_certificate(site: Site) -> Iterator[str]:
    """See whether the certificate ends soon."""
    if (end := _read_end(site)) is None:
        return
    days = (end - _now(site)).days
    if 0 <= days < ENDS_WITHIN_DAYS:
        yield f"{_name_certificate(site)} ends in {days} days, at {end:%Y-%m-%d %H:%M} UTC"


def find_ended_certificate(site: Site) -> Iterator[str]:
    """See whether the certificate has ended."""
    if (end := _read_end(site)) is not None and end < _now(site):
        yield f"{_name_certificate(site)} has ended at {end:%Y-%m-%d %H:%M} UTC"


def find_bad_certificate(site: Site) -> Iterator[str]:
    """See whether the certificate can be read, and fits its key."""
    if not _name_certificate(site):
        return
    try:
        choose_certificate(None, None)
    except Unusable as error:
        yield error.message


def _name_certificate(site: Site) -> str:
    return site.environment.text("CERTIFICATE")


def _read_end(site: Site) -> datetime | None:
    """Return when the certificate of the service ends, None where none can be read."""
    if not (file := _name_certificate(site)):
        return None
    try:
        return load_pem_x509_certificate(Path(file).read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        return None  # `certificate_unreadable` says so


def _now(site: Site) -> datetime:
    return datetime.fromtimestamp(site.clock.now_ms() / 1000, UTC)
