"""`cartulary config`: every setting, its value and where the value is from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import click
import orjson

from cartulary.cli.shared.environment import EXPLORER_URL, check_addresses, read_setting
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.model.types import Json
from cartulary.service.process.settings import WebSettings
from cartulary.settings.describing import describe_settings, write_default, write_plain
from cartulary.settings.environment import Environment, find_unknown
from cartulary.settings.settings import Setting, SettingsError
from cartulary.settings.table import SECTIONS, SETTINGS

HIDDEN = "(set, not shown)"


@click.command()
@click.option("--changed", is_flag=True, help="Leave out what is as by default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", is_flag=True, help="Print docs/configuration.md, without any value.")
def config(changed: bool, as_json: bool, markdown: bool) -> None:
    """Show each setting with its value, source, default, unit and meaning.

    Reads the environment of this shell, starts nothing, and shows no secret. Names each variable
    that sets nothing, and the setting that was perhaps meant. Exit 1 when a value is invalid.
    """
    if markdown:
        click.echo(describe_settings(), nl=False)
        return
    env = Environment.of_process()
    rows = [
        _look_up(env, name) for name in SETTINGS if not changed or env.source(name) != "default"
    ]
    problems, unknown = list(find_problems()), find_unknown(os.environ)
    if as_json:
        shown = [one._asdict() for one in unknown]
        click.echo(orjson.dumps({"settings": rows, "unknown": shown, "problems": problems}))
    else:
        _print_table({row["name"]: row for row in rows})
    for one in unknown:
        click.echo(f"warning: {one}", err=True)
    if problems:
        raise Failed("; ".join(problems))


def find_problems() -> Iterator[str]:
    """Yield what is wrong with the settings of this environment, one sentence for each place."""
    env = Environment.of_process()
    for setting in SETTINGS.values():
        try:
            _read(env, setting)
        except SettingsError as error:
            yield str(error)
    for check in (check_addresses, WebSettings.from_environment, _check_explorer):
        try:
            check()
        except Unusable as error:
            yield error.message
        except SettingsError:
            pass  # a single setting, named above
        except ValueError as error:
            yield str(error)


def _check_explorer() -> None:
    """Raise `Unusable` when the address of the explorer cannot be read."""
    if not (url := read_setting("EXPLORER_URL")):
        return
    # Loaded here: most have no explorer at another address.
    from cartulary.events.archive.database import read_url

    try:
        read_url(url)
    except ArchiveError:
        raise Unusable(
            f"{EXPLORER_URL} is neither sqlite:///PATH nor postgresql+psycopg://HOST/NAME"
        ) from None


def _read(env: Environment, setting: Setting) -> None:
    """Raise `SettingsError` when the setting does not accept its value."""
    name = setting.name
    if setting.kind == "number" and env.text(name):
        env.number_unless(name)
    elif setting.kind == "choice":
        env.choice(name)
    elif setting.kind == "flag":
        env.flag(name)
    else:
        env.text(name)


def _look_up(env: Environment, name: str) -> Json:
    setting = SETTINGS[name]
    try:
        text = env.text(name)
    except SettingsError:
        text = ""
    return {
        "name": setting.variable,
        "value": _hide(setting, text),
        "source": env.source(name),
        "default": write_default(setting),
        "unit": setting.unit,
        "meaning": write_plain(setting.meaning),
    }


def _hide(setting: Setting, text: str) -> str:
    """Return a value for the operator: of a secret address only the host."""
    if not text or not setting.secret:
        return text
    try:
        host = urlsplit(text).hostname if "://" in text else None
    except ValueError:
        host = None
    return f"{HIDDEN[:-1]}: host {host})" if host else HIDDEN


def _print_table(rows: dict[str, Json]) -> None:
    width = max(map(len, rows), default=0)
    for section in SECTIONS:
        found = [rows[one.variable] for one in section.settings if one.variable in rows]
        if found:
            click.echo(f"\n{section.title}\n")
        for row in found:
            unit = f" {row['unit']}" if row["unit"] and row["value"] else ""
            click.echo(f"{row['name']:<{width}}  {row['value'] or '-'}{unit}  [{row['source']}]")
            click.echo(f"{'':<{width}}  default {row['default']}: {row['meaning']}")
