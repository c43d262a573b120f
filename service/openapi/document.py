"""The finished description, as JSON and as YAML."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import orjson

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
        # Few requests ask for YAML: a web process loads the library at the first of them.
        from cartulary.service.openapi.yaml_text import write_yaml

        return write_yaml(orjson.loads(self.json))

    @cached_property
    def digest(self) -> str:
        """The name of this description: equal descriptions have equal digests."""
        return hashlib.sha256(self.json).hexdigest()[:16]
