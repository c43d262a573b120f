"""The finished description, as JSON and as YAML."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import orjson
import yaml

Json = dict[str, Any]


class Description:
    """The finished description in its forms."""

    def __init__(self, value: Json) -> None:
        self.value = value

    @cached_property
    def json(self) -> bytes:
        """The description as JSON."""
        return orjson.dumps(self.value)

    @cached_property
    def yaml(self) -> str:
        """The description as YAML: what is in `openapi.yaml`."""
        return yaml.dump(
            orjson.loads(self.json), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100
        )

    @cached_property
    def digest(self) -> str:
        """The name of this description: equal descriptions have equal digests."""
        return hashlib.sha256(self.json).hexdigest()[:16]


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines in block style, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
