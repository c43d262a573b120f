"""YAML as it stands in `openapi.yaml`."""

from __future__ import annotations

from typing import Any

import yaml

try:
    # The same text in less than half of the time, where PyYAML was built with libyaml.
    from yaml import CSafeDumper as SafeDumper
except ImportError:
    from yaml import SafeDumper  # type: ignore[assignment]


def write_yaml(value: Any) -> str:
    """Return a JSON value as YAML, with the keys in their order."""
    written: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return written


class _Dumper(SafeDumper):
    """Writes texts of several lines in block style, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
