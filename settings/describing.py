"""Writes the page about all settings, docs/configuration.md."""

from __future__ import annotations

import re
from typing import Final

from cartulary.settings.settings import Setting, SettingGroup
from cartulary.settings.table import SECTIONS, UNBOUNDED

_LINK: Final = re.compile(r"\[([^]]+)\]\([^)]+\)")

_HEAD: Final = """\
# Configuration

All settings are variables of the environment. `cartulary config` shows each with its value, where
the value is from, its default, unit and meaning. This page is what `cartulary config --markdown`
prints.

A variable that begins with `CARTULARY_` and is not on this page sets nothing: a process says so
when it starts, and names the setting that is spelled most alike. It starts all the same, because
two releases share one environment while they are exchanged; `cartulary doctor` counts it as an
error. A value that cannot be read ends the start with a sentence that names the variable.

A secret (🔑) may also lie in a file: `CARTULARY_SECRET_FILE=/run/secrets/draws` reads what the
file holds, without the white space around it. Both variables together are an error. The value of a
secret is never shown.
"""


def describe_settings() -> str:
    """Return the page about all settings, in Markdown."""
    return "\n".join([_HEAD, *map(_describe_section, SECTIONS), _FOOT])


def _describe_section(section: SettingGroup) -> str:
    rows = (_describe(setting) for setting in section.settings)
    head = f"## {section.title}\n\n| variable | default | unit | |\n|---|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _describe(setting: Setting) -> str:
    key = " 🔑" if setting.secret else ""
    default = f"`{setting.default}`" if setting.default else setting.otherwise
    meaning = setting.meaning.replace("|", "\\|")
    meaning += _describe_bounds(setting)
    return f"| `{setting.variable}`{key} | {default} | {setting.unit} | {meaning} |"


def _describe_bounds(setting: Setting) -> str:
    """Return what numbers or texts are accepted, where that is not said by the meaning."""
    if setting.choices:
        return f": {', '.join(f'`{one}`' for one in setting.choices)}"
    allowed = setting.allowed
    return f" ({allowed[0]} to {allowed[-1]})" if allowed and allowed[-1] < UNBOUNDED else ""


def write_default(setting: Setting) -> str:
    """Return the default in plain text: as it would be written, or what holds without it."""
    return setting.default or f"({write_plain(setting.otherwise)})"


def write_plain(markdown: str) -> str:
    """Return a text of the table without its links and marks."""
    return _LINK.sub(r"\1", markdown).replace("`", "")


_FOOT: Final = """\
## Not ours

| variable | |
|---|---|
| `PROMETHEUS_MULTIPROC_DIR` | an empty directory for the metrics of all processes |
| `FORWARDED_ALLOW_IPS` | the hosts whose forwarding gunicorn trusts |
| `CARTULARY_TOKEN` | the token of a player, for `cartulary verify --fair` |
"""
